// SPDX-License-Identifier: Apache-2.0
// What strlen, strcmp and the like read: a string to its end, or two as far as they are alike. The first loops break their promise: iteration 30
// changes the name that iteration 70 reads.
// RUN: %check_promises %s %t
#include "data.h"

enum { LENGTH = 8, PLACE = OF_SECOND * LENGTH };

// Of 4 letters, which differ in the last one.
static char *make_names(void) {
  char *names = (char *)(own + 2 * N);
  for (unsigned i = 0; i < N; ++i) {
    memset(names + i * LENGTH, 0, LENGTH);
    memset(names + i * LENGTH, 'a', 3);
    names[i * LENGTH + 3] = (char)('a' + i % 26);
  }
  return names;
}

__attribute__((noinline)) static void measure(char *names, uint64_t place, char letter) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    if (value == FIRST)
      names[place + zeros[i]] = letter;             // earlier written
    own[i] = value + strlen(&names[k[i] * LENGTH]); // later reads
  }
}
static void length(void) { measure(make_names(), PLACE + 3, 'z'); }

__attribute__((noinline)) static void measure_end(char *names, uint64_t place) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    if (value == FIRST)
      names[place + zeros[i]] = 0;                              // earlier written
    own[i] = value + strnlen(&names[k[i] * LENGTH], value + 5); // later reads
  }
}
static void end_of_string(void) { measure_end(make_names(), PLACE + 4); }

__attribute__((noinline)) static void compare(char *names, uint64_t place, const char *key) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    if (value == FIRST)
      names[place + zeros[i]] = 'z';                            // earlier written
    own[i] = value + (strcmp(key, &names[k[i] * LENGTH]) == 0); // later reads
  }
}
static void compared(void) { compare(make_names(), PLACE + 3, "aaab"); }

__attribute__((noinline)) static void compare_start(char *names, uint64_t place, const char *key, uint64_t most) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    if (value == FIRST)
      names[place + zeros[i]] = 'a';                                   // earlier written
    own[i] = value + (strncmp(&names[k[i] * LENGTH], key, most) == 0); // later reads
  }
}
static void start_compared(void) { compare_start(make_names(), PLACE + 3, "aaab", 4 + zeros[0]); }

// What is written is not read.
static void behind_the_end(void) { measure(make_names(), PLACE + 5, 'z'); }
static void behind_the_limit(void) { compare_start(make_names(), PLACE + 3, "aaab", 3 + zeros[0]); }
static void behind_the_difference(void) { compare(make_names(), PLACE + 3, "ab"); }

#define LOOP(name) {#name, name}
static const struct loop loops[] = {
    LOOP(length),         LOOP(end_of_string),    LOOP(compared),
    LOOP(start_compared), LOOP(behind_the_limit), LOOP(behind_the_difference),
    LOOP(behind_the_end),
};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
