// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Only the container is marked: what its methods reach through pointers loaded from it is remote, too, but for what is said to be near.
#include "common.h"

enum { ITEMS = 512, COUNT = 700 };

struct name {
  uint64_t length;
  char bytes[24];
};
struct item {
  struct item *next;
  const struct name *name; // of every fourth item in local memory
  const uint64_t *rates;   // always there
  uint64_t value;
};
struct part {
  struct item *first[64];
};
struct container {
  struct part *parts[2];
  uintptr_t tagged[64]; // items, with a bit beside the address
};

static const uint64_t rates[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static const struct name here = {5, "local"};

static const struct item *find(const struct container *in, uint64_t key) {
  const struct item *at = in->parts[key & 1]->first[key >> 1 & 63];
  while (at && (at->name->length ^ key) % 7)
    at = at->next;
  return at;
}

__attribute__((noinline)) static void look_up(struct container *in, uint64_t *out) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(in);
    const struct item *found = find(in, mix(i));
    uint64_t sum = 99;
    if (found) {
      const uint64_t *rate = found->rates;
      __builtin_is_near(rate);
      sum = found->value + rate[i & 7] + (uint8_t)found->name->bytes[i % 5];
    }
    out[i] = sum;
  }
}

// Through integers, and updated.
__attribute__((noinline)) static void count_tagged(struct container *in) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(in);
    uintptr_t word = in->tagged[mix(i) & 63];
    struct item *at = (struct item *)(word & ~(uintptr_t)7);
    at->value += word & 7;
    __atomic_fetch_add(&at->next->value, 3, __ATOMIC_RELAXED);
  }
}

int main(void) {
  struct container *all = remote_alloc(sizeof *all);
  struct item *items = remote_alloc(ITEMS * sizeof *items);
  struct name *names = remote_alloc(ITEMS * sizeof *names);
  static uint64_t out[COUNT];
  for (uint64_t k = 0; k < 2; ++k) {
    all->parts[k] = remote_alloc(sizeof *all->parts[k]);
    for (uint64_t j = 0; j < 64; ++j)
      all->parts[k]->first[j] = mix(2 * j + k) % 9 ? &items[2 * j + k] : 0;
  }
  for (uint64_t k = 0; k < ITEMS; ++k) {
    names[k].length = mix(k) % 24;
    for (uint64_t j = 0; j < 24; ++j)
      names[k].bytes[j] = (char)('a' + mix(k + j) % 26);
    items[k] = (struct item){k + 128 < ITEMS ? &items[k + 128] : 0, mix(k) & 3 ? &names[k] : &here, rates, mix(k) & 255};
  }
  for (uint64_t j = 0; j < 64; ++j)
    all->tagged[j] = (uintptr_t)&items[mix(j) % 128] | (j & 7);
  look_up(all, out);
  print_digest("found", out, sizeof out);
  count_tagged(all);
  uint64_t sum = 0;
  for (uint64_t k = 0; k < ITEMS; ++k)
    sum = sum * 31 + items[k].value;
  printf("counted %lu\n", (unsigned long)(sum & 0xffffffff));
  return 0;
}
