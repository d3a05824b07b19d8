// SPDX-License-Identifier: Apache-2.0
// Plain loop or tasks: the decision while the program runs.
//
// This is code of the compiled program, not of the compiler: the plugin carries
// it as bitcode (RunTimeChoice.cpp) and gives each module that needs it a copy.
// A marked loop calls it when it starts, whenever the iterations it was given
// are used up, and when it ends (RunTimeChoice.h).
//
// 1. Plain pieces of 1, 1, 2, 4 ... iterations, until one waits for memory, by its
//    cycles an instruction, or a part of a turn is over. If it hardly waits then,
//    plain is kept.
// 2. Some iterations as tasks. With an AMU, until it has counted some lines: if these
//    come from memory and the plain loop waits, tasks are kept; if all were in the
//    caches, plain, unless tasks are twice as fast.
// 3. Else a turn of each form; the better one is kept, if the same turns once more say
//    so where it is another one than before.
// 4. It is kept until a turn of the other one costs only one HOLD-th more than that,
//    then both have a turn again, of twice as many cycles, up to a limit. Tasks that are
//    kept are measured, too: when the AMU says that lines have come near, so that the
//    plain loop may be faster by now, its turn comes at once.
//
// All of it goes on over the ends of runs. Threads share the record of a loop: they may
// disturb each other's measurement, never the result.

#include "choice/AdaptInterface.h"
#include <stddef.h>
#include <stdint.h>

enum { PLAIN = ADAPT_PLAIN, TASKS = ADAPT_TASKS };

// What iterations are measured for: 1., 2., 4. as tasks, and 3. plain and as tasks. Or the
// clock says nothing, or nobody asks it.
enum {
  PIECES,
  FIRST_TASKS,
  KEPT_TASKS,
  FOREVER_TASKS = ADAPT_FOREVER_TASKS,
  TURN_PLAIN,
  TURN_TASKS
};

enum {
  // Parts of a turn: cycles of all pieces, and of the first turns.
  PIECES_PART = 4,
  FIRST_PART = 16,
  // Runs that may be called short if they end before these pieces; that are enough for a
  // turn; cycles that it costs to measure one.
  SHORT_RUNS = 4,
  MANY_RUNS = 64,
  MEASURED_RUN = 256,
  // A piece that waits takes more cycles than this, and so many of each instruction: the
  // second one, whose code may come from memory, and others.
  LEAST_WAIT = 1024,
  MANY_PIECES = 3,
  WAITS_LONG = 8,
  WAITS = 2,
  // First iterations as tasks, and the most of them if they have hardly a request.
  FIRST_ITERATIONS = 4,
  MOST_FIRST_ITERATIONS = 64,
  // Lines that tell where data is, and those that do if most came from memory.
  ENOUGH_LINES = 32,
  FAR_LINES = 8,
  // Iterations of each task in a turn, if they do not take so many times its cycles; and
  // of all of them in any case.
  ROUNDS = 2,
  LONGEST_TURN = 16,
  FEWEST = 4,
  // Iterations of each before tasks that are kept are looked at: at the end of a run,
  // where that costs nothing, and in it, where all of them have to end for it.
  SOON_ROUNDS = 2,
  LOOK_ROUNDS = 32,
  HOLD = 32,
};

// Iterations stay below this, so that products with a loop's step do not wrap.
#define MOST_ITERATIONS (UINT64_C(1) << (ADAPT_BUDGET_BITS - 1))

// One for each marked loop of the program.
struct loop {
  uint64_t held;         // runs left that are plain and ask nothing
  uint64_t chunk;        // iterations of each
  uint64_t tasks;        // that can wait at the same time
  uint64_t turn_cycles;  // of the longest turns
  uint64_t target;       // iterations of this turn; 0: the loop never ran
  uint64_t step;         // what it is
  uint64_t choice;       // the form that is kept, or was at last
  uint64_t size;         // cycles of a turn
  uint64_t cycles;       // of this turn so far, and
  uint64_t instructions; // likewise
  uint64_t iterations;   // likewise
  uint64_t cached;       // likewise, lines that the AMU found in a cache
  uint64_t missed;       // and those it did not
  uint64_t rates[2];     // cycles of 256 iterations, by form
  uint64_t spent;        // cycles of pieces; iterations as tasks that are kept
  uint64_t number;       // of pieces; of comparisons
  uint64_t all;          // iterations since a form was kept last
  uint64_t runs;         // that had them
  uint64_t runs_before;  // those before this turn
};

