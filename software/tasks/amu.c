// SPDX-License-Identifier: Apache-2.0
//
// Tasks on the AMU: IDs, the line for them, and the loop of polls.
#include "abort.h"
#include "alive.h"
#include "task_registers.h"
#include "queue.h"

enum { MaxId = NHG_AMU_MAX_ID };

void __asyncmem_start_amu(void);

static task_queue in_line;
// Whose an ID is: bafin gives the address of its place.
static task *tasks_of_ids[MaxId + 1];
static uint16_t free_ids[MaxId];
static unsigned free_count, lent_count;
static unsigned used, limit; // IDs above `used` were not lent in this run; those up to `limit` may be

static void aconfig(unsigned number, uint64_t value) {
  __asm__ volatile(".insn r %0, %1, 0, x0, %2, %3" ::"i"(NHG_AMI_OPCODE), "i"(NHG_AMI_ACONFIG_FUNCT3), "r"(value),
                   "r"((uint64_t)number)
                   : "memory");
}

// The task is bound to the ID and finished at once: it goes behind those that have finished before.
static void run_later(task_step *step, uint64_t id) {
  __asm__ volatile(".insn r %0, %1, 0, x0, %2, %3" ::"i"(NHG_AMI_OPCODE), "i"(NHG_AMI_AWAIT_FUNCT3),
                   "r"(task_target(step, 0)), "r"(id)
                   : "memory");
  __asm__ volatile(".insn r %0, %1, 0, x0, %2, x0" ::"i"(NHG_AMI_OPCODE), "i"(NHG_AMI_ASIGNAL_FUNCT3), "r"(id)
                   : "memory");
}

static void lend(task *which, uint64_t id) {
  tasks_of_ids[id] = which;
  which->id = in_line.first == NULL ? (uint16_t)id : 0;
  if (which->wants == TASK_WANTS_RUN) {
    run_later(which->then.step, id);
    return;
  }
  const bool store = which->wants == TASK_WANTS_STORE;
  if (store)
    task_fill_slot(id, which->with.source, 1u << (which->then.request >> TASK_SIZE_BIT));
  task_request(which->then.request, id, store);
}

static void lend_to_first(uint64_t id) {
  task *which = queue_pop(&in_line);
  if (which != NULL) {
    lend(which, id);
  } else {
    free_ids[free_count++] = (uint16_t)id;
    --lent_count;
  }
}

static uint64_t free_id(void) {
  if (free_count > 0)
    return free_ids[--free_count];
  return used < limit ? ++used : 0;
}

// Who shall hand over next: all IDs are lent, and come back.
static unsigned next_to_share(void) {
  static unsigned last;
  return last = last < limit ? last + 1 : 1;
}

void tasks_ready(task *which, task_step *next) {
  if ((uint64_t)(uintptr_t)next - NHG_RESET_PC >= 1ul << 21)
    abort_with("tasks: the step at %p is not in the first 2 MiB of the program, where resume targets lie; link it "
               "further in front",
               (void *)next);
  which->then.step = next;
  which->wants = TASK_WANTS_RUN;
  const uint64_t id = free_id();
  if (id != 0) {
    ++lent_count;
    lend(which, id);
    return;
  }
  queue_push(&in_line, which);
  if (limit > 0)
    tasks_of_ids[next_to_share()]->id = 0;
}

void tasks_leave(task_word self) {
  lend_to_first(task_id(self));
  TASK_GO(self, tasks_poll);
}

void tasks_line_up(task_word self) {
  task *which = task_current(self);
  if (in_line.first != NULL) {
    queue_push(&in_line, which);
    TASK_GO(self, tasks_leave);
  }
  lend(which, task_id(self));
  TASK_GO(self, tasks_poll);
}

void tasks_yield(task_word self) {
  task *which = task_current(self);
  if (which->id == 0) {
    which->wants = TASK_WANTS_RUN;
    TASK_GO(self, tasks_line_up);
  }
  run_later(which->then.step, which->id);
  TASK_GO(self, tasks_poll);
}

static void configure(void) {
  __asyncmem_start_amu();
  aconfig(NHG_AMU_CONFIG_HANDLER_BASE, (uint64_t)(uintptr_t)tasks_of_ids);
  aconfig(NHG_AMU_CONFIG_HANDLER_SIZE, sizeof tasks_of_ids[0]);
  aconfig(NHG_AMU_CONFIG_SPM_BASE, NHG_SPM_BASE);
  aconfig(NHG_AMU_CONFIG_SPM_SLOT, TASK_BYTES_MAX);
  aconfig(NHG_AMU_CONFIG_TARGET_BASE, NHG_RESET_PC);
}

uint64_t tasks_run(unsigned waiting) {
  configure();
  limit = waiting == 0 || waiting > MaxId ? MaxId : waiting;
  while (in_line.first != NULL && lent_count < limit) {
    ++lent_count;
    lend(queue_pop(&in_line), ++used);
  }
  while (lent_count > 0)
    tasks_begin_chain();
  used = limit = free_count = 0;
  return tasks_alive;
}
