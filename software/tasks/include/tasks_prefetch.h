/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's part of tasks.h without an AMU: a request is a prefetch, and tasks that can run or wait for memory take turns. A task word is the task's
   address. There are no IDs, so none stands in line. */
#ifndef NHG_TASKS_PREFETCH_H
#define NHG_TASKS_PREFETCH_H

extern task_queue tasks_in_turn;

/* What a step ends in: jumps to the step whose turn it is. */
void tasks_poll(task_word self);
/* The same, and this task is the last to have its turn. */
void tasks_yield(task_word self);
void tasks_ready(task *which, task_step *next);

static inline task *task_current(task_word self) { return (task *)(uintptr_t)self; }
static inline task_word task_hand_over(task_word self, task *to) {
  (void)self;
  return (uint64_t)(uintptr_t)to;
}
static inline const void *task_data(task_word self) { return task_current(self)->with.source; }

typedef struct {
  uint64_t address;
  task_step *next;
} task_prepared;

static inline task_prepared task_prepare(const void *base, unsigned bytes, task_step *next) {
  (void)bytes;
  return (task_prepared){(uint64_t)(uintptr_t)base, next};
}
static inline task_prepared task_further(task_prepared request, uint64_t offset) {
  return (task_prepared){request.address + offset, request.next};
}

static inline __attribute__((always_inline)) bool task_asks(task_word self, task_prepared request, unsigned bytes,
                                                            const void *source) {
  task *which = task_current(self);
  if (source != NULL) {
    __builtin_memcpy((void *)(uintptr_t)request.address, source, bytes);
  } else {
    __builtin_prefetch((const void *)(uintptr_t)request.address);
    which->with.source = (const void *)(uintptr_t)request.address;
  }
  tasks_ready(which, request.next);
  return true;
}

/* Nobody has an ID to give up. */
#define TASKS_LEAVE tasks_poll
#define TASKS_LINE_UP tasks_poll

#endif
