/* SPDX-License-Identifier: Apache-2.0 */
/* A part of AdaptPolicy.c: the first runs of a loop with an AMU that knows its end and
   stays where the program has it (FirstRuns.h). They are pieces, each with GROWTH - 1
   times the iterations of all before it, and this code, without a call, is a part of
   the loop: a short program meets all else for the first time, line after line from
   memory. Behind a run as many iterations as there were follow that nobody measures,
   and no piece, measured or not, has more than LONGEST_PIECE.

   Behind a piece that waits the trial goes on with tasks (AdaptTrial.h, 3.), else
   behind FIRST_ITERATIONS with pieces of its own (AdaptPieces.h); while the loop hardly
   waits that trial could only find it to be plain, so it goes on here for longer. Until
   then the loop's `piece` is 0, and its `iterations` are those that ran or may run
   unmeasured. */

#ifndef ASYNCMEM_ADAPTFIRST_H
#define ASYNCMEM_ADAPTFIRST_H

#include "choice/AdaptPieces.h"

enum {
  // Iterations of the first piece, and how many times as many have run behind another
  // one as before it.
  FIRST_PIECE = 4,
  GROWTH = 8,
  // Iterations behind which the trial goes on elsewhere, and those where the loop
  // hardly waits.
  FIRST_ITERATIONS = 1024,
  FIRST_CACHED_ITERATIONS = 1 << 18,
  LONGEST_PIECE = 4096,
};

// Cycles an instruction of a piece that waits: of the first one, of the second one, in
// which what is read in sequence may still be slow, and of others.
static inline uint64_t waiting_rate(uint64_t before) {
  if (before == 0)
    return WAITS_LONG;
  return before < GROWTH * FIRST_PIECE ? WAITS + 1 : WAITS;
}

// Whether a piece behind which so many iterations are `done` is the last one here. What
// little is left of a run behind others says nothing.
static inline int ends_first_runs(uint64_t done, uint64_t before,
                                  uint64_t cycles, uint64_t instructions) {
  int is_rest = before != 0 && cycles < LEAST_WAIT;
  return done >= FIRST_ITERATIONS &&
         (done >= FIRST_CACHED_ITERATIONS ||
          !(is_rest || hardly_waits(cycles, instructions)));
}

static inline uint64_t next_first_piece(uint64_t done) {
  return most(least((GROWTH - 1) * done, LONGEST_PIECE), FIRST_PIECE);
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
  if (__builtin_expect(may_be_simulated(cycles, retired), 0))
    return 0;
  *began.cycles = cycles;
  *began.instructions = retired;
  return next_first_piece(GET(loop->iterations));
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
  uint64_t instructions = retired - *began.instructions;
  int waited = waits_at(waiting_rate(done - iterations), cycles, instructions);
  if (__builtin_expect(
          waited || ends_first_runs(done, before, cycles, instructions), 0)) {
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
    uint64_t unseen = least(done, LONGEST_PIECE);
    SET(loop->iterations, done + unseen);
    SET(loop->plain_left, unseen);
    SET(loop->runs, GET(loop->runs) + 1);
  }
  *began.cycles = ended;
  *began.instructions = retired;
  return next_first_piece(done);
}

#endif
