// SPDX-License-Identifier: Apache-2.0
// Loops refused for recursive callees that cannot run inside tasks.
// RUN: %same_as_off %s %t
#include "refused.h"
#include <setjmp.h>
#include <stdarg.h>

struct tree {
  uint64_t key;
  struct tree *left, *right;
};
struct words {
  uint64_t word[9];
};
extern jmp_buf place;

#define REFUSED_LOOP(name, ...)                                                       \
  uint64_t loop_##name(struct tree *n, uint64_t *word, uint64_t count) {       \
    OUTSIDE                                                                    \
    struct words block = {{1}};                                                \
    (void)word, (void)block;                                                   \
    TASKS                                                                      \
    for (uint64_t i = 0; i < count; ++i) {                                     \
      __builtin_is_remote(n);                                                  \
      block.word[0] = i;                                                       \
      INSIDE(name(n, __VA_ARGS__))                                             \
    }                                                                          \
    return RESULT;                                                             \
  }
#define DO_PRAGMA(text) _Pragma(#text)
#define PRAGMA(...) DO_PRAGMA(__VA_ARGS__)
#define TASKS PRAGMA(asyncmem num_task(4) CLAUSES)

uint64_t variadic(struct tree *n, ...) {
  va_list args;
  va_start(args, n);
  uint64_t first = va_arg(args, uint64_t);
  va_end(args);
  return n ? n->key++ + variadic(n->left, first + 1) * variadic(n->right, first) : first;
}
// REFUSED: it calls 'variadic', which is recursive: it takes a variable number of arguments; write it as a loop
REFUSED_LOOP(variadic, i)

uint64_t by_value(struct tree *n, struct words block) {
  if (!n)
    return block.word[0];
  block.word[0] += n->key++;
  block.word[1] = by_value(n->left, block);
  return block.word[1] * by_value(n->right, block);
}
// REFUSED: it calls 'by_value', which is recursive: the address of a variable of it is used where it cannot follow the task; write it as a loop
// REFUSED only static: it calls 'by_value', which is recursive: it takes a structure by value in memory; write it as a loop
// REFUSED only near: it calls 'by_value', which is recursive: it takes a structure by value in memory; write it as a loop
REFUSED_LOOP(by_value, block)

uint64_t returns_twice(struct tree *n, uint64_t k) {
  if (!n || setjmp(place))
    return k;
  return n->key++ + returns_twice(n->left, k) * returns_twice(n->right, 2);
}
// REFUSED: it calls 'returns_twice', which is recursive: it calls setjmp or the like; write it as a loop
REFUSED_LOOP(returns_twice, i)

uint64_t variable_size(struct tree *n, uint64_t k) {
  if (!n)
    return k;
  uint64_t v[k];
  v[k / 2] = n->key++;
  v[0] = variable_size(n->left, k + 1);
  return v[k / 2] * v[0] + variable_size(n->right, k / 2 + 1);
}
// REFUSED: it calls 'variable_size', which is recursive: it allocates stack memory of variable size; write it as a loop
REFUSED_LOOP(variable_size, i + 1)

uint64_t jumps(struct tree *n, uint64_t k) {
  static void *const targets[] = {&&left, &&right};
  if (!n)
    return k;
  goto *targets[n->key++ & 1];
left:
  return jumps(n->left, k) * 3 + jumps(n->right, k);
right:
  return n->key + jumps(n->right, k) * 5;
}
// REFUSED: it calls 'jumps', which is recursive: it contains a computed jump or handles exceptions; write it as a loop
REFUSED_LOOP(jumps, i)

uint64_t ends_in_first(struct tree *n, uint64_t k);
__attribute__((noinline)) uint64_t ends_in_second(struct tree *n, uint64_t k) {
  if (!n)
    return k;
  if (n->key++ & 1)
    k += ends_in_first(n->left, k) * 5;
  __attribute__((musttail)) return ends_in_first(n->right, k);
}
__attribute__((noinline)) uint64_t ends_in_first(struct tree *n, uint64_t k) {
  if (!n)
    return k;
  if (n->key++ & 2)
    k += ends_in_second(n->left, k) * 3;
  __attribute__((musttail)) return ends_in_second(n->right, k);
}
// REFUSED: it calls 'ends_in_first', which is recursive: it must call itself in tail position; write it as a loop
REFUSED_LOOP(ends_in_first, i)

uint64_t replaced(struct tree *n, uint64_t k);
__attribute__((noinline)) uint64_t calls_replaced(struct tree *n, uint64_t k) {
  return n ? n->key++ + replaced(n->left, k) * 3 : k;
}
__attribute__((weak)) uint64_t replaced(struct tree *n, uint64_t k) {
  return n ? n->key++ + calls_replaced(n->right, k) * calls_replaced(n->left, k) : 1;
}
// REFUSED: it calls 'calls_replaced', which is recursive: another definition may replace it; write it as a loop
REFUSED_LOOP(calls_replaced, i)

uint64_t locks(struct tree *n, uint64_t *word) {
  if (!n)
    return 0;
  uint64_t sum = locks(n->left, word);
  asyncmem_lock(word);
  sum += ++n->key;
  asyncmem_unlock(word);
  return sum * locks(n->right, word);
}
// REFUSED: it calls 'locks', which is recursive: it takes locks; write it as a loop
REFUSED_LOOP(locks, word)

uint64_t calls_itself(struct tree *n, uint64_t count) {
  OUTSIDE
  // REFUSED: it calls 'calls_itself', which is recursive: it calls the function of the loop; write it as a loop
#pragma asyncmem num_task(4) CLAUSES
  for (uint64_t i = 0; i < count; ++i) {
    __builtin_is_remote(n);
    n[i].key += 1;
    INSIDE(n[i].left ? calls_itself(n[i].left, count / 2) : 5)
  }
  return RESULT;
}
