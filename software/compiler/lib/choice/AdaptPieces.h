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

// Prefetches code that will be met, as data, so that a fetch finds it in the L2.
// One line after the other: NH-G drops prefetches that come together.
enum { CODE_LINE = 64 };
static inline void expect(const char *code, unsigned lines) {
#pragma clang loop unroll(disable)
  for (const char *end = code + lines * CODE_LINE; code != end;
       code += CODE_LINE)
    __builtin_prefetch(code);
}

APART void next_chunk(struct loop *loop, struct run *run, uint64_t iterations);
static void account(struct loop *loop, struct run *run, uint64_t iterations);
SELDOM void end_turn(struct loop *loop, const struct run *run, uint32_t turn,
                     uint64_t cycles, uint64_t iterations);

// What ends the pieces, and decides.
static inline void expect_decision(void) {
  expect((const char *)next_chunk, 2);
  expect((const char *)account, 3);
  expect((const char *)end_turn, 12);
}

// Cycles and instructions between the same two readings are nearer than this only
// where the clock may count instructions.
enum { MAY_BE_SIMULATED = 8 };

// \returns 0 where there is no trial, or one that has to look at the clock first.
static inline int begin_pieces(struct loop *loop, struct run *run) {
  uint64_t cycles = __builtin_readcyclecounter();
  uint64_t instructions = __asyncmem_adapt_instructions();
  uint64_t began = __builtin_readcyclecounter();
  uint64_t retired = __asyncmem_adapt_instructions();
  run->began = (struct clock){began, retired, 0};
  cycles = began - cycles;
  if (cycles + instructions - retired + MAY_BE_SIMULATED <=
          2 * MAY_BE_SIMULATED ||
      instructions == 0 || __asyncmem_adapt_lines() == NO_LINES)
    return 0;
  SET(loop->runs, GET(loop->runs) + 1);
  run->pieces = 1;
  run->form = PLAIN;
  run->budget = most(GET(loop->all_iterations), 1);
  return 1;
}

// A piece is over, or was cut short by the end of the run. \returns 0 if the trial
// has to look at it: it waits for memory, or pieces have taken TRIAL_CYCLES.
static inline int next_piece(struct loop *loop, struct run *run,
                             uint64_t iterations, int cut) {
  uint64_t ended = __builtin_readcyclecounter();
  uint64_t retired = __asyncmem_adapt_instructions();
  uint64_t cycles = ended - run->began.cycles;
  uint64_t spent = GET(loop->piece_cycles) + cycles;
  uint32_t pieces = GET(loop->piece) + 1;
  if (spent >= TRIAL_CYCLES ||
      waits(pieces, cycles, retired - run->began.instructions)) {
    run->now = (struct clock){ended, retired, 0};
    return 0;
  }
  if (!cut &&
      cycles - TRIAL_CYCLES / 8 < TRIAL_CYCLES / 8) // once: pieces double
    expect_decision();
  SET(loop->piece_cycles, spent);
  run->budget = GET(loop->all_iterations) + iterations;
  SET(loop->all_iterations, run->budget);
  if (!cut) {
    SET(loop->piece, pieces);
    SET(loop->cycles, cycles);
    SET(loop->iterations, iterations);
  }
  run->began.cycles = ended;
  run->began.instructions = retired;
  return 1;
}

// The piece that is over is the next one of the trial.
static void end_pieces(struct loop *loop, struct run *run) {
  uint64_t iterations = GET(loop->iterations);
  if (iterations)
    SET(loop->rates[PLAIN][0], GET(loop->cycles) * 256 / iterations);
  begin_turn(loop, TRIAL_PLAIN, 1);
  run->pieces = 0;
  run->measured = 1;
}

#endif
