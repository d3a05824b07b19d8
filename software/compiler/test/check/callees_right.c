// SPDX-License-Identifier: Apache-2.0
// As right.c, in loops whose callees stay calls.
// RUN: %check_promises %s %t
#include "data.h"

// No copy of it could be made: the table has addresses of its blocks.
__attribute__((noinline)) static uint64_t interpret(const uint8_t *code, const uint64_t *p) {
  static const void *const labels[] = {&&add, &&twice, &&end};
  uint64_t value = 0;
  goto *labels[*code];
add:
  value += *p++;
  goto *labels[*++code];
twice:
  value *= 2;
  goto *labels[*++code];
end:
  return value;
}

static void computed_goto(void) {
  static const uint8_t code[] = {0, 1, 0, 1, 2};
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    own[k[i]] = x[i] + interpret(code, &z[k[i]]);
  }
}

#define LOOP(name) {#name, name}
static const struct loop loops[] = {LOOP(computed_goto)};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
