// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Neighbouring fields, loaded and stored in coarse requests. The array starts 8
// bytes behind a page, so that some of its elements lie in two pages.
#include "common.h"

enum { COUNT = 700 };

struct item {
  uint64_t key, value;
  uint32_t low, high;
  uint16_t tags[4];
  struct item *next;
};

__attribute__((noinline)) static uint64_t combine(struct item *items) {
  uint64_t sum = 0;
#pragma asyncmem num_task(24)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(items);
    struct item *it = &items[i];
    uint64_t key = it->key, value = it->value;
    uint32_t low = it->low, high = it->high;
    uint64_t tag = it->tags[1] + it->tags[3];
    sum += key * 3 + value + low + high + tag;
    it->key = value;
    it->value = key + tag;
    it->low = high;
    it->high = low + 1;
    it->tags[2] = tag;
  }
  return sum;
}

// Holes between the stored fields must keep what they hold.
__attribute__((noinline)) static void mark(struct item *items) {
#pragma asyncmem num_task(24)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(items);
    items[i].low = i;
    items[i].tags[0] = i;
    items[i].tags[1] = i + 1;
    items[i].tags[3] = i + 3;
    items[i].next = items + i;
  }
}

// Neighbours by a variable index.
__attribute__((noinline)) static uint64_t smooth(const uint64_t *in, uint64_t *restrict out) {
  uint64_t last = 0;
#pragma asyncmem num_task(24) shared_var(last)
  for (int i = 0; i < COUNT / 4; ++i) {
    __builtin_is_remote(in);
    __builtin_is_remote(out);
    out[i] = in[4 * i + 1] + 2 * in[4 * i + 2] + in[4 * i];
    last ^= in[COUNT - 1 - i];
  }
  return last;
}

int main(void) {
  char *raw = remote_alloc(COUNT * sizeof(struct item) + 8);
  struct item *items = (struct item *)(raw + 8);
  for (int i = 0; i < COUNT; ++i)
    items[i] = (struct item){mix(i), mix(i + 1), i, i * 3, {i, 2 * i, 3 * i, 4 * i}, 0};
  printf("%lx\n", (unsigned long)combine(items));
  print_digest("combined", items, COUNT * sizeof *items);
  mark(items);
  for (int i = 0; i < COUNT; ++i)
    items[i].next = items[i].next == items + i ? 0 : items;
  print_digest("marked", items, COUNT * sizeof *items);
  uint64_t *in = remote_words(COUNT), *out = remote_words(COUNT);
  printf("%lx\n", (unsigned long)smooth(in, out));
  print_digest("smooth", out, COUNT * 8);
  return 0;
}
