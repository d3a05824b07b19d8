// SPDX-License-Identifier: Apache-2.0
// Recursive callees that no task can run, and with REMEDY the loop that the refusal proposes instead.
// RUN: %check_remedies %s %t
#include <asyncmem.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

enum { COUNT = 40, NODES = 63 };

struct tree {
  uint64_t key;
  struct tree *left, *right;
};
struct words {
  uint64_t word[9];
};

// Callees that only read would be called as they are.
uint64_t seen;

// What each of the callees computes.
__attribute__((noinline, unused)) static uint64_t walk(struct tree *n, uint64_t k) {
  struct tree *left[8];
  uint64_t sum = 0;
  for (unsigned depth = 1;;) {
    for (; n; n = n->right) {
      sum += n->key * k;
      left[depth++ & 7] = n->left;
    }
    if (--depth == 0)
      return sum;
    n = left[depth & 7];
    __builtin_is_remote(n);
  }
}

#ifdef REMEDY
#define CALL(refused) walk(n, i)
#else
#define CALL(refused) refused
#endif
#define LOOP(name, refused) \
  __attribute__((noinline)) static uint64_t loop_##name(struct tree *n) { \
    uint64_t sum = 0; \
    struct words block = {{0}}; \
    static jmp_buf place; \
    (void)block, (void)place; \
    _Pragma("asyncmem num_task(8)") for (uint64_t i = 0; i < COUNT; ++i) { \
      __builtin_is_remote(n); \
      block.word[0] = i; \
      sum += CALL(refused); \
    } \
    return sum; \
  }

__attribute__((unused)) static uint64_t variadic(struct tree *n, ...) {
  va_list args;
  va_start(args, n);
  uint64_t k = va_arg(args, uint64_t);
  va_end(args);
  return n ? n->key * k + variadic(n->left, k) + variadic(n->right, k) : 0;
}
// REFUSED: it calls 'variadic', which is recursive: it takes a variable number of arguments; write it as a loop
LOOP(variadic, variadic(n, i))

__attribute__((unused)) static uint64_t by_value(struct tree *n, struct words block) {
  if (!n)
    return 0;
  block.word[1] = n->key * block.word[0];
  block.word[2] = by_value(n->left, block);
  return block.word[1] + block.word[2] + by_value(n->right, block);
}
// REFUSED: it calls 'by_value', which is recursive: it takes a structure by value in memory; write it as a loop
// REFUSED only riscv: it calls 'by_value', which is recursive: the address of a variable of it is used where it cannot follow the task; write it as a loop
LOOP(by_value, by_value(n, block))

__attribute__((unused)) static uint64_t returns_twice(struct tree *n, uint64_t k, jmp_buf place) {
  if (!n || setjmp(place))
    return 0;
  return n->key * k + returns_twice(n->left, k, place) + returns_twice(n->right, k, place);
}
// REFUSED: it calls 'returns_twice', which is recursive: it calls setjmp or the like; write it as a loop
LOOP(returns_twice, returns_twice(n, i, place))

__attribute__((unused)) static uint64_t jumps(struct tree *n, uint64_t k) {
  static void *const targets[] = {&&left, &&right};
  if (!n)
    return 0;
  seen |= k;
  goto *targets[n->key & 1];
left:
  return n->key * k + jumps(n->left, k) + jumps(n->right, k);
right:
  return jumps(n->right, k) + jumps(n->left, k) + n->key * k;
}
// REFUSED: it calls 'jumps', which is recursive: it contains a computed jump or handles exceptions; write it as a loop
LOOP(jumps, jumps(n, i))

uint64_t first(struct tree *n, uint64_t k, uint64_t sum);
__attribute__((noinline)) uint64_t second(struct tree *n, uint64_t k, uint64_t sum) {
  if (!n)
    return sum;
  seen |= k;
  sum = first(n->left, k, sum + n->key * k);
  __attribute__((musttail)) return first(n->right, k, sum);
}
__attribute__((noinline)) uint64_t first(struct tree *n, uint64_t k, uint64_t sum) {
  if (!n)
    return sum;
  seen |= k;
  sum = second(n->right, k, sum + n->key * k);
  __attribute__((musttail)) return second(n->left, k, sum);
}
// REFUSED: it calls 'first', which is recursive: it must call itself in tail position; write it as a loop
LOOP(first, first(n, i, 0))

uint64_t replaced(struct tree *n, uint64_t k);
__attribute__((noinline)) uint64_t calls_replaced(struct tree *n, uint64_t k) {
  return n ? n->key * k + replaced(n->left, k) + replaced(n->right, k) : 0;
}
__attribute__((weak)) uint64_t replaced(struct tree *n, uint64_t k) {
  return n ? n->key * k + calls_replaced(n->right, k) + calls_replaced(n->left, k) : 0;
}
// REFUSED: it calls 'calls_replaced', which is recursive: another definition may replace it; write it as a loop
LOOP(calls_replaced, calls_replaced(n, i))

__attribute__((noinline, unused)) static uint64_t addresses(struct tree *n, uint64_t k, uint64_t *out) {
  uint64_t below[2] = {0, 0};
  if (!n)
    return 0;
  *out += addresses(n->left, k, below) + addresses(n->right, k, below + 1) + n->key * k;
  uint64_t all = *out;
  *out = 0;
  return all;
}
static uint64_t place_of_sum;
// REFUSED: it calls 'addresses', which is recursive: the address of a variable of it is used where it cannot follow the task; write it as a loop
LOOP(addresses, addresses(n, i, &place_of_sum))

#ifdef REMEDY
#define BELOW(at) walk(at, 1)
#else
#define BELOW(at) calls_itself(at)
#endif
// The sum of a tree, whose levels the pragma would have run one inside the other.
__attribute__((noinline)) static uint64_t calls_itself(struct tree *n) {
  uint64_t sum = n->key;
  // REFUSED: it calls 'calls_itself', which is recursive: it calls the function of the loop; write it as a loop
#pragma asyncmem num_task(4)
  for (int i = 0; i < 2; ++i) {
    __builtin_is_remote(n);
    struct tree *at = i ? n->left : n->right;
    sum += at ? BELOW(at) : 0;
  }
  return sum;
}

int main(void) {
  struct tree *nodes = remote_alloc(NODES * sizeof *nodes);
  for (uint64_t i = 0; i < NODES; ++i)
    nodes[i] = (struct tree){i * 0x9e3779b97f4a7c15u >> 40, 2 * i + 1 < NODES ? &nodes[2 * i + 1] : 0, 2 * i + 2 < NODES ? &nodes[2 * i + 2] : 0};
  uint64_t (*const loops[])(struct tree *) = {loop_variadic, loop_by_value,       loop_returns_twice, loop_jumps,
                                              loop_first,    loop_calls_replaced, loop_addresses};
  uint64_t sum = 0;
  for (int i = 0; i < 7; ++i)
    sum = sum * 31 + loops[i](nodes);
  sum = sum * 31 + calls_itself(nodes);
  printf("%lx\n", (unsigned long)(sum & 0xffffffff));
  return 0;
}
