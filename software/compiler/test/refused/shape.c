// SPDX-License-Identifier: Apache-2.0
// Loops refused for their shape and for what they contain.
// RUN: %same_as_off %s %t
#include "refused.h"
#include <math.h>
#include <setjmp.h>

void unknown(uint64_t);
extern volatile int flag;
extern jmp_buf place;

uint64_t calls(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: it calls 'unknown', whose effects are unknown; define it in this file
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    unknown(a[i]);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t calls_mathematics(double *a, int n) {
  OUTSIDE
  // REFUSED: it calls 'exp', which may set errno; compile with -fno-math-errno
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] = exp(a[i]);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t calls_a_pointer(uint64_t *a, void (*call)(uint64_t), int n) {
  OUTSIDE
  // REFUSED: it calls through a pointer, whose effects are unknown; define it in this file
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    call(a[i]);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

#ifdef __riscv
__attribute__((noinline, target("arch=+zbc")))
#else
__attribute__((noinline, target("avx2")))
#endif
static void for_another_processor(uint64_t *a, uint64_t by) {
  *a = *a * 5 + by;
}

uint64_t callee_for_another_processor(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: it calls 'for_another_processor', which is compiled for another processor or with other checks; give both functions the same attributes
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    for_another_processor(&a[i], (uint64_t)i);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t is_volatile(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: it contains a volatile access; move it out of the loop
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    flag = (int)a[i];
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t assembles(uint64_t *a, uint64_t *out, int n) {
  OUTSIDE
  // REFUSED: it contains inline assembly; move it out of the loop
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t v = a[i];
    __asm__ volatile("" : "+r"(v));
    out[i] = v;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t variable_size(const int *a, int *out, int n, int length) {
  OUTSIDE
  // REFUSED: it allocates stack memory of variable size; make it fixed
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    int copy[length];
    for (int j = 0; j < length; ++j)
      copy[j] = a[i + j];
    for (int j = 0; j < length; ++j)
      out[i] += copy[j] * copy[length - 1 - j];
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t large(uint64_t *a, uint64_t *out, int n) {
  OUTSIDE
  // REFUSED: the variables of the loop body need more than 4096 bytes for each task; use the heap
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t seen[1024] = {0};
    for (int j = 0; j < n; ++j)
      seen[a[j] % 1024]++;
    out[i] = seen[i % 1024];
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t addresses(const int *a, int *out, int n, int length) {
  OUTSIDE
  // REFUSED: the address of a variable of the loop body is used where it cannot follow the task; use its value
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    int first[8] = {0}, second[8], *old = first, *new = second;
    for (int m = 0; m < length; ++m) {
      for (int j = 0; j < 8; ++j)
        new[j] = old[7 - j] + a[(i * 8 + j) * m];
      int *swap = old;
      old = new;
      new = swap;
    }
    out[i] = old[3];
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t blocks(char *a, char *out, int n, unsigned length) {
  OUTSIDE
  // REFUSED: it copies or fills a block of remote memory whose size is not known or above 256 bytes; use memcpy or a loop
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_memmove(out + i * 512, a + i * 512, length);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

struct words {
  uint64_t word[8];
};
uint64_t volatile_block(uint64_t *a, volatile struct words *out, const struct words *in, int n) {
  OUTSIDE
  // REFUSED: it contains a volatile or atomic access; move it out of the loop
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    out[a[i]] = *in;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

__attribute__((convergent, nothrow)) uint64_t together(uint64_t);
uint64_t converges(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: a call in it is convergent
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    INSIDE(together(a[i]))
  }
  return RESULT;
}

uint64_t endless(uint64_t *a) {
  OUTSIDE
  // REFUSED: it never ends
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0;; i = (i + 1) % 8) {
    __builtin_is_remote(a);
    a[i] *= 3;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t entered_twice(uint64_t *a, int n, int start) {
  OUTSIDE
  int i = start;
  if (start)
    goto inside;
  // REFUSED: it is entered in more than one place
#pragma asyncmem num_task(4) CLAUSES
  for (i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] *= 3;
  inside:
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t spins(uint64_t *a, uint64_t *local, int n) {
  OUTSIDE
  // REFUSED: a loop in it may wait for another iteration without a remote access; use asyncmem_lock
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    while (__atomic_exchange_n(local, 1, __ATOMIC_ACQUIRE))
      ;
    a[i] += 1;
    __atomic_store_n(local, 0, __ATOMIC_RELEASE);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t follows_ordered(uint64_t *a, const uint64_t *const *first, int n) {
  OUTSIDE
  // REFUSED: a loop in it follows pointers by ordered loads; mark them with __builtin_is_remote
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    const uint64_t *const *at = first;
    while (at && (uint64_t)at != (uint64_t)i)
      at = (const uint64_t *const *)__atomic_load_n(at, __ATOMIC_ACQUIRE);
    a[i] += (uint64_t)at;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t keeps_pointer(uint64_t *a, uint64_t length, int n) {
  OUTSIDE
  // REFUSED: a pointer into a variable of the loop body is kept while the task may wait; use an index
  // REFUSED only static O3: the address of a variable of the loop body is used where it cannot follow the task; use its value
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint8_t key[24];
    for (uint64_t k = 0; k < 24; ++k)
      key[k] = (uint8_t)((uint64_t)i + k * length);
    uint64_t h = (uint64_t)i;
    for (const uint8_t *at = key; at != key + length; ++at)
      h = h * 31 + a[(h + *at) & 63];
    a[64 + i] = h;
    INSIDE(h)
  }
  return RESULT;
}

uint64_t jumps(uint64_t *a, const unsigned char *code, int n) {
  static void *const targets[] = {&&add, &&subtract, &&leave};
  OUTSIDE
  int i = 0;
  // REFUSED: it is left in a way that cannot be redirected; use a switch
#pragma asyncmem num_task(4) CLAUSES
  for (i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    INSIDE((uint64_t)i)
    goto *targets[code[i]];
  add:
    a[i] += 3;
    continue;
  subtract:
    a[i] *= 5;
  }
leave:
  return RESULT + (uint64_t)i;
}

uint64_t interprets(uint64_t *a, const unsigned char *code, int n) {
  static void *const targets[] = {&&add, &&subtract};
  OUTSIDE
  // REFUSED: it contains a computed jump or handles exceptions; use a switch, no exceptions
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    INSIDE((uint64_t)i)
    goto *targets[code[i]];
  add:
    a[i] += 3;
    continue;
  subtract:
    a[i] *= 5;
  }
  return RESULT;
}

uint64_t returns_twice(uint64_t *a, int n) {
  OUTSIDE
  if (setjmp(place))
    return 1;
  // REFUSED: its function calls setjmp or the like; give the loop one of its own
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] *= 3;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t once(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: it does not repeat
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] *= 3;
    INSIDE((uint64_t)i)
    break;
  }
  return RESULT;
}

uint64_t recursive(uint64_t *a, uint64_t *out, uint64_t depth) {
  uint64_t below[2] = {0, 0};
  if (!depth)
    return a[0];
  out[0] += recursive(a + 1, below, depth - 1) + below[0];
  out[1] += recursive(a + 2, below, depth / 2) ^ below[1];
  return below[0] * a[depth];
}
uint64_t recurses(uint64_t *a, uint64_t *out, int n) {
  OUTSIDE
  // REFUSED: it calls 'recursive', which is recursive: the address of a variable of it is used where it cannot follow the task
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    recursive(a, out + 2 * i, (uint64_t)i);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

static uint64_t local[1024];
uint64_t local_only(const uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: it has no remote access to wait for: what it reaches is local, or at one address in all iterations
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    local[i * 2] ^= *a;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t marks_elsewhere(uint64_t *a, uint64_t *b, int n) {
  OUTSIDE
  __builtin_is_remote(b);
  // REFUSED: it has no remote access to wait for; name the remote pointers with __builtin_is_remote
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    a[i * 2] ^= 3;
    INSIDE((uint64_t)i)
  }
  return RESULT + *b;
}

uint64_t said_to_be_near(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: it has no remote access to wait for: what it reaches is local, or at one address in all iterations
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_near(a);
    a[i * 2] ^= 3;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t never_runs(uint64_t *a, unsigned n) {
  OUTSIDE
  // REFUSED: optimisation has found that it never runs
#pragma asyncmem num_task(4) CLAUSES
  for (unsigned i = n; i > n; --i) {
    __builtin_is_remote(a);
    INSIDE(a[a[i]])
  }
  return RESULT;
}

uint64_t without_effect(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: it has no remote access to wait for: none through what __builtin_is_remote names is left in it, calls aside
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t unused = a[i];
    (void)unused;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t vanishes(uint64_t *a) {
  OUTSIDE
  // REFUSED: optimisation has found that it does not repeat
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < 1; ++i) {
    __builtin_is_remote(a);
    a[i] ^= 3;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}
