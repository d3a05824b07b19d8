/* SPDX-License-Identifier: Apache-2.0 */
/* A part of AdaptPolicy.c: what a loop with an AMU does first.

   Lines that tasks ask for once fill no cache, so they find out late that a loop's data
   fits into one; and tasks that lose may lose by ten times. Far data as the plain loop
   costs still more. So, in thousands of cycles rather than millions:

   1. Plain pieces of 1, 1, 2, 4 ... iterations, the first of which warms up the
      code, until one waits for memory, by its cycles an instruction, or WARM_CYCLES
      are over and it is hardly faster than the last: what is read in sequence is
      slow at first, too. Of a loop that knows its end the first ones are longer, and
      do not need this code (AdaptFirst.h).
   2. If it hardly waits then, plain.
   3. Else tasks, until the AMU has counted some lines; few will do if they are far.
      If all were in the caches and tasks are not twice as fast, plain: pieces were
      short, and their code may have been cold. If most were not, and the plain loop
      waits, or if it has been slower already, tasks. Else tasks for as long as makes
      them comparable, then the better form.

   Plain is kept for FIRST_TURNS turns only, as it was compared for so short a time;
   then all begins as without a trial.

   A loop whose runs are too short for its tasks to overlap has no steady state that
   the trial could tell apart from its starts and ends, and its pieces were parts of
   runs. After SHORT_RUNS runs whole ones are compared, plain and as tasks; without an
   AMU, too. Where tasks are better plain ones are measured once more, unless the AMU
   says that data is far: the first ones may have filled the caches. */

#ifndef ASYNCMEM_ADAPTTRIAL_H
#define ASYNCMEM_ADAPTTRIAL_H

#include "choice/AdaptState.h"

enum {
  TRIAL_CYCLES = 16384,
  WARM_CYCLES = 4 * TRIAL_CYCLES,
  // Cycles an instruction of a piece that waits: the third or a later one; the
  // second, whose code may still be in no cache. In fewer cycles a line or two of
  // code that come from memory weigh too much.
  TRIAL_PIECES = 3,
  // Instead of a number, behind one of the first runs (AdaptFirst.h).
  WAITED = 255,
  WAITS = 2,
  WAITS_LONG = 8,
  LEAST_WAIT = 1024,
  // Iterations as tasks at first, and at most where they have hardly a request.
  TRIAL_ITERATIONS = 4,
  MOST_TRIAL_ITERATIONS = 64,
  // Iterations that show more than the longest one of them, where each waits.
  FEW_LONG = 16,
  // Lines that tell where the data is, and 256ths of them if it is in the caches, all
  // or most of it: one far line in ten may be what an iteration waits for.
  ENOUGH_LINES = 32,
  SHARE_CACHED = 192,
  SHARE_ALL = 248,
  // Lines that do if at most a quarter of them was in the caches.
  FAR_LINES = 8,
  SHARE_FAR = 64,
  // Iterations a task of a run in which tasks are never many.
  SHORT_ROUNDS = 2,
  // Cycles of a turn as tasks where runs are short and all lines are in the caches.
  NEAR_CYCLES = TRIAL_CYCLES / 4,
  // Turns for which plain is kept where all lines are in the caches: it gets faster, as
  // they were not when it was measured.
  CACHED_TURNS = 256,
  // Where the plain loop hardly waits, tasks must be better by this part of its
  // time, as it has been through cold caches.
  BETTER_BY = 16,
};

// What the trial knows of the plain loop: it waits for memory; nothing; the tasks
// that run now are comparable with it. Of short runs plain ones are measured, then
// tasks, then plain ones again. Or the trial is over, and plain pieces run between
// tasks (AdaptLooks.h).
enum {
  MEMORY,
  UNKNOWN,
  COMPARED,
  SHORT_PLAIN,
  SHORT_TASKS,
  SHORT_AGAIN,
  PROBE
};

#include "choice/AdaptLong.h"

// What a chunk's end and a run's begin with.
APART void next_chunk(struct loop *loop, struct run *run, uint64_t iterations);
APART void end_run(struct loop *loop, struct run *run, uint64_t iterations);

