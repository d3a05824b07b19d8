// SPDX-License-Identifier: Apache-2.0
// Clauses that cannot be honoured and carried values, and with REMEDY what the refusal proposes.
// RUN: %check_remedies %s %t
#include <asyncmem.h>
#include <stdint.h>
#include <stdio.h>

enum { COUNT = 200, WORDS = 1 << 10 };

#ifdef REMEDY
#define IF_CURED(text) text
#define IF_REFUSED(text)
#else
#define IF_CURED(text)
#define IF_REFUSED(text) text
#endif

static uint64_t out[2 * COUNT], step = 3;

__attribute__((noinline)) static uint64_t not_every_path(const uint64_t *t) {
  uint64_t last = 0;
  // REFUSED: a lastprivate() variable is not assigned on every path through an iteration; assign it on every path
#pragma asyncmem num_task(8) lastprivate(last)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    IF_CURED(last = 0;)
    if (i == COUNT - 1 || t[i] & 1)
      last = t[i];
    out[i] = t[i * 3];
  }
  return last;
}

__attribute__((noinline)) static uint64_t not_local(const uint64_t *t) {
  IF_CURED(uint64_t own = step;)
  // REFUSED: private(), firstprivate() or lastprivate() names something that is not a local variable of fixed size; copy it to one
#pragma asyncmem num_task(8) firstprivate(IF_REFUSED(step) IF_CURED(own))
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    out[i] = t[i * 3] + IF_REFUSED(step) IF_CURED(own);
  }
  return out[5];
}

__attribute__((noinline)) static uint64_t an_array(const uint64_t *t) {
  uint64_t words[4] = {1, 2, 3, 4}, last = 0;
  // REFUSED: lastprivate() names an array, a structure or a variable whose address is taken; name a variable that gets its value in the loop
#pragma asyncmem num_task(8) IF_REFUSED(lastprivate(words)) IF_CURED(private(words) lastprivate(last))
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    words[0] = t[i * 3];
    words[1] = words[0] ^ i;
    IF_CURED(last = words[i & 1];)
  }
  return IF_REFUSED(words[(COUNT - 1) & 1] + last) IF_CURED(last);
}

__attribute__((noinline)) static uint64_t from_before(const uint64_t *t) {
  uint64_t words[4];
  IF_REFUSED(uint64_t *first = words;)
  // REFUSED: private(), firstprivate() or lastprivate() names a variable that the loop reaches by an address from before it; take the address in the loop
#pragma asyncmem num_task(8) private(words)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    IF_CURED(uint64_t *first = words;)
    first[0] = first[1] = first[2] = first[3] = i;
    first[i & 3] = t[i];
    out[i] = words[0] + words[1];
  }
  return out[5];
}

__attribute__((noinline)) static uint64_t not_a_variable(uint64_t *const *to, const uint64_t *t) {
  IF_CURED(uint64_t *words = to[1];)
  // REFUSED: lossy_update() or distinct_update() names something that is not a variable; copy it to one
#pragma asyncmem num_task(8) distinct_update(IF_REFUSED(to[1]) IF_CURED(words))
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    IF_REFUSED(to[1]) IF_CURED(words)[i] += t[i];
  }
  return out[5];
}

__attribute__((noinline)) static uint64_t on_both_sides(const uint64_t *t) {
  uint64_t tail = 0;
  // REFUSED: a shared variable is used on both sides of a remote access, other iterations may change it between; read it once, where it is changed
#pragma asyncmem num_task(8) shared_var(tail)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
#ifdef REMEDY
    const uint64_t at = tail++;
    out[2 * at] = i;
    out[2 * at + 1] = t[i];
#else
    out[2 * tail] = i;
    out[2 * tail + 1] = t[i];
    tail++;
#endif
  }
  return tail;
}

__attribute__((noinline)) static double overwritten(const uint64_t *t) {
  double sum = 0;
  // REFUSED: the value of 'sum' carried from one iteration to the next is sometimes overwritten; if iterations may come in any order, name it in shared_var(sum)
#pragma asyncmem num_task(8) IF_CURED(shared_var(sum))
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    if (t[i] & 1) {
      sum = 7;
      out[i] = 3;
    }
  }
  return sum;
}

