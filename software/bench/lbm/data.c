// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

#include <string.h>

_Static_assert(BENCH_WARMUP_OPERATIONS + BENCH_OPERATIONS <= LBM_CELLS, "one cell an operation");
_Static_assert(sizeof(struct lbm_cell) == 160, "19 distributions and the kind");

struct lbm_cell *lbm_src, *lbm_dst;

static struct lbm_cell *make_grid(void) {
  const uint64_t cells = LBM_CELLS + 2 * LBM_MARGIN;
  struct lbm_cell *grid = remote_alloc(cells * sizeof(struct lbm_cell));
  for (uint64_t i = 0; i < cells; ++i) {
    uint64_t random = mix64(i);
    grid[i].kind = random >> 58 == 0 ? CELL_OBSTACLE : CELL_FLUID;
    for (int d = 0; d < LBM_DIRECTIONS; ++d)
      grid[i].f[d] = lbm_weight(d) * (1 + (random >> 2 * d & 255) / 4096.0);
  }
  return grid + LBM_MARGIN;
}

void bench_init(void) {
  lbm_src = make_grid();
  lbm_dst = make_grid();
}

// The same step serially; each distribution has one source, so that the values are the same to the last bit.
bool bench_verify(uint64_t count) {
  static double before[LBM_DIRECTIONS];
  for (uint64_t i = 0; i < count; ++i) {
    const struct lbm_cell *cell = &lbm_src[i];
    for (int d = 0; d < LBM_DIRECTIONS; ++d)
      before[d] = lbm_dst[(int64_t)i + lbm_step(d)].f[d];
    lbm_move(cell, &lbm_dst[i]);
    for (int d = 0; d < LBM_DIRECTIONS; ++d)
      if (memcmp(&before[d], &lbm_dst[(int64_t)i + lbm_step(d)].f[d], sizeof before[d]) != 0)
        return false;
  }
  return true;
}
