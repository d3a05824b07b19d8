// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Pointers that walk over variables of the body: joined and compared.
#include "common.h"

enum { WORDS = 1 << 10, COUNT = 300 };

struct node {
  struct node *next;
  const char *key;
  uint64_t value;
};

static int digits_of(char *to, uint64_t number) {
  int count = 0;
  do
    to[count++] = (char)('0' + number % 10);
  while (number /= 10);
  return count;
}

// The key is walked over before the task waits.
__attribute__((noinline)) static void hash(const uint64_t *t, uint64_t *out) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    char key[32];
    const char *in = key, *end = key + digits_of(key, mix(i));
    uint64_t h = 14695981039346656037u;
    for (; in != end; ++in)
      h = (h ^ (uint8_t)*in) * 1099511628211u;
    out[i] = t[h % WORDS];
  }
}

// Forward, backward, from one of two places, and written; the task waits before and behind.
__attribute__((noinline)) static void walk(const uint64_t *t, uint64_t *out) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    uint8_t key[24];
    for (int k = 0; k < 24; ++k)
      key[k] = (uint8_t)mix(i + (uint64_t)k);
    uint64_t h = t[i * 5 % WORDS];
    uint8_t *at = h & 1 ? key + 3 : key + 9, *end = key + 12 + i % 12;
    for (; at < end; ++at)
      *at = (uint8_t)(h = h * 31 + *at);
    h += t[h % WORDS];
    for (at = end; at != key; --at)
      h = h * 33 ^ at[-1];
    out[i] = h + key[5];
  }
}

// No pointer of elsewhere is equal to one into the key.
__attribute__((noinline)) static void find(struct node *first, uint64_t *out) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(first);
    char key[4] = {"abcd"[mix(i) & 3], 0};
    const struct node *n = first;
    while (n && n->key != key && n->key[0] != key[0])
      n = n->next;
    out[i] = n ? n->value : 99;
  }
}

int main(void) {
  uint64_t *t = remote_words(WORDS);
  static uint64_t out[COUNT];
  struct node *nodes = remote_alloc(64 * sizeof *nodes);
  for (int i = 0; i < 64; ++i)
    nodes[i] = (struct node){i < 63 ? &nodes[i + 1] : 0, &"abc"[i % 3], (uint64_t)i};
  hash(t, out);
  print_digest("hash", out, sizeof out);
  walk(t, out);
  print_digest("walk", out, sizeof out);
  find(nodes, out);
  print_digest("find", out, sizeof out);
  return 0;
}
