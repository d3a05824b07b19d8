// SPDX-License-Identifier: Apache-2.0
// As broken.c, in inner loops with a pragma of their own: "inside" are two of their iterations, in one of the loop around it. Tasks of
// the AMU share all of these loops.
// RUN: %check_promises %s %t
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Werror=pass-failed -fplugin-arg-asyncmem-coalesce=none
#include "data.h"

enum { ROWS = 6, LAST = 4 };

static void scatter(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      y[i * N + twice[j]] = x[j]; // inside, earlier written, later writes: lossy_update
  }
}

// The promise holds in most rows.
static void one_row(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    const uint64_t *index = i == LAST ? twice : k;
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      own[i * N + index[j]] = x[j]; // inside, earlier written, later writes
  }
}

static void long_row(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    unsigned end = i == LAST ? SECOND + 1 : SECOND - zeros[i];
#pragma asyncmem
    for (unsigned j = 0; j < end; ++j)
      own[i * N + twice[j]] = x[j]; // inside, earlier written, later writes
  }
}

// One reads what another has written, or writes what another has read.
static void flow(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      uint64_t value = x[j];
      if (k[j] == OF_FIRST)
        y[i * N + twice[j]] = value; // earlier written
      else
        own[i * N + j] = y[i * N + twice[j]]; // inside, later reads
    }
  }
}

static void anti(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      uint64_t value = x[j];
      if (value + i == SECOND + LAST)
        y[i * N + twice[j]] = value; // inside, later writes
      else
        own[i * N + j] = y[i * N + twice[j]]; // earlier read
    }
  }
}

static void read_by_all(void) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      sum += y[i * N + twice[j] / 50]; // earlier read
      if (x[j] == SECOND)
        y[i * N + k[j] / OF_SECOND] = j; // inside, later writes
    }
  }
  own[0] = sum;
}

// Written by the iteration around them first, which is none of theirs.
static void behind_others(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    for (unsigned j = 0; j < N; ++j)
      y[i * N + k[j]] = i;
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      own[i * N + j] = y[i * N + twice[j]]; // earlier read
      if (x[j] == SECOND)
        y[i * N + twice[j]] = j; // inside, later writes
    }
  }
}

// Before their first remote access, too: parts of the loop run in any order.
static void begins_apart(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      own[i * N + twice[j]] = j; // inside, earlier written, later writes
      y[i * N + j] = x[j];
    }
  }
}

// The same words, of each iteration.
static void few_words(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      own[i * 64 + j % 64] = x[j]; // inside, earlier written, later writes
  }
}

// One that uses many lines of memory, the first one that does.
enum { WIDE = 20000 };
static uint64_t wide[2 * WIDE];
static void wide_row(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < 2; ++i) {
    __builtin_is_remote(x);
    unsigned last = i == 0 ? WIDE - 1 : WIDE;
#pragma asyncmem
    for (unsigned j = 0; j < WIDE; ++j)
      wide[i * WIDE + (j == last ? 0 : j)] = x[j % N]; // inside, earlier written, later writes
  }
  own[0] = wide[WIDE] + wide[7];
}

static uint64_t scratch[8 * N];
static void global_scratch(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      scratch[i * N + j % 7] = x[j]; // earlier written
      own[i * N + j] = scratch[i * N + j % 5]; // inside, later reads
    }
  }
}

// Pointers that meet, sizes that overlap in part.
__attribute__((noinline)) static void copy(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      to[i * 120 + j] = from[i * 120 + j]; // inside, earlier written, later reads
  }
}
static void aliases(void) { copy(y + 5, y); }

static void byte(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      far1[i * N + twice[j]] = (uint8_t)x[j]; // inside, earlier written, later writes
  }
}

struct __attribute__((packed)) odd {
  uint8_t kind;
  uint64_t where;
};
__attribute__((noinline)) static void pack(struct odd *rows, const uint64_t *index) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      rows[i * N + index[j]].where = x[j]; // inside, earlier written, later writes
  }
}
static void misaligned(void) { pack((struct odd *)own, twice); }

