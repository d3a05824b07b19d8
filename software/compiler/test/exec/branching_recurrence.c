// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Sequential values whose next value follows from control flow: a step that
// depends on local data, an inner loop, a switch, a list walked in program
// order while its remote items are visited by the tasks.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 700 };

__attribute__((noinline)) static uint64_t
steps(uint64_t *a, uint64_t *out, const uint8_t *restrict kind, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(10) shared_var(sum)
  for (int i = 0; i < n;) {
    __builtin_is_remote(a);
    __builtin_is_remote(out);
    if (kind[i] == 3) {
      i += 2;
      continue;
    }
    sum += a[i * 5];
    switch (kind[i]) {
    case 0:
      i++;
      break;
    case 1:
      i += 4;
      out[i] ^= 6;
      break;
    default:
      i += kind[i];
    }
  }
  return sum;
}

// Tokens of a text: the inner loop finds where the next one starts.
__attribute__((noinline)) static int
tokens(uint64_t *a, uint64_t *out, const char *restrict text) {
  int count = 0;
  const char *p = text;
#pragma asyncmem num_task(6)
  while (*p) {
    __builtin_is_remote(a);
    __builtin_is_remote(out);
    uint64_t hash = 7;
    while (*p && *p != ' ')
      hash = hash * 31 + (uint64_t)*p++;
    while (*p == ' ')
      ++p;
    out[count++] = a[hash % WORDS] + hash;
  }
  return count;
}

struct node {
  struct node *next;
  uint64_t *item;
};

__attribute__((noinline)) static uint64_t walk(struct node *list,
                                               uint64_t *items) {
  uint64_t sum = 0;
#pragma asyncmem num_task(20) reduction(+ : sum)
  for (struct node *n = list; n; n = n->next) {
    uint64_t *item = n->item;
    __builtin_is_remote(item);
    sum += *item % 1000;
  }
  return sum + items[0];
}

// The list itself is remote, too: only its links are followed in order.
__attribute__((noinline)) static uint64_t walk_remote(struct node *list) {
  uint64_t sum = 0;
#pragma asyncmem num_task(20) reduction(^ : sum)
  for (struct node *n = list; n; n = n->next) {
    __builtin_is_remote(n);
    uint64_t *item = n->item;
    __builtin_is_remote(item);
    sum ^= *item * 3;
  }
  return sum;
}

int main(void) {
  uint64_t *a = remote_words(WORDS);
  uint64_t *out = remote_words(WORDS);
  uint8_t kind[COUNT + 8];
  for (int i = 0; i < COUNT + 8; ++i)
    kind[i] = mix(i) % 7;
  char text[400];
  for (int i = 0; i < 399; ++i)
    text[i] = mix(i) % 4 ? (char)('a' + mix(i) % 20) : ' ';
  text[399] = 0;
  struct node *list = 0, *nodes = remote_alloc(300 * sizeof(struct node));
  for (int i = 0; i < 300; ++i) {
    nodes[i] = (struct node){list, &a[mix(i) % WORDS]};
    list = &nodes[i];
  }
  uint64_t r[4] = {steps(a, out, kind, COUNT),
                   (uint64_t)tokens(a, out + COUNT, text),
                   walk(list, a), walk_remote(list)};
  print_digest("results", r, sizeof r);
  print_digest("out", out, WORDS * sizeof *out);
  return 0;
}
