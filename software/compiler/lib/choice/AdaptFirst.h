/* SPDX-License-Identifier: Apache-2.0 */
/* A part of AdaptPolicy.c: the first runs of a loop with an AMU that knows its end and
   stays where the program has it (FirstRuns.h). They are pieces, each with GROWTH - 1
   times the iterations of all before it, and this code, without a call, is a part of
   the loop: a short program meets all else for the first time, line after line from
   memory. Behind a run as many iterations as there were follow that nobody measures.

   Behind a piece that waits the trial goes on with tasks (AdaptTrial.h, 3.), behind
   FIRST_ITERATIONS with pieces of its own (AdaptPieces.h). Until then the loop's
   `piece` is 0, and its `iterations` are those that ran or may run unmeasured. */

#ifndef ASYNCMEM_ADAPTFIRST_H
#define ASYNCMEM_ADAPTFIRST_H

#include "choice/AdaptPieces.h"

enum {
  // Iterations of the first piece, and how many times as many have run behind another
  // one as before it.
  FIRST_PIECE = 4,
  GROWTH = 8,
  // Iterations behind which the trial goes on elsewhere.
  FIRST_ITERATIONS = 1024,
};

// Cycles an instruction of a piece that waits: of the first one, of the second one, in
// which what is read in sequence may still be slow, and of others.
static inline uint64_t waiting_rate(uint64_t before) {
  if (before == 0)
    return WAITS_LONG;
  return before < GROWTH * FIRST_PIECE ? WAITS + 1 : WAITS;
}

// When a piece began.
struct first {
  uint64_t *cycles;
  uint64_t *instructions;
};

// Of a loop without a target. \returns iterations of a run's first piece; 0: the policy
// has to be asked, as where the clock may be an instruction-set simulator's.
static inline uint64_t begin_first_run(struct loop *loop, struct first began) {
  if (__builtin_expect(GET(loop->piece) != 0, 0))
    return 0;
  uint64_t cycles = __builtin_readcyclecounter();
  uint64_t retired = __asyncmem_adapt_instructions();
  if (__builtin_expect(
          cycles - retired + MAY_BE_SIMULATED < 2 * MAY_BE_SIMULATED, 0))
    return 0;
  *began.cycles = cycles;
  *began.instructions = retired;
  return most((GROWTH - 1) * GET(loop->iterations), FIRST_PIECE);
}

// A piece is over, the last one of its run or not, behind `before` iterations of the
// run. \returns iterations of the next one; 0: the rest of the run has to ask.
static inline uint64_t end_first_piece(struct loop *loop, struct first began,
                                       uint64_t before, uint64_t iterations,
                                       int is_last) {
  uint64_t ended = __builtin_readcyclecounter();
  uint64_t retired = __asyncmem_adapt_instructions();
  uint64_t run = before + iterations, done = GET(loop->iterations) + run;
  uint64_t cycles = ended - *began.cycles;
  int waited = waits_at(waiting_rate(done - iterations), cycles,
                        retired - *began.instructions);
  if (__builtin_expect(waited || done >= FIRST_ITERATIONS, 0)) {
    SET(loop->all_iterations, GET(loop->all_iterations) + run);
    SET(loop->cycles, cycles);
    SET(loop->iterations, iterations);
    SET(loop->plain_left, 0);
    SET(loop->piece, waited ? WAITED : TRIAL_PIECES);
    if (is_last)
      SET(loop->runs, GET(loop->runs) + 1);
    return 0;
  }
  if (is_last) {
    SET(loop->all_iterations, GET(loop->all_iterations) + run);
    SET(loop->iterations, 2 * done);
    SET(loop->plain_left, done);
    SET(loop->runs, GET(loop->runs) + 1);
  }
  *began.cycles = ended;
  *began.instructions = retired;
  return (GROWTH - 1) * done;
}

#endif
