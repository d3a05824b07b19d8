// SPDX-License-Identifier: Apache-2.0
// Callees that are not inlined read variables of the loop body, by address or as a copy on the stack.
// RUN: %same_results %s %t
#include "common.h"
#include <string.h>

enum { COUNT = 300 };

struct key {
  uint64_t number;
  uint32_t part;
  uint8_t text[12];
};

__attribute__((noinline)) static uint64_t hash(const struct key *k) {
  uint64_t h = k->number * 31 + k->part;
  for (int i = 0; i < 12; ++i)
    h = h * 33 ^ k->text[i];
  return h;
}
__attribute__((noinline)) static uint64_t scaled(struct key k, int factor) { return hash(&k) * factor; }

__attribute__((noinline)) static void lookup(const struct key *keys, const uint32_t *order, uint64_t *out) {
#pragma asyncmem num_task(40)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(keys);
    struct key first = keys[order[i]];
    uint64_t h = hash(&first);
    struct key second = keys[h % COUNT];
    second.text[3] ^= i;
    if (memcmp(&first, &second, sizeof first))
      h += scaled(second, i);
    second = keys[order[h % COUNT]];
    out[i] = h + hash(&second) + scaled(first, 3);
  }
}

__attribute__((noinline)) static void several(const uint64_t *words, const uint32_t *order, uint64_t *out) {
#pragma asyncmem num_task(40)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(words);
    struct key local[3];
    memset(local, i, sizeof local);
    for (int k = 0; k < 3; ++k) {
      local[k].number = words[order[(i + k) % COUNT]];
      local[k].part = hash(&local[(k + 2) % 3]);
    }
    out[i] = hash(&local[i % 3]) + local[0].part;
  }
}

int main(void) {
  static uint32_t order[COUNT];
  static uint64_t out[COUNT];
  struct key *keys = (struct key *)remote_alloc(COUNT * sizeof *keys);
  memset(keys, 0, COUNT * sizeof *keys);
  for (int i = 0; i < COUNT; ++i) {
    order[i] = mix(i) % COUNT;
    keys[i].number = mix(i);
    keys[i].part = mix(i + COUNT);
    memset(keys[i].text, i, sizeof keys[i].text);
  }
  lookup(keys, order, out);
  print_digest("lookup", out, sizeof out);
  several((const uint64_t *)keys, order, out);
  print_digest("several", out, sizeof out);
}