struct clock {
  uint64_t cycles;
  uint64_t instructions; // stands still where programs cannot read it
  uint64_t lines;        // NO_LINES, or the AMU's: missed << 32 | cached
};

// One for each run of a loop, on its stack.
struct run {
  uint64_t form;
  uint64_t budget;
  uint64_t asked;
  struct clock began;
};

_Static_assert(sizeof(struct loop) <= 8 * ADAPT_LOOP_WORDS &&
                   sizeof(struct run) == 8 * ADAPT_RUN_WORDS,
               "the compiler reserves another size");
_Static_assert(offsetof(struct loop, chunk) == 8 * ADAPT_CHUNK &&
                   offsetof(struct loop, tasks) == 8 * ADAPT_TASK_COUNT &&
                   offsetof(struct loop, turn_cycles) ==
                       8 * ADAPT_TURN_CYCLES &&
                   offsetof(struct loop, target) == 8 * ADAPT_TARGET &&
                   offsetof(struct loop, step) == 8 * ADAPT_STEP,
               "the compiler uses other words");

// Defined by the compiler: instructions retired, or always 0, and the lines that the AMU
// counted, or always NO_LINES.
uint64_t __asyncmem_adapt_instructions(void);
uint64_t __asyncmem_adapt_lines(void);
#define NO_LINES UINT64_MAX
// And, where a system lends the AMU to threads, functions of the runtime: whether this
// thread has it and none of its loops uses it, else tasks cannot run and clocks not be
// read; and that one does from here on, or does not. Elsewhere always 1, and nothing.
uint64_t __asyncmem_adapt_may_use(void);
void __asyncmem_adapt_use(uint64_t tasks);

#define GET(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define SET(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELAXED)
#define ADD(field, value) SET(field, GET(field) + (value))

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// Never inlined: the same distance between the two readings each time.
static __attribute__((noinline)) struct clock read_clock(void) {
  uint64_t cycles = __builtin_readcyclecounter();
  uint64_t instructions = __asyncmem_adapt_instructions();
  return (struct clock){cycles, instructions, __asyncmem_adapt_lines()};
}

// An instruction-set simulator: its clock counts instructions since reset, nearly.
static int is_simulated(void) {
  enum { NEAR_READINGS = 8 };
  struct clock first = read_clock(), second = read_clock();
  uint64_t cycles = second.cycles - first.cycles;
  return first.cycles - first.instructions + NEAR_READINGS <
             2 * NEAR_READINGS &&
         cycles != 0 && cycles == second.instructions - first.instructions;
}

static uint64_t form_of(uint64_t step) {
  return step == PIECES || step == TURN_PLAIN ? PLAIN : TASKS;
}

static void begin_turn(struct loop *loop, uint64_t step, uint64_t target) {
  SET(loop->step, step);
  SET(loop->target, least(most(target, 1), MOST_ITERATIONS));
  SET(loop->cycles, 0);
  SET(loop->instructions, 0);
  SET(loop->iterations, 0);
  SET(loop->cached, 0);
  SET(loop->missed, 0);
  SET(loop->runs_before, GET(loop->runs));
}

static uint64_t turn_iterations(const struct loop *loop, uint64_t form) {
  uint64_t each = GET(loop->rates[form]) / 256 + 1, size = GET(loop->size);
  uint64_t rounds = least(ROUNDS * loop->tasks, LONGEST_TURN * size / each);
  return most(size / each + 1, most(form == TASKS ? rounds : 0, FEWEST));
}

static void begin_comparing(struct loop *loop, uint64_t form) {
  begin_turn(loop, form == PLAIN ? TURN_PLAIN : TURN_TASKS,
             turn_iterations(loop, form));
}

// Whether tasks, which have more instructions, have nothing to win.
static int hardly_waits(const struct loop *loop) {
  return GET(loop->cycles) < GET(loop->instructions) / 8 * 9;
}

// Iterations for which a form is kept, by what a turn of the other one costs.
static uint64_t worth_keeping(const struct loop *loop, uint64_t form) {
  uint64_t own = GET(loop->rates[form]), other = GET(loop->rates[!form]);
  uint64_t excess = most(other > own ? other - own : 0, other / 8);
  return least(HOLD * turn_iterations(loop, !form) * excess / most(own, 1),
               MOST_ITERATIONS / 2);
}

// The next runs are plain and ask nothing.
static void leave_plain(struct loop *loop, uint64_t each, uint64_t runs) {
  SET(loop->chunk, each);
  SET(loop->held, runs);
}

