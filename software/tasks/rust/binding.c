// SPDX-License-Identifier: Apache-2.0
//
// The library of tasks for its crate (src/lib.rs): the step that polls a task's future, and as functions what of tasks.h is a macro or inline.
#include "abort.h"
#include "tasks.h"

// What a task of the crate begins with.
typedef struct {
  task header;
  bool (*poll)(void *self); // true at its end
} future_task;

_Static_assert(sizeof(task) == 5 * sizeof(uint64_t), "Header of src/lib.rs is as large");
_Static_assert(sizeof(task_channel) == 8 * sizeof(uint64_t), "ChannelWords of src/lib.rs is as large");
_Static_assert(sizeof(task_lock) == 3 * sizeof(uint64_t), "Lock of src/lib.rs is as large");

static task_word running;
static task_step
    *ends_in; // what the step under way ends in; NULL until its future has asked for something of the library

static void poll_future(task_word self) {
  future_task *which = task_state(self);
  running = self;
  ends_in = NULL;
  if (which->poll(which))
    TASK_END(self);
  if (ends_in == NULL) // it waits for something else, which wakes it up
    TASK_WAIT(self, poll_future);
  TASK_GO(self, ends_in);
}

void future_spawn(task *made, unsigned priority) { task_spawn(made, poll_future, priority); }

bool future_has_asked(void) { return ends_in != NULL; }

static void ask(const void *address, unsigned bytes, const void *source) {
  ends_in = task_asks(running, task_prepare(address, bytes, poll_future), bytes, source) ? tasks_poll : TASKS_LINE_UP;
}

void future_load(const void *address, unsigned bytes) { ask(address, bytes, NULL); }
void future_store(void *address, const void *source, unsigned bytes) { ask(address, bytes, source); }
const void *future_data(void) { return task_data(running); }

void future_yield(void) {
  task_current(running)->then.step = poll_future;
  ends_in = tasks_yield;
}

// True if the task need not wait.
static bool or_leave(bool need_not) {
  if (!need_not)
    ends_in = TASKS_LEAVE;
  return need_not;
}

bool future_signal(void) { return or_leave(task_waits_for_signal(task_current(running), poll_future)); }
bool future_join(task *of) {
  if (of->joiner != NULL && !(of->flags & TASK_ENDED))
    abort_with("tasks: two tasks wait for the end of the same one; let one of them signal the other");
  return or_leave(task_waits_for_end(task_current(running), of, poll_future));
}
bool future_send(task_channel *to, uint64_t value) {
  return or_leave(task_sends(task_current(running), to, value, poll_future));
}
bool future_receive(task_channel *from) { return or_leave(task_receives(task_current(running), from, poll_future)); }
uint64_t future_value(void) { return task_value(running); }
bool future_lock(task_lock *lock) { return or_leave(task_locks(task_current(running), lock, poll_future)); }
