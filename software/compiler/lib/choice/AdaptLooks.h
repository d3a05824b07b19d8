/* SPDX-License-Identifier: Apache-2.0 */
/* A part of AdaptPolicy.c: what may end the first turn as tasks sooner, with an AMU.

   Lines that tasks come back to are fetched into L2 (amu-ext/docs/microarchitecture.md),
   so data that fits into the caches is there soon, and the plain loop may be faster then.
   The turn is looked at, again when it has become twice as long, or soon if few lines are
   missed:

   The core waits for the lines that are in no cache. So their share of the time of plain
   iterations that found nothing there is what plain ones take at least. If that is less
   than what tasks take pieces run plain, more of them where they get faster: L1 fills.
   Where they are faster than tasks the plain loop is kept, as behind a trial, else the
   next look is when the turn is eight times as long. Loops that do not come back to
   their data pay nothing.

   Exclusive updates may come back to a few words: the first looks are early, and tasks
   go on meanwhile (__asyncmem_adapt_more). Before the others' first look the share must
   be small for pieces to run: half of the requests are stores, whose lines are near. */

#ifndef ASYNCMEM_ADAPTLOOKS_H
#define ASYNCMEM_ADAPTLOOKS_H

#include "choice/AdaptState.h"
#include "choice/AdaptTrial.h"

enum {
  // 256ths of lines that are few, and iterations a task until the next look then; how
  // often as long the turn is at the next look else, and behind pieces for nothing.
  SHARE_FEW = 56,
  SOON_ROUNDS = 16,
  NEXT_LOOK = 2,
  FEWER_LOOKS = 8,
  // The least cycles until an early look.
  EARLY_CYCLES = 2048,
  // The part of the turn so far that the first piece would take as tasks, the least
  // cycles of that, and of a piece that decides.
  PIECE_PART = 32,
  LEAST_PIECE = 64,
  DECIDES = 256,
  // Pieces, and of those that get faster; none behind one so many times slower.
  FEW_PIECES = 3,
  MOST_PIECES = 6,
  HOPELESS = 4,
};

// The turn goes on as tasks until it is so many times as long, or over.
static void look_later(struct loop *loop, const struct run *run, uint64_t rate,
                       uint64_t times) {
  uint64_t done = GET(loop->first_cycles), all = first_turn(run);
  uint64_t rest = (all - least(done, all)) * 256 / most(rate, 1) + 1;
  begin_turn(loop, TRY_TASKS,
             least((times - 1) * GET(loop->all_iterations), rest));
}

// Before the first look at loops that update nothing exclusively.
static int is_early(const struct loop *loop, const struct run *run) {
  return has_trait(loop, ADAPT_IS_EXCLUSIVE) &&
         GET(loop->all_iterations) < FIRST_ROUNDS * run->tasks;
}

// \returns 0 if the first turn is over.
SELDOM int look(struct loop *loop, const struct run *run, uint64_t rate) {
  uint64_t missed = GET(loop->missed), lines = GET(loop->cached) + missed;
  uint64_t share = missed * 256 / most(lines, 1);
  uint64_t total = GET(loop->first_cycles) + GET(loop->cycles);
  SET(loop->first_cycles, total);
  if (total >= first_turn(run))
    return 0;
  int enough = lines >= ENOUGH_LINES, early = is_early(loop, run);
  if (enough && (!early || share <= SHARE_FEW) &&
      share * (GET(loop->rates[PLAIN][0]) / 256) < rate) {
    SET(loop->rates[TASKS][0], rate);
    SET(loop->trial, PROBE);
    SET(loop->piece, 0);
    begin_turn(loop, TRIAL_PLAIN,
               most(total / PIECE_PART, LEAST_PIECE) * 256 / most(rate, 1) + 1);
  } else if (enough && share <= SHARE_FEW)
    begin_turn(loop, TRY_TASKS,
               (early ? EARLY_ROUNDS : SOON_ROUNDS) * run->tasks);
  else
    look_later(loop, run, rate, NEXT_LOOK);
  return 1;
}

SELDOM void end_probe(struct loop *loop, const struct run *run, uint64_t rate) {
  uint64_t tasks = GET(loop->rates[TASKS][0]);
  uint64_t last = GET(loop->rates[PLAIN][0]);
  uint64_t iterations = GET(loop->iterations);
  uint32_t piece = GET(loop->piece);
  int gets_faster = rate < last / 4 * 3 || rate < tasks;
  int is_last = piece >= (gets_faster ? MOST_PIECES : FEW_PIECES) - 1 ||
                rate >= HOPELESS * tasks;
  SET(loop->rates[PLAIN][0], rate);
  SET(loop->piece, piece + 1);
  if (GET(loop->cycles) >= DECIDES &&
      rate < (is_last ? tasks / 8 * 7 : tasks / 3 * 2))
    keep_plain(loop, run, FIRST_TURNS);
  else if (!is_last)
    begin_turn(loop, TRIAL_PLAIN, piece ? 2 * iterations : iterations);
  else {
    SET(loop->trial, MEMORY);
    look_later(loop, run, tasks, FEWER_LOOKS);
  }
}

#endif
