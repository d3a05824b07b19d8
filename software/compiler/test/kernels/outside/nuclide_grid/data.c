// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

struct grid grid;
struct material grid_materials[MATERIALS];
struct sections grid_results[BENCH_END];

// Each run of NUCLIDES energies of the grid has one point of each nuclide, in an order of its own.
static uint64_t order_of(uint64_t point, uint64_t nuclide) { return nuclide ^ mix64(point) % NUCLIDES; }

static double energy_of(uint64_t at) { return (double)(8 * at + mix64(at) % 8); }

static double section_of(uint64_t nuclide, uint64_t point, int quantity) {
  return (double)(mix64((point * NUCLIDES + nuclide) * QUANTITIES + quantity) >> 44);
}

// The nuclide's last point that is not above an energy of the grid, but there is one behind it.
static uint64_t point_below(uint64_t nuclide, uint64_t at) {
  uint64_t point = at / NUCLIDES;
  point -= point != 0 && order_of(point, nuclide) > at % NUCLIDES;
  return point < GRID_POINTS - 1 ? point : GRID_POINTS - 2;
}

static double point_energy(uint64_t nuclide, uint64_t point) {
  return energy_of(point * NUCLIDES + order_of(point, nuclide));
}

static void fill_materials(void) {
  for (int m = 0; m < MATERIALS; ++m) {
    struct material *material = &grid_materials[m];
    material->count = 4 + m;
    for (int k = 0; k < material->count; ++k) {
      material->nuclides[k] = (7 * m + 5 * k) % NUCLIDES;
      material->densities[k] = 1 + (m + k) % 7;
    }
  }
}

void bench_init(void) {
  grid.energies = remote_alloc(GRID_ENERGIES * sizeof *grid.energies);
  grid.indices = remote_alloc(GRID_ENERGIES * NUCLIDES * sizeof *grid.indices);
  grid.points = remote_alloc(GRID_ENERGIES * sizeof *grid.points);
  for (uint64_t at = 0; at < GRID_ENERGIES; ++at) {
    grid.energies[at] = energy_of(at);
    for (uint64_t nuclide = 0; nuclide < NUCLIDES; ++nuclide)
      grid.indices[at * NUCLIDES + nuclide] = (uint32_t)point_below(nuclide, at);
  }
  for (uint64_t nuclide = 0; nuclide < NUCLIDES; ++nuclide)
    for (uint64_t k = 0; k < GRID_POINTS; ++k) {
      struct point *point = &grid.points[nuclide * GRID_POINTS + k];
      point->energy = point_energy(nuclide, k);
      for (int quantity = 0; quantity < QUANTITIES; ++quantity)
        point->sections[quantity] = section_of(nuclide, k, quantity);
    }
  fill_materials();
}

// The points follow from the energy by arithmetic, without search and grids; both ways round.
bool bench_verify(uint64_t count) {
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i) {
    double energy = grid_energy(i), sums[QUANTITIES] = {0};
    uint64_t at = (uint64_t)energy / 8;
    at -= at != 0 && energy_of(at) > energy;
    const struct material *material = &grid_materials[grid_material(i)];
    for (int k = material->count; k-- > 0;) {
      uint64_t nuclide = material->nuclides[k], low = point_below(nuclide, at);
      double low_energy = point_energy(nuclide, low), high_energy = point_energy(nuclide, low + 1);
      for (int quantity = 0; quantity < QUANTITIES; ++quantity)
        sums[quantity] += material->densities[k] / (high_energy - low_energy) *
                          (section_of(nuclide, low, quantity) * (high_energy - energy) +
                           section_of(nuclide, low + 1, quantity) * (energy - low_energy));
    }
    for (int quantity = 0; quantity < QUANTITIES; ++quantity)
      if (!(grid_results[i].of[quantity] > sums[quantity] - 1e-2 && grid_results[i].of[quantity] < sums[quantity] + 1e-2))
        return false;
  }
  return true;
}
