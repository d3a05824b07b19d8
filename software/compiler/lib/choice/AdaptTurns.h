/* SPDX-License-Identifier: Apache-2.0 */
/* A part of AdaptPolicy.c: how turns end, and what is chosen by them (1. to 4. there). */

#ifndef ASYNCMEM_ADAPTTURNS_H
#define ASYNCMEM_ADAPTTURNS_H

#include "choice/AdaptForms.h"
#include "choice/AdaptLooks.h"
#include "choice/AdaptState.h"
#include "choice/AdaptTrial.h"

static uint64_t slowest(const uint64_t *rates, unsigned count) {
  uint64_t found = 0;
  for (unsigned i = 0; i < count; ++i)
    found = most(found, GET(rates[i]));
  return found;
}

static uint64_t fastest(const uint64_t *rates, unsigned count) {
  uint64_t found = UINT64_MAX;
  for (unsigned i = 0; i < count; ++i)
    found = least(found, GET(rates[i]));
  return found;
}

static uint64_t sum_but_slowest(const uint64_t *rates) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < EACH; ++i)
    sum += GET(rates[i]);
  return sum - slowest(rates, EACH);
}

// Tasks of short runs, tried again behind a plain loop that was kept, whose data is all in
// the caches: a part of the turn tells what they take, as nothing of it is start or end.
static int are_near(const struct loop *loop, const struct run *run) {
  uint64_t cached = GET(loop->cached), lines = cached + GET(loop->missed);
  return !ADAPT_FORMS && GET(loop->cycles) >= NEAR_CYCLES &&
         GET(loop->back_off) && GET(loop->choice) == PLAIN &&
         lines >= ENOUGH_LINES && cached * 256 >= lines * SHARE_ALL &&
         GET(loop->all_iterations) < GET(loop->runs) * run->tasks;
}

static void end_tasks(struct loop *loop, const struct run *run, uint64_t rate) {
  if (try_forms(loop, run, rate) ||
      (!ADAPT_FORMS && GET(loop->back_off) == 0 && look(loop, run, rate)))
    return;
  if (ADAPT_FORMS && GET(loop->more_forms))
    rate = GET(loop->form_rates[GET(loop->form)]);
  SET(loop->rates[TASKS][0], rate);
  SET(loop->piece, 0);
  SET(loop->piece_cycles, 0);
  if (!ADAPT_FORMS || GET(loop->back_off) == 0) {
    SET(loop->all_iterations, 0);
    SET(loop->runs, 1);
  }
  begin_turn(loop, TRY_PLAIN, 1);
}

// Pieces have as many iterations as all before them. Where the cache fills, that
// shows between every second piece.
static void end_piece(struct loop *loop, const struct run *run, uint64_t rate,
                      uint64_t iterations) {
  uint64_t tasks = GET(loop->rates[TASKS][0]), allowed = patience(loop, run);
  uint32_t piece = GET(loop->piece);
  uint64_t last = GET(loop->rates[PLAIN][(piece + 1) % 2]),
           one_before = GET(loop->rates[PLAIN][piece % 2]);
  uint64_t spent = GET(loop->piece_cycles) + GET(loop->cycles);
  SET(loop->rates[PLAIN][piece % 2], rate);
  SET(loop->piece_cycles, spent);
  SET(loop->piece, piece + 1);
  if (rate < one_before / 32 * 31)
    allowed *= FILLING;
  if (piece >= 1 && rate < tasks / 3 * 2)
    choose(loop, run, PLAIN, rate);
  else if (piece < 2 || spent < allowed)
    begin_turn(loop, TRY_PLAIN, piece == 0 ? iterations : 2 * iterations);
  else if (least(rate, last) > tasks / 2 * 3)
    choose(loop, run, TASKS, tasks);
  else
    begin_turn(loop, FIRST_TURN, turn_iterations(run, rate));
}

// RUN_CYCLES of each run, in the turns that are compared.
static uint64_t hidden(const struct loop *loop) {
  if (!ADAPT_FORMS)
    return 0;
  uint64_t per_run = GET(loop->all_iterations) / most(GET(loop->runs), 1);
  return (EACH - 1) * 256 * RUN_CYCLES / most(per_run, 1);
}

static void compare(struct loop *loop, const struct run *run, uint32_t turns) {
  const uint64_t *plain = loop->rates[PLAIN], *tasks = loop->rates[TASKS];
  uint32_t better;
  if (turns == TURNS)
    better =
        sum_but_slowest(tasks) + hidden(loop) < sum_but_slowest(plain) / 51 * 50
            ? TASKS
            : PLAIN;
  else if (slowest(plain, EARLY / 2) < fastest(tasks, EARLY / 2) / 5 * 4)
    better = PLAIN;
  else if (slowest(tasks, EARLY / 2) < fastest(plain, EARLY / 2) / 5 * 4)
    better = TASKS;
  else {
    begin_turn(loop, FIRST_TURN + EARLY, GET(loop->target));
    return;
  }
  choose(loop, run, better, GET(loop->rates[better][0]));
}

SELDOM void end_turn(struct loop *loop, const struct run *run, uint32_t turn,
                     uint64_t cycles, uint64_t iterations) {
  uint64_t rate = cycles * 256 / iterations;
  // A short program may meet nothing but this, which comes first for that.
  if (__builtin_expect(turn >= TRIAL_PLAIN, 1)) {
    expect_code((const void *)end_trial, TRIAL_LINES, /*reads=*/1);
    if (!ADAPT_FORMS && GET(loop->trial) == PROBE)
      end_probe(loop, run, rate);
    else
      end_trial(loop, run, rate);
    return;
  }
  if (turn == TRY_TASKS) {
    end_tasks(loop, run, rate);
    return;
  }
  if (turn == TRY_PLAIN) {
    end_piece(loop, run, rate, iterations);
    return;
  }
  uint32_t ended = turn - FIRST_TURN + 1;
  SET(loop->rates[form_of(turn)][(ended - 1) / 2 % EACH], rate);
  if (ended == EARLY || ended >= TURNS)
    compare(loop, run, ended);
  else
    begin_turn(loop, turn + 1, GET(loop->target));
}

// Cycles a turn must last; those that compare the same work last as long as it takes.
static uint64_t cycles_wanted(const struct loop *loop, const struct run *run,
                              uint32_t turn) {
  if (turn >= FIRST_TURN)
    return 0;
  if (turn != TRY_TASKS || GET(loop->back_off))
    return run->turn_cycles;
  if (!ADAPT_FORMS)
    return least(first_turn(run),
                 is_early(loop, run) ? EARLY_CYCLES : TRIAL_CYCLES);
  return GET(loop->form_turns) ? run->turn_cycles : first_turn(run);
}

#endif
