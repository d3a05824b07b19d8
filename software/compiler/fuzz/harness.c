// SPDX-License-Identifier: Apache-2.0
// Runs every generated loop on fresh data and prints "fuzz name trips digest" for each run, then often and prints that as one run of so many
// trips: where the program chooses between forms, the plain one shall be held, and have to be left again.
#include "harness.h"
#include "host.h"

#include <stdio.h>
#include <stdlib.h>

volatile uint64_t fuzz_volatile;
uint64_t fuzz_global;
static uint64_t effects;

void fuzz_effect(uint64_t value) { effects = effects * 31 + value; }
void (*fuzz_pointer)(uint64_t value) = fuzz_effect;
void fuzz_keep(const uint64_t *words) { effects ^= words[0]; }
void fuzz_returns_twice(void) {}
uint64_t fuzz_convergent(uint64_t value) { return value * 3 ^ value >> 9; }
uint64_t fuzz_pure(uint64_t value) { return value * 0x2545f4914f6cdd1du >> 7; }

// On RTL, a hundred thousand cycles a second: one run of a loop, not a long one.
#ifdef FUZZ_SHORT
enum { MEASURED_RUNS = 1, MOST_TRIPS = 150 };
#else
enum { MEASURED_RUNS = RUNS, MOST_TRIPS = MAX_TRIPS };
#endif

enum { WRITTEN_ARRAYS = 11 };
static struct {
  void *data;
  size_t bytes;
} written[WRITTEN_ARRAYS];
static unsigned written_count;

static void *add_written(void *data, size_t bytes) {
  written[written_count].data = data;
  written[written_count++].bytes = bytes;
  return data;
}

static void *local_alloc(size_t bytes) {
  void *data = malloc(bytes);
  if (data == NULL) {
    printf("harness: no memory for %lu bytes\n", (unsigned long)bytes);
    exit(1);
  }
  return data;
}

static uint64_t state;
static uint64_t next(void) {
  state += 0x9e3779b97f4a7c15u;
  return fuzz_mix(state);
}

static void fill(void *data, size_t bytes) {
  uint64_t *words = (uint64_t *)data;
  for (size_t i = 0; i < bytes / sizeof *words; ++i)
    words[i] = next();
}

static void *filled(void *data, size_t bytes) {
  fill(data, bytes);
  return data;
}

static void create(struct env *e) {
  state = 1;
  e->r8 = filled(remote_alloc(READ_COUNT * 8), READ_COUNT * 8);
  e->r4 = filled(remote_alloc(READ_COUNT * 4), READ_COUNT * 4);
  e->r2 = filled(remote_alloc(READ_COUNT * 2), READ_COUNT * 2);
  e->r1 = filled(remote_alloc(READ_COUNT), READ_COUNT);
  e->r1[READ_COUNT - 1] = 0; // ends texts
  e->s4 = filled(remote_alloc(READ_COUNT * 4), READ_COUNT * 4);
  e->l8 = filled(local_alloc(READ_COUNT * 8), READ_COUNT * 8);
  // Small whole numbers: sums of them are exact in any order.
  e->rd = remote_alloc(READ_COUNT * sizeof(double));
  for (unsigned i = 0; i < READ_COUNT; ++i)
    e->rd[i] = (double)(int)(next() % 2048) - 1024;
  e->nodes = remote_alloc(NODE_COUNT * sizeof(struct node));
  for (unsigned i = 0; i < NODE_COUNT; ++i) {
    struct node *n = &e->nodes[i];
    n->next = i + 64 < NODE_COUNT && next() % 4 ? n + 64 : NULL;
    n->key = next();
    n->count = next() % 8;
    n->tag = (uint16_t)next();
    n->flag = next() % 2;
  }
  e->table = filled(remote_alloc(TABLE_COUNT * sizeof(struct row)),
                    TABLE_COUNT * sizeof(struct row));
  e->permutation = local_alloc(READ_COUNT * 4);
  for (unsigned i = 0; i < READ_COUNT; ++i)
    e->permutation[i] = i * 389 % READ_COUNT;
  e->w8 = add_written(remote_alloc(OWN_COUNT * 8), OWN_COUNT * 8);
  e->w4 = add_written(remote_alloc(OWN_COUNT * 4), OWN_COUNT * 4);
  e->w2 = add_written(remote_alloc(OWN_COUNT * 2), OWN_COUNT * 2);
  e->w1 = add_written(remote_alloc(OWN_COUNT), OWN_COUNT);
  e->cells = add_written(remote_alloc(OWN_COUNT * sizeof(struct cell)),
                         OWN_COUNT * sizeof(struct cell));
  e->rows = add_written(remote_alloc(OWN_COUNT * sizeof(struct row)),
                        OWN_COUNT * sizeof(struct row));
  e->o8 = add_written(local_alloc(OWN_COUNT * 8), OWN_COUNT * 8);
  e->o4 = add_written(local_alloc(OWN_COUNT * 4), OWN_COUNT * 4);
  e->hash = add_written(local_alloc(HASH_COUNT * 8), HASH_COUNT * 8);
  e->atoms = add_written(remote_alloc(HASH_COUNT * 8), HASH_COUNT * 8);
  e->packed = add_written(local_alloc(OWN_COUNT * 8), OWN_COUNT * 8);
  e->global = local_alloc(sizeof *e->global);
}

