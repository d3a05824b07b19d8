// SPDX-License-Identifier: Apache-2.0
// coroamu-objdump prints the instructions of the AMU, in a small program, in a benchmark and each encoding; everything else as llvm-objdump does.
// RUN: %coroamu_cc -O2 -masync=full --target=riscv64-unknown-elf %s -o %t.elf
// RUN: %coroamu_objdump -d %t.elf > %t.ours
// RUN: FileCheck %s -check-prefix=PROGRAM < %t.ours
// PROGRAM-LABEL: <main>:
// PROGRAM: aconfig {{[a-z0-9]+}}, {{[a-z0-9]+$}}
// PROGRAM: aload {{[a-z0-9]+}}, {{[a-z0-9]+$}}
// PROGRAM: bafin {{[a-z0-9]+$}}
// RUN: grep -v -e aconfig -e aload -e bafin %t.ours > %t.ours.rest
// RUN: llvm-objdump -d %t.elf > %t.llvm
// RUN: grep -v '<unknown>' %t.llvm > %t.llvm.rest
// RUN: diff %t.ours.rest %t.llvm.rest
// RUN: %coroamu_objdump -d --no-show-raw-insn -M numeric %t.elf | FileCheck %s -check-prefix=NUMERIC
// NUMERIC: {{^[0-9a-f]+: *}}bafin {{x[0-9]+$}}
// RUN: %coroamu_cc -O2 -masync=full --target=riscv64-unknown-elf -DBENCH_COROUTINES=64 -DGUPS_LOG2_WORDS=16 -I%bench/gups -I%bench/common -c %bench/gups/gups.c -o %t.o
// RUN: %coroamu_objdump -d %t.o > %t.benchmark
// RUN: FileCheck %s -check-prefix=BENCHMARK < %t.benchmark
// RUN: not grep '<unknown>' %t.benchmark
// BENCHMARK-DAG: aload
// BENCHMARK-DAG: astore
// BENCHMARK-DAG: bafin
// RUN: %coroamu_cc --target=riscv64-unknown-elf -DENCODINGS -x assembler-with-cpp -c %s -o %t.o
// RUN: %coroamu_objdump -d %t.o | FileCheck %s -check-prefix=ENCODING -match-full-lines
// RUN: not %coroamu_objdump -d %t.missing 2>&1 | FileCheck %s -check-prefix=MISSING
// MISSING: No such file
#ifdef ENCODINGS
#include "ami_instructions.h"
  aload a0, t6      // ENCODING: {{.*}} 0b 00 f5 01 aload a0, t6
  astore s11, zero  // ENCODING: {{.*}} 0b 90 0d 00 astore s11, zero
  getfin gp         // ENCODING: {{.*}} 8b 21 00 00 getfin gp
  bafin a4          // ENCODING: {{.*}} 0b 37 00 00 bafin a4
  aset a0, a1       // ENCODING: {{.*}} 0b 40 b5 00 aset a0, a1
  aconfig ra, a2    // ENCODING: {{.*}} 0b d0 c0 00 aconfig ra, a2
  await t0, a3      // ENCODING: {{.*}} 0b e0 d2 00 await t0, a3
  asignal s2        // ENCODING: {{.*}} 0b 70 09 00 asignal s2
  // A funct7 other than 0, and a register that must be x0: illegal.
  .insn r 0x0b, 0, 1, x0, a0, a1  // ENCODING: {{.*}} 0b 00 b5 02 <unknown>
  .insn r 0x0b, 0, 0, x1, a0, a1  // ENCODING: {{.*}} 8b 00 b5 00 <unknown>
#else
#include "asyncmem.h"

int main(void) {
  uint64_t *a = remote_alloc(100 * sizeof *a), sum = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < 100; ++i) {
    __builtin_is_remote(a);
    sum += a[i * 37 % 100];
  }
  return (int)sum;
}
#endif
