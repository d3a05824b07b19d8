// SPDX-License-Identifier: Apache-2.0
//
// What tasks do with each other: start, end, signals, channels, locks. All of it is local memory; amu.c and prefetch.c run them.
#include "tasks.h"

#include "alive.h"
#include "queue.h"

uint64_t tasks_alive;

void task_make(task *made) {
  *made = (task){0};
  ++tasks_alive;
}

void task_spawn(task *made, task_step *first, unsigned priority) {
  task_make(made);
  task_set_priority(made, priority);
  tasks_ready(made, first);
}

void task_set_priority(task *whose, unsigned priority) { whose->priority = (uint8_t)priority; }

unsigned task_alloc_cpu(unsigned wanted) {
  (void)wanted;
  return 1;
}

// Remembers where a task goes on that waits for another one.
static bool waits(task *self, task_step *next) {
  self->then.step = next;
  return false;
}

static void resume(task *which) { tasks_ready(which, which->then.step); }

bool task_waits_for_signal(task *self, task_step *next) {
  const bool signalled = self->flags & TASK_SIGNALLED;
  self->flags = signalled ? self->flags & ~TASK_SIGNALLED : self->flags | TASK_WAITS;
  return signalled || waits(self, next);
}

void task_wake_up(task *waiting) {
  if (waiting->flags & TASK_WAITS) {
    waiting->flags &= ~TASK_WAITS;
    resume(waiting);
  } else {
    waiting->flags |= TASK_SIGNALLED;
  }
}

void task_retire(task *ends) {
  ends->flags |= TASK_ENDED;
  --tasks_alive;
  if (ends->joiner != NULL)
    resume(ends->joiner);
}

void task_end(task_word self) {
  task_retire(task_current(self));
  TASK_GO(self, TASKS_LEAVE);
}

bool task_waits_for_end(task *self, task *of, task_step *next) {
  if (of->flags & TASK_ENDED)
    return true;
  of->joiner = self;
  return waits(self, next);
}

void task_channel_init(task_channel *channel, uint64_t *values, size_t capacity) {
  *channel = (task_channel){.values = values, .capacity = capacity};
}

static void put(task_channel *channel, uint64_t value) {
  const size_t place = channel->head + channel->count++;
  channel->values[place < channel->capacity ? place : place - channel->capacity] = value;
}

static uint64_t take(task_channel *channel) {
  const uint64_t value = channel->values[channel->head];
  channel->head = channel->head + 1 < channel->capacity ? channel->head + 1 : 0;
  --channel->count;
  return value;
}

// Who waits to receive knows an empty channel; who waits to send, a full one.
bool task_sends(task *self, task_channel *to, uint64_t value, task_step *next) {
  task *receiver = queue_pop(&to->receivers);
  if (receiver != NULL) {
    receiver->with.value = value;
    resume(receiver);
    return true;
  }
  if (to->count < to->capacity) {
    put(to, value);
    return true;
  }
  self->with.value = value;
  queue_push(&to->senders, self);
  return waits(self, next);
}

bool task_receives(task *self, task_channel *from, task_step *next) {
  if (from->count == 0) {
    queue_push(&from->receivers, self);
    return waits(self, next);
  }
  self->with.value = take(from);
  task *sender = queue_pop(&from->senders);
  if (sender != NULL) {
    put(from, sender->with.value);
    resume(sender);
  }
  return true;
}

bool task_locks(task *self, task_lock *lock, task_step *next) {
  if (!lock->held)
    return lock->held = true;
  queue_push(&lock->waiting, self);
  return waits(self, next);
}

// The lock goes to the one that has waited longest without being free in between.
void task_unlock(task_lock *lock) {
  task *heir = queue_pop(&lock->waiting);
  lock->held = heir != NULL;
  if (heir != NULL)
    resume(heir);
}
