// SPDX-License-Identifier: Apache-2.0
// The first runs of a loop with an AMU, on a clock of their own: how long its pieces are, and when it asks the policy.
// RUN: %clang -O1 -I %compiler/lib %s -o %t && %t | FileCheck %s
#include <stdint.h>
#include <stdio.h>

static uint64_t now, retired;
#define __builtin_readcyclecounter() (now)
#define ADAPT_FORMS 0
#include "choice/AdaptPolicy.c"

uint64_t __asyncmem_adapt_instructions(void) { return retired; }
uint64_t __asyncmem_adapt_lines(void) { return 0; }

enum { INSTRUCTIONS = 10 }; // of an iteration

static struct loop loop;

// A run of so many iterations of so many cycles, of which the first few take more. Prints its pieces; else that it is plain, or asks.
static void run(uint64_t iterations, uint64_t cycles, uint64_t cold, uint64_t more) {
  uint64_t left = GET(loop.plain_left), began, began_instructions, done = 0;
  if (iterations <= left) {
    SET(loop.plain_left, left - iterations);
    puts(" plain");
    return;
  }
  uint64_t piece = GET(loop.target) ? 0 : __asyncmem_adapt_first(&loop, &began, &began_instructions);
  while (piece) {
    if (piece > iterations - done)
      piece = iterations - done;
    for (uint64_t i = done; i < done + piece; ++i) {
      now += cycles + (i < cold ? more : 0);
      retired += INSTRUCTIONS;
    }
    printf(" %lu", piece);
    int is_last = done + piece == iterations;
    uint64_t next = __asyncmem_adapt_first_next(&loop, &began, &began_instructions, done, piece, is_last);
    done += piece;
    if (is_last) {
      puts("");
      return;
    }
    piece = next;
  }
  printf(" asks%s\n", GET(loop.piece) == WAITED ? ", waits" : "");
}

static void begin_case(const char *name) {
  printf("%s:", name);
  loop = (struct loop){0};
  now += 1000; // no simulator: more cycles than instructions
}

int main(void) {
  // CHECK: short: 4 28 208{{$}}
  begin_case("short");
  run(240, 18, 4, 200);
  // As many iterations follow as have run; then pieces are as long as if those had been, too.
  // CHECK-NEXT: plain
  // CHECK-NEXT: 16{{$}}
  run(240, 18, 0, 0);
  run(16, 18, 0, 0);
  printf("%lu runs of %lu iterations were measured, %lu are left\n", loop.runs, loop.all_iterations, loop.plain_left);
  // CHECK-NEXT: 2 runs of 256 iterations were measured, 496 are left

  // CHECK-NEXT: often: 4 4{{$}}
  // CHECK-NEXT: plain
  // CHECK-NEXT: 8{{$}}
  // CHECK-NEXT: plain
  // CHECK-NEXT: plain
  // CHECK-NEXT: plain
  // CHECK-NEXT: 8{{$}}
  begin_case("often");
  for (int i = 0; i < 7; ++i)
    run(8, 18, 0, 0);

  // CHECK-NEXT: far: 4 asks, waits
  // CHECK-NEXT: asks, waits
  begin_case("far");
  run(240, 2400, 0, 0);
  run(240, 2400, 0, 0);

  // Three cycles an instruction: what is read in sequence may be so slow at first.
  // CHECK-NEXT: overlapped: 4 28 224 asks, waits
  begin_case("overlapped");
  run(1000, 30, 0, 0);
  // CHECK-NEXT: slow at first: 4 28 224 744{{$}}
  begin_case("slow at first");
  run(1000, 15, 48, 20);
  // CHECK-NEXT: in between: 4 28 asks, waits
  begin_case("in between");
  run(1000, 50, 0, 0);

  // CHECK-NEXT: long: 4 28 224 1792 asks{{$}}
  begin_case("long");
  run(100000, 15, 0, 0);

  // One that hardly waits stays here for longer, in pieces of 4,096 at most.
  // CHECK-NEXT: cached: 4 28 224 1792 4096 3856{{$}}
  // CHECK-NEXT: plain
  // CHECK-NEXT: 4096 1{{$}}
  // CHECK-NEXT: 18193 iterations so far
  begin_case("cached");
  run(10000, 10, 0, 0);
  run(4096, 10, 0, 0);
  run(4097, 10, 0, 0);
  printf("%lu iterations so far\n", loop.iterations - loop.plain_left);
  // CHECK-NEXT: cached for long: 4096 4096 4096 asks{{$}}
  begin_case("cached for long");
  loop.iterations = FIRST_CACHED_ITERATIONS - 3 * LONGEST_PIECE;
  run(100000, 10, 0, 0);
  // CHECK-NEXT: cached at first: 4 28 224 1792{{$}}
  // CHECK-NEXT: 4096 asks{{$}}
  begin_case("cached at first");
  run(2048, 10, 0, 0);
  SET(loop.plain_left, 0);
  run(10000, 12, 0, 0);

  // A clock that counts instructions.
  // CHECK-NEXT: simulated: asks{{$}}
  begin_case("simulated");
  now = retired;
  run(240, 18, 0, 0);
  return 0;
}
