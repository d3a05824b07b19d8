// SPDX-License-Identifier: Apache-2.0
// The parts of the C++ library that programs of NH-G have: containers, strings, sorting, and the end of a program that asks too much of a vector.
// RUN: %coroamu_cxx -O2 -masync=full --target=riscv64-unknown-elf %s -o %t.elf -Werror=pass-failed
// RUN: %nhg_iss --elf %t.elf | FileCheck %s
// RUN: %coroamu_cxx -O0 -masync=full --target=riscv64-unknown-elf %s -o %t.elf
// RUN: %nhg_iss --elf %t.elf | FileCheck %s
// RUN: %coroamu_cxx -O2 -std=c++20 %s -o %t.x86
// RUN: %t.x86 | FileCheck %s
// RUN: %coroamu_cxx -O2 -DTOO_LONG -masync=full --target=riscv64-unknown-elf %s -o %t.elf
// RUN: not %nhg_iss --elf %t.elf | FileCheck %s -check-prefix=TOO_LONG
// TOO_LONG: vector
#include "asyncmem.h"
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <ranges>
#include <span>
#include <stdio.h>
#include <string>
#include <unordered_map>
#include <vector>

int main() {
  constexpr uint64_t words = 1000;
  std::span<uint64_t> remote(static_cast<uint64_t *>(remote_alloc(words * sizeof(uint64_t))), words);
  std::iota(remote.begin(), remote.end(), 0);
  std::vector<uint32_t> order(words);
  for (uint32_t i : std::views::iota(0u, uint32_t(words)))
    order[i] = i * 37 % words;
  const uint64_t *base = remote.data();
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (uint32_t i : order) {
    __builtin_is_remote(base);
    sum += base[i];
  }
  std::sort(order.begin(), order.end());
  std::unordered_map<uint32_t, uint32_t> squares;
  std::map<std::string, uint32_t> names;
  for (uint32_t i : order) {
    squares[i * i] = i;
    names[std::string(1 + i % 40, char('a' + i % 26))] = i;
  }
  std::function<uint32_t(uint32_t)> root = [&](uint32_t i) { return squares[i]; };
  // CHECK: sum 499500, first 0, last 999, root 25, names 520, last zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz
  printf("sum %lu, first %u, last %u, root %u, names %zu, last %s\n", static_cast<unsigned long>(sum), order.front(), order.back(), root(625),
         names.size(), names.rbegin()->first.c_str());
  struct alignas(64) line {
    uint64_t words[8];
  };
  std::vector<line> lines(3);
  // CHECK: aligned 0
  printf("aligned %lu\n", static_cast<unsigned long>(reinterpret_cast<uintptr_t>(lines.data()) % 64));
#ifdef TOO_LONG
  order.reserve(~uint64_t(0));
#endif
}
