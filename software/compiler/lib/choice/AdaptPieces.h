/* SPDX-License-Identifier: Apache-2.0 */
/* A part of AdaptPolicy.c: the first pieces of a trial (AdaptTrial.h, 1.) in little
   code, which for an AMU is a part of each loop (RunTimeChoice.cpp). A short program
   meets all of it for the first time, and a line of it that is in no cache costs more
   than what it decides.

   Until they have ended the loop's `target` is 0. What they took is in the loop,
   whose next run goes on with it. */

#ifndef ASYNCMEM_ADAPTPIECES_H
#define ASYNCMEM_ADAPTPIECES_H

#include "choice/AdaptTrial.h"

APART void start_run(struct loop *loop, struct run *run);

// \returns 0 where there is no trial, or one that has to look at the clock first.
static inline int begin_pieces(struct loop *loop, struct run *run) {
  if (GET(loop->piece) == WAITED) {
    expect_code((const void *)start_run, START_LINES, /*reads=*/1);
    return 0;
  }
  uint64_t began = __builtin_readcyclecounter();
  uint64_t retired = __asyncmem_adapt_instructions();
  run->began = (struct clock){began, retired, 0};
  if (may_be_simulated(began, retired) || retired == 0 ||
      __asyncmem_adapt_lines() == NO_LINES)
    return 0;
  SET(loop->runs, GET(loop->runs) + 1);
  run->pieces = 1;
  run->form = PLAIN;
  run->budget = most(GET(loop->all_iterations), 1);
  return 1;
}

// The next runs are taken to be like this one, which was a piece.
SELDOM void skip_pieces(struct loop *loop, uint64_t cycles,
                        uint64_t iterations) {
  uint64_t runs = skip_runs(loop, cycles, iterations, MOST_RUNS);
  SET(loop->piece_cycles, GET(loop->piece_cycles) + runs * cycles);
}

// A piece is over, or was cut short by the end of the run. \returns 0 if the trial
// has to look at it: it waits for memory, or pieces have taken WARM_CYCLES.
static inline int next_piece(struct loop *loop, struct run *run,
                             uint64_t iterations, int cut) {
  uint64_t ended = __builtin_readcyclecounter();
  uint64_t retired = __asyncmem_adapt_instructions();
  uint64_t cycles = ended - run->began.cycles;
  uint64_t spent = GET(loop->piece_cycles) + cycles;
  uint32_t pieces = GET(loop->piece) + 1;
  if (__builtin_expect(
          spent >= WARM_CYCLES ||
              waits(pieces, cycles, retired - run->began.instructions),
          0)) {
    run->now = (struct clock){ended, retired, 0};
    return 0;
  }
  SET(loop->piece_cycles, spent);
  run->budget = GET(loop->all_iterations) + iterations;
  SET(loop->all_iterations, run->budget);
  if (cut) {
    if (cycles < SHORT_CYCLES && run->pieces == 1)
      skip_pieces(loop, cycles, iterations);
    return 1;
  }
  SET(loop->piece, pieces);
  SET(loop->cycles, cycles);
  SET(loop->iterations, iterations);
  run->pieces = pieces + 1;
  run->began.cycles = ended;
  run->began.instructions = retired;
  return 1;
}

// The policy's code that the trial goes on with begins with this.
static void begin(struct loop *loop, struct run *run);

// The piece that is over is the next one of the trial.
static inline __attribute__((always_inline)) void end_pieces(struct loop *loop,
                                                             struct run *run) {
  expect_code((const void *)begin, CODE_LINES, /*reads=*/0);
  uint64_t iterations = GET(loop->iterations);
  if (iterations)
    SET(loop->rates[PLAIN][0], GET(loop->cycles) * 256 / iterations);
  begin_turn(loop, TRIAL_PLAIN, 1);
  SET(loop->plain_left, 0);
  run->pieces = 0;
  run->measured = 1;
  run->accounted = 0;
}

#endif
