/* SPDX-License-Identifier: Apache-2.0 */
/* A part of AdaptPolicy.c: what a loop on a target without an AMU does first.

   The first turn as tasks is FIRST_ROUNDS for each of them, so that their starts
   and ends weigh little. A loop of few long iterations is over by then, and would
   be tasks whatever they cost. So one plain iteration tells whether iterations are
   long; if the next one is long, too:

   1. One as a task. It overlaps with nothing, so much slower is all it can show.
   2. LONG_ITERATIONS plain, and as many as tasks. If iterations wait for memory,
      those overlap and are faster.

   Plain is kept where tasks lose in either; else tasks have their first turn, but
   only a round of it. */

#ifndef ASYNCMEM_ADAPTLONG_H
#define ASYNCMEM_ADAPTLONG_H

#include "choice/AdaptState.h"

enum {
  // The part of a turn that a long iteration takes.
  LONG_PART = 4,
  LONG_ITERATIONS = 4,
};

// What the trial does: see whether iterations are long; the two comparisons.
enum { MAYBE_LONG = PROBE + 1, ONE_TASK, SOME_TASKS };

static void end_long_plain(struct loop *loop, const struct run *run,
                           uint64_t rate) {
  uint64_t trial = GET(loop->trial);
  if (trial != SOME_TASKS && rate / 256 < run->turn_cycles / LONG_PART) {
    begin_first(loop, run);
    return;
  }
  if (trial != ONE_TASK)
    SET(loop->rates[PLAIN][0], rate);
  else
    SET(loop->rates[PLAIN][0], most(rate, GET(loop->rates[PLAIN][0])));
  if (trial == MAYBE_LONG) {
    SET(loop->trial, ONE_TASK);
    begin_turn(loop, TRIAL_PLAIN, 1);
  } else
    begin_turn(loop, TRIAL_TASKS, trial == ONE_TASK ? 1 : LONG_ITERATIONS);
}

static void end_long_tasks(struct loop *loop, const struct run *run,
                           uint64_t rate) {
  uint64_t plain = GET(loop->rates[PLAIN][0]);
  int first = GET(loop->trial) == ONE_TASK;
  SET(loop->rates[TASKS][0], rate);
  if (rate > (first ? plain / 2 * 3 : plain))
    choose(loop, run, PLAIN, plain);
  else if (first) {
    SET(loop->trial, SOME_TASKS);
    begin_turn(loop, TRIAL_PLAIN, LONG_ITERATIONS);
  } else
    begin_turn(loop, TRY_TASKS, run->tasks);
}

#endif
