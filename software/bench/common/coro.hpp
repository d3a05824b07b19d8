// SPDX-License-Identifier: Apache-2.0
// Hand-written baseline: C++20 coroutines that prefetch, suspend, and are resumed in FIFO order (paper section V, "Coroutine").
// `Interleaver` owns BENCH_COROUTINES frames at most; each coroutine works through operations until none is left.
#pragma once
#include "coro_scheduler.hpp"
#include <coroutine>
#include <cstddef>
#include <new>

namespace coro {

// Frames come from a fixed pool: a coroutine frame never touches the heap.
template <std::size_t FrameBytes, std::size_t Frames> class FramePool {
public:
  static void *take(std::size_t bytes) {
    if (bytes > FrameBytes || used == Frames)
      __builtin_trap();
    return storage[used++];
  }
  static void reset() { used = 0; }

private:
  alignas(64) static inline unsigned char storage[Frames][FrameBytes];
  static inline std::size_t used = 0;
};

using Pool = FramePool<256, BENCH_COROUTINES>;

// Prefetches its addresses; awaiting it passes control to the coroutine that has waited longest.
struct Prefetch {
  template <typename... Pointers> explicit Prefetch(Pointers... addresses) { (__builtin_prefetch(addresses), ...); }
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> self) const noexcept { return take_turns(self); }
  void await_resume() const noexcept {}
};

// The value, to be kept across suspensions: what LLVM sees computed from other values in the frame, it computes anew after each.
template <typename Value> Value kept(Value value) {
  asm("" : "+r"(value));
  return value;
}

// A worker that starts suspended and hands over to the next one when it ends.
struct Task {
  struct promise_type {
    void *operator new(std::size_t bytes) { return Pool::take(bytes); }
    void operator delete(void *) {}
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept { return next_or_none(); }
      void await_resume() const noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { __builtin_trap(); }
  };
  std::coroutine_handle<promise_type> handle;
};

// Runs `count` operations through BENCH_COROUTINES workers; `worker(next, end)` makes a Task that takes operations by
// incrementing `next` until it reaches `end`.
template <typename Worker> void interleave(uint64_t first, uint64_t count, Worker worker) {
  uint64_t next = first;
  const uint64_t end = first + count;
  Pool::reset();
  const uint64_t workers = count < BENCH_COROUTINES ? count : BENCH_COROUTINES;
  for (uint64_t k = 0; k < workers; ++k)
    fifo.push(worker(next, end).handle);
  if (!fifo.empty())
    fifo.pop().resume();
}

} // namespace coro
