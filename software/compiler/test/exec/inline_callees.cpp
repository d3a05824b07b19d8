// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Callees that other translation units may define, too: members of a class template, recursive and not inlined.
#include "common.h"

enum { WORDS = 1 << 8, COUNT = 200 };

template <typename T> struct tree {
  struct node {
    T key;
    node *child[2];
  };
  node *root = nullptr;

  T sum(const node *n, int depth) const {
    __builtin_is_remote(n);
    if (!n || depth == 0)
      return 1;
    return n->key + sum(n->child[0], depth - 1) * 3 + this->sum(n->child[1], depth - 1);
  }
  __attribute__((noinline)) void touch(node *n, T by) {
    __builtin_is_remote(n);
    n->key ^= by;
  }
  __attribute__((noinline)) T sums(int count) const {
    T total = 0;
#pragma asyncmem num_task(9)
    for (int i = 0; i < count; ++i)
      total += sum(root, i % 6) ^ i;
    return total;
  }
};

__attribute__((noinline)) static void touch_all(tree<uint32_t> &t, tree<uint32_t>::node *nodes) {
#pragma asyncmem num_task(9)
  for (int i = 0; i < COUNT; ++i)
    t.touch(&nodes[i], i);
}

int main() {
  using words = tree<uint32_t>;
  auto *nodes = static_cast<words::node *>(remote_alloc(WORDS * sizeof(words::node)));
  words t;
  for (int i = 0; i < WORDS; ++i) {
    nodes[i] = {uint32_t(mix(i)), {nullptr, nullptr}};
    words::node **at = &t.root;
    while (*at)
      at = &(*at)->child[(*at)->key < nodes[i].key];
    *at = &nodes[i];
  }
  uint32_t r[2] = {t.sums(COUNT)};
  touch_all(t, nodes);
  r[1] = t.sums(COUNT);
  print_digest("sums", r, sizeof r);
}
