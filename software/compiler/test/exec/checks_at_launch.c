// SPDX-License-Identifier: Apache-2.0
// What decides about the next iteration comes behind checks that end the program: launch, which runs ahead of the iteration, must not do what they rule
// out (follow a null pointer, read behind an array, divide by zero, go on for ever) before they have ended it.
// RUN: mkdir -p %t
// RUN: %clang -O2 %includes -Wno-unknown-pragmas %s %runtime -o %t/plain
// RUN: %t/plain > %t/expected
// RUN: %clang -O2 %plugin %sched=static %near=none -fplugin-arg-asyncmem-adapt=off -Werror=pass-failed %s %runtime -o %t/tasks
// RUN: %t/tasks > %t/printed
// RUN: diff %t/expected %t/printed
// RUN: %clang -O1 %plugin %sched=static -Werror=pass-failed %s %runtime -o %t/chosen
// RUN: %t/chosen > %t/printed
// RUN: diff %t/expected %t/printed
#include "common.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNT = 100, LENGTH = 60 };

struct node {
  struct node *next;
  uint64_t key;
};

uint64_t out[COUNT];
static sigjmp_buf place;

__attribute__((noinline)) static void follow(const uint64_t *restrict r, const struct node *n, uint64_t *restrict to) {
  uint64_t i = 0;
#pragma asyncmem num_task(16)
  do {
    __builtin_is_remote(r);
    if (!n)
      abort();
    to[i] = r[n->key & 1023];
    n = n->next;
  } while (++i < COUNT);
}

__attribute__((noinline)) static void walk(const uint64_t *restrict r, const uint32_t *restrict next, uint32_t length, uint64_t *restrict to) {
  uint64_t i = 0;
  uint32_t at = 1;
#pragma asyncmem num_task(16)
  do {
    __builtin_is_remote(r);
    if (at >= length)
      abort();
    to[i] = r[at];
    at = next[at];
  } while (++i < COUNT);
}

__attribute__((noinline)) static void divide(const uint64_t *restrict r, int by, uint64_t *restrict to) {
#pragma asyncmem num_task(16)
  for (int i = 1000; i > 0; --by) {
    __builtin_is_remote(r);
    if (by == 0)
      abort();
    to[i % COUNT] = r[i & 1023];
    i -= 100 / by;
  }
}

__attribute__((noinline)) static void step(const uint64_t *restrict r, const uint8_t *restrict steps, uint64_t *restrict to) {
  uint64_t i = 0;
  uint32_t at = 0;
#pragma asyncmem num_task(16)
  do {
    __builtin_is_remote(r);
    if (steps[i] == 0)
      abort();
    to[i] = r[at & 1023];
    for (uint32_t k = 0; k < 9; k += steps[i] * (1 + (at & 1)))
      at += at * 3 + k + 1;
  } while (++i < COUNT);
}

static void print_signal(int number) {
  printf("signal %d\n", number);
  siglongjmp(place, 1);
}

int main(void) {
  const uint64_t *r = remote_words(1024);
  static struct node nodes[LENGTH];
  static uint32_t next[LENGTH];
  static uint8_t steps[COUNT];
  for (uint32_t i = 0; i < LENGTH; ++i) {
    nodes[i] = (struct node){i + 1 < LENGTH ? &nodes[i + 1] : NULL, i};
    next[i] = i + 1;
    steps[i] = 1;
  }
  next[LENGTH - 10] = 1u << 30;
  for (int number = 1; number < 32; ++number)
    signal(number, print_signal);
  for (volatile int kind = 0; kind < 4; ++kind) {
    if (sigsetjmp(place, 1))
      continue;
    alarm(5);
    switch (kind) {
    case 0:
      follow(r, nodes, out);
      break;
    case 1:
      walk(r, next, LENGTH, out);
      break;
    case 2:
      divide(r, 5, out);
      break;
    default:
      step(r, steps, out);
    }
    printf("no signal\n");
  }
  return 0;
}