static void keep(struct loop *loop, uint64_t form, uint64_t iterations) {
  uint64_t runs = GET(loop->runs);
  uint64_t each = GET(loop->all) / most(runs, 1) + 1;
  SET(loop->choice, form);
  SET(loop->number, 0);
  SET(loop->spent, 0);
  SET(loop->all, 0);
  SET(loop->runs, 0);
  if (form == TASKS) {
    begin_turn(loop, KEPT_TASKS, most(iterations, LOOK_ROUNDS * loop->tasks));
    return;
  }
  begin_comparing(loop, PLAIN);
  iterations +=
      HOLD * runs * MEASURED_RUN / (GET(loop->rates[PLAIN]) / 256 + 1);
  leave_plain(loop, iterations + 1, iterations / each + 1);
}

static void choose(struct loop *loop, uint64_t form) {
  uint64_t iterations = worth_keeping(loop, form);
  SET(loop->size, least(2 * GET(loop->size), most(loop->turn_cycles, 1)));
  keep(loop, form, iterations);
}

// Without a comparison, not for long: what the loop does may change, and its time is
// measured at no cost.
static void keep_plain(struct loop *loop) {
  uint64_t size = GET(loop->size);
  SET(loop->size, least(2 * size, most(loop->turn_cycles, 1)));
  keep(loop, PLAIN, HOLD / 2 * size / (GET(loop->rates[PLAIN]) / 256 + 1));
}

static int waits(const struct loop *loop, uint64_t pieces) {
  uint64_t rate = pieces < MANY_PIECES ? WAITS_LONG : WAITS;
  uint64_t cycles = GET(loop->cycles);
  return pieces > 1 && GET(loop->instructions) && cycles >= LEAST_WAIT &&
         cycles > rate * GET(loop->instructions);
}

// No tasks ran before.
static void try_tasks(struct loop *loop, int is_waiting, int counts_lines) {
  SET(loop->number, 0);
  SET(loop->spent, is_waiting);
  SET(loop->rates[TASKS], GET(loop->rates[PLAIN]));
  if (counts_lines)
    begin_turn(loop, FIRST_TASKS, FIRST_ITERATIONS);
  else
    begin_comparing(loop, TASKS);
}

static void end_piece(struct loop *loop, int counts_lines) {
  uint64_t pieces = GET(loop->number) + 1;
  SET(loop->number, pieces);
  ADD(loop->spent, GET(loop->cycles));
  int is_over = GET(loop->spent) >= loop->turn_cycles / PIECES_PART;
  int is_waiting = waits(loop, is_over ? MANY_PIECES : pieces);
  if (is_waiting || is_over) {
    if (hardly_waits(loop))
      keep_plain(loop);
    else
      try_tasks(loop, is_waiting, counts_lines);
    return;
  }
  begin_turn(loop, PIECES, GET(loop->all));
  // To measure each of many short runs would cost much of them.
  if (GET(loop->runs) >= SHORT_RUNS)
    leave_plain(loop, GET(loop->all), 2 * GET(loop->runs));
}

static void end_first_tasks(struct loop *loop) {
  uint64_t plain = GET(loop->rates[PLAIN]), rate = GET(loop->rates[TASKS]);
  uint64_t iterations = GET(loop->iterations), cached = GET(loop->cached);
  uint64_t lines = cached + GET(loop->missed);
  int far = 4 * cached <= lines;
  uint64_t enough = far ? FAR_LINES : ENOUGH_LINES;
  if (lines < enough && iterations < MOST_FIRST_ITERATIONS) {
    SET(loop->target, iterations + iterations * enough / most(lines, 1));
    return;
  }
  if (far && GET(loop->spent)) {
    // So few say little of the time of many.
    SET(loop->rates[TASKS], least(rate, plain / 4));
    choose(loop, TASKS);
  } else if (32 * cached >= 31 * lines && rate >= plain / 2)
    choose(loop, PLAIN);
  else
    begin_comparing(loop, TASKS);
}

// Whether lines have come so near that the plain loop, which waits for the others,
// may be faster.
static int may_be_near(const struct loop *loop) {
  uint64_t missed = GET(loop->missed), lines = GET(loop->cached) + missed;
  return lines >= ENOUGH_LINES &&
         missed * 256 / lines * (GET(loop->rates[PLAIN]) / 256) <
             GET(loop->rates[TASKS]);
}

static void end_kept_tasks(struct loop *loop) {
  uint64_t all = worth_keeping(loop, TASKS);
  ADD(loop->spent, GET(loop->iterations));
  uint64_t spent = GET(loop->spent);
  if (spent >= all || may_be_near(loop))
    begin_comparing(loop, PLAIN);
  else
    begin_turn(loop, KEPT_TASKS, most(all - spent, LOOK_ROUNDS * loop->tasks));
}

