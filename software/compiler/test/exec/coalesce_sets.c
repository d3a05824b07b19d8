// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Requests of one block that do not need each other; and those that only look
// independent and must stay in order.
#include "common.h"

enum { COUNT = 600 };

__attribute__((noinline)) static void triad(const uint64_t *a, const uint64_t *b,
                                            uint64_t *restrict c, const uint8_t *d) {
#pragma asyncmem num_task(24)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    __builtin_is_remote(c);
    __builtin_is_remote(d);
    c[i] = a[i] + 3 * b[COUNT - 1 - i] + d[i * 7 % COUNT];
  }
}

// Independent loads around a dependent one; two stores, one in between.
__attribute__((noinline)) static uint64_t gather(const uint32_t *index, const uint64_t *data,
                                                 uint64_t *restrict x, uint64_t *restrict y) {
  uint64_t sum = 0;
#pragma asyncmem num_task(24)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(index);
    __builtin_is_remote(data);
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    uint64_t far = data[index[i] % COUNT];
    x[i] = i;
    uint64_t near = data[i];
    y[i] = far ^ near;
    sum += far + near;
  }
  return sum;
}

// a and b are the same memory: each load must see the store before it.
__attribute__((noinline)) static void aliased(uint64_t *a, uint64_t *b) {
#pragma asyncmem num_task(24)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    a[i] = b[i] + 1;
    b[i] = a[i] * 3;
    a[i] = b[i] ^ 5;
  }
}

// The address of the second access comes from local memory nobody writes.
__attribute__((noinline)) static uint64_t local(const uint64_t *a, const uint32_t *index) {
  uint64_t sum = 0;
#pragma asyncmem num_task(24)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    sum += a[i];
    sum += 3 * a[index[i % 16]];
  }
  return sum;
}

int main(void) {
  uint64_t *a = remote_words(COUNT), *b = remote_words(COUNT), *c = remote_words(COUNT);
  uint64_t *d = remote_words(COUNT);
  triad(a, b, c, (uint8_t *)d);
  print_digest("triad", c, COUNT * 8);
  printf("%lx\n", (unsigned long)gather((uint32_t *)d, a, b, c));
  print_digest("x", b, COUNT * 8);
  print_digest("y", c, COUNT * 8);
  aliased(a, a);
  print_digest("aliased", a, COUNT * 8);
  uint32_t index[16];
  for (int i = 0; i < 16; ++i)
    index[i] = mix(i) % COUNT;
  printf("%lx\n", (unsigned long)local(a, index));
  return 0;
}
