/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks with a stack, for waits inside calls that no compiler sees: function pointers, libraries. They are tasks of tasks.h, and run beside those without.

     static uint64_t visit(uint64_t first) {
       uint64_t sum = 0;
       struct node here;
       for (const struct node *at = (void *)first; at != NULL; at = here.next) {
         stack_load(&here, at, sizeof here);
         sum += here.value;
       }
       return sum;
     }

   A task has a stack of its own, or, if it is made by stack_task_make_copied(), runs on one that all such tasks share: what it has there is copied to its
   store, in local or far memory, when it waits, and back when it runs again; from far memory by loads of the task's own, before it runs. Nobody but the
   task may have pointers to the variables of such a task. */
#ifndef NHG_STACK_TASKS_H
#define NHG_STACK_TASKS_H

#include "stack_switch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t stack_body(uint64_t argument);

typedef struct stack_task {
  task task;
  void *sp;    /* of the suspended task; registers lie above */
  char *store; /* of a task whose stack is copied; else NULL */
  uint32_t store_bytes;
  uint8_t fetch;             /* by which its stack comes, while it does */
  struct stack_task *caller; /* whom stack_return() and the end go to */
  uint64_t value; /* handed over by a switch to it; its body's argument; at its end, what the body returned */
  stack_body *body;
  task_step *resume;
} stack_task;

enum { SHARED_STACK_BYTES = 64 << 10 };

/* How many stacks have come from far memory so, not through the core. */
extern uint64_t stack_fetched;

/* The task exists, and begins when it is spawned, yielded to, or called. */
void stack_task_make(stack_task *made, stack_body *body, uint64_t argument, void *stack, size_t bytes);
/* The same on the shared stack. A program whose task keeps more than `bytes` there when it waits ends with a message. */
void stack_task_make_copied(stack_task *made, stack_body *body, uint64_t argument, void *store, size_t bytes);
void stack_task_spawn(stack_task *which, unsigned priority);

/* All below are called by a task with a stack, in any depth of calls. */
stack_task *stack_current(void);
void stack_load(void *to, const void *from, size_t bytes); /* 1, 2, 4, ... TASK_BYTES_MAX bytes, aligned to them */
void stack_store(void *to, const void *from, size_t bytes);
void stack_yield(void);
void stack_wait(void);
void stack_join(task *other);
void stack_send(task_channel *to, uint64_t value);
uint64_t stack_receive(task_channel *from);
void stack_lock(task_lock *lock);

/* Leaves the shared stack for the other task, or for it. */
void stack_hand_over(stack_task *other);

/* Runs the other task at once; returns when somebody yields to this one, with the value given. In the caller, which knows what registers it needs. */
static inline uint64_t stack_yield_to(stack_task *other, uint64_t value) {
  stack_task *self = (stack_task *)task_state(stack_now.self);
  other->value = value;
  if (self->store == NULL && other->store == NULL) {
    stack_now.self = task_hand_over(stack_now.self, &other->task);
    stack_switch(&self->sp, other->sp);
  } else {
    stack_hand_over(other);
  }
  return ((stack_task *)task_state(stack_now.self))->value;
}

/* Runs the other task until it returns a value or ends; a task that has ended is not to be called. */
static inline uint64_t stack_call(stack_task *callee, uint64_t value) {
  callee->caller = (stack_task *)task_state(stack_now.self);
  return stack_yield_to(callee, value);
}

static inline uint64_t stack_return(uint64_t value) {
  return stack_yield_to(((stack_task *)task_state(stack_now.self))->caller, value);
}

#ifdef __cplusplus
}
#endif
#endif
