// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Variables of clauses that a loop reaches by addresses from before it: copies of private variables and the variables themselves were mixed up.
// Objects whose constructors keep a reference.
#include "common.h"

enum { COUNT = 300 };

__attribute__((noinline)) static void by_reference(const uint64_t *a, uint64_t *out) {
  uint64_t value = 7;
  uint64_t &same = value;
#pragma asyncmem num_task(16) private(value)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    same = a[i];
    out[i] = value + a[value % COUNT];
  }
}

__attribute__((noinline)) static void by_lambda(const uint64_t *a, uint64_t *out) {
  uint64_t value = 7;
  auto add = [&](uint64_t more) { value += more; };
#pragma asyncmem num_task(16) firstprivate(value)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    add(a[i]);
    value ^= a[value % COUNT];
    out[i] = value;
    value = 7;
  }
}

__attribute__((noinline)) static uint64_t last_by_lambda(const uint64_t *a) {
  uint64_t last = 0;
#pragma asyncmem num_task(16) lastprivate(last)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    auto set = [&](uint64_t value) { last = value; };
    set(a[i]);
    last += a[last % COUNT];
  }
  return last;
}

struct pair_of {
  uint64_t *first;
  uint64_t &second;
  pair_of(uint64_t *first, uint64_t &second) : first(first), second(second) {}
  void set(uint64_t value) {
    *first = value;
    second += value;
  }
  uint64_t get() const { return *first * 3 + second; }
};

__attribute__((noinline)) static void by_object(const uint64_t *a, uint64_t *out) {
  uint64_t first = 1, second = 2;
  pair_of both(&first, second);
#pragma asyncmem num_task(16) private(first, second)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    second = i;
    both.set(a[i]);
    second += a[first % COUNT];
    out[i] = both.get();
  }
}

class appender {
  uint64_t *list;
  uint64_t &tail;

public:
  appender(uint64_t *list, uint64_t &tail) : list(list), tail(tail) {}
  void push_back(uint64_t value) { list[tail++] = value; }
};

__attribute__((noinline)) static uint64_t append(const uint64_t *a, uint64_t *list) {
  uint64_t tail = 0;
  appender out(list, tail);
#pragma asyncmem num_task(16) shared_var(tail)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    uint64_t value = a[a[i] % COUNT];
    if (value % 3)
      out.push_back(value);
  }
  return tail;
}

int main() {
  const uint64_t *a = remote_words(COUNT);
  static uint64_t out[4][COUNT], results[2];
  by_reference(a, out[0]);
  by_lambda(a, out[1]);
  by_object(a, out[2]);
  results[0] = last_by_lambda(a);
  for (uint64_t n = append(a, out[3]); n; --n)
    results[1] += mix(out[3][n - 1]);
  print_digest("copies", out, 3 * sizeof out[0]);
  print_digest("results", results, sizeof results);
  return 0;
}
