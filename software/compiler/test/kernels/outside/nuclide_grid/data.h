// SPDX-License-Identifier: Apache-2.0
// Cross sections of materials, as a Monte Carlo code for neutrons looks them up: the energies of all nuclides' points are one sorted grid, with the number of
// each nuclide's point at or below each of them. Operation i interpolates five quantities of every nuclide of a material at a random energy and adds them up.
#pragma once
#include "mix.h"

#define GRID_POINTS (1ul << GRID_LOG2_POINTS)
#define GRID_ENERGIES (NUCLIDES * GRID_POINTS)

enum { NUCLIDES = 32, QUANTITIES = 5, MATERIALS = 12 };

struct point {
  double energy, sections[QUANTITIES];
};

struct grid {
  double *energies;
  uint32_t *indices;
  struct point *points;
};

struct material {
  int count;
  int nuclides[NUCLIDES];
  double densities[NUCLIDES];
};

struct sections {
  double of[QUANTITIES];
};

extern struct grid grid;
extern struct material grid_materials[MATERIALS];
extern struct sections grid_results[];

// Energies lie between 0 and 8 * GRID_ENERGIES.
static inline double grid_energy(uint64_t operation) {
  return (double)(mix64(operation) >> 11) * 0x1p-53 * (double)(8 * GRID_ENERGIES);
}
static inline uint64_t grid_material(uint64_t operation) { return mix64(~operation) % MATERIALS; }
