// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Loops of C++: range for over own iterators, a member template, a generic
// lambda as callee, early continue in nested loops, a jump out of two of them,
// remote data in conditions and inlined callees, a pointer pair as the range.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 600 };

struct stride {
  int first, last, step;
  struct iterator {
    int at, step;
    int operator*() const { return at; }
    iterator &operator++() {
      at += step;
      return *this;
    }
    bool operator!=(const iterator &o) const { return at < o.at; }
  };
  iterator begin() const { return {first, step}; }
  iterator end() const { return {last, step}; }
};

template <typename T> struct view {
  T *data;
  T at(int i) const {
    __builtin_is_remote(data);
    return data[i];
  }
  template <typename F> uint64_t visit(stride range, F &&use) const;
};

template <typename T>
template <typename F>
__attribute__((noinline)) uint64_t view<T>::visit(stride range,
                                                  F &&use) const {
  uint64_t sum = 0;
#pragma asyncmem num_task(24) reduction(+ : sum)
  for (int i : range) {
    if (at(i) % 3 == 0)
      continue;
    for (int j = 0; j < 5; ++j) {
      if (at(i + j) % 7 == 1)
        continue;
      if (at(i + j) % 7 == 2)
        break;
      sum += use(at((i * 3 + j) % WORDS), j);
    }
  }
  return sum;
}

// The first row whose local key is in the set ends the whole search.
__attribute__((noinline)) static int rows(uint64_t *a, uint64_t *__restrict out,
                                          const int *__restrict keys) {
#pragma asyncmem num_task(10)
  for (const int *row = keys; row != keys + COUNT; row += 4) {
    __builtin_is_remote(a);
    __builtin_is_remote(out);
    uint64_t sum = 0;
    for (int j = 0; j < 4; ++j) {
      if (row[j] == 5000)
        goto done;
      if (a[row[j]] % 2)
        sum += a[row[j] ^ 1];
    }
    out[row - keys] = sum;
    continue;
  done:
    return int(row - keys);
  }
  return -1;
}

int main() {
  uint64_t *a = remote_words(WORDS + 16), *out = remote_words(WORDS);
  int keys[COUNT];
  for (int i = 0; i < COUNT; ++i)
    keys[i] = int(mix(i) % WORDS);
  view<uint64_t> wide{a};
  view<uint16_t> narrow{reinterpret_cast<uint16_t *>(a)};
  uint64_t seed = 11;
  uint64_t r[5];
  r[0] = wide.visit({0, WORDS, 7}, [&](auto v, int j) { return v * seed + j; });
  r[1] = narrow.visit({5, WORDS, 3}, [](auto v, int) { return v ^ 9u; });
  r[2] = wide.visit({9, 9, 1}, [](auto v, int) { return v; });
  r[3] = uint64_t(rows(a, out, keys));
  keys[433] = 5000;
  r[4] = uint64_t(rows(a, out, keys));
  print_digest("results", r, sizeof r);
  print_digest("out", out, WORDS * sizeof *out);
  return 0;
}
