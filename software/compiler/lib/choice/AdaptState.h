/* SPDX-License-Identifier: Apache-2.0 */
/* A part of AdaptPolicy.c: what is known of a loop and of a run of it, and what a
   turn and a choice are. */

#ifndef ASYNCMEM_ADAPTSTATE_H
#define ASYNCMEM_ADAPTSTATE_H

#include "choice/AdaptInterface.h"
#include <stddef.h>
#include <stdint.h>

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
  // Instead where tasks update words exclusively, which may be few (AdaptLooks.h).
  EARLY_ROUNDS = 4,
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
  // Runs before they may be called short.
  SHORT_RUNS = 4,
  // A run of the plain loop is short if it takes less, and those behind it that are
  // not measured take this together.
  SHORT_CYCLES = 1024,
  SKIPPED_CYCLES = (ADAPT_FORMS ? 2 : 8) * SHORT_CYCLES,
};

// Iterations stay below this, so that products with a loop's step do not wrap.
#define MOST_ITERATIONS (UINT64_C(1) << (ADAPT_BUDGET_BITS - 1))
#define MOST_RUNS (UINT64_C(1) << 31)

// One for each marked loop of the program; zero when it starts. What the first
// pieces of a trial use comes first and is in one cache line.
struct loop {
  uint64_t target;     // iterations of this turn or piece
  uint64_t plain_left; // runs left that follow the choice of the plain loop, or
                       // iterations of them all, as the traits say
  uint64_t cycles;     // of this turn or piece so far
  uint64_t iterations; // likewise
  // Since the first turn as tasks; with several forms, later since a choice ended.
  uint64_t all_iterations;
  uint64_t runs;         // that took part in them
  uint64_t piece_cycles; // of all its pieces
  uint32_t piece;
  uint32_t turn;
  uint64_t held_iterations; // iterations of a run that follows the choice
  uint64_t instructions;    // of this turn or piece so far
  uint64_t cached; // lines that the AMU found in a cache, and those it did not
  uint64_t missed;
  uint64_t rates[2][EACH]; // cycles of 256 iterations, by form
  uint32_t trial;          // what it knows
  uint32_t held_runs;      // runs left that follow the choice of tasks
  uint32_t choice;
  uint32_t back_off; // 0: nothing was chosen yet, then 1 ... MOST_BACK_OFF
  union {
    // Without ADAPT_FORMS: cycles of the first turn as tasks when it was looked at.
    uint64_t first_cycles;
    // With ADAPT_FORMS, forms as tasks: how many there are beside the first one, set
    // by the compiler; the one in use; turns of their trial so far.
    struct {
      uint32_t more_forms;
      uint16_t form;
      uint16_t form_turns;
    };
  };
  uint64_t traits; // set by the compiler, ADAPT_IS_EXCLUSIVE and the like
  // With ADAPT_FORMS: cycles of 256 iterations.
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
  uint64_t
      pieces; // in the first ones of a trial: 1, more behind one of this run
  uint64_t
      asks; // whether tasks shall ask for more iterations before these have ended
  uint64_t left; // the loop's: how far behind those given its end is
  // As tasks: of those that ran since Start or Next, iterations that are accounted for.
  uint64_t accounted;
  struct clock began, now;
};

_Static_assert(sizeof(struct loop) == 8 * ADAPT_LOOP_WORDS,
               "the compiler reserves another size");
_Static_assert(offsetof(struct loop, target) == 8 * ADAPT_TARGET,
               "the compiler reads another word");
_Static_assert(offsetof(struct loop, more_forms) == 8 * ADAPT_MORE_FORMS &&
                   offsetof(struct loop, traits) == 8 * ADAPT_TRAITS,
               "the compiler sets other words");
_Static_assert(offsetof(struct loop, held_iterations) == ADAPT_LINE_BYTES,
               "the first pieces use a line");
_Static_assert(offsetof(struct loop, plain_left) == 8 * ADAPT_PLAIN_LEFT &&
                   offsetof(struct loop, held_iterations) ==
                       8 * ADAPT_HELD_ITERATIONS,
               "the compiler reads other words");
_Static_assert(sizeof(struct run) == 8 * ADAPT_RUN_WORDS,
               "the compiler reserves another size");
_Static_assert(offsetof(struct run, tasks) == 8 * ADAPT_TASK_COUNT &&
                   offsetof(struct run, turn_cycles) == 8 * ADAPT_TURN_CYCLES &&
                   offsetof(struct run, measured) == 8 * ADAPT_MEASURED &&
                   offsetof(struct run, pieces) == 8 * ADAPT_PIECES &&
                   offsetof(struct run, asks) == 8 * ADAPT_ASKS &&
                   offsetof(struct run, left) == 8 * ADAPT_LEFT,
               "the compiler writes other words");

// Instructions retired so far, or always 0: the compiler defines it.
uint64_t __asyncmem_adapt_instructions(void);
// The lines counted by the AMU, or always NO_LINES: likewise.
uint64_t __asyncmem_adapt_lines(void);
#define NO_LINES UINT64_MAX

