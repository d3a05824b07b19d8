// SPDX-License-Identifier: Apache-2.0
// Sources that come in other ways than as one file with their language's suffix, and headers.
// RUN: cp %s %t.txt
// RUN: %coroamu_cc -O2 -include %S/inputs.h -x c %t.txt -o %t.language
// RUN: %t.language | FileCheck %s -check-prefix=RESULT
// RUN: %coroamu_cc -O2 -include %S/inputs.h -xc - -o%t.standard_input < %s
// RUN: %t.standard_input | FileCheck %s -check-prefix=RESULT
// RUN: %coroamu_cc -O2 -masync=full --target=riscv64-unknown-elf -include %S/inputs.h -x c %t.txt -o %t.elf
// RUN: %nhg_iss --elf %t.elf | FileCheck %s -check-prefix=RESULT
//
// The driver's own options are no reason for a warning.
// RUN: %coroamu_cc -O2 -Wall -Wextra -Werror -include %S/inputs.h %s -o %t.warned
// RUN: %t.warned | FileCheck %s -check-prefix=RESULT
// RUN: %coroamu_cc -O2 -Wall -Wextra -Werror -masync=full --target=riscv64-unknown-elf -include %S/inputs.h %s -o %t.elf
// RESULT: sum 4950 103
//
// What a file of arguments says counts, too.
// RUN: echo "-O2 -masync-tasks=3 -include '%S/inputs.h' -c '%s' -o '%t.o'" > %t.arguments
// RUN: %coroamu_cc @%t.arguments -Werror -Rpass=asyncmem 2>&1 | FileCheck %s -check-prefix=ARGUMENTS
// ARGUMENTS: loop split into tasks: 3 tasks
//
// Loops of a header, precompiled or named on the command line.
// RUN: %coroamu_cc -O2 -x c-header %S/inputs.h -o %t.pch
// RUN: %coroamu_cc -O2 -include-pch %t.pch %s -o %t.precompiled -Rpass=asyncmem 2>&1 | FileCheck %s -check-prefix=HEADER
// RUN: %t.precompiled | FileCheck %s -check-prefix=RESULT
// RUN: %coroamu_cc -O2 -include %S/inputs.h %s -o %t.included -Rpass=asyncmem 2>&1 | FileCheck %s -check-prefix=HEADER
// HEADER-NOT: warning:
// HEADER-DAG: inputs.h:7:9: remark: loop split into tasks: 5 tasks
// HEADER-DAG: inputs.c:[[#@LINE+9]]:9: remark: loop split into tasks: 9 tasks
// HEADER-NOT: warning:
#include <stdio.h>

int main(void) {
  uint64_t *a = remote_alloc(100 * sizeof *a);
  for (uint64_t i = 0; i < 100; ++i)
    a[i] = i;
  uint64_t sum = sum_of(a, 100);
#pragma asyncmem num_task(9)
  for (uint64_t i = 0; i < 100; ++i) {
    __builtin_is_remote(a);
    a[i * 37 % 100] += 4;
  }
  printf("sum %lu %lu\n", (unsigned long)sum, (unsigned long)a[99]);
  return 0;
}
