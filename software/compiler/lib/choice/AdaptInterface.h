/* SPDX-License-Identifier: Apache-2.0 */
/* What the compiler knows of the policy in compiled programs (AdaptPolicy.c). */

#ifndef ASYNCMEM_ADAPTINTERFACE_H
#define ASYNCMEM_ADAPTINTERFACE_H

/* Forms of a marked loop. */
enum { ADAPT_PLAIN, ADAPT_TASKS };

/* 64-bit words of the record of a loop, and of one run of it. */
enum { ADAPT_LOOP_WORDS = 20, ADAPT_RUN_WORDS = 6 };

/* Words of a loop's record; the others are 0 at first. So many runs may be the plain loop
   without a question, each for so many iterations; set by the compiler: tasks that may wait
   at the same time, cycles of a turn, and, for a loop that is always tasks if these can
   run, how many iterations that is, and the step. */
enum {
  ADAPT_HELD,
  ADAPT_CHUNK,
  ADAPT_TASK_COUNT,
  ADAPT_TURN_CYCLES,
  ADAPT_TARGET,
  ADAPT_STEP
};
enum { ADAPT_FOREVER_TASKS = 3 };

/* Words of a run's record: the form to run, for how many iterations, and whether the policy
   was asked, which is to be told when the run has ended. */
enum { ADAPT_FORM, ADAPT_BUDGET, ADAPT_ASKED };

/* Iterations given are fewer than 2 to the power of this. */
enum { ADAPT_BUDGET_BITS = 41 };

#endif
