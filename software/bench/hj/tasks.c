// SPDX-License-Identifier: Apache-2.0
#include "tasks.h"
#include "bench.h"
#include "data.h"
#include "task_switches.h"

// A bucket has a power of two of bytes, so one load takes it.
_Static_assert(sizeof(struct bucket) == 32, "one load takes a bucket");

// One probe under way: its tuple, then a bucket is on its way.
struct __attribute__((aligned(64))) probe {
  task task;
  uint32_t key;
};

static const struct tuple *next_tuple, *end_of_tuples;

static void got_tuple(task_word self);
static void got_bucket(task_word self);

static void begin(task_word self) {
  if (next_tuple == end_of_tuples)
    TASK_END(self);
  count_switch();
  TASK_LOAD(self, next_tuple++, sizeof(struct tuple), got_tuple);
}

static void got_tuple(task_word self) {
  struct probe *probe = task_state(self);
  probe->key = ((const struct tuple *)task_data(self))->key;
  count_switch();
  TASK_LOAD(self, &hj_table.buckets[hj_hash(probe->key)], sizeof(struct bucket), got_bucket);
}

static void got_bucket(task_word self) {
  const struct probe *probe = task_state(self);
  const struct bucket *bucket = task_data(self);
  for (uint32_t slot = 0; slot < bucket->count; ++slot) {
    if (bucket->tuples[slot].key == probe->key) {
      hj_matches += 1;
      hj_payloads += bucket->tuples[slot].payload;
    }
  }
  if (bucket->next == NULL)
    TASK_GO(self, begin);
  count_switch();
  TASK_LOAD(self, bucket->next, sizeof(struct bucket), got_bucket);
}

void bench_run(uint64_t first, uint64_t count) {
  static struct probe probes[BENCH_COROUTINES];
  next_tuple = hj_relation.tuples + first;
  end_of_tuples = next_tuple + count;
  run_tasks(probes, sizeof probes[0], begin);
}
