/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks for code that is no loop: a task is a function that runs until it has to wait, and names the function that goes on then.

     struct visit { task task; const node *at; uint64_t sum; };

     static void got_node(task_word self) {
       struct visit *visit = task_state(self);
       const node *node = task_data(self);             // what the load brought
       visit->sum += node->value;
       if (node->next == NULL)
         TASK_END(self);
       TASK_LOAD(self, node->next, sizeof *node, got_node);
     }

   A step ends in one of the macros TASK_*: they return from it. Between two of them no other task runs. On NH-G a wait is a request of the AMU and
   the switch its bafin, which jumps to the step (amu-ext/docs/ami.md); on x86-64 it is a prefetch and a queue. Far memory may also be read and written
   by plain accesses, for which the core waits.

   A task is in the caller's memory, and only the caller gives it back, after the task's end. It has room for what the library keeps of it, sizeof(task)
   bytes. Any number may be alive: a task holds one of the AMU's IDs while it runs and while it waits for memory only; who finds none free stands in
   line. Data of a load or store has 1, 2, 4, ... TASK_BYTES_MAX bytes, and is aligned to them.

   While tasks_run() is under way no marked loop (asyncmem.h) may run: both use the AMU. */
#ifndef NHG_TASKS_H
#define NHG_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TASK_BYTES_MAX = 64 };

typedef uint64_t task_word; /* names the running task; what its steps are given */
typedef void task_step(task_word self);
typedef struct task task;

struct task {
  task *next;   /* behind it in a queue */
  task *joiner; /* waits for its end */
  union {
    uint64_t request; /* of a task in line for an ID: the address word */
    task_step *step;  /* of one that waits for another task, or can run */
  } then;
  union {
    const void *source; /* what a store in line will write */
    uint64_t value;     /* handed over by a channel */
  } with;
  uint16_t id;   /* lent to it; 0: to be handed over when it asks next */
  uint8_t wants; /* enum task_wants */
  uint8_t flags; /* enum task_flags */
  uint8_t priority;
};

enum task_wants { TASK_WANTS_RUN, TASK_WANTS_LOAD, TASK_WANTS_STORE };
enum task_flags { TASK_WAITS = 1, TASK_SIGNALLED = 2, TASK_ENDED = 4 };

typedef struct {
  task *first, *last;
} task_queue;

/* The task may run from now on, beginning with `first`. Priorities are kept, and have no effect: the AMU has none. */
void task_spawn(task *made, task_step *first, unsigned priority);
void task_set_priority(task *whose, unsigned priority);

/* Runs tasks until none can run any more. At most `waiting` of them wait for memory at once; 0: as many as the AMU can. Returns how many are alive: 0, or
   those that wait for a signal, a value or a lock that nobody gives. */
uint64_t tasks_run(unsigned waiting);

/* How many of `wanted` cores the tasks get: 1. */
unsigned task_alloc_cpu(unsigned wanted);

/* Ends the wait of a task in TASK_WAIT, or its next one; a second signal before that changes nothing. */
void task_wake_up(task *waiting);

/* A bounded queue of words. `values` has room for `capacity` of them, at least one. */
typedef struct {
  uint64_t *values;
  size_t capacity, head, count;
  task_queue senders, receivers;
} task_channel;

void task_channel_init(task_channel *channel, uint64_t *values, size_t capacity);

/* Mutual exclusion, in order of arrival; zero is a free lock. */
typedef struct {
  bool held;
  task_queue waiting;
} task_lock;

void task_unlock(task_lock *lock);

/* Each of these is true if the task need not wait; else it waits, and `next` runs later. */
bool task_waits_for_signal(task *self, task_step *next);
bool task_waits_for_end(task *self, task *of, task_step *next);
bool task_sends(task *self, task_channel *to, uint64_t value, task_step *next);
bool task_receives(task *self, task_channel *from, task_step *next);
bool task_locks(task *self, task_lock *lock, task_step *next);
void task_end(task_word self);

/* The beginning and the end of a task that is run by another one (stack_tasks.h). */
void task_make(task *made);
void task_retire(task *ends);

#define TASK_GO(self, next) __attribute__((musttail)) return (next)(self)

#ifdef __riscv
#include "tasks_amu.h"
#else
#include "tasks_prefetch.h"
#endif

/* The running task. Its state begins with it. */
static inline task *task_current(task_word self);
static inline void *task_state(task_word self) { return task_current(self); }
/* What the last load brought; in the first step after it. */
static inline const void *task_data(task_word self);
/* What TASK_RECEIVE got */
static inline uint64_t task_value(task_word self) { return task_current(self)->with.value; }

/* What loads of `bytes` in an array at `base` have in common, for TASK_LOAD_PREPARED. */
static inline task_prepared task_prepare(const void *base, unsigned bytes, task_step *next);

#define TASK_ASK(self, request, bytes, source)                                                                         \
  do {                                                                                                                 \
    if (task_asks((self), (request), (bytes), (source)))                                                               \
      TASK_GO(self, tasks_poll);                                                                                       \
    TASK_GO(self, TASKS_LINE_UP);                                                                                      \
  } while (0)

/* Goes on with `next` when `bytes` at `address` are in task_data(). */
#define TASK_LOAD(self, address, bytes, next) TASK_ASK(self, task_prepare((address), (bytes), (next)), (bytes), NULL)
/* The same, so many bytes behind the base of a task_prepare() that was done once for all. */
#define TASK_LOAD_PREPARED(self, prepared, offset) TASK_ASK(self, task_further((prepared), (offset)), 0, NULL)
/* Goes on with `next` when `bytes` at `source` have been written to `address`. Until then they stay as they are, so they are not on the stack, nor in
   task_data(). */
#define TASK_STORE(self, address, source, bytes, next)                                                                 \
  TASK_ASK(self, task_prepare((address), (bytes), (next)), (bytes), (source))

#define TASK_UNLESS(waits_not, self, next)                                                                             \
  do {                                                                                                                 \
    if (waits_not)                                                                                                     \
      TASK_GO(self, next);                                                                                             \
    TASK_GO(self, TASKS_LEAVE);                                                                                        \
  } while (0)

/* Goes on after a task_wake_up(). */
#define TASK_WAIT(self, next) TASK_UNLESS(task_waits_for_signal(task_current(self), (next)), self, next)
/* Goes on when the other task has ended; one task only may wait for it. */
#define TASK_JOIN(self, other, next) TASK_UNLESS(task_waits_for_end(task_current(self), (other), (next)), self, next)
/* Goes on when the channel has taken the value. */
#define TASK_SEND(self, channel, value, next)                                                                          \
  TASK_UNLESS(task_sends(task_current(self), (channel), (value), (next)), self, next)
/* Goes on when task_value() is a value of the channel. */
#define TASK_RECEIVE(self, channel, next) TASK_UNLESS(task_receives(task_current(self), (channel), (next)), self, next)
/* Goes on when the task holds the lock. */
#define TASK_LOCK(self, lock, next) TASK_UNLESS(task_locks(task_current(self), (lock), (next)), self, next)

/* Goes on when those that can run have run. */
#define TASK_YIELD(self, next)                                                                                         \
  do {                                                                                                                 \
    task_current(self)->then.step = (next);                                                                            \
    TASK_GO(self, tasks_yield);                                                                                        \
  } while (0)
#define TASK_END(self) TASK_GO(self, task_end)

#ifdef __cplusplus
}
#endif
#endif
