// SPDX-License-Identifier: Apache-2.0
// Hand-written C++20 coroutines: the line table says which accesses move their context; the code is the same with the plugin and without.
// RUN: %clangxx %plugin %riscv %sched=none -std=c++20 -fno-exceptions -gline-tables-only -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx %plugin %riscv %sched=none -std=c++20 -fno-exceptions -gline-tables-only -O2 -c %s -o %t.o
// RUN: llvm-objdump -d -l --no-show-raw-insn %t.o | FileCheck --check-prefix=LINES %s
// RUN: llvm-objdump -d %t.o > %t.with
// RUN: %clangxx %riscv -std=c++20 -fno-exceptions -gline-tables-only -O2 -c %s -o %t.o
// RUN: llvm-objdump -d %t.o > %t.without
// RUN: diff %t.with %t.without

namespace std {
template <typename Result, typename...> struct coroutine_traits {
  using promise_type = typename Result::promise_type;
};
template <typename Promise = void> struct coroutine_handle;
template <> struct coroutine_handle<void> {
  static coroutine_handle from_address(void *frame) { return {frame}; }
  void *address() const { return frame; }
  void *frame;
};
template <typename Promise> struct coroutine_handle : coroutine_handle<void> {
  static coroutine_handle from_address(void *frame) { return {{frame}}; }
};
} // namespace std

std::coroutine_handle<> waiting;

struct Wait {
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> self) noexcept { waiting = self; }
  void await_resume() noexcept {}
};

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    Wait initial_suspend() noexcept { return {}; }
    Wait final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

// `x` and the parameters live across the suspension; what the pointers lead to is not context.
// CHECK-LABEL: define {{.*}}sum{{.*}}.resume(
// CHECK: load i2, ptr {{.*}}, !dbg ![[CONTEXT:[0-9]+]]
// CHECK-NOT: load ptr, ptr {{[^!]*$}}
// CHECK: load i64, ptr {{.*}}, !dbg ![[FAR:[0-9]+]]
// CHECK-NOT: !dbg ![[FAR]]
// CHECK: store i64 {{.*}}, !dbg ![[CONTEXT]]
// CHECK: load i64, ptr {{.*}}, !dbg ![[CONTEXT]]
// CHECK-LABEL: define {{.*}}.destroy(
// CHECK-NOT: !dbg ![[CONTEXT]]
// CHECK: ![[CONTEXT]] = !DILocation(line: 1, scope: ![[PART:[0-9]+]], inlinedAt:
// CHECK: ![[PART]] = distinct !DISubprogram(name: "coroamu.context"
// LINES: coroamu.context:1
Task sum(unsigned long *a, unsigned long *b) {
  unsigned long x = *a;
  co_await Wait();
  *b += x;
}
