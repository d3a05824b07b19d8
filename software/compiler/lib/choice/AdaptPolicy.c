// SPDX-License-Identifier: Apache-2.0
// Plain loop or tasks: the decision while the program runs.
//
// This is code of the compiled program, not of the compiler: the plugin carries
// it as bitcode (PolicyCode.cpp) and gives each module that needs it a copy.
// A marked loop calls it when it starts, whenever the iterations it was given
// are used up, and when it ends (RunTimeChoice.h).
//
// 0. With an AMU a short trial before all else (AdaptTrial.h); on a target without
//    one a shorter one, if iterations are long (AdaptLong.h).
// 1. Tasks, for a turn; before the first choice for FIRST_TURNS, so that a loop of
//    little work costs what it costs as tasks. Where there are several forms of
//    them, they then take turns, four each; the one with the fastest turn is what
//    tasks are from there on.
// 2. Plain, in pieces of growing length, for a 128th of the time a choice lasts;
//    longer while they get faster, because the caches may have to fill first, and
//    the AMU does not fill them. If one form is half as fast again as the other,
//    that one is chosen.
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

#include "choice/AdaptPolicy.h"
#include <stdint.h>

#define EXPORT __attribute__((noinline, cold))

enum { PLAIN = ADAPT_PLAIN, TASKS = ADAPT_TASKS };

// Whether a loop may have several forms as tasks; where none has, this code is
// without them.
#ifndef ADAPT_FORMS
#define ADAPT_FORMS 1
#endif

enum {
  TRY_TASKS,
  TRY_PLAIN,
  FIRST_TURN,
  EARLY = 4,
  TURNS = 8,
  EACH = TURNS / 2, // turns of a form
  TRIAL_PLAIN = FIRST_TURN + TURNS,
  TRIAL_TASKS,
};

enum {
  // Turns' worth of cycles before the first choice, and of the pieces. On a
  // target without an AMU the caches fill for tasks, too, so the plain loop may
  // try sooner.
  FIRST_TURNS = ADAPT_FORMS ? 16 : 64,
  TRIAL_TURNS = 16,
  // Iterations a task slot sees in a turn, so that the turn's first and last
  // tasks, with fewer beside them, weigh little; and before the first choice,
  // where each end of a chunk delays a loop that may be better off as tasks.
  ROUNDS = 8,
  FIRST_ROUNDS = 64,
  // Where iterations are long, a turn may take so many times its cycles rather
  // than that many iterations.
  LONGEST_TURN = 64,
  // Pieces that get faster may take so many times what the others may.
  FILLING = 8,
  // Iterations of a turn in any case.
  FEWEST = 4,
  HOLD = 128,
  MOST_BACK_OFF = 2,
  // What an end of a run may hide: the core still waits for the last tasks when
  // the clock is read, and does so behind it; the plain loop overlaps with its
  // next run, but not if that is measured.
  RUN_CYCLES = 512,
};

// Iterations stay below this, so that products with a loop's step do not wrap.
#define MOST_ITERATIONS (UINT64_C(1) << (ADAPT_BUDGET_BITS - 1))

// One for each marked loop of the program; zero when it starts.
struct loop {
  uint64_t held_runs;       // runs left that follow the choice
  uint64_t held_iterations; // iterations of a run that follow it
  uint64_t target;          // iterations of this turn or piece
  uint64_t cycles;          // of it so far
  uint64_t instructions;
  uint64_t cached; // lines that the AMU found in a cache, and those it did not
  uint64_t missed;
  uint64_t iterations;
  // Since the first turn as tasks; with several forms, later since a choice ended.
  uint64_t all_iterations;
  uint64_t runs;           // that took part in them
  uint64_t piece_cycles;   // of all its pieces
  uint64_t rates[2][EACH]; // cycles of 256 iterations, by form
  uint64_t trial;          // what it knows
  uint32_t turn;
  uint32_t piece;
  uint32_t choice;
  uint32_t back_off; // 0: nothing was chosen yet, then 1 ... MOST_BACK_OFF
  // Forms as tasks: how many there are beside the first one, set by the compiler;
  // the one in use; turns of their trial so far; cycles of 256 iterations.
  uint32_t more_forms;
  uint16_t form;
  uint16_t form_turns;
  uint64_t form_rates[ADAPT_MOST_FORMS];
};

