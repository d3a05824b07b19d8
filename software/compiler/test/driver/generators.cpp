// SPDX-License-Identifier: Apache-2.0
// Generators that become part of the function that asks them: one with a marked loop, whose end optimisation gives to the loop around it, which
// promises nothing; and one that a marked loop asks.
// RUN: %coroamu_cxx -O2 -masync=off --target=riscv64-unknown-elf %s -o %t.elf
// RUN: %nhg_iss --elf %t.elf > %t.expected
// RUN: %coroamu_cxx -O2 -masync=full --target=riscv64-unknown-elf %s -o %t.elf -Rpass=asyncmem -Werror=pass-failed 2>&1 | FileCheck %s
// RUN: %nhg_iss --elf %t.elf --adversarial 3 > %t.printed
// RUN: diff %t.expected %t.printed
// CHECK-DAG: [[#@LINE+26]]:9: remark: loop split into tasks
// CHECK-DAG: [[#@LINE+50]]:9: remark: loop split into tasks
#include "asyncmem.h"
#include <coroutine>
#include <stdio.h>

struct generator {
  struct promise_type {
    uint64_t value;
    generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(uint64_t now) {
      value = now;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  ~generator() { handle.destroy(); }
};

static generator sums(const uint64_t *a, int n) {
  for (int block = 0; block < n; ++block) {
    uint64_t sum = 0;
#pragma asyncmem num_task(8)
    for (int i = 0; i < 50; ++i) {
      __builtin_is_remote(a);
      sum += a[block * 50 + i * 7];
    }
    co_yield sum;
  }
}

__attribute__((noinline)) static uint64_t in_order(const uint64_t *a) {
  uint64_t all = 0;
  generator g = sums(a, 10);
  for (g.handle.resume(); !g.handle.done(); g.handle.resume())
    all = all * 3 + g.handle.promise().value;
  return all;
}

static generator up_to_end(const uint64_t *order) {
  while (*order != ~0ull)
    co_yield *order++;
}

__attribute__((noinline)) static uint64_t asks(const uint64_t *a, const uint64_t *__restrict order) {
  uint64_t sum = 0;
  generator g = up_to_end(order);
#pragma asyncmem num_task(8)
  for (g.handle.resume(); !g.handle.done(); g.handle.resume()) {
    __builtin_is_remote(a);
    sum += a[g.handle.promise().value];
  }
  return sum;
}

int main() {
  constexpr uint64_t words = 1000;
  auto *a = static_cast<uint64_t *>(remote_alloc(words * sizeof(uint64_t)));
  uint64_t order[words];
  for (uint64_t i = 0; i < words; ++i) {
    a[i] = i * i;
    order[i] = i + 1 < words ? i * 77 % words : ~0ull;
  }
  printf("%lx %lx\n", static_cast<unsigned long>(in_order(a)), static_cast<unsigned long>(asks(a, order)));
  return 0;
}
