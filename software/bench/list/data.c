// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

struct cell *list_cells;
uint64_t list_sums[BENCH_END];

void bench_init(void) {
  list_cells = remote_alloc(LIST_CELLS * sizeof(struct cell));
  for (uint64_t i = 0; i < LIST_CELLS; ++i) {
    bool last = i % LIST_LENGTH == LIST_LENGTH - 1;
    list_cells[list_place(i)].next = last ? LIST_END : list_place(i + 1);
  }
}

// The sums follow from the order of the cells, without the cells.
bool bench_verify(uint64_t count) {
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k < LIST_LENGTH; ++k)
      sum += list_place(i % LIST_COUNT * LIST_LENGTH + k);
    if (list_sums[i] != sum)
      return false;
  }
  return true;
}