struct clock {
  uint64_t cycles;
  uint64_t instructions; // stands still where programs cannot read it
  uint64_t lines;        // NO_LINES, or the AMU's: missed << 32 | cached
};

// One for each run of a loop, on its stack.
struct run {
  uint64_t form;
  uint64_t budget; // iterations given
  uint64_t tasks;  // that can wait at the same time, 1 ... 512
  uint64_t turn_cycles;
  uint64_t measured;
  struct clock began;
};

_Static_assert(sizeof(struct loop) == 8 * ADAPT_LOOP_WORDS,
               "the compiler reserves another size");
_Static_assert(sizeof(struct run) == 8 * ADAPT_RUN_WORDS,
               "the compiler reserves another size");

// Instructions retired so far, or always 0: the compiler defines it.
uint64_t __asyncmem_adapt_instructions(void);
// The lines counted by the AMU, or always NO_LINES: likewise.
uint64_t __asyncmem_adapt_lines(void);
#define NO_LINES UINT64_MAX

#define GET(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define SET(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELAXED)

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// Never inlined: the same distance between the two readings each time.
static __attribute__((noinline)) struct clock read_clock(void) {
  uint64_t cycles = __builtin_readcyclecounter();
  uint64_t instructions = __asyncmem_adapt_instructions();
  return (struct clock){cycles, instructions, __asyncmem_adapt_lines()};
}

static uint32_t form_of(uint32_t turn) {
  if (turn < FIRST_TURN)
    return turn == TRY_TASKS ? TASKS : PLAIN;
  if (turn >= TRIAL_PLAIN)
    return turn == TRIAL_TASKS ? TASKS : PLAIN;
  return (0x66u >> (turn - FIRST_TURN)) & 1 ? TASKS : PLAIN;
}

// PLAIN, or TASKS in the form that is in use.
static inline uint64_t in_form(const struct loop *loop, uint64_t form) {
  if (ADAPT_FORMS && form == TASKS)
    form += GET(loop->form);
  return form;
}

static void begin_turn(struct loop *loop, uint32_t turn, uint64_t target) {
  SET(loop->target, least(target, MOST_ITERATIONS));
  SET(loop->cycles, 0);
  SET(loop->instructions, 0);
  SET(loop->cached, 0);
  SET(loop->missed, 0);
  SET(loop->iterations, 0);
  SET(loop->turn, turn);
}

// Iterations of a turn: enough for its cycles, and for its tasks.
static uint64_t turn_iterations(const struct run *run, uint64_t rate) {
  uint64_t each = rate / 256 + 1;
  uint64_t rounds =
      least(ROUNDS * run->tasks, LONGEST_TURN * run->turn_cycles / each);
  return most(most(run->turn_cycles / each + 1, rounds), FEWEST);
}

// Cycles the pieces may take; a choice lasts HOLD times as long.
static uint64_t patience(const struct loop *loop, const struct run *run) {
  return most(GET(loop->back_off), 1) * TRIAL_TURNS * run->turn_cycles;
}

// Keeps a form for so many iterations, beginning with the rest of this run.
static void keep(struct loop *loop, uint32_t choice, uint64_t held) {
  uint64_t all = most(GET(loop->all_iterations), 1);
  SET(loop->choice, choice);
  SET(loop->held_iterations, least(held, MOST_ITERATIONS));
  SET(loop->held_runs, held / (all / most(GET(loop->runs), 1) + 1) + 1);
  SET(loop->all_iterations, 0);
  SET(loop->runs, 0);
}

static void keep_forever(struct loop *loop, uint32_t choice) {
  SET(loop->choice, choice);
  SET(loop->held_iterations, MOST_ITERATIONS);
  SET(loop->held_runs, UINT64_MAX);
}

