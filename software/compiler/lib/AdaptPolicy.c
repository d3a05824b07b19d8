// SPDX-License-Identifier: Apache-2.0
// Plain loop or tasks: the decision while the program runs.
//
// This is code of the compiled program, not of the compiler: the plugin carries
// it as bitcode (PolicyCode.cpp) and gives each module that needs it a copy.
// A marked loop calls it when it starts, whenever the iterations it was given
// are used up, and when it ends (RunTimeChoice.h).
//
// 1. Probe: the plain loop, counting the places where a task would wait, until
//    it has run for a turn. Where one comes every few cycles no task can win.
// 2. Turns: the same number of iterations plain and as tasks, in the order
//    P T T P P T T P, in which a steady drift of the data costs both the same.
//    After half of them if the difference is clear, else after all, each form's
//    slowest turn not counted, the better form is chosen; tasks must be 2 %
//    better.
// 3. Hold: HOLD times as many iterations follow the choice, or HOLD times as
//    many runs of the loop if they are short; twice, four times ... as many
//    while turns confirm it, so that a change in the data is found and turns
//    cost less and less. With a form s times slower than the other, turns cost
//    less than (s - 1) * 4 / (8 * HOLD), 0.8 % of the better form's time for
//    s = 2.
//
// Turns go on over the ends of short runs. All clocks are cycles. Threads share
// the state of a loop without order: they may disturb each other's measurement,
// and with it the choice, never the result.

#include "asyncmem/AdaptPolicy.h"
#include <stdint.h>

#define EXPORT __attribute__((noinline, cold))

enum { PLAIN = ADAPT_PLAIN, TASKS = ADAPT_TASKS, PROBE = ADAPT_PROBE };

// Turns of one comparison, the first at 1; 0 is the probe.
enum { TURNS = 8, EARLY = 4 };
// Turns of a form in a comparison.
enum { EACH = TURNS / 2 };

enum {
  // A switch costs at least this many cycles.
  SWITCH_CYCLES = 8,
  // Iterations a task slot sees in a turn, so that the turn's first and last
  // tasks, with fewer beside them, weigh little.
  ROUNDS = 8,
  // Where iterations are long, a turn may take so many times its cycles rather
  // than that many iterations.
  LONGEST_TURN = 64,
  // Tasks of a turn in any case.
  FEWEST = 4,
  HOLD = 64,
  MOST_BACK_OFF = 16,
};

// Iterations stay below this, so that products with a loop's step do not wrap.
#define MOST_ITERATIONS (UINT64_C(1) << (ADAPT_BUDGET_BITS - 1))

// One for each marked loop of the program; zero when it starts.
struct loop {
  uint64_t held_runs;       // runs left that follow the choice
  uint64_t held_iterations; // iterations of a run that follow it
  uint64_t turn_iterations;
  uint64_t runs;            // that took part in this comparison
  uint64_t cycles;          // of this turn so far
  uint64_t iterations;
  uint64_t switches;
  uint64_t rates[2][EACH]; // cycles of 256 iterations, by form
  uint32_t turn;
  uint32_t choice;
  uint32_t back_off; // 0: nothing was chosen yet
};

// One for each run of a loop, on its stack.
struct run {
  uint64_t form;
  uint64_t budget; // iterations given
  uint64_t switches;
  uint64_t tasks; // that can wait at the same time, 1 ... 512
  uint64_t turn_cycles;
  uint64_t measured;
  uint64_t began;
};

_Static_assert(sizeof(struct loop) == 8 * ADAPT_LOOP_WORDS, "the compiler reserves another size");
_Static_assert(sizeof(struct run) == 8 * ADAPT_RUN_WORDS, "the compiler reserves another size");

#define GET(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define SET(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELAXED)

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint32_t form_of(uint32_t turn) {
  return turn == 0 ? PROBE : (0x66u >> (turn - 1)) & 1 ? TASKS : PLAIN;
}

static void begin_turn(struct loop *loop, uint32_t turn) {
  SET(loop->cycles, 0);
  SET(loop->iterations, 0);
  SET(loop->switches, 0);
  SET(loop->turn, turn);
}

// Keeps a form for long, beginning with the rest of this run.
static void choose(struct loop *loop, uint32_t choice, uint64_t iterations, uint32_t next_turn) {
  uint32_t back_off = GET(loop->back_off);
  back_off = back_off == 0 || choice != GET(loop->choice) ? 1 : back_off < MOST_BACK_OFF ? 2 * back_off : back_off;
  SET(loop->choice, choice);
  SET(loop->back_off, back_off);
  SET(loop->held_iterations, least(iterations * HOLD * back_off, MOST_ITERATIONS));
  SET(loop->held_runs, most(GET(loop->runs), 1) * HOLD * back_off);
  SET(loop->runs, 0);
  begin_turn(loop, next_turn);
}