// What runs seldom stays out of the code that runs at each end of a chunk.
#define SELDOM static __attribute__((noinline, cold))
// Likewise; where the policy's entries are part of the loop, out of its way.
#if ADAPT_FORMS
#define APART static __attribute__((noinline))
#else
#define APART SELDOM
#endif

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

// Since reset an instruction-set simulator has as many cycles as instructions, nearly, as
// the readings are instructions, too. (Between two readings NH-G may have as many.)
enum { NEAR_READINGS = 8 };
static inline int may_be_simulated(uint64_t cycles, uint64_t retired) {
  return cycles - retired + NEAR_READINGS < 2 * NEAR_READINGS;
}

// Lines of code that NH-G fetches at once: most of the 16 that L1D can wait for; those of
// look(), of end_run(), of start_run() and what it calls where a trial goes on, and of
// end_trial().
enum {
  CODE_LINES = 14,
  LOOK_LINES = 4,
  END_LINES = 4,
  START_LINES = 11,
  TRIAL_LINES = 20,
};

// What a short program meets for the first time, from `code` on, shall not come from
// memory line after line. A hint: of memory that is not there, too. It is dropped where
// more lines are on their way than L1D can wait for; what `reads` is not.
static inline void expect_code(const void *code, int lines, int reads) {
  const volatile char *line = code;
  if (ADAPT_FORMS)
    return;
#pragma clang loop unroll(disable)
  for (; lines > 0; --lines) {
    if (reads)
      (void)*line;
    else
      __builtin_prefetch((const char *)line);
    line += ADAPT_LINE_BYTES;
  }
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

static int has_trait(const struct loop *loop, uint64_t trait) {
  return (GET(loop->traits) & trait) != 0;
}

// Whether a choice lasts.
static int is_held(const struct loop *loop) {
  return (GET(loop->plain_left) | GET(loop->held_runs)) != 0;
}

static void end_hold(struct loop *loop) {
  SET(loop->plain_left, 0);
  SET(loop->held_runs, 0);
}

// The next runs are the plain loop, so many of so many iterations.
static void leave_plain(struct loop *loop, uint64_t runs, uint64_t iterations) {
  SET(loop->held_runs, 0);
  SET(loop->plain_left, has_trait(loop, ADAPT_TAKES_ITERATIONS)
                            ? least(runs * iterations, MOST_ITERATIONS)
                            : runs);
}

// After several short runs of the plain loop others follow that are not measured,
// which would take as long as several of them: so many at most. \returns how many.
static uint64_t skip_runs(struct loop *loop, uint64_t cycles,
                          uint64_t iterations, uint64_t most_runs) {
  if (GET(loop->runs) < SHORT_RUNS || cycles >= SHORT_CYCLES || iterations == 0)
    return 0;
  uint64_t runs = least(most_runs, SKIPPED_CYCLES / most(cycles, 1));
  SET(loop->held_iterations, 2 * iterations);
  leave_plain(loop, runs, iterations);
  return runs;
}

// Keeps a form for so many iterations, beginning with the rest of this run.
static void keep(struct loop *loop, uint32_t choice, uint64_t held) {
  uint64_t all = most(GET(loop->all_iterations), 1);
  uint64_t each = all / most(GET(loop->runs), 1) + 1;
  uint64_t runs = least(held / each + 1, MOST_RUNS);
  SET(loop->choice, choice);
  SET(loop->held_iterations, least(held, MOST_ITERATIONS));
  if (choice == PLAIN) {
    leave_plain(loop, runs, each);
  } else {
    SET(loop->plain_left, 0);
    SET(loop->held_runs, runs);
  }
  SET(loop->all_iterations, 0);
  SET(loop->runs, 0);
}

static void keep_forever(struct loop *loop, uint32_t choice) {
  SET(loop->choice, choice);
  SET(loop->held_iterations, MOST_ITERATIONS);
  SET(loop->held_runs, MOST_RUNS);
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

// As tasks, not compared with anything yet.
static inline int is_first_turn(const struct loop *loop) {
  return GET(loop->turn) == TRY_TASKS && GET(loop->back_off) == 0;
}

// Cycles of the first turn as tasks.
static uint64_t first_turn(const struct run *run) {
  return FIRST_TURNS * run->turn_cycles;
}

SELDOM int look(struct loop *loop, const struct run *run, uint64_t rate);

// Tasks that were not compared with anything yet.
static void begin_first(struct loop *loop, const struct run *run) {
  uint64_t rounds =
      has_trait(loop, ADAPT_IS_EXCLUSIVE) ? EARLY_ROUNDS : FIRST_ROUNDS;
  expect_code((const void *)look, LOOK_LINES, /*reads=*/0);
  begin_turn(loop, TRY_TASKS, least(rounds * run->tasks, run->turn_cycles));
}

#endif