// Keeps a form for long.
static void choose(struct loop *loop, const struct run *run, uint32_t choice,
                   uint64_t rate) {
  uint32_t back_off = GET(loop->back_off);
  back_off = back_off == 0 || choice != GET(loop->choice) ? 1 : MOST_BACK_OFF;
  SET(loop->back_off, back_off);
  uint64_t all = most(GET(loop->all_iterations), 1);
  keep(loop, choice,
       most(all * back_off, patience(loop, run) / (rate / 256 + 1)) * HOLD);
  begin_turn(loop, TRY_TASKS, turn_iterations(run, GET(loop->rates[TASKS][0])));
}

// Tasks that were not compared with anything yet, for FIRST_TURNS.
static void begin_first(struct loop *loop, const struct run *run) {
  begin_turn(loop, TRY_TASKS,
             least(FIRST_ROUNDS * run->tasks, run->turn_cycles));
}

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

#include "choice/AdaptForms.h"

static void end_tasks(struct loop *loop, const struct run *run, uint64_t rate) {
  if (try_forms(loop, run, rate))
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

static void end_turn(struct loop *loop, const struct run *run, uint32_t turn,
                     uint64_t cycles, uint64_t iterations) {
  uint64_t rate = cycles * 256 / iterations;
  if (turn == TRY_TASKS) {
    end_tasks(loop, run, rate);
    return;
  }
  if (turn >= TRIAL_PLAIN) {
    end_trial(loop, run, rate);
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
  return turn == TRY_TASKS && GET(loop->back_off) == 0 &&
                 (!ADAPT_FORMS || GET(loop->form_turns) == 0)
             ? FIRST_TURNS * run->turn_cycles
             : run->turn_cycles;
}

// Adds what the run did since it was last here.
static void account(struct loop *loop, struct run *run, uint64_t iterations) {
  uint32_t turn = GET(loop->turn);
  if (in_form(loop, form_of(turn)) != run->form || iterations == 0)
    return;
  struct clock now = read_clock();
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
  if (iterations >= GET(loop->target) &&
      cycles >= cycles_wanted(loop, run, turn))
    end_turn(loop, run, turn, cycles, iterations);
}

static void begin(struct loop *loop, struct run *run) {
  uint64_t done = GET(loop->iterations), target = GET(loop->target);
  run->measured = 1;
  run->form = in_form(loop, form_of(GET(loop->turn)));
  run->budget =
      least(done < target ? target - done : done + 1, MOST_ITERATIONS);
  run->began = read_clock();
}

static void hold(const struct loop *loop, struct run *run) {
  run->measured = 0;
  run->form = in_form(loop, GET(loop->choice));
  run->budget = most(GET(loop->held_iterations), 1);
}

// An iteration takes a cycle at least.
EXPORT void __asyncmem_adapt_start(struct loop *loop, struct run *run,
                                   uint64_t tasks, uint64_t turn_cycles) {
  run->tasks = tasks;
  run->turn_cycles = turn_cycles;
  uint64_t held = GET(loop->held_runs);
  if (held) {
    SET(loop->held_runs, held - 1);
    hold(loop, run);
    return;
  }
  if (GET(loop->target) == 0)
    begin_loop(loop, run);
  if (GET(loop->held_runs)) {
    hold(loop, run);
    return;
  }
  SET(loop->runs, GET(loop->runs) + 1);
  begin(loop, run);
}

EXPORT void __asyncmem_adapt_next(struct loop *loop, struct run *run,
                                  uint64_t iterations) {
  if (run->measured) {
    account(loop, run, iterations);
    if (GET(loop->held_runs)) {
      hold(loop, run);
      return;
    }
  } else {
    SET(loop->held_runs, 0);
    SET(loop->runs, GET(loop->runs) + 1);
  }
  begin(loop, run);
}

EXPORT void __asyncmem_adapt_end(struct loop *loop, struct run *run,
                                 uint64_t iterations) {
  if (run->measured)
    account(loop, run, iterations);
}
