// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Optimisation keeps a counter in a register during the inner loop; what other tasks add to it meanwhile must not be lost.
#include "common.h"

enum { COUNT = 400, NODES = 256, BINS = 8 };

struct node {
  struct node *next;
  uint64_t weight;
};

static uint64_t sums[BINS], products[BINS], bits[BINS], differences[BINS];

__attribute__((noinline)) static void run(struct node *nodes, uint64_t *restrict sum,
                                          uint64_t *restrict product, uint64_t *restrict bit,
                                          uint64_t *restrict difference) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(nodes);
    uint64_t bin = mix(i) % BINS;
    for (struct node *n = &nodes[i % 64]; n; n = n->next) {
      __builtin_is_remote(n);
      sum[bin] += n->weight;
      product[bin] *= n->weight | 1;
      if (n->weight & 4)
        bit[bin] ^= n->weight;
      difference[bin] -= n->weight * 3;
    }
  }
}

int main(void) {
  struct node *nodes = remote_alloc(NODES * sizeof *nodes);
  for (int i = 0; i < NODES; ++i) {
    nodes[i].weight = mix(i);
    nodes[i].next = i + 64 < NODES ? &nodes[i + 64] : 0;
  }
  for (int i = 0; i < BINS; ++i)
    products[i] = 1;
  run(nodes, sums, products, bits, differences);
  print_digest("sums", sums, sizeof sums);
  print_digest("products", products, sizeof products);
  print_digest("bits", bits, sizeof bits);
  print_digest("differences", differences, sizeof differences);
  return 0;
}
