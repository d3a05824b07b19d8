// SPDX-License-Identifier: Apache-2.0
// The driver compiles, links and runs; every mode; its error messages.
// RUN: %coroamu_cc -O2 %s -o %t.static -Rpass=asyncmem 2>&1 | FileCheck %s -check-prefix=STATIC
// STATIC: loop split into tasks: 8 tasks, {{.*}} scheduler static
// RUN: %t.static | FileCheck %s -check-prefix=RESULT
// RESULT: sum 4950
// RUN: %coroamu_cc -O2 -masync=off %s -o %t.off -Rpass=asyncmem 2>&1 | FileCheck %s -check-prefix=OFF -allow-empty
// OFF-NOT: {{.}}
// RUN: %t.off | FileCheck %s -check-prefix=RESULT
// RUN: %coroamu_cc -O2 -masync-tasks=3 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s -check-prefix=TASKS
// TASKS: loop split into tasks: 3 tasks
// RUN: %coroamu_cc %t.o -o %t.linked
// RUN: %t.linked | FileCheck %s -check-prefix=RESULT
// RUN: %coroamu_cc -O2 -masync=full --target=riscv64-unknown-elf %s -o %t.elf -Rpass=asyncmem 2>&1 | FileCheck %s -check-prefix=FULL
// FULL: scheduler bafin
// RUN: %nhg_iss --elf %t.elf | FileCheck %s -check-prefix=RESULT
// RUN: %coroamu_cc -O2 -masync=getfin --target=riscv64-unknown-elf %s -o %t.elf
// RUN: %nhg_iss --elf %t.elf | FileCheck %s -check-prefix=RESULT
// RUN: %coroamu_cc -O2 -masync=check %s -o %t.check -Rpass=asyncmem 2>&1 | FileCheck %s -check-prefix=CHECKED
// CHECKED: loop left serial, the program checks what the pragma promises
// RUN: %t.check | FileCheck %s -check-prefix=RESULT
// RUN: not %coroamu_cc -masync=check --target=riscv64-unknown-elf -c %s -o %t.o 2>&1 | FileCheck %s -check-prefix=NATIVE
// NATIVE: coroamu-cc: -masync=check runs natively: what it checks is the same on every target; leave --target=riscv64-unknown-elf out
// RUN: not %coroamu_cc -masync=fast -c %s -o %t.o 2>&1 | FileCheck %s -check-prefix=UNKNOWN
// UNKNOWN: coroamu-cc: -masync=fast: unknown scheduler; use -masync=static|getfin|bafin|full|check|off
// RUN: not %coroamu_cc -masync=bafin -c %s -o %t.o 2>&1 | FileCheck %s -check-prefix=AMU
// AMU: coroamu-cc: -masync=bafin needs the AMU; add --target=riscv64-unknown-elf or use -masync=static
// RUN: %coroamu_cc -O2 -target riscv64-unknown-elf -masync=full %s -o %t.elf
// RUN: %nhg_iss --elf %t.elf | FileCheck %s -check-prefix=RESULT
// RUN: not %coroamu_cc --target=aarch64-linux-gnu -c %s -o %t.o 2>&1 | FileCheck %s -check-prefix=TARGET
// TARGET: coroamu-cc: --target=aarch64-linux-gnu has no runtime library; use --target=riscv64-unknown-elf, --target=riscv64-linux-gnu or none, for x86-64
// RUN: not %coroamu_cc -masync-tasks=many -c %s -o %t.o 2>&1 | FileCheck %s -check-prefix=NUMBER
// RUN: not %coroamu_cc -masync-tasks -c %s -o %t.o 2>&1 | FileCheck %s -check-prefix=NUMBER
// NUMBER: coroamu-cc: -masync-tasks{{(=many)?}}: use -masync-tasks=N with N from 1 to 512
// RUN: not %coroamu_cc -save-temps -c %s -o %t.o 2>&1 | FileCheck %s -check-prefix=STEPS
// STEPS: coroamu-cc: -save-temps compiles in steps, the later ones without the plugin; use -E, -S or -S -emit-llvm
// A user's own headers are this machine's: no program for NH-G sees them.
// RUN: mkdir -p %t.headers
// RUN: echo '#error of this machine' > %t.headers/stdint.h
// RUN: env CPATH=%t.headers %coroamu_cc -O2 -masync=full --target=riscv64-unknown-elf -include stdint.h -c %s -o %t.o
// The headers and what the plugin declares cause no warnings.
// RUN: %coroamu_cc -O2 -masync=off -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %coroamu_cc -O2 -Wall -Wextra -Wreserved-identifier -Wmissing-prototypes -Werror -c %s -o %t.o
// RUN: %coroamu_cc -O2 -flto -masync=full --target=riscv64-unknown-elf %s -o %t.lto.elf
// RUN: %nhg_iss --elf %t.lto.elf | FileCheck %s -check-prefix=RESULT
// What -E writes is compiled as the file itself is.
// RUN: %coroamu_cc -E %s -o %t.i
// RUN: %coroamu_cc -O2 %t.i -o %t.preprocessed -Rpass=asyncmem 2>&1 | FileCheck %s -check-prefix=STATIC
// RUN: %t.preprocessed | FileCheck %s -check-prefix=RESULT
#include "asyncmem.h"
#include <stdio.h>

int main(void) {
  uint64_t *a = remote_alloc(100 * sizeof *a), sum = 0;
  for (uint64_t i = 0; i < 100; ++i)
    a[i] = i;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < 100; ++i) {
    __builtin_is_remote(a);
    sum += a[i * 37 % 100];
  }
  printf("sum %lu\n", (unsigned long)sum);
  return 0;
}