// From the probe: how many iterations make a turn.
static void end_probe(struct loop *loop, const struct run *run, uint64_t cycles, uint64_t iterations) {
  if (cycles <= GET(loop->switches) * SWITCH_CYCLES) {
    choose(loop, PLAIN, iterations, 0);
    return;
  }
  uint64_t each = cycles / iterations + 1;
  uint64_t enough = run->turn_cycles / each + 1;
  uint64_t rounds = least(ROUNDS * run->tasks, LONGEST_TURN * run->turn_cycles / each);
  SET(loop->turn_iterations, least(most(most(enough, rounds), FEWEST), MOST_ITERATIONS));
  begin_turn(loop, 1);
}

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

static void compare(struct loop *loop, uint32_t turn) {
  const uint64_t *plain = loop->rates[PLAIN], *tasks = loop->rates[TASKS];
  uint64_t iterations = TURNS * GET(loop->turn_iterations);
  if (turn == EARLY) {
    if (slowest(plain, EARLY / 2) < fastest(tasks, EARLY / 2) / 5 * 4)
      choose(loop, PLAIN, iterations, 1);
    else if (slowest(tasks, EARLY / 2) < fastest(plain, EARLY / 2) / 5 * 4)
      choose(loop, TASKS, iterations, 1);
    else
      begin_turn(loop, turn + 1);
    return;
  }
  uint32_t better = sum_but_slowest(tasks) < sum_but_slowest(plain) / 51 * 50 ? TASKS : PLAIN;
  choose(loop, better, iterations, 1);
}

static void end_turn(struct loop *loop, const struct run *run, uint32_t turn, uint64_t cycles, uint64_t iterations) {
  if (turn == 0) {
    end_probe(loop, run, cycles, iterations);
    return;
  }
  uint32_t form = form_of(turn);
  if (form == PLAIN && cycles < run->turn_cycles / 2 && GET(loop->turn_iterations) < MOST_ITERATIONS) {
    // The probe was slower than the loop is: longer turns, from the first.
    SET(loop->turn_iterations, 2 * GET(loop->turn_iterations));
    begin_turn(loop, 1);
    return;
  }
  SET(loop->rates[form][(turn - 1) / 2 % EACH], cycles * 256 / iterations);
  if (turn == EARLY || turn >= TURNS)
    compare(loop, turn);
  else
    begin_turn(loop, turn + 1);
}

// Adds what the run did since it was last here.
static void account(struct loop *loop, struct run *run, uint64_t iterations) {
  uint32_t turn = GET(loop->turn);
  if (form_of(turn) != run->form || iterations == 0)
    return;
  uint64_t cycles = GET(loop->cycles) + (__builtin_readcyclecounter() - run->began);
  iterations += GET(loop->iterations);
  SET(loop->cycles, cycles);
  SET(loop->iterations, iterations);
  SET(loop->switches, GET(loop->switches) + run->switches);
  if (turn == 0 ? cycles >= run->turn_cycles : iterations >= GET(loop->turn_iterations))
    end_turn(loop, run, turn, cycles, iterations);
}

static void begin(struct loop *loop, struct run *run) {
  uint32_t turn = GET(loop->turn);
  uint64_t done = GET(loop->iterations), wanted = turn == 0 ? 2 * done + 1 : GET(loop->turn_iterations);
  run->measured = 1;
  run->form = form_of(turn);
  run->budget = wanted > done ? wanted - done : 1;
  run->switches = 0;
  run->began = __builtin_readcyclecounter();
}

static void hold(const struct loop *loop, struct run *run) {
  run->measured = 0;
  run->form = GET(loop->choice);
  run->budget = most(GET(loop->held_iterations), 1);
}

EXPORT void __asyncmem_adapt_start(struct loop *loop, struct run *run, uint64_t tasks, uint64_t turn_cycles) {
  run->tasks = tasks;
  run->turn_cycles = turn_cycles;
  uint64_t held = GET(loop->held_runs);
  if (held) {
    SET(loop->held_runs, held - 1);
    hold(loop, run);
    return;
  }
  SET(loop->runs, GET(loop->runs) + 1);
  begin(loop, run);
}

EXPORT void __asyncmem_adapt_next(struct loop *loop, struct run *run, uint64_t iterations) {
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

EXPORT void __asyncmem_adapt_end(struct loop *loop, struct run *run, uint64_t iterations) {
  if (run->measured)
    account(loop, run, iterations);
}
