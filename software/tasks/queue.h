// SPDX-License-Identifier: Apache-2.0
//
// First in, first out, linked through the tasks.
#ifndef NHG_TASKS_QUEUE_H
#define NHG_TASKS_QUEUE_H

#include "tasks.h"

static inline void queue_push(task_queue *queue, task *which) {
  which->next = NULL;
  if (queue->first == NULL)
    queue->first = which;
  else
    queue->last->next = which;
  queue->last = which;
}

// The first one, or NULL.
static inline task *queue_pop(task_queue *queue) {
  task *which = queue->first;
  if (which != NULL)
    queue->first = which->next;
  return which;
}

#endif
