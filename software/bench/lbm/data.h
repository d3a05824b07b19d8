// SPDX-License-Identifier: Apache-2.0
// Lattice Boltzmann, D3Q19 with BGK collision, one time step: our own kernel with the memory behaviour of SPEC's 519.lbm, not
// its code. A cell is 19 distributions and its kind, 160 bytes; a step reads a cell of srcGrid, collides, and pushes each
// distribution to the neighbour it moves to in dstGrid; obstacles send them back. Both grids lie in far memory, with a margin
// of a plane, a row and a cell at either end. Operation i is cell i.
#pragma once
#include "mix.h"

#define LBM_X (1ul << LBM_LOG2_X)
#define LBM_PLANE (LBM_X * LBM_X)
#define LBM_CELLS (LBM_PLANE * LBM_PLANES)
#define LBM_MARGIN (LBM_PLANE + LBM_X + 1)
#define LBM_DIRECTIONS 19
#define LBM_RELAXATION 1.25

enum cell_kind { CELL_FLUID, CELL_OBSTACLE };

struct lbm_cell {
  double f[LBM_DIRECTIONS];
  uint64_t kind; // enum cell_kind
};

extern struct lbm_cell *lbm_src, *lbm_dst; // of cell 0, behind the margin

// Directions by number: 0 rest, 1-6 along an axis, 7-18 along a diagonal; each odd one is followed by its opposite.
static const int8_t lbm_x[LBM_DIRECTIONS] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
static const int8_t lbm_y[LBM_DIRECTIONS] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
static const int8_t lbm_z[LBM_DIRECTIONS] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};

static inline int lbm_opposite(int direction) { return direction == 0 ? 0 : direction + (direction & 1 ? 1 : -1); }

// Distance in cells to the neighbour in a direction.
static inline int64_t lbm_step(int direction) {
  return lbm_x[direction] + lbm_y[direction] * (int64_t)LBM_X + lbm_z[direction] * (int64_t)LBM_PLANE;
}

static inline double lbm_weight(int direction) {
  return direction == 0 ? 1.0 / 3 : direction < 7 ? 1.0 / 18 : 1.0 / 36;
}

// BGK: each distribution relaxes towards the equilibrium of the cell's density and velocity.
static inline void lbm_collide(const double f[LBM_DIRECTIONS], double out[LBM_DIRECTIONS]) {
  double density = 0, x = 0, y = 0, z = 0;
#pragma clang loop unroll(full)
  for (int d = 0; d < LBM_DIRECTIONS; ++d) {
    density += f[d];
    x += lbm_x[d] * f[d];
    y += lbm_y[d] * f[d];
    z += lbm_z[d] * f[d];
  }
  x /= density;
  y /= density;
  z /= density;
  const double square = 1.5 * (x * x + y * y + z * z);
#pragma clang loop unroll(full)
  for (int d = 0; d < LBM_DIRECTIONS; ++d) {
    double along = 3 * (lbm_x[d] * x + lbm_y[d] * y + lbm_z[d] * z);
    double equilibrium = lbm_weight(d) * density * (1 + along + 0.5 * along * along - square);
    out[d] = f[d] + LBM_RELAXATION * (equilibrium - f[d]);
  }
}

// One cell of a step, from src to dst.
static inline void lbm_move(const struct lbm_cell *src, struct lbm_cell *dst) {
  double out[LBM_DIRECTIONS];
  if (src->kind == CELL_OBSTACLE) {
#pragma clang loop unroll(full)
    for (int d = 0; d < LBM_DIRECTIONS; ++d)
      out[d] = src->f[lbm_opposite(d)];
  } else {
    lbm_collide(src->f, out);
  }
#pragma clang loop unroll(full)
  for (int d = 0; d < LBM_DIRECTIONS; ++d)
    dst[lbm_step(d)].f[d] = out[d];
}
