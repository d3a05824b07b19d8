// SPDX-License-Identifier: Apache-2.0
// Programs with _Float16 link on both targets, and convert it alike.
// RUN: %coroamu_cc -O2 %s -o %t.x86
// RUN: %t.x86 > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: %coroamu_cc -O2 -masync=full --target=riscv64-unknown-elf %s -o %t.elf
// RUN: %nhg_iss --elf %t.elf > %t.shown
// RUN: diff %t.expected %t.shown
// CHECK: halves {{[0-9a-f]+}} rounded {{[0-9a-f]+}} {{[0-9a-f]+}}
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t add(uint64_t hash, uint64_t word) { return (hash ^ word) * 0x100000001b3u; }

int main(void) {
  uint64_t halves = 1, singles = 1, doubles = 1;
  for (uint32_t k = 0; k < 1 << 16; ++k) {
    uint16_t bits = (uint16_t)k;
    volatile _Float16 half;
    memcpy((void *)&half, &bits, 2);
    float single = (float)half;
    double wide = (double)half;
    if (single != single)
      continue;
    uint32_t word;
    memcpy(&word, &single, 4);
    halves = add(add(halves, word), (uint64_t)(wide == (double)single));
    // Between halves, at the middle of two, and beside it.
    for (int beside = -1; beside <= 1; ++beside) {
      uint32_t near = word + 0x1000 + (uint32_t)beside;
      volatile float given;
      memcpy((void *)&given, &near, 4);
      half = (_Float16)given;
      memcpy(&bits, (void *)&half, 2);
      singles = add(singles, given == given ? bits : 0);
      half = (_Float16)((double)given * (1 + beside * 0x1p-50));
      memcpy(&bits, (void *)&half, 2);
      doubles = add(doubles, given == given ? bits : 0);
    }
  }
  printf("halves %08x rounded %08x %08x\n", (unsigned)halves, (unsigned)singles, (unsigned)doubles);
  return 0;
}
