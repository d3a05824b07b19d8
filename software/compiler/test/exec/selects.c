// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Values of each width, pointers and constants, chosen by remote data again and again.
#include "common.h"

enum { WORDS = 1 << 10, COUNT = 300, PASSES = 5 };

struct values {
  int8_t byte;
  uint16_t half;
  int32_t word;
  uint64_t dword, constant, zeroed, kept, remote;
  double real;
};

static struct values values[COUNT];

__attribute__((noinline)) static void run(const uint64_t *far) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(far);
    struct values v = {(int8_t)i, (uint16_t)(3 * i), -i, i, 1, 5, 6, 0, i};
    const uint64_t *place = far + i % WORDS;
    for (int k = 0; k < PASSES; ++k) {
      __builtin_is_remote(place);
      uint64_t found = *place;
      v.byte = found & 1 ? (int8_t)(v.word + k) : v.byte;
      v.half = found & 2 ? (uint16_t)(v.half * 5) : v.half;
      v.word = found & 4 ? v.word * 3 - k : v.word;
      v.dword = found & 8 ? v.dword + found : v.dword;
      v.constant = found & 16 ? 1000001 : v.constant;
      v.zeroed = found & 32 ? v.zeroed + k : 0;
      v.kept = found & 64 ? 0 : v.kept + found;
      v.real = found & 128 ? v.real + k : v.real;
      place = found & 256 ? far + found % WORDS : far + (WORDS + found % WORDS);
    }
    v.remote = *place;
    values[i] = v;
  }
}

int main(void) {
  uint64_t *far = remote_words(2 * WORDS);
  run(far);
  for (int i = 0; i < COUNT; ++i) {
    printf("%d %u %d ", values[i].byte, values[i].half, (int)values[i].word);
    print_digest("dwords", &values[i].dword, sizeof values[i] - offsetof(struct values, dword));
  }
  return 0;
}