static void bits(void) {
  unsigned rows = 1 + (unsigned)zeros[0];
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < rows; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      near_flags[twice[j]].kind = (uint32_t)x[j] & 0x1fff; // inside, earlier written, later writes
  }
}

static void structure(void) {
  unsigned rows = 1 + (unsigned)zeros[0];
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < rows; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(nodes);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      struct node n = {NULL, x[j], j};
      nodes[twice[j]] = n; // inside, earlier written, later writes
    }
  }
}

static void block_fill(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      memset((char *)own + (i * N + j) * 8, (int)x[j], 8 + (k[j] == OF_FIRST)); // inside, earlier written, later writes
  }
}

// Callees.
__attribute__((noinline)) static void put(uint64_t *to, uint64_t value) { *to = value; } // inside, earlier written, later writes
static void callee(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      put(&own[i * N + twice[j]], x[j]);
  }
}

__attribute__((noinline)) static uint64_t look(const uint64_t *place) { return *place * 3; } // inside, later reads
static void callee_reads(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      uint64_t value = x[j];
      if (k[j] == OF_FIRST)
        own[i * N + twice[j]] = value; // earlier written
      else
        y[i * N + j] = look(&own[i * N + twice[j]]); // or here, where the optimizer has moved the load: inside, later reads
    }
  }
}

// Through data.
static void through_pointers(void) {
  unsigned rows = 1 + (unsigned)zeros[0];
  lists[SECOND] = lists[FIRST];
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < rows; ++i) {
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      struct node *n = lists[j];
      __builtin_is_remote(n);
      n->value = n->key; // inside, earlier written, later writes
    }
  }
}

// Clauses and atomics that do not cover it.
__attribute__((noinline)) static void lose(uint64_t *table, const uint64_t *other) {
#pragma asyncmem num_task(16) lossy_update(table)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(table);
    __builtin_is_remote(other);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      table[i * N + k[j % 8]] ^= j;            // inside, later writes
      own[i * N + j] = other[i * N + j / 50]; // earlier read
    }
  }
}
static void lossy_and_plain(void) { lose(z, z + k[4]); }

static void atomic_and_plain(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      if (k[j] == OF_FIRST)
        own[i * N + j] = y[i * N + twice[j]]; // earlier read
      else
        __atomic_fetch_add(&y[i * N + twice[j]], 1, __ATOMIC_RELAXED); // inside, later writes: atomic
    }
  }
}

static void update_and_plain(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      if (k[j] == OF_SECOND)
        own[i * N + j] = y[i * N + twice[FIRST + zeros[j]]]; // inside, later reads: atomic
      else
        y[i * N + twice[j]] += j; // earlier written
    }
  }
}

static void distinct_and_plain(void) {
#pragma asyncmem num_task(16) distinct_update(y)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(y);
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      uint64_t value = x[j];
      if (k[j] == OF_SECOND)
        y[i * N + twice[FIRST + zeros[j]]] = value; // inside, later writes: atomic
      else
        y[i * N + twice[j]] += value; // earlier written
    }
  }
}

// The loop around them is checked as ever.
static void around(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < 40; ++j)
      own[(twice[i] % 8) * N + k[j]] = x[j]; // earlier written, later writes
  }
}

static void distinct_around(void) {
#pragma asyncmem num_task(16) distinct_update(y)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      y[(i == LAST ? 1 : i) * N + twice[j]] += j; // earlier written, later writes: distinct_update
  }
}

#define LOOP(name) {#name, name}
static const struct loop loops[] = {
    LOOP(scatter), LOOP(one_row), LOOP(long_row), LOOP(flow), LOOP(anti), LOOP(read_by_all), LOOP(behind_others),
    LOOP(begins_apart), LOOP(few_words), LOOP(wide_row), LOOP(global_scratch), LOOP(aliases), LOOP(byte), LOOP(misaligned), LOOP(bits),
    LOOP(structure), LOOP(block_fill), LOOP(callee), LOOP(callee_reads), LOOP(through_pointers), LOOP(lossy_and_plain),
    LOOP(atomic_and_plain), LOOP(update_and_plain), LOOP(distinct_and_plain), LOOP(around), LOOP(distinct_around),
};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
