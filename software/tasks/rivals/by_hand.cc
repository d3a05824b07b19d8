// SPDX-License-Identifier: Apache-2.0
//
// Mechanisms without the library: a state machine by hand, and C++20 coroutines, resumed in turn.
#include <cstdlib>

#include "in_turn.hpp"
#include "row.h"

namespace {

struct Machine {
  uint32_t state, turn, turns;
  uint64_t sum;
};

// False at its end.
bool step(Machine &machine) {
  switch (machine.state) {
  case 0:
    machine.turn = 0;
    machine.sum = 0;
    machine.state = 1;
    [[fallthrough]];
  case 1:
    if (machine.turn < machine.turns) {
      machine.sum += machine.turn++;
      return true;
    }
    machine.state = 2;
  }
  return false;
}

struct Coroutine {
  struct promise_type {
    void *operator new(size_t bytes) {
      row_task_bytes = bytes + sizeof(Coroutine);
      return malloc(bytes);
    }
    void operator delete(void *frame) { free(frame); }
    Coroutine get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { abort(); }
  };
  std::coroutine_handle<promise_type> handle;
};

[[gnu::noinline]] Coroutine add_up(uint32_t turns, uint64_t &total) {
  uint64_t sum = 0;
  for (uint32_t turn = 0; turn < turns; ++turn) {
    sum += turn;
    co_await std::suspend_always{};
  }
  total += sum;
}

} // namespace

uint64_t state_machine(uint32_t turns) {
  static Machine machines[RowTasks];
  row_task_bytes = sizeof(Machine);
  for (Machine &machine : machines)
    machine = {.state = 0, .turn = 0, .turns = turns, .sum = 0};
  for (bool any = true; any;) {
    any = false;
    for (Machine &machine : machines) {
      asm volatile("" ::: "memory");
      any |= step(machine);
    }
  }
  uint64_t sum = 0;
  for (const Machine &machine : machines)
    sum += machine.sum;
  return sum;
}

uint64_t coroutines(uint32_t turns) {
  uint64_t sum = 0;
  std::coroutine_handle<> handles[RowTasks];
  for (auto &handle : handles)
    handle = add_up(turns, sum).handle;
  resume_in_turn(handles);
  return sum;
}
