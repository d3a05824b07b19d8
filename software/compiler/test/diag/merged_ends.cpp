// SPDX-License-Identifier: Apache-2.0
// A generator that becomes part of the loop that asks it: optimisation gives the end of the marked loop to the loop around it, which promises nothing.
// RUN: %coroamu_cxx -O2 -masync=full --target=riscv64-unknown-elf -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK-NOT: a value carried
// CHECK: [[#@LINE+24]]:9: warning: loop left serial: optimisation merged its end with that of another loop, it is not known any more which one was marked
#include "asyncmem.h"
#include <coroutine>

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

uint64_t in_order(const uint64_t *a) {
  uint64_t all = 0;
  generator g = sums(a, 10);
  for (g.handle.resume(); !g.handle.done(); g.handle.resume())
    all = all * 3 + g.handle.promise().value;
  return all;
}
