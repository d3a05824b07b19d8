// SPDX-License-Identifier: Apache-2.0
//
// The library of tasks (tasks.h) for C++20: a task is a coroutine, what it waits for is awaited.
//
//   tasks::Task visit(const Node *node, uint64_t &sum) {
//     while (node != nullptr) {
//       const Node here = co_await tasks::load(node);
//       sum += here.value;
//       node = here.next;
//     }
//   }
//   ...
//   tasks::Task one = visit(first, sum);
//   one.spawn();
//   tasks_run(0);
//
// A Task owns its coroutine and must outlive it. `co_await task` waits for its end. A coroutine of type Call<T> is part of the task that awaits it, and gives a
// value. Where the last wait led decides where a resumed task goes on, so a switch is bafin, one call, and one jump of the coroutine.
#pragma once
#include <coroutine>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "tasks.h"

namespace tasks {

// What all tasks have: the library's part, and the innermost coroutine under way.
struct Root {
  ::task header;
  std::coroutine_handle<> leaf;
};

inline task_word running;     // the task that runs
inline task_step *after_step; // what its step ends in

inline Root *root() { return static_cast<Root *>(task_state(running)); }

extern "C" inline void tasks_resume_coroutine(task_word self) {
  running = self;
  root()->leaf.resume();
  TASK_GO(self, after_step);
}

// Suspends: the task goes on at `leaf` when it is resumed, and its step ends in `after`.
inline void suspend(std::coroutine_handle<> leaf, task_step *after) {
  root()->leaf = leaf;
  after_step = after;
}

template <typename T>
inline constexpr bool can_be_asked_for =
    std::is_trivially_copyable_v<T> && sizeof(T) <= TASK_BYTES_MAX && (sizeof(T) & (sizeof(T) - 1)) == 0;

template <typename T> struct Load {
  const T *address;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> leaf) const noexcept {
    const bool asked = task_asks(running, task_prepare(address, sizeof(T), tasks_resume_coroutine), sizeof(T), nullptr);
    suspend(leaf, asked ? tasks_poll : TASKS_LINE_UP);
  }
  T await_resume() const noexcept { return *static_cast<const T *>(task_data(running)); }
};

// What is at the address, which is aligned to the size of T.
template <typename T> Load<T> load(const T *address) {
  static_assert(can_be_asked_for<T>, "a load is of 1, 2, 4, ... 64 bytes");
  return {address};
}

template <typename T> struct Store {
  T *address;
  alignas(sizeof(T) < 8 ? sizeof(T) : 8) T value; // as the slot is filled
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> leaf) const noexcept {
    const bool asked = task_asks(running, task_prepare(address, sizeof(T), tasks_resume_coroutine), sizeof(T), &value);
    suspend(leaf, asked ? tasks_poll : TASKS_LINE_UP);
  }
  void await_resume() const noexcept {}
};

template <typename T> Store<T> store(T *address, std::type_identity_t<T> value) {
  static_assert(can_be_asked_for<T>, "a store is of 1, 2, 4, ... 64 bytes");
  return {address, value};
}

// An awaitable of a wait for other tasks: `need_not(task, step)` is one of tasks.h.
template <typename NeedNot, typename Result> struct Wait {
  NeedNot need_not;
  Result result;
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> leaf) noexcept {
    suspend(leaf, TASKS_LEAVE);
    return !need_not(task_current(running), tasks_resume_coroutine);
  }
  auto await_resume() noexcept { return result(); }
};

template <typename NeedNot, typename Result> Wait<NeedNot, Result> wait(NeedNot need_not, Result result) {
  return {need_not, result};
}

inline void nothing() {}

// Ends at wake_up() of the task.
inline auto signal() { return wait(task_waits_for_signal, nothing); }

struct Yield {
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> leaf) const noexcept {
    root()->header.then.step = tasks_resume_coroutine;
    suspend(leaf, tasks_yield);
  }
  void await_resume() const noexcept {}
};

// Lets those run that can.
inline Yield yield() { return {}; }

class Task {
public:
  struct promise_type : Root {
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<>) const noexcept { after_step = task_end; }
      void await_resume() const noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { __builtin_trap(); }
  };

  Task() = default;
  Task(Task &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Task &operator=(Task &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Task() {
    if (handle)
      handle.destroy();
  }

  void spawn(unsigned priority = 0) {
    handle.promise().leaf = handle;
    task_spawn(header(), tasks_resume_coroutine, priority);
  }
  void set_priority(unsigned priority) { task_set_priority(header(), priority); }
  void wake_up() { task_wake_up(header()); }
  auto operator co_await() {
    return wait([other = header()](::task *self, task_step *next) { return task_waits_for_end(self, other, next); },
                nothing);
  }

private:
  explicit Task(std::coroutine_handle<promise_type> made) : handle(made) {}
  ::task *header() const { return &handle.promise().header; }
  std::coroutine_handle<promise_type> handle;
};

// A part of the task that awaits it. Its value is there when the coroutine has returned.
template <typename T> class [[nodiscard]] Call {
public:
  struct promise_type {
    std::coroutine_handle<> caller;
    T value;
    Call get_return_object() { return Call(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) const noexcept {
        return ended.promise().caller;
      }
      void await_resume() const noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_value(T returned) { value = returned; }
    void unhandled_exception() { __builtin_trap(); }
  };

  Call(Call &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  ~Call() {
    if (handle)
      handle.destroy();
  }
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
    handle.promise().caller = caller;
    return handle;
  }
  T await_resume() const noexcept { return handle.promise().value; }

private:
  explicit Call(std::coroutine_handle<promise_type> made) : handle(made) {}
  std::coroutine_handle<promise_type> handle;
};

// A bounded queue of values of at most eight bytes.
template <typename T, std::size_t Capacity> class Channel {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(uint64_t));

public:
  Channel() { task_channel_init(&channel, words, Capacity); }
  Channel(const Channel &) = delete;
  auto send(T value) {
    uint64_t word = 0;
    std::memcpy(&word, &value, sizeof value);
    return wait([this, word](::task *self, task_step *next) { return task_sends(self, &channel, word, next); },
                nothing);
  }
  auto receive() {
    return wait([this](::task *self, task_step *next) { return task_receives(self, &channel, next); },
                [] {
                  const uint64_t word = task_value(running);
                  T value;
                  std::memcpy(&value, &word, sizeof value);
                  return value;
                });
  }

private:
  uint64_t words[Capacity];
  task_channel channel;
};

class Lock {
public:
  // Holds the lock until it goes out of scope.
  class [[nodiscard]] Held {
  public:
    explicit Held(task_lock *held) : lock(held) {}
    Held(Held &&other) noexcept : lock(std::exchange(other.lock, nullptr)) {}
    ~Held() {
      if (lock != nullptr)
        task_unlock(lock);
    }

  private:
    task_lock *lock;
  };
  auto hold() {
    return wait([this](::task *self, task_step *next) { return task_locks(self, &lock, next); },
                [this] { return Held(&lock); });
  }

private:
  task_lock lock = {};
};

} // namespace tasks
