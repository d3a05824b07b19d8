// SPDX-License-Identifier: Apache-2.0
// Plain loop or tasks: the decision while the program runs.
//
// This is code of the compiled program, not of the compiler: the plugin carries
// it as bitcode (PolicyCode.cpp) and gives each module that needs it a copy.
// A marked loop calls it when it starts, whenever the iterations it was given
// are used up, and when it ends (RunTimeChoice.h); with exclusive updates also when
// the last of them has begun as a task.
//
// 0. With an AMU a short trial before all else (AdaptTrial.h); on a target without
//    one a shorter one, if iterations are long (AdaptLong.h).
// 1. Tasks, for a turn; before the first choice for FIRST_TURNS, so that a loop of
//    little work costs what it costs as tasks, or less where the AMU finds that it
//    comes back to its data (AdaptLooks.h). Where there are several forms of
//    them, they then take turns, four each; the one with the fastest turn is what
//    tasks are from there on.
// 2. Plain, in pieces of growing length, for a 128th of the time a choice lasts;
//    longer while they get faster, because the caches may have to fill first. If
//    one form is half as fast again as the other, that one is chosen.
// 3. Else turns: the same number of iterations plain and as tasks, in the order
//    P T T P P T T P, in which a steady drift of the data costs both the same.
//    After half of them if the difference is clear, else after all, each form's
//    slowest turn not counted, the better form is chosen; tasks must be 2 %
//    better, and by RUN_CYCLES for each run.
// 4. Hold: the choice lasts 2048 turns, or 128 times as many iterations as it was
//    compared in; twice as long while it is confirmed, so that a change in the
//    data is found.
//
// All of it goes on over the ends of short runs. All clocks are cycles. Threads
// share the state of a loop without order: they may disturb each other's
// measurement, and with it the choice, never the result.

#include "choice/AdaptPieces.h"
#include "choice/AdaptTurns.h"
#if !ADAPT_FORMS
#include "choice/AdaptFirst.h"
#endif

#define EXPORT __attribute__((noinline, cold))

// Adds what the run did since it was last here.
static void account(struct loop *loop, struct run *run, uint64_t iterations) {
  uint32_t turn = GET(loop->turn);
  if (in_form(loop, form_of(turn)) != run->form || iterations == 0)
    return;
  struct clock now = run->now;
  uint64_t cycles = now.cycles - run->began.cycles;
  SET(loop->all_iterations, GET(loop->all_iterations) + iterations);
  cycles += GET(loop->cycles);
  iterations += GET(loop->iterations);
  SET(loop->cycles, cycles);
  SET(loop->instructions,
      GET(loop->instructions) + (now.instructions - run->began.instructions));
  SET(loop->cached,
      GET(loop->cached) + (uint32_t)(now.lines - run->began.lines));
  SET(loop->missed, GET(loop->missed) + (uint32_t)((now.lines >> 32) -
                                                   (run->began.lines >> 32)));
  SET(loop->iterations, iterations);
  if ((iterations >= GET(loop->target) &&
       cycles >= cycles_wanted(loop, run, turn)) ||
      (turn == TRY_TASKS && are_near(loop, run)))
    end_turn(loop, run, turn, cycles, iterations);
}

static void begin(struct loop *loop, struct run *run) {
  uint64_t done = GET(loop->iterations), target = GET(loop->target);
  run->measured = 1;
  run->accounted = 0;
  run->asks = is_first_turn(loop);
  run->form = in_form(loop, form_of(GET(loop->turn)));
  run->budget =
      least(done < target ? target - done : done + 1, MOST_ITERATIONS);
  run->began = read_clock();
}

// The run, or the rest of it, follows the choice for so many iterations.
static void hold(const struct loop *loop, struct run *run, uint32_t form,
                 uint64_t iterations) {
  run->measured = 0;
  run->asks = 0;
  run->form = in_form(loop, form);
  run->budget = most(iterations, 1);
}

// The run begins as the plain loop; it is of a loop that has not looked itself, or is
// longer than what is left.
static void hold_plain(struct loop *loop, struct run *run, uint64_t left) {
  int takes_all = has_trait(loop, ADAPT_TAKES_ITERATIONS);
  SET(loop->plain_left, takes_all ? 0 : left - 1);
  hold(loop, run, PLAIN, takes_all ? left : GET(loop->held_iterations));
}

// The rest of a run, behind what it was measured for.
static void hold_rest(const struct loop *loop, struct run *run) {
  hold(loop, run, GET(loop->plain_left) ? PLAIN : GET(loop->choice),
       GET(loop->held_iterations));
}

