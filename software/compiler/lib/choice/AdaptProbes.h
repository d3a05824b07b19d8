/* SPDX-License-Identifier: Apache-2.0 */
/* A part of AdaptPolicy.c: what may end the first turn as tasks sooner, with an AMU.

   Requests of the AMU fill no cache, so data that would fit into one stays far for as
   long as the first turn takes. But plain iterations, those of the trial first, leave
   lines in the caches. If the AMU finds one of S lines there, the loop may come back to
   all of its data, and S times as many plain iterations bring most of it. Or some lines
   are used more often than others. So its counts are looked at, again when the turn has
   become twice as long:

   1. An eighth of those iterations run plain, once that costs little.
   2. If the share of lines that are found grows by half of what it should, all run.
   3. Once most lines are found twice as many run. The core overlaps waits, so that the
      plain loop becomes fast only when few lines are missing.

   Wherever pieces of these iterations are faster than tasks the plain loop is kept, as
   behind a trial. If the share does not grow, or the plain loop is not faster at the
   end, no more run until the turn is eight times as long. Loops that do not come back
   to their data pay nothing. */

#ifndef ASYNCMEM_ADAPTPROBES_H
#define ASYNCMEM_ADAPTPROBES_H

#include "choice/AdaptState.h"
#include "choice/AdaptTrial.h"

enum {
  // The part of iterations that may bring all data that the first ones are, and the
  // parts of the turn so far that they, and all others, may take.
  TRIED_ITERATIONS = 8,
  TRIED_PART = 32,
  FILL_PART = 4,
  FEWER_LOOKS = 8,
  // Pieces, and of those that get faster; the first one is a quarter of the three.
  FEW_PIECES = 3,
  MOST_PIECES = 6,
  FIRST_PIECE = 4,
  // The least cycles of the first one, as tasks, and of one that decides.
  LEAST_PIECE = 64,
  DECIDES = 256,
  // Iterations a task between plain ones and the next look.
  LOOK_ROUNDS = 16,
};

// Cycles until the first turn is looked at, or over.
static uint64_t until_look(const struct loop *loop, const struct run *run) {
  uint64_t done = GET(loop->first_cycles), all = FIRST_TURNS * run->turn_cycles;
  uint64_t next = least(most(GET(loop->look_at), TRIAL_CYCLES), all);
  return done < next ? next - done : 0;
}

// The turn goes on as tasks.
static void look_at(struct loop *loop, const struct run *run, uint64_t cycles) {
  int is_soon = cycles < 2 * GET(loop->first_cycles);
  SET(loop->look_at, cycles);
  begin_turn(loop, TRY_TASKS,
             is_soon ? LOOK_ROUNDS * run->tasks : GET(loop->all_iterations));
}

// Whether the share of lines in caches is half of what it should be, or what it lacks
// half of what it lacked.
static int has_grown(const struct loop *loop, uint64_t share) {
  uint64_t before = GET(loop->tried_share);
  uint64_t wanted = before * GET(loop->plain_iterations) /
                    most(GET(loop->tried_iterations), 1);
  return 2 * share >= least(wanted, 256 + before);
}

// \returns 0 if the first turn is over.
SELDOM int look(struct loop *loop, const struct run *run, uint64_t rate) {
  uint64_t cached = GET(loop->cached), lines = cached + GET(loop->missed);
  uint64_t share = cached * 256 / most(lines, 1);
  uint64_t plain = GET(loop->plain_iterations);
  uint64_t tried = GET(loop->tried_iterations);
  uint64_t total = GET(loop->first_cycles) + GET(loop->cycles);
  SET(loop->first_cycles, total);
  if (total >= FIRST_TURNS * run->turn_cycles)
    return 0;
  uint64_t fill = share ? plain * 256 / share : MOST_ITERATIONS;
  uint64_t part = FILL_PART;
  if (share >= SHARE_CACHED) {
    fill *= 2;
  } else if (tried == 0) {
    part = TRIED_PART;
    fill /= TRIED_ITERATIONS;
  } else if (!has_grown(loop, share)) {
    SET(loop->tried_iterations, 0);
    look_at(loop, run, FEWER_LOOKS * total);
    return 1;
  }
  uint64_t needed = fill * part * (GET(loop->rates[PLAIN][0]) / 256 + 1);
  if (needed > total) {
    look_at(loop, run, least(2 * total, most(needed, total / 8 * 9)));
    return 1;
  }
  SET(loop->rates[TASKS][0], rate);
  SET(loop->trial, PROBE);
  SET(loop->piece, 0);
  SET(loop->tried_iterations, plain);
  SET(loop->tried_share, share);
  begin_turn(loop, TRIAL_PLAIN,
             most(fill / FIRST_PIECE, LEAST_PIECE * 256 / most(rate, 1)) + 1);
  return 1;
}

SELDOM void end_probe(struct loop *loop, const struct run *run, uint64_t rate) {
  uint64_t tasks = GET(loop->rates[TASKS][0]);
  uint64_t iterations = GET(loop->iterations);
  uint64_t total = GET(loop->first_cycles);
  uint32_t piece = GET(loop->piece);
  int gets_faster = rate < GET(loop->rates[PLAIN][0]) / 4 * 3 || rate < tasks;
  int is_last = piece >= (gets_faster ? MOST_PIECES : FEW_PIECES) - 1;
  SET(loop->plain_iterations, GET(loop->plain_iterations) + iterations);
  SET(loop->rates[PLAIN][0], rate);
  SET(loop->piece, piece + 1);
  if (GET(loop->cycles) >= DECIDES &&
      rate < (is_last ? tasks / 8 * 7 : tasks / 3 * 2))
    keep_plain(loop, run);
  else if (!is_last)
    begin_turn(loop, TRIAL_PLAIN, piece ? 2 * iterations : iterations);
  else {
    SET(loop->trial, MEMORY);
    look_at(loop, run,
            GET(loop->tried_share) < SHARE_CACHED ? total + TRIAL_CYCLES
                                                  : FEWER_LOOKS * total);
  }
}

#endif
