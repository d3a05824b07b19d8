// SPDX-License-Identifier: Apache-2.0
//
// Boost.Context: its two functions in assembly, below all of its classes. A switch is a jump there and a jump back; stacks of 4 KiB.
#include "fcontext.h"
#include "row.h"

typedef struct {
  uint32_t turns;
  uint64_t *total;
} work;

static void add_up(transfer_t caller) {
  const work *works = caller.data;
  const uint32_t turns = works->turns;
  uint64_t *total = works->total, sum = 0;
  for (uint32_t turn = 0; turn < turns; ++turn) {
    sum += turn;
    caller = jump_fcontext(caller.from, NULL);
  }
  *total += sum;
  jump_fcontext(caller.from, total); // something: at its end
}

uint64_t boost_context(uint32_t turns) {
  static char stacks[RowTasks][BoostStackBytes] __attribute__((aligned(16)));
  row_task_bytes = sizeof stacks[0] + sizeof(fcontext_t);
  uint64_t total = 0;
  work works = {turns, &total};
  fcontext_t contexts[RowTasks];
  unsigned alive = RowTasks;
  for (unsigned k = 0; k < RowTasks; ++k) {
    const fcontext_t made = make_fcontext(stacks[k] + sizeof stacks[k], sizeof stacks[k], add_up);
    contexts[k] = jump_fcontext(made, &works).from;
  }
  while (alive > 0)
    for (unsigned k = 0; k < RowTasks; ++k)
      if (contexts[k] != NULL) {
        const transfer_t back = jump_fcontext(contexts[k], NULL);
        contexts[k] = back.data == NULL ? back.from : NULL;
        alive -= back.data != NULL;
      }
  return total;
}