// An instruction-set simulator: its clock counts instructions, and says nothing
// about time.
static int is_simulated(void) {
  struct clock first = read_clock(), second = read_clock();
  uint64_t cycles = second.cycles - first.cycles;
  return may_be_simulated(first.cycles, first.instructions) && cycles != 0 &&
         cycles == second.instructions - first.instructions;
}

// Whether tasks, which have more instructions, have nothing to win.
static inline int hardly_waits(uint64_t cycles, uint64_t instructions) {
  return cycles < instructions / 8 * 9;
}

// Whether so many cycles and instructions of a piece are those of one that waits, if
// so many cycles an instruction are.
static inline int waits_at(uint64_t rate, uint64_t cycles,
                           uint64_t instructions) {
  return cycles >= LEAST_WAIT && cycles > rate * instructions;
}

// The same of a piece of the trial, with so many pieces up to it.
static inline int waits(uint32_t pieces, uint64_t cycles,
                        uint64_t instructions) {
  return pieces > 1 && waits_at(pieces < TRIAL_PIECES ? WAITS_LONG : WAITS,
                                cycles, instructions);
}

static void end_waiting(struct loop *loop) {
  expect_code((const void *)next_chunk, CODE_LINES, /*reads=*/0);
  SET(loop->rates[PLAIN][0],
      GET(loop->cycles) * 256 / most(GET(loop->iterations), 1));
  SET(loop->piece, TRIAL_PIECES);
  SET(loop->trial, MEMORY);
  begin_turn(loop, TRIAL_TASKS, TRIAL_ITERATIONS);
}

SELDOM void begin_loop(struct loop *loop, const struct run *run) {
  if (GET(loop->piece) == WAITED) {
    end_waiting(loop);
    return;
  }
  struct clock now = read_clock();
  if (is_simulated())
    keep_forever(loop, TASKS);
  if (ADAPT_FORMS && now.lines == NO_LINES) {
    SET(loop->trial, MAYBE_LONG);
    begin_turn(loop, TRIAL_PLAIN, 1);
  } else if (now.lines == NO_LINES || now.instructions == 0)
    begin_first(loop, run);
  else
    begin_turn(loop, TRIAL_PLAIN, 1);
}

static void keep_plain(struct loop *loop, const struct run *run,
                       uint64_t turns) {
  uint64_t rate = GET(loop->rates[PLAIN][0]);
  SET(loop->back_off, 1);
  keep(loop, PLAIN, turns * run->turn_cycles / (rate / 256 + 1));
  begin_turn(loop, TRY_TASKS,
             turn_iterations(run, most(rate, GET(loop->rates[TASKS][0]))));
}

// Iterations in which tasks may show what they need: twice as many as there are
// tasks, if they are not too long.
static uint64_t comparable(const struct run *run, uint64_t rate) {
  uint64_t each = rate / 256 + 1;
  return least(most(2 * run->tasks, TRIAL_CYCLES / each),
               4 * TRIAL_CYCLES / each) +
         1;
}

// If runs are short, and run as tasks without having been compared so, a comparison
// of whole ones begins, as far as they are alike.
SELDOM void compare_short(struct loop *loop, const struct run *run) {
  uint64_t runs = most(GET(loop->runs), 1), all = GET(loop->all_iterations);
  uint64_t done = GET(loop->iterations);
  if (GET(loop->turn) != TRY_TASKS || GET(loop->back_off) ||
      GET(loop->trial) > COMPARED || done == 0 ||
      all >= runs * SHORT_ROUNDS * run->tasks)
    return;
  uint64_t each = most(all / runs, 1), rate = GET(loop->cycles) * 256 / done;
  SET(loop->trial, SHORT_PLAIN);
  begin_turn(loop, TRIAL_PLAIN,
             (comparable(run, rate) + each - 1) / each * each);
}

// Tasks must be better by this much where they are compared with the plain loop.
static int is_clear(uint64_t tasks, uint64_t plain) {
  return tasks <= plain / BETTER_BY * (BETTER_BY - 1);
}

