// SPDX-License-Identifier: Apache-2.0
//
// Tasks with stacks as tasks of steps: the one step they have switches to the stack, until the task waits. The wait itself runs on the stack of
// tasks_run(), where a copied stack can be moved.
#include "stack_tasks.h"

#include <string.h>

#include "abort.h"
#include "remote.h"
#include "stack_switch.h"

_Static_assert(offsetof(stack_task, sp) == 40, "as in switch.S");

struct stack_now stack_now;
// Of a task with a copied stack, or one that hands over to or from such a task: what its step ends in, and who runs then.
static task_step *after_copy;
static stack_task *handed_to;
static _Alignas(64) char shared_stack[SHARED_STACK_BYTES];

static char *shared_top(void) { return shared_stack + SHARED_STACK_BYTES; }

stack_task *stack_current(void) { return task_state(stack_now.self); }

static void copy_out(stack_task *from) {
  const size_t bytes = (size_t)(shared_top() - (char *)from->sp);
  if (bytes > from->store_bytes)
    abort_with("stack_tasks: a task keeps %zu bytes of stack while it waits, its store has %zu; make it larger", bytes,
               (size_t)from->store_bytes);
  memcpy(from->store, from->sp, bytes);
  if (after_copy == TASKS_LINE_UP && from->task.wants == TASK_WANTS_STORE)
    from->task.with.source = from->store + ((const char *)from->task.with.source - (char *)from->sp);
}

static void copy_in(const stack_task *to) { memcpy(to->sp, to->store, (size_t)(shared_top() - (const char *)to->sp)); }

// A stack on its way from a store in far memory, by lines. So many may be under way; the core reads the stacks of others, and larger ones, itself.
enum { Fetches = 64, FetchLines = 9 };

typedef struct {
  char lines[FetchLines][TASK_BYTES_MAX];
  // What the task finds when it runs: the data it waited for.
  char data[TASK_BYTES_MAX];
  uint64_t with;
  unsigned count;
} stack_fetch;

static _Alignas(64) stack_fetch fetches[Fetches];
static uint8_t free_fetches[Fetches];
static unsigned used_fetches, free_count;
uint64_t stack_fetched;

// Natively task_data() is where `with` leads to.
static void *data_of(task_word self) {
#ifdef __riscv
  return task_slot(task_id(self));
#else
  (void)self;
  return NULL;
#endif
}

static const char *first_line(const stack_task *of) { return of->store - (uintptr_t)of->store % TASK_BYTES_MAX; }

static bool begins_fetch(task_word self) {
  stack_task *to = task_state(self);
  const size_t bytes = (size_t)(shared_top() - (char *)to->sp) + (size_t)(to->store - first_line(to));
  if (!remote_contains(to->store) || bytes > sizeof fetches[0].lines || (free_count == 0 && used_fetches == Fetches))
    return false;
  to->fetch = free_count > 0 ? free_fetches[--free_count] : (uint8_t)used_fetches++;
  stack_fetch *fetch = &fetches[to->fetch];
  fetch->with = to->task.with.value;
  fetch->count = 0;
  if (data_of(self) != NULL)
    memcpy(fetch->data, data_of(self), sizeof fetch->data);
  return true;
}

static void ends_fetch(task_word self) {
  stack_task *to = task_state(self);
  stack_fetch *fetch = &fetches[to->fetch];
  memcpy(to->sp, fetch->lines[0] + (to->store - first_line(to)), (size_t)(shared_top() - (char *)to->sp));
  if (data_of(self) != NULL)
    memcpy(data_of(self), fetch->data, sizeof fetch->data);
  to->task.with.value = fetch->with;
  free_fetches[free_count++] = to->fetch;
  ++stack_fetched;
}

static void got_line(task_word self);

static void fetch_line(task_word self) {
  const stack_task *to = task_state(self);
  TASK_LOAD(self, first_line(to) + fetches[to->fetch].count * TASK_BYTES_MAX, TASK_BYTES_MAX, got_line);
}

