// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// RUN: %coroamu_cxx -O2 -fexceptions %s -o %t.exceptions -Werror=pass-failed
// Variables of clauses that a loop reaches by addresses from before it: copies of private variables and the variables themselves were mixed up.
// Objects whose constructors keep a reference, and accesses of one of two variables.
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

struct base {
  uint64_t &value;
  explicit base(uint64_t &value) : value(value) {}
};
struct derived : base {
  explicit derived(uint64_t &value) : base(value) {}
};

__attribute__((noinline)) static void by_base(const uint64_t *a, uint64_t *out) {
  uint64_t value = 7;
  derived same(value);
#pragma asyncmem num_task(16) firstprivate(value)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    same.value += a[i];
    value ^= a[value % COUNT];
    out[i] = value;
    value = 7;
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

struct ending {
  uint64_t &count;
  ~ending() { ++count; }
};

// With exceptions its calls are invokes.
__attribute__((noinline)) static uint64_t append_and_end(const uint64_t *a, uint64_t *list) {
  uint64_t tail = 0, count = 0;
  ending outer{count};
  appender out(list, tail);
#pragma asyncmem num_task(16) shared_var(tail, count)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    ending inner{count};
    uint64_t value = a[a[i] % COUNT];
    if (value % 3)
      out.push_back(value);
  }
  return tail * 1000 + count;
}

// As std::min and std::max are.
template <class T> static inline const T &smaller(const T &a, const T &b) { return b < a ? b : a; }
template <class T> static inline const T &larger(const T &a, const T &b) { return a < b ? b : a; }

__attribute__((noinline)) static double extremes(const double *d) {
  double least = 1e30, most = -1e30;
#pragma asyncmem num_task(16) reduction(min : least) shared_var(most)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(d);
    double value = d[i * 7 % COUNT];
    least = smaller(least, value);
    most = larger(larger(most, value), value + i);
  }
  return most * 1000 - least;
}

__attribute__((noinline)) static uint64_t one_of_two(const uint64_t *a) {
  uint64_t even = 0, odd = 0, sum = 0;
#pragma asyncmem num_task(16) shared_var(even, odd, sum)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    uint64_t value = a[a[i] % COUNT];
    (value & 1 ? odd : even)++;
    uint64_t *of = value & 2 ? &sum : &even;
    *of += value >> 8;
  }
  return even + odd * 3 + sum * 5;
}

// Passes join the reads, and the writes.
__attribute__((noinline)) static uint64_t in_branches(const uint64_t *a) {
  uint64_t even = 0, odd = 0;
#pragma asyncmem num_task(16) shared_var(even, odd)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    uint64_t value = a[a[i] % COUNT], count;
    if (value & 1)
      count = even;
    else
      count = odd;
    count += value >> 8;
    if (value & 1)
      even = count;
    else
      odd = count;
  }
  return even * 3 + odd;
}

int main() {
  const uint64_t *a = remote_words(COUNT);
  static uint64_t out[5][COUNT], results[6];
  by_reference(a, out[0]);
  by_lambda(a, out[1]);
  by_object(a, out[2]);
  by_base(a, out[4]);
  results[0] = last_by_lambda(a);
  for (uint64_t n = append(a, out[3]); n; --n)
    results[1] += mix(out[3][n - 1]);
  double *d = (double *)remote_alloc(COUNT * sizeof(double));
  for (int i = 0; i < COUNT; ++i)
    d[i] = (double)(mix(i) % 1000);
  results[2] = (uint64_t)(int64_t)extremes(d);
  results[3] = one_of_two(a);
  results[4] = in_branches(a);
  results[5] = append_and_end(a, out[3]);
  print_digest("copies", out, 3 * sizeof out[0]);
  print_digest("by base", out[4], sizeof out[4]);
  print_digest("results", results, sizeof results);
  return 0;
}