static void end_short_plain(struct loop *loop, const struct run *run,
                            uint64_t rate) {
  uint64_t last = GET(loop->rates[PLAIN][0]);
  int again = GET(loop->trial) == SHORT_AGAIN;
  SET(loop->rates[PLAIN][0], rate);
  if (again && !is_clear(GET(loop->rates[TASKS][0]), rate))
    keep_plain(loop, run, FIRST_TURNS);
  else if (!again || rate < last / 8 * 7) {
    SET(loop->trial, SHORT_TASKS);
    begin_turn(loop, TRIAL_TASKS, GET(loop->target));
  } else
    begin_first(loop, run);
}

// Pieces have as many iterations as all before them.
static void end_trial_plain(struct loop *loop, const struct run *run,
                            uint64_t rate) {
  if (GET(loop->trial) >= SHORT_PLAIN) {
    end_short_plain(loop, run, rate);
    return;
  }
  uint64_t cycles = GET(loop->cycles), instructions = GET(loop->instructions);
  uint64_t spent = GET(loop->piece_cycles) + cycles;
  uint64_t last = GET(loop->rates[PLAIN][0]);
  uint32_t pieces = GET(loop->piece) + 1;
  SET(loop->rates[PLAIN][0], rate);
  SET(loop->piece, pieces);
  SET(loop->piece_cycles, spent);
  int for_memory = waits(pieces, cycles, instructions);
  SET(loop->trial, for_memory ? MEMORY : UNKNOWN);
  int warms_up = rate < last / 32 * 31 && spent < 2 * WARM_CYCLES;
  if (!for_memory && (pieces < TRIAL_PIECES || warms_up || spent < WARM_CYCLES))
    begin_turn(loop, TRIAL_PLAIN, GET(loop->all_iterations));
  else if (!for_memory && hardly_waits(cycles, instructions))
    keep_plain(loop, run, FIRST_TURNS);
  else
    begin_turn(loop, TRIAL_TASKS, TRIAL_ITERATIONS);
}

static void end_trial_tasks(struct loop *loop, const struct run *run,
                            uint64_t rate) {
  uint64_t plain = GET(loop->rates[PLAIN][0]), trial = GET(loop->trial);
  uint64_t iterations = GET(loop->iterations), cached = GET(loop->cached);
  uint64_t lines = cached + GET(loop->missed);
  int counted = run->now.lines != NO_LINES;
  int far = counted && cached * 256 <= lines * SHARE_FAR;
  uint64_t enough = far ? FAR_LINES : ENOUGH_LINES;
  if (lines < enough && iterations < MOST_TRIAL_ITERATIONS) {
    SET(loop->target, iterations + iterations * enough / most(lines, 1));
    return;
  }
  SET(loop->rates[TASKS][0], rate);
  int in_caches = counted && cached * 256 >= lines * SHARE_CACHED;
  int all_cached = counted && cached * 256 >= lines * SHARE_ALL;
  if (all_cached ? rate >= plain / 2
                 : trial >= COMPARED && !is_clear(rate, plain))
    keep_plain(loop, run, all_cached ? CACHED_TURNS : FIRST_TURNS);
  else if (trial == SHORT_TASKS && !far) {
    SET(loop->trial, SHORT_AGAIN);
    begin_turn(loop, TRIAL_PLAIN, GET(loop->target));
  } else if ((trial == UNKNOWN || (in_caches && trial == MEMORY)) &&
             !is_clear(rate, plain)) {
    SET(loop->trial, COMPARED);
    begin_turn(loop, TRIAL_TASKS,
               most(comparable(run, rate), trial == MEMORY ? FEW_LONG : 0));
  } else
    begin_first(loop, run);
}

SELDOM void end_trial(struct loop *loop, const struct run *run, uint64_t rate) {
  expect_code((const void *)end_run, END_LINES, /*reads=*/0);
  if (ADAPT_FORMS && GET(loop->trial) >= MAYBE_LONG) {
    if (GET(loop->turn) == TRIAL_PLAIN)
      end_long_plain(loop, run, rate);
    else
      end_long_tasks(loop, run, rate);
  } else if (GET(loop->turn) == TRIAL_PLAIN)
    end_trial_plain(loop, run, rate);
  else
    end_trial_tasks(loop, run, rate);
}

#endif
