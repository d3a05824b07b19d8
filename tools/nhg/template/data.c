// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

uint64_t *@NAME@_words;
uint64_t @NAME@_found[BENCH_WARMUP_OPERATIONS + BENCH_OPERATIONS];

void bench_init(void) {
  @NAME@_words = remote_alloc(@UPPER@_WORDS * sizeof(uint64_t));
  for (uint64_t i = 0; i < @UPPER@_WORDS; ++i)
    @NAME@_words[i] = mix64(~i);
}

bool bench_verify(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    if (@NAME@_found[i] != mix64(~@NAME@_index(i)))
      return false;
  return true;
}
