// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Values of each width, pointers and constants, chosen by remote data.
#include "common.h"

enum { WORDS = 1 << 10, COUNT = 500 };

struct values {
  int8_t byte;
  uint16_t half;
  int32_t word;
  uint64_t dword;
  double real;
  uint64_t flag, zeroed, kept, remote;
};

static struct values values[COUNT];
static uint64_t near[2][COUNT];

__attribute__((noinline)) static void run(const uint64_t *far, const uint64_t *left, const uint64_t *right) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(far);
    __builtin_is_remote(left);
    __builtin_is_remote(right);
    uint64_t found = far[mix(i) % WORDS], start = near[0][i], other = near[1][i];
    int less = found < start;
    values[i].byte = less ? (int8_t)start : (int8_t)other;
    values[i].half = less ? (uint16_t)start : (uint16_t)other;
    values[i].word = found & 1 ? (int32_t)start : (int32_t)other;
    values[i].dword = less ? start * 3 : other + 1;
    values[i].real = less ? (double)start : (double)other;
    values[i].flag = less ? 17 : 1000001;
    values[i].zeroed = found & 2 ? start : 0;
    values[i].kept = found & 4 ? 0 : other;
    values[i].remote = *((less ? left : right) + found % WORDS);
  }
}

int main(void) {
  uint64_t *far = remote_words(3 * WORDS);
  for (int i = 0; i < 3 * WORDS; ++i)
    far[i] = mix(i);
  for (int i = 0; i < COUNT; ++i) {
    near[0][i] = mix(i + 7);
    near[1][i] = mix(i + 11);
  }
  run(far, far + WORDS, far + 2 * WORDS);
  for (int i = 0; i < COUNT; ++i)
    print_digest("values", &values[i], sizeof values[i]);
  return 0;
}
