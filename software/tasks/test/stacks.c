// SPDX-License-Identifier: Apache-2.0
//
// Tasks with stacks: waits in a recursion through a function pointer, a generator by call and return, tasks that yield to each other, copied stacks, more of
// them than IDs, with their stores in local or far memory.
#include <stdlib.h>

#include "check.h"
#include "remote.h"
#include "stack_tasks.h"

enum {
  Depth = SCALE == 1 ? 3 : 6,
  Nodes = (1 << (Depth + 1)) - 1,
  StackBytes = 4096,
  StoreBytes = 512,
  Copied = TASKS > 100000 ? TASKS : TASKS / 4
};

typedef struct {
  uint64_t value, left, right, padding[5]; // children by number, 0: none
} node;

static node *tree;
static uint64_t tree_sum;

static uint64_t visit(uint64_t number);
static uint64_t (*volatile visitor)(uint64_t) = visit;

// No compiler sees that this waits.
static uint64_t visit(uint64_t number) {
  node here;
  stack_load(&here, &tree[number], sizeof here);
  uint64_t sum = here.value;
  if (here.left != 0)
    sum += visitor(here.left);
  if (here.right != 0)
    sum += visitor(here.right);
  return sum;
}

static void make_tree(void) {
  tree = (node *)remote_alloc((Nodes + 1) * sizeof(node));
  for (uint64_t n = 1; n <= Nodes; ++n) {
    tree[n] = (node){.value = scattered(n), .left = 2 * n < Nodes ? 2 * n : 0, .right = 2 * n < Nodes ? 2 * n + 1 : 0};
    tree_sum += tree[n].value;
  }
}

// Numbers of the generator, with what its caller said in between.
static stack_task generator;

static uint64_t generate(uint64_t step) {
  for (uint64_t value = 0; value < 100; value += step)
    step = stack_return(value);
  return 1000;
}

static uint64_t use_generator(uint64_t unused) {
  (void)unused;
  uint64_t sum = stack_call(&generator, 7), last = 0;
  for (uint64_t step = 1; last != 1000; ++step) {
    last = stack_call(&generator, step);
    sum += last;
  }
  return sum;
}

static stack_task sides[2];
static unsigned hits;

static uint64_t play(uint64_t side) {
  for (uint64_t ball = side; ball < 50; ++hits)
    ball = stack_yield_to(&sides[1 - side], ball + 1);
  return side;
}

typedef struct {
  stack_task task;
  uint64_t result;
} copied;

static copied *tasks_copied;
static uint64_t *words, at_once, most_at_once;
static task_lock lock;

static uint64_t run_copied(uint64_t number) {
  uint64_t local[4], sum = 0;
  most_at_once = ++at_once > most_at_once ? at_once : most_at_once;
  for (unsigned k = 0; k < 4; ++k) {
    stack_load(&local[k], &words[scattered(number + k) % 512], sizeof local[k]);
    stack_yield();
  }
  --at_once;
  for (unsigned k = 0; k < 4; ++k)
    sum += local[k];
  stack_lock(&lock);
  uint64_t total;
  stack_load(&total, &words[512], sizeof total);
  total += sum;
  stack_store(&words[512], &total, sizeof total);
  task_unlock(&lock);
  tasks_copied[number].result = sum;
  return 0;
}

static void spawn_copied(void) {
  words = (uint64_t *)remote_alloc(513 * sizeof words[0]);
  for (uint64_t i = 0; i < 512; ++i)
    words[i] = scattered(i);
  words[512] = 0;
  tasks_copied = (copied *)malloc(Copied * sizeof(copied));
  char *stores[2] = {(char *)malloc((size_t)Copied * StoreBytes), (char *)remote_alloc((size_t)Copied * StoreBytes)};
  CHECK(tasks_copied != NULL && stores[0] != NULL);
  for (uint64_t k = 0; k < Copied; ++k) {
    stack_task_make_copied(&tasks_copied[k].task, run_copied, k, stores[k & 1] + k * StoreBytes, StoreBytes);
    stack_task_spawn(&tasks_copied[k].task, 0);
  }
}

static void check_copied(void) {
  uint64_t total = 0;
  for (uint64_t k = 0; k < Copied; ++k) {
    uint64_t sum = 0;
    for (unsigned j = 0; j < 4; ++j)
      sum += words[scattered(k + j) % 512];
    CHECK(tasks_copied[k].result == sum);
    total += sum;
  }
  CHECK(words[512] == total && most_at_once == Copied);
}

int main(void) {
  static stack_task walkers[8], user;
  static _Alignas(16) char stacks[12][StackBytes];
  make_tree();
  for (unsigned k = 0; k < 8; ++k) {
    stack_task_make(&walkers[k], visit, 1, stacks[k], StackBytes);
    stack_task_spawn(&walkers[k], 0);
  }
  stack_task_make(&user, use_generator, 0, stacks[8], StackBytes);
  stack_task_make(&generator, generate, 0, stacks[9], StackBytes);
  stack_task_spawn(&user, 0);
  for (unsigned k = 0; k < 2; ++k)
    stack_task_make(&sides[k], play, k, stacks[10 + k], StackBytes);
  stack_task_spawn(&sides[0], 0);
  spawn_copied();
  CHECK(tasks_run(WAITING) == 1); // the side that waits for a ball
  for (unsigned k = 0; k < 8; ++k)
    CHECK(walkers[k].value == tree_sum);
  CHECK(user.value == 1455 && hits == 49);
  check_copied();
  CHECK(stack_fetched >= Copied / 2);
  puts("every stack was kept");
}