// A loop that is in the first pieces of its trial does no more than they need: the
// rest is in functions of its own.
APART void start_run(struct loop *loop, struct run *run) {
  uint64_t plain = GET(loop->plain_left);
  uint32_t tasks = GET(loop->held_runs);
  if (plain) {
    hold_plain(loop, run, plain);
    return;
  }
  if (GET(loop->target) == 0)
    begin_loop(loop, run);
  if (tasks)
    SET(loop->held_runs, tasks - 1);
  if (tasks || is_held(loop)) {
    hold_rest(loop, run);
    return;
  }
  if (!ADAPT_FORMS && GET(loop->runs) >= SHORT_RUNS)
    compare_short(loop, run);
  SET(loop->runs, GET(loop->runs) + 1);
  begin(loop, run);
}

APART void next_chunk(struct loop *loop, struct run *run, uint64_t iterations) {
  if (run->pieces)
    end_pieces(loop, run);
  else if (run->measured)
    run->now = read_clock();
  if (run->measured) {
    account(loop, run, iterations - run->accounted);
    if (is_held(loop)) {
      hold_rest(loop, run);
      return;
    }
  } else {
    end_hold(loop);
    SET(loop->runs, GET(loop->runs) + 1);
    // It was to be a short one between the first pieces.
    if (GET(loop->target) == 0)
      begin_turn(loop, TRIAL_PLAIN, 1);
  }
  begin(loop, run);
}

// The next runs are taken to be like this one, of the plain loop, which is at its end.
SELDOM void skip_measured(struct loop *loop, const struct run *run,
                          uint64_t iterations) {
  uint64_t cycles = most(run->now.cycles - run->began.cycles, 1);
  uint64_t done = GET(loop->iterations), target = GET(loop->target);
  uint64_t spent = GET(loop->cycles);
  uint64_t wanted = cycles_wanted(loop, run, GET(loop->turn));
  if (iterations == 0)
    return;
  uint64_t runs =
      skip_runs(loop, cycles, iterations,
                most(done < target ? (target - done) / iterations : 0,
                     spent < wanted ? (wanted - spent) / cycles : 0));
  SET(loop->iterations, done + runs * iterations);
  SET(loop->cycles, spent + runs * cycles);
  SET(loop->instructions,
      GET(loop->instructions) +
          runs * (run->now.instructions - run->began.instructions));
}

APART void end_run(struct loop *loop, struct run *run, uint64_t iterations) {
  if (run->pieces)
    end_pieces(loop, run);
  else
    run->now = read_clock();
  uint32_t turn = GET(loop->turn);
  account(loop, run, iterations - run->accounted);
  if (GET(loop->turn) == turn && run->form == PLAIN)
    skip_measured(loop, run, iterations);
}

// An iteration takes a cycle at least.
EXPORT void __asyncmem_adapt_start(struct loop *loop, struct run *run,
                                   uint64_t tasks, uint64_t turn_cycles) {
  run->tasks = tasks;
  run->turn_cycles = turn_cycles;
  run->pieces = 0;
  if ((GET(loop->target) | GET(loop->plain_left)) == 0 &&
      begin_pieces(loop, run))
    return;
  start_run(loop, run);
}

EXPORT void __asyncmem_adapt_next(struct loop *loop, struct run *run,
                                  uint64_t iterations) {
  if (run->pieces && next_piece(loop, run, iterations, 0))
    return;
  next_chunk(loop, run, iterations);
}

EXPORT void __asyncmem_adapt_end(struct loop *loop, struct run *run,
                                 uint64_t iterations) {
  if (run->pieces && next_piece(loop, run, iterations, 1))
    return;
  if (run->pieces || run->measured)
    end_run(loop, run, iterations);
}

#if !ADAPT_FORMS
EXPORT uint64_t __asyncmem_adapt_first(struct loop *loop, uint64_t *cycles,
                                       uint64_t *instructions) {
  return begin_first_run(loop, (struct first){cycles, instructions});
}

EXPORT uint64_t __asyncmem_adapt_first_next(struct loop *loop, uint64_t *cycles,
                                            uint64_t *instructions,
                                            uint64_t before,
                                            uint64_t iterations, int is_last) {
  return end_first_piece(loop, (struct first){cycles, instructions}, before,
                         iterations, is_last);
}

// All iterations given have begun, as tasks. In the first turn the loop is looked at
// while they go on: waiting for all of them each time would cost what they wait for.
// Its caller saves no floating-point register. \returns how many more there are, 0 if
// these are to end.
EXPORT uint64_t __asyncmem_adapt_more(struct loop *loop, struct run *run) {
  uint64_t accounted = run->accounted + run->budget;
  run->now = read_clock();
  account(loop, run, run->budget);
  if (is_first_turn(loop))
    begin(loop, run);
  else
    run->asks = 0;
  run->accounted = accounted;
  return run->asks ? run->budget : 0;
}
#endif
