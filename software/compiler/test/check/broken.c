// SPDX-License-Identifier: Apache-2.0
// Loops that break their promise, each in one pair of iterations. The checker must name both: the comments say what
// they did, and behind a colon a word of the advice.
// RUN: %check_promises %s %t
#include "data.h"

// Two iterations write a word.
static void scatter(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    y[twice[i]] = x[i]; // earlier written, later writes: lossy_update
  }
}

static void scatter_near(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    own[twice[i]] = x[i]; // earlier written, later writes
  }
}

static void one_of_two_paths(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    if (value % 2)
      own[k[i]] = value;
    else
      own[twice[i]] = value + 1; // earlier written, later writes
  }
}

// What it read is updated on one of two paths to the store.
static void moved_sometimes(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i], to = k[i];
    uint64_t old = own[to];
    if (value % 2 == 0)
      to = N + twice[i];
    own[to] = old + value; // earlier written, later writes
  }
}

// One reads what another has written, or writes what another has read.
static void flow(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    if (k[i] == OF_FIRST)
      x[N + twice[i]] = value; // earlier written
    else
      own[i] = x[N + twice[i]]; // later reads
  }
}

static void anti(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    if (k[i] == OF_SECOND)
      x[N + twice[i]] = value; // later writes
    else
      own[i] = x[N + twice[i]]; // earlier read
  }
}

// Read by many, and by the writer itself before.
static void read_by_all(void) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    sum += x[i] + y[N + twice[i] / 50]; // earlier read
    if (k[i] == OF_SECOND)
      y[N + twice[i] / 50] = i; // later writes
  }
  own[0] = sum;
}

// Only in one of several runs of the loop.
static void third_run(void) {
  for (unsigned run = 0; run < 3; ++run) {
    const uint64_t *index = run == 2 ? twice : k;
#pragma asyncmem num_task(16)
    for (unsigned i = 0; i < N; ++i) {
      __builtin_is_remote(x);
      own[index[i]] = x[i]; // earlier written, later writes
    }
  }
}

// Pointers that meet.
__attribute__((noinline)) static void copy(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[i] = from[i]; // earlier written, later reads
  }
}
static void aliases(void) { copy(y + 5, y); }

__attribute__((noinline)) static void copy_back(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[i] = from[i]; // earlier read, later writes
  }
}
static void aliases_back(void) { copy_back(y, y + 5); }

// Sizes that overlap in part.
__attribute__((noinline)) static void halves(uint64_t *to, uint32_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    uint32_t half = from[i]; // later reads
    to[i] = half;            // earlier written
  }
}
static void part_of_a_word(void) { halves(z + 10, (uint32_t *)z); }

__attribute__((noinline)) static void bytes_of(uint8_t *to, const uint32_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    uint32_t word = from[i];   // later reads
    to[2 * i] = (uint8_t)word; // earlier written
  }
}
static void byte_of_a_word(void) { bytes_of((uint8_t *)far4 + 9, far4); }

static void byte(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    far1[twice[i]] = (uint8_t)x[i]; // earlier written, later writes
  }
}

struct __attribute__((packed)) odd {
  uint8_t kind;
  uint64_t where;
};
__attribute__((noinline)) static void pack(struct odd *rows, const uint64_t *index) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    rows[index[i]].where = x[i]; // earlier written, later writes
  }
}
static void misaligned(void) { pack((struct odd *)own, twice); }

__attribute__((noinline)) static void fill_wide(unsigned __int128 *to, const uint64_t *index) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    to[index[i]] = x[i]; // earlier written, later writes
  }
}
static void wide(void) { fill_wide((unsigned __int128 *)own, twice); }

// Bit fields: the bits others write are no meeting, the same bits are.
static void bits_near(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    near_flags[twice[i]].kind = (uint32_t)x[i] & 0x1fff; // earlier written, later writes
  }
}

static void bits_far(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(flags);
    flags[twice[i]].kind = (uint32_t)x[i] & 0x1fff; // earlier written, later writes
  }
}

static void bits_read(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(flags);
    uint32_t value = (uint32_t)x[i];
    if (k[i] == OF_FIRST)
      flags[twice[i]].size = value & 0xffff; // earlier written
    else
      own[i] = flags[twice[i]].state; // later reads
  }
}

// The first iteration that uses the word changes other bits than the two that meet.
static void bits_third_near(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint32_t value = (uint32_t)x[i];
    if (i == 0)
      near_flags[twice[FIRST + zeros[i]]].size = value & 0xffff;
    else
      near_flags[twice[i]].kind = value & 0x1fff; // earlier written, later writes
  }
}

static void bits_third_far(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(flags);
    uint32_t value = (uint32_t)x[i];
    if (i == 0)
      flags[twice[FIRST + zeros[i]]].size = value & 0xffff;
    else
      flags[twice[i]].kind = value & 0x1fff; // earlier written, later writes
  }
}

// Two fields in one iteration.
static void bits_of_two(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    near_flags[twice[i]].kind = (uint32_t)x[i] & 0x1fff; // earlier written, later writes
    if (i == FIRST)
      near_flags[k[i + zeros[i]]].size = (uint32_t)x[i] & 0xffff;
  }
}

// A block that is compared.
static void compared(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    if (k[i] == OF_FIRST)
      own[twice[i]] = value; // earlier written
    else
      own[2 * N + i] = memcmp(&own[twice[i]], &value, sizeof value) == 0; // later reads
  }
}

// One reader holds another lock than the writer, and than the reader before it.
static void other_lock(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    uint64_t *lock = &locks[i == FIRST];
    asyncmem_lock(lock);
    if (i == FIRST - 20 || i == FIRST)
      own[N + i] = own[zeros[i]]; // earlier read
    if (i == SECOND)
      own[zeros[i]] = value; // later writes: same
    asyncmem_unlock(lock);
  }
}

// An iteration waits between its read and its write of a word that another one updates.
__attribute__((noinline)) static void update_over_a_wait(uint64_t *best, uint64_t *seen) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t before = best[i]; // later reads
    uint64_t value = x[i];
    if (value == FIRST)
      seen[zeros[i] + SECOND] += value; // earlier written
    if (before < value)
      best[i] = value;
  }
}
static void divided(void) { update_over_a_wait(own, own); }

#define LOOP(name) {#name, name}
static const struct loop loops[] = {
    LOOP(other_lock),     LOOP(scatter), LOOP(scatter_near), LOOP(one_of_two_paths), LOOP(moved_sometimes), LOOP(flow), LOOP(anti), LOOP(read_by_all),
    LOOP(third_run), LOOP(aliases), LOOP(aliases_back), LOOP(part_of_a_word), LOOP(byte_of_a_word),
    LOOP(byte), LOOP(misaligned), LOOP(wide), LOOP(bits_near), LOOP(bits_far), LOOP(bits_read),
    LOOP(bits_third_near), LOOP(bits_third_far), LOOP(bits_of_two), LOOP(compared), LOOP(divided),
};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
