// SPDX-License-Identifier: Apache-2.0
//
// Single rules: a signal before its wait is kept, one deep; the end of a task that has ended; tasks nobody wakes are counted; every size of a request.
#include <string.h>

#include "check.h"
#include "remote.h"
#include "tasks.h"

static task waiter, second, joiner;
static unsigned woken;
static bool has_joined, has_yielded;

static void end(task_word self) {
  ++woken;
  TASK_END(self);
}

static void wait_again(task_word self) {
  ++woken;
  TASK_WAIT(self, end);
}

static void wait_once(task_word self) {
  CHECK(task_current(self) == &waiter);
  TASK_WAIT(self, wait_again);
}

static void joined(task_word self) {
  has_joined = true;
  TASK_END(self);
}

static void join_ended(task_word self) { TASK_JOIN(self, &waiter, joined); }

static void yielded(task_word self) {
  has_yielded = woken == 1;
  TASK_END(self);
}

static void yields(task_word self) { TASK_YIELD(self, yielded); }

typedef struct {
  task task;
  unsigned bytes;
  char text[TASK_BYTES_MAX] __attribute__((aligned(TASK_BYTES_MAX)));
} mover;

static mover mover_of_all;
static char *from, *to;

static void moved(task_word self);

static void move_next(task_word self) {
  mover *moves = task_state(self);
  memset(moves->text, 0, sizeof moves->text);
  switch (moves->bytes) {
#define SIZE(n)                                                                                                        \
  case n:                                                                                                              \
    TASK_LOAD(self, from + n, n, moved);
    SIZE(1) SIZE(2) SIZE(4) SIZE(8) SIZE(16) SIZE(32) SIZE(64)
#undef SIZE
  }
  TASK_END(self);
}

static void stored(task_word self) {
  mover *moves = task_state(self);
  CHECK(memcmp(to + moves->bytes, from + moves->bytes, moves->bytes) == 0 && to[2 * moves->bytes] == 0);
  moves->bytes *= 2;
  TASK_GO(self, move_next);
}

static void moved(task_word self) {
  mover *moves = task_state(self);
  memcpy(moves->text, task_data(self), moves->bytes);
  switch (moves->bytes) {
#define SIZE(n)                                                                                                        \
  case n:                                                                                                              \
    TASK_STORE(self, to + n, moves->text, n, stored);
    SIZE(1) SIZE(2) SIZE(4) SIZE(8) SIZE(16) SIZE(32) SIZE(64)
#undef SIZE
  }
}

int main(void) {
  CHECK(tasks_run(WAITING) == 0);
  task_spawn(&waiter, wait_once, 0);
  task_set_priority(&waiter, 3);
  CHECK(waiter.priority == 3);
  task_wake_up(&waiter);
  task_wake_up(&waiter);
  task_spawn(&second, yields, 0);
  CHECK(tasks_run(WAITING) == 1); // two signals were one
  CHECK(woken == 1 && has_yielded);
  task_wake_up(&waiter);
  CHECK(tasks_run(WAITING) == 0 && woken == 2);
  task_spawn(&joiner, join_ended, 0);
  CHECK(tasks_run(WAITING) == 0 && has_joined);

  from = (char *)remote_alloc(256);
  to = (char *)remote_alloc(256);
  for (unsigned i = 0; i < 256; ++i) {
    from[i] = (char)(i + 1);
    to[i] = 0;
  }
  mover_of_all.bytes = 1;
  task_spawn(&mover_of_all.task, move_next, 0);
  CHECK(tasks_run(WAITING) == 0);
  CHECK(mover_of_all.bytes == 128);
  puts("every rule holds");
}
