// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Remote loads and stores of 1, 2, 4 and 8 bytes, integers, floats and pointers.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

struct item {
  uint8_t b;
  int16_t h;
  float f;
  double d;
  struct item *other;
};

__attribute__((noinline)) static void run(struct item *items) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(items);
    struct item *it = &items[i];
    it->b += 3;
    it->h = (int16_t)(it->h * 5 + it->b);
    it->f = it->f * 2.0f + 1.0f;
    it->d = it->d - it->f;
    it->other = it->b & 1 ? it : items;
  }
}

int main(void) {
  struct item *items = (struct item *)remote_alloc(COUNT * sizeof *items);
  for (int i = 0; i < COUNT; ++i)
    items[i] = (struct item){(uint8_t)mix(i), (int16_t)mix(i + 1),
                             (float)(i % 100), i * 0.5, 0};
  run(items);
  uint64_t sum = 0;
  for (int i = 0; i < COUNT; ++i)
    sum = sum * 33 + items[i].b + (uint64_t)(items[i].h * 3) +
          (uint64_t)(int64_t)items[i].f + (uint64_t)(int64_t)(items[i].d * 4) +
          (uint64_t)(items[i].other - items);
  printf("%lu\n", (unsigned long)(sum & 0xffffffffu));
  return 0;
}
