/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's part of tasks.h on the AMU.

   A task word is what bafin gives (amu-ext/docs/ami.md): the address of the ID's place in tasks_of_ids[], and the offset of its slot in the SPM. The step is
   the request's resume target. Every running task has an ID; it asks for memory with that, unless it is to hand it over: then its field `id` is 0. */
#ifndef NHG_TASKS_AMU_H
#define NHG_TASKS_AMU_H

#include "platform.h"

enum { TASK_SLOT_BITS = 6, TASK_TARGET_BIT = 39, TASK_SIZE_BIT = 60 };

_Static_assert(TASK_BYTES_MAX == 1 << TASK_SLOT_BITS, "a slot holds the largest request");

/* What a step ends in: jumps to a step that can run. */
void tasks_poll(task_word self);
/* The same; before it gives up the ID, */
void tasks_leave(task_word self);
/* gives it to the first in line and goes behind the last, if somebody stands there, else asks, */
void tasks_line_up(task_word self);
/* or lets others run. */
void tasks_yield(task_word self);
/* Runs it when there is an ID for it. */
void tasks_ready(task *which, task_step *next);

/* Programs and their data are in local memory, so the upper half of the address is 0: one instruction instead of two. */
_Static_assert(NHG_LOCAL_BASE + NHG_LOCAL_SIZE <= 1ul << 32, "the lower half of a task word is an address");
static inline task *task_current(task_word self) { return *(task **)(uintptr_t)(uint32_t)self; }
/* The other task runs instead, with this one's ID. */
static inline task_word task_hand_over(task_word self, task *to) {
  to->id = task_current(self)->id;
  *(task **)(uintptr_t)(uint32_t)self = to;
  return self;
}
static inline uint64_t task_id(task_word self) { return self >> (TASK_TARGET_BIT + TASK_SLOT_BITS); }
static inline char *task_slot(uint64_t id) { return (char *)(uintptr_t)NHG_SPM_BASE + (id << TASK_SLOT_BITS); }
static inline const void *task_data(task_word self) {
  return (const char *)(uintptr_t)NHG_SPM_BASE + (self >> TASK_TARGET_BIT);
}

/* Steps lie in the first 2 MiB behind NHG_RESET_PC, where their offset is the lower half of their address. */
static inline uint64_t task_target(task_step *step, unsigned log2_bytes) {
  return ((uint64_t)(uintptr_t)step + ((uint64_t)log2_bytes << (TASK_SIZE_BIT - TASK_TARGET_BIT + 1)))
         << (TASK_TARGET_BIT - 1);
}

static inline void task_request(uint64_t word, uint64_t id, bool store) {
  if (store)
    __asm__ volatile(".insn r %0, %1, 0, x0, %2, %3" ::"i"(NHG_AMI_OPCODE), "i"(NHG_AMI_ASTORE_FUNCT3), "r"(word),
                     "r"(id)
                     : "memory");
  else
    __asm__ volatile(".insn r %0, %1, 0, x0, %2, %3" ::"i"(NHG_AMI_OPCODE), "i"(NHG_AMI_ALOAD_FUNCT3), "r"(word),
                     "r"(id)
                     : "memory");
}

/* By as wide accesses as the alignment allows, as NH-G traps on misaligned ones. */
static inline __attribute__((always_inline)) void task_fill_slot(uint64_t id, const void *source, unsigned bytes) {
  char *slot = task_slot(id);
  switch (bytes) {
  case 1:
    __builtin_memcpy(slot, source, 1);
    break;
  case 2:
    __builtin_memcpy(__builtin_assume_aligned(slot, 2), __builtin_assume_aligned(source, 2), 2);
    break;
  case 4:
    __builtin_memcpy(__builtin_assume_aligned(slot, 4), __builtin_assume_aligned(source, 4), 4);
    break;
  default:
    __builtin_memcpy(__builtin_assume_aligned(slot, 8), __builtin_assume_aligned(source, 8), bytes);
  }
}

/* An address word */
typedef uint64_t task_prepared;

static inline task_prepared task_prepare(const void *base, unsigned bytes, task_step *next) {
  return (uint64_t)(uintptr_t)base + task_target(next, (unsigned)__builtin_ctz(bytes));
}
static inline task_prepared task_further(task_prepared request, uint64_t offset) { return request + offset; }

/* False if it has to line up. */
static inline __attribute__((always_inline)) bool task_asks(task_word self, task_prepared request, unsigned bytes,
                                                            const void *source) {
  task *which = task_current(self);
  const uint64_t id = which->id;
  if (__builtin_expect(id == 0, 0)) {
    which->then.request = request;
    which->with.source = source;
    which->wants = source != NULL ? TASK_WANTS_STORE : TASK_WANTS_LOAD;
    return false;
  }
  if (source != NULL)
    task_fill_slot(id, source, bytes);
  task_request(request, id, source != NULL);
  return true;
}

#define TASKS_LEAVE tasks_leave
#define TASKS_LINE_UP tasks_line_up

#endif
