// SPDX-License-Identifier: Apache-2.0
// With -g the code is the same: nothing is decided by how many instructions there are, notes for the debugger counted.
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.plain.o && llvm-objcopy -O binary -j .text %t.plain.o %t.plain
// RUN: %clang %plugin %riscv %sched=bafin -O2 -g -c %s -o %t.debug.o && llvm-objcopy -O binary -j .text %t.debug.o %t.debug
// RUN: cmp %t.plain %t.debug
// RUN: %clang %plugin -O2 -c %s -o %t.plain.o && llvm-objcopy -O binary -j .text %t.plain.o %t.plain
// RUN: %clang %plugin -O2 -g -c %s -o %t.debug.o && llvm-objcopy -O binary -j .text %t.debug.o %t.debug
// RUN: cmp %t.plain %t.debug
#include "asyncmem.h"

struct item {
  uint64_t key, value;
  uint32_t low, high;
  uint16_t tags[4];
};

// Its launch is just short enough for a copy of its own.
uint64_t combine(struct item *items) {
  uint64_t sum = 0;
#pragma asyncmem num_task(24)
  for (int i = 0; i < 1000; ++i) {
    __builtin_is_remote(items);
    struct item *it = &items[i];
    uint64_t key = it->key, value = it->value;
    uint32_t low = it->low, high = it->high;
    uint64_t tag = it->tags[1] + it->tags[3];
    sum += key * 3 + value + low + high + tag;
    it->key = value;
    it->value = key + tag;
    it->low = high;
    it->high = low + 1;
    it->tags[2] = tag;
  }
  return sum;
}

// Rows and strips.
uint64_t rows(const uint64_t *values, const uint32_t *columns, const uint64_t *vector) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (uint64_t r = 0; r < 1000; ++r) {
    __builtin_is_remote(values);
    __builtin_is_remote(columns);
    __builtin_is_remote(vector);
    for (uint64_t e = r * 40; e < r * 40 + r % 33; ++e) {
      uint64_t product = values[e] * vector[columns[e]];
      sum += product >> 3;
    }
  }
  return sum;
}