static void got_line(task_word self) {
  const stack_task *to = task_state(self);
  stack_fetch *fetch = &fetches[to->fetch];
  memcpy(fetch->lines[fetch->count++], task_data(self), TASK_BYTES_MAX);
  if (first_line(to) + fetch->count * TASK_BYTES_MAX < to->store + (shared_top() - (char *)to->sp))
    TASK_GO(self, fetch_line);
  ends_fetch(self);
  TASK_GO(self, stack_enter);
}

static void enter_copied(task_word self) {
  if (begins_fetch(self))
    TASK_GO(self, fetch_line);
  copy_in(task_state(self));
  TASK_GO(self, stack_enter);
}

static void leave_copied(task_word self) {
  copy_out(task_state(self));
  TASK_GO(self, after_copy);
}

static void hand_over(task_word self) {
  stack_task *from = task_state(self);
  if (from->store != NULL)
    copy_out(from);
  self = task_hand_over(self, &handed_to->task);
  TASK_GO(self, handed_to->resume);
}

// Waits: the step ends in `after`.
static void suspend(task_step *after) {
  stack_task *self = stack_current();
  if (self->store != NULL) {
    after_copy = after;
    after = leave_copied;
  }
  stack_leave(&self->sp, stack_now.self, after);
}

void stack_hand_over(stack_task *other) {
  handed_to = other;
  after_copy = tasks_poll;
  stack_leave(&stack_current()->sp, stack_now.self, hand_over);
}

static void run_body(void) {
  stack_task *self = stack_current();
  const uint64_t result = self->body(self->value);
  self->value = result;
  if (self->caller == NULL) {
    suspend(task_end);
  } else {
    task_retire(&self->task);
    stack_return(result);
  }
  __builtin_unreachable();
}

void stack_task_make(stack_task *made, stack_body *body, uint64_t argument, void *stack, size_t bytes) {
  *made = (stack_task){
      .value = argument, .body = body, .resume = stack_enter, .sp = stack_begin((char *)stack + bytes, run_body)};
  task_make(&made->task);
}

void stack_task_make_copied(stack_task *made, stack_body *body, uint64_t argument, void *store, size_t bytes) {
  char first[512];
  stack_task_make(made, body, argument, first, sizeof first);
  char *const sp = made->sp;
  const size_t used = (size_t)(first + sizeof first - sp);
  made->sp = shared_top() - used;
  made->resume = enter_copied;
  made->store = store;
  made->store_bytes = (uint32_t)bytes;
  if (used > bytes)
    abort_with("stack_tasks: a store of %zu bytes is too small for the beginning of a task, %zu bytes", bytes, used);
  memcpy(store, sp, used);
}

void stack_task_spawn(stack_task *which, unsigned priority) {
  task_set_priority(&which->task, priority);
  tasks_ready(&which->task, which->resume);
}

static bool asks(const void *address, size_t bytes, const void *source) {
  return task_asks(stack_now.self, task_prepare(address, (unsigned)bytes, stack_current()->resume), (unsigned)bytes,
                   source);
}

void stack_load(void *to, const void *from, size_t bytes) {
  suspend(asks(from, bytes, NULL) ? tasks_poll : TASKS_LINE_UP);
  memcpy(to, task_data(stack_now.self), bytes);
}

void stack_store(void *to, const void *from, size_t bytes) {
  _Alignas(8) char source[TASK_BYTES_MAX];
  memcpy(source, from, bytes);
  suspend(asks(to, bytes, source) ? tasks_poll : TASKS_LINE_UP);
}

void stack_yield(void) {
  stack_current()->task.then.step = stack_current()->resume;
  suspend(tasks_yield);
}

static void unless(bool waits_not) {
  if (!waits_not)
    suspend(TASKS_LEAVE);
}

static task *self(void) { return task_current(stack_now.self); }

void stack_wait(void) { unless(task_waits_for_signal(self(), stack_current()->resume)); }
void stack_join(task *other) { unless(task_waits_for_end(self(), other, stack_current()->resume)); }
void stack_send(task_channel *to, uint64_t value) { unless(task_sends(self(), to, value, stack_current()->resume)); }
void stack_lock(task_lock *lock) { unless(task_locks(self(), lock, stack_current()->resume)); }

uint64_t stack_receive(task_channel *from) {
  unless(task_receives(self(), from, stack_current()->resume));
  return task_value(stack_now.self);
}