__attribute__((noinline)) static uint64_t decides(const uint64_t *t) {
  uint64_t found = 0;
#ifndef REMEDY
  for (uint64_t k = 0; k < 4; ++k) {
    // REFUSED: all its remote data decide about the next iteration, there is nothing to overlap; mark a loop around it
#pragma asyncmem num_task(8)
    for (uint64_t i = 0; i < COUNT; ++i) {
      __builtin_is_remote(t);
      if (t[i + k] % 64 == k) {
        found += i;
        break;
      }
    }
  }
#else
#pragma asyncmem num_task(8)
  for (uint64_t k = 0; k < 4; ++k)
    for (uint64_t i = 0; i < COUNT; ++i) {
      __builtin_is_remote(t);
      if (t[i + k] % 64 == k) {
        found += i;
        break;
      }
    }
#endif
  return found;
}

__attribute__((noinline)) static uint64_t may_be_written(const uint64_t *t, uint64_t *IF_CURED(restrict) to, const uint64_t *IF_CURED(restrict) next) {
  uint64_t count = 0;
  // REFUSED: is read from memory that the loop may write; pointers that never meet can be restrict, what stays the same can be copied in front of the loop
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; i = next[i]) {
    __builtin_is_remote(t);
    to[i] = t[i * 3];
    ++count;
  }
  return count;
}

__attribute__((noinline)) static uint64_t unnamed(const uint64_t *t, const uint64_t *other) {
  IF_REFUSED(__builtin_is_remote(other);)
  uint64_t sum = other[1];
  // REFUSED: it has no remote access to wait for; name the remote pointers with __builtin_is_remote
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    IF_CURED(__builtin_is_remote(t);)
    sum += t[i * 3];
  }
  return sum;
}

struct words {
  uint64_t word[8];
};
static inline struct words spread(uint64_t v) {
  struct words made;
  for (uint64_t i = 0; i < 8; ++i)
    made.word[(i + v) & 7] = v >> i;
  return made;
}

__attribute__((noinline)) static void lives_known(const uint64_t *t, uint64_t more) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    out[i] = spread(t[i]).word[t[i * 3] & 7] + more;
  }
}

__attribute__((noinline)) static uint64_t lives_unknown(const uint64_t *t, const uint64_t *b) {
again:;
  uint64_t more = b[0];
#ifdef REMEDY
  lives_known(t, more);
#else
  // REFUSED: which of its variables live on to the next iteration is not known, beside a label or the result; give it a function of its own
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    out[i] = spread(t[i]).word[t[i * 3] & 7] + more;
  }
#endif
  if (b[1] == 12345)
    goto again;
  return out[5];
}

int main(void) {
  uint64_t *t = remote_alloc(WORDS * sizeof *t), next[COUNT], *places[2] = {next, out};
  for (uint64_t i = 0; i < WORDS; ++i)
    t[i] = i * 0x9e3779b97f4a7c15u >> 40;
  for (uint64_t i = 0; i < COUNT; ++i)
    next[i] = i + 1 + i % 3;
  IF_REFUSED((void)lives_known;)
  uint64_t sum = 0;
  uint64_t (*const loops[])(const uint64_t *) = {not_every_path, not_local, an_array, from_before, on_both_sides, decides};
  for (int i = 0; i < 6; ++i) {
    sum = sum * 31 + loops[i](t);
    for (int k = 0; k < COUNT; ++k)
      sum = sum * 31 + out[k];
  }
  sum = sum * 31 + not_a_variable(places, t);
  sum = sum * 31 + (uint64_t)overwritten(t);
  sum = sum * 31 + may_be_written(t, out, next);
  sum = sum * 31 + unnamed(t, next);
  sum = sum * 31 + lives_unknown(t, next);
  for (int k = 0; k < COUNT; ++k)
    sum = sum * 31 + out[k];
  printf("%lx\n", (unsigned long)(sum & 0xffffffff));
  return 0;
}
