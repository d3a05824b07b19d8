/* SPDX-License-Identifier: Apache-2.0 */
/* What the compiler knows of the policy in compiled programs (AdaptPolicy.c). */

#ifndef ASYNCMEM_ADAPTINTERFACE_H
#define ASYNCMEM_ADAPTINTERFACE_H

/* Forms of a marked loop; other forms of the tasks follow, and the plain loop with prefetches. */
enum { ADAPT_PLAIN, ADAPT_TASKS, ADAPT_MOST_FORMS = 4 };

/* 64-bit words of the state of a loop, zero at first, and of one run of it. */
enum { ADAPT_LOOP_WORDS = 27, ADAPT_RUN_WORDS = 12 };

/* The word of a loop's state that is not zero at first: forms but the plain loop and the first one.
   Where loops have no others the state ends before it. */
enum { ADAPT_MORE_FORMS = 22 };

/* The word of a loop's state that is 0 before its first run, and in the first pieces of its trial. */
enum { ADAPT_TARGET = 0 };

/* Words of a run's state that the loop reads: its form, the iterations it may run. */
enum { ADAPT_FORM, ADAPT_BUDGET };

/* Iterations given are fewer than 2 to the power of this. */
enum { ADAPT_BUDGET_BITS = 41 };

#endif
