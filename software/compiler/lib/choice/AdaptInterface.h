/* SPDX-License-Identifier: Apache-2.0 */
/* What the compiler knows of the policy in compiled programs (AdaptPolicy.c). */

#ifndef ASYNCMEM_ADAPTINTERFACE_H
#define ASYNCMEM_ADAPTINTERFACE_H

#include <stdint.h>

/* Forms of a marked loop; other forms of the tasks follow, and the plain loop with prefetches. */
enum { ADAPT_PLAIN, ADAPT_TASKS, ADAPT_MOST_FORMS = 4 };

/* 64-bit words of the state of a loop, zero at first, and of one run of it. */
enum { ADAPT_LOOP_WORDS = 28, ADAPT_RUN_WORDS = 15 };

/* The words of a loop's state that may not be zero at first. With several forms: those but the plain loop and the first one. Bits: tasks update words
   exclusively, and ask for more iterations; the loop takes the iterations of its plain runs from what is left of them. */
enum { ADAPT_MORE_FORMS = 22, ADAPT_TRAITS = 23 };
enum { ADAPT_IS_EXCLUSIVE = 1, ADAPT_TAKES_ITERATIONS = 2 };

/* The word of a loop's state that is 0 before its first run, and in the first pieces of its trial. */
enum { ADAPT_TARGET = 0 };

/* The words with what is left of the plain loop, and with the iterations that one run may
   have. A run may begin as the plain loop without Start if it takes from the first what it
   has: its iterations, if the traits say so (ApartLoop.h), else 1, a run (PlainRuns.h). */
enum { ADAPT_PLAIN_LEFT = 1, ADAPT_HELD_ITERATIONS = 8 };

/* Words of a run's state. The loop reads its form and the iterations it may run; of a run
   without Start it writes the next four before Next: what Start is told, and 0 twice. Tasks
   may ask for more iterations while a word is not 0; what is left behind those given is the
   loop's own. */
enum {
  ADAPT_FORM,
  ADAPT_BUDGET,
  ADAPT_TASK_COUNT,
  ADAPT_TURN_CYCLES,
  ADAPT_MEASURED,
  ADAPT_PIECES,
  ADAPT_ASKS,
  ADAPT_LEFT
};

/* Of the caches of NH-G, whose lines of code and state are read ahead. */
enum { ADAPT_LINE_BYTES = 64 };

/* Iterations given are fewer than 2 to the power of this. */
enum { ADAPT_BUDGET_BITS = 41 };

#endif