static void compare(struct loop *loop) {
  uint64_t plain = GET(loop->rates[PLAIN]), tasks = GET(loop->rates[TASKS]);
  uint64_t better = tasks < plain / 64 * 63 ? TASKS : PLAIN;
  uint64_t old = GET(loop->choice);
  if (better == old || GET(loop->number)) {
    choose(loop, better);
    return;
  }
  SET(loop->number, 1);
  begin_comparing(loop, old);
}

static __attribute__((noinline)) void end_turn(struct loop *loop,
                                               int counts_lines) {
  uint64_t step = GET(loop->step), form = form_of(step);
  uint64_t rate = GET(loop->cycles) * 256 / GET(loop->iterations);
  if (step >= TURN_PLAIN && GET(loop->number))
    rate = least(rate, GET(loop->rates[form]));
  SET(loop->rates[form], most(rate, 1));
  if (step == PIECES)
    end_piece(loop, counts_lines);
  else if (step == FIRST_TASKS)
    end_first_tasks(loop);
  else if (step == KEPT_TASKS)
    end_kept_tasks(loop);
  else if (form != GET(loop->choice))
    compare(loop);
  else if (form == PLAIN && hardly_waits(loop))
    keep_plain(loop);
  else if (GET(loop->rates[TASKS]) == 0)
    try_tasks(loop, waits(loop, MANY_PIECES), counts_lines);
  else
    begin_comparing(loop, !form);
}

// Adds what the run did since it was last here.
static void account(struct loop *loop, struct run *run, uint64_t iterations,
                    int is_over) {
  struct clock now = read_clock(), began = run->began;
  if (form_of(GET(loop->step)) != run->form || iterations == 0)
    return;
  ADD(loop->all, iterations);
  ADD(loop->iterations, iterations);
  ADD(loop->cycles, now.cycles - began.cycles);
  ADD(loop->instructions, now.instructions - began.instructions);
  ADD(loop->cached, (uint32_t)(now.lines - began.lines));
  ADD(loop->missed, (uint32_t)((now.lines >> 32) - (began.lines >> 32)));
  uint64_t wanted = GET(loop->target);
  if (is_over && GET(loop->step) == KEPT_TASKS)
    wanted = least(wanted, SOON_ROUNDS * loop->tasks);
  if (is_over && GET(loop->step) >= TURN_PLAIN &&
      GET(loop->runs) - GET(loop->runs_before) >= MANY_RUNS)
    wanted = 1;
  if (GET(loop->iterations) >= wanted)
    end_turn(loop, now.lines != NO_LINES);
}

static void begin(struct loop *loop, struct run *run) {
  uint64_t done = GET(loop->iterations), target = GET(loop->target);
  run->asked = GET(loop->held) == 0;
  if (!run->asked) {
    run->form = PLAIN;
    run->budget = GET(loop->chunk);
    return;
  }
  run->form = form_of(GET(loop->step));
  run->budget = done < target ? target - done : 1;
  __asyncmem_adapt_use(run->form == TASKS);
  run->began = read_clock();
}

// Else the run is the plain loop, and nothing is learnt from it.
static int may_choose(struct run *run) {
  if (__asyncmem_adapt_may_use())
    return 1;
  run->asked = 0;
  run->form = PLAIN;
  run->budget = MOST_ITERATIONS;
  return 0;
}

static void begin_loop(struct loop *loop) {
  SET(loop->size, loop->turn_cycles / FIRST_PART);
  if (is_simulated())
    begin_turn(loop, FOREVER_TASKS, MOST_ITERATIONS);
  else
    begin_turn(loop, PIECES, 1);
}

#define EXPORT __attribute__((noinline, cold))

EXPORT void __asyncmem_adapt_start(struct loop *loop, struct run *run) {
  if (!may_choose(run))
    return;
  if (GET(loop->target) == 0)
    begin_loop(loop);
  ADD(loop->runs, 1);
  begin(loop, run);
}

EXPORT void __asyncmem_adapt_next(struct loop *loop, struct run *run,
                                  uint64_t iterations) {
  if (run->asked) {
    __asyncmem_adapt_use(0);
    account(loop, run, iterations, 0);
  } else {
    SET(loop->held, 0);
    ADD(loop->runs, 1);
  }
  if (may_choose(run))
    begin(loop, run);
}

EXPORT void __asyncmem_adapt_end(struct loop *loop, struct run *run,
                                 uint64_t iterations) {
  __asyncmem_adapt_use(0);
  account(loop, run, iterations, 1);
}