static void reset(struct env *e) {
  state = 2;
  for (unsigned i = 0; i < written_count; ++i)
    fill(written[i].data, written[i].bytes);
  *e->global = fuzz_volatile = fuzz_global = effects = 3;
}

static uint64_t digest(const struct env *e, uint64_t result) {
  uint64_t h = result;
  for (unsigned i = 0; i < written_count; ++i) {
    const uint64_t *words = (const uint64_t *)written[i].data;
    for (size_t j = 0; j < written[i].bytes / sizeof *words; ++j)
      h = (h ^ words[j]) * 0x100000001b3u + (h >> 47);
  }
  h = (h ^ *e->global) * 0x100000001b3u;
  h = (h ^ fuzz_volatile) * 0x100000001b3u;
  h = (h ^ fuzz_global) * 0x100000001b3u;
  return (h ^ effects) * 0x100000001b3u;
}

static void show(const struct env *e, const char *name, unsigned trips,
                 uint64_t result) {
  uint64_t h = digest(e, result);
  printf("fuzz %s %u %08lx%08lx\n", name, trips, (unsigned long)(h >> 32),
         (unsigned long)(h & 0xffffffffu));
}

// Short runs, and after some of them a longer one than any before.
static void run_often(const struct entry *entry, struct env *e) {
  enum { CALLS = 120, SHORT = 4, LONG_EVERY = 40 };
  unsigned all = 0;
  uint64_t result = 1;
  reset(e);
  for (unsigned call = 1; call <= CALLS; ++call) {
    struct env copy = *e;
    unsigned trips = call % LONG_EVERY ? call % SHORT : entry->longest;
    result = result * 31 + entry->run(&copy, trips);
    all += trips;
  }
  show(e, entry->name, all, result);
}

int main(void) {
  struct env e;
  create(&e);
  for (unsigned i = 0; i < fuzz_entry_count; ++i) {
    const struct entry *entry = &fuzz_entries[i];
    for (unsigned run = 0; run < MEASURED_RUNS; ++run) {
      reset(&e);
      if (MEASURED_RUNS == 1) {
        host_checkpoint(); // RTL begins here
        host_roi_begin();
      }
      struct env copy = e;
      unsigned trips =
          entry->trips[run] < MOST_TRIPS ? entry->trips[run] : MOST_TRIPS;
      uint64_t result = entry->run(&copy, trips);
      if (MEASURED_RUNS == 1)
        host_roi_end(); // memory is fast again
      show(&e, entry->name, trips, result);
    }
    if (MEASURED_RUNS > 1)
      run_often(entry, &e);
  }
  return 0;
}
