// SPDX-License-Identifier: Apache-2.0
// The scheduler of the hand-written coroutines: a ring of those that wait, resumed in FIFO order. Cycles spent on lines of this file count as
// scheduler (tools/nhg/parts.py).
#pragma once
#include <coroutine>
#include <cstddef>
#include <cstdint>

#ifdef BENCH_COUNT
// The compiler's counter of task switches (asyncmem.h), kept by hand here.
extern "C" {
inline uint64_t __asyncmem_switches = 0;
}
#endif

namespace coro {

// Ring of suspended coroutines.
class Fifo {
public:
  void push(std::coroutine_handle<> handle) {
    ring[tail] = handle;
    tail = tail + 1 == Capacity ? 0 : tail + 1;
  }
  std::coroutine_handle<> pop() {
    std::coroutine_handle<> handle = ring[head];
    head = head + 1 == Capacity ? 0 : head + 1;
    return handle;
  }
  bool empty() const { return head == tail; }

private:
  static constexpr std::size_t Capacity = BENCH_COROUTINES + 1;
  std::coroutine_handle<> ring[Capacity];
  std::size_t head = 0, tail = 0;
};

inline Fifo fifo;

// Suspends a coroutine; the one that has waited longest goes on.
inline std::coroutine_handle<> take_turns(std::coroutine_handle<> self) {
#ifdef BENCH_COUNT
  ++__asyncmem_switches;
#endif
  fifo.push(self);
  return fifo.pop();
}

// Which coroutine goes on when one has ended.
inline std::coroutine_handle<> next_or_none() {
  return fifo.empty() ? std::coroutine_handle<>(std::noop_coroutine()) : fifo.pop();
}

} // namespace coro
