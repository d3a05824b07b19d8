// SPDX-License-Identifier: Apache-2.0
// What the loops of this folder work on. `k` is a permutation, `twice` has one number two times, in iterations 30 and 70.
#include "asyncmem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { N = 100, FIRST = 30, SECOND = 70, OF_FIRST = FIRST * 37 % N, OF_SECOND = SECOND * 37 % N };

struct node {
  struct node *next;
  uint64_t key, value;
};

struct flags {
  uint32_t state : 3, kind : 13, size : 16;
};

static uint64_t *x, *y, *z, *own;       // far: read, written; near: written
static uint32_t *far4;
static uint8_t *far1;
static struct node *nodes, *lists[N];
static struct flags *flags, *near_flags;
static uint64_t k[N], twice[N];
static uint64_t locks[N], zeros[N];

static inline void *far(size_t bytes) {
  void *memory = remote_alloc(bytes);
  memset(memory, 1, bytes);
  return memory;
}

// Bytes of which a loop uses few.
static inline void *reserved(size_t bytes) {
#ifdef __linux__
  return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#else
  return calloc(bytes, 1);
#endif
}

static inline void make_data(int argc) {
  x = far(8 * N * 8);
  y = far(8 * N * 8);
  z = far(8 * N * 8);
  far4 = far(8 * N * 4);
  far1 = far(8 * N);
  flags = far(N * sizeof *flags);
  nodes = far(N * sizeof *nodes);
  own = calloc(8 * N, 8);
  near_flags = calloc(N, sizeof *near_flags);
  for (unsigned i = 0; i < N; ++i) {
    k[i] = twice[i] = i * 37 % N;
    x[i] = i;
    nodes[i] = (struct node){i % 10 == 9 ? NULL : &nodes[i + 1], i, 0};
    lists[i] = &nodes[i];
    zeros[i] = argc > N; // which the compiler does not know
  }
  twice[SECOND] = twice[FIRST];
}

struct loop {
  const char *name;
  void (*run)(void);
};

// Runs the loop named on the command line, or all; the result is printed, so that nothing is left out.
static inline int run_loops(const struct loop *loops, unsigned count, int argc, char **argv) {
  make_data(argc);
  const struct loop *volatile hidden = loops; // so that no loop is inlined here
  loops = hidden;
  for (unsigned i = 0; i < count; ++i)
    if (argc < 2 || !strcmp(argv[1], loops[i].name))
      loops[i].run();
  uint64_t sum = 0;
  for (unsigned i = 0; i < 8 * N; ++i)
    sum += x[i] + y[i] * 3 + z[i] * 5 + own[i] * 7 + far4[i] + far1[i];
  for (unsigned i = 0; i < N; ++i)
    sum += nodes[i].value + flags[i].kind + flags[i].size + near_flags[i].kind;
  printf("%lu\n", (unsigned long)sum);
  return 0;
}
