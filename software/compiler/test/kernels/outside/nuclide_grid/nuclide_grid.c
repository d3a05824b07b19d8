// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

static uint64_t energy_below(const double *energies, double energy) {
  uint64_t low = 0, high = GRID_ENERGIES - 1;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (energies[middle] > energy)
      high = middle;
    else
      low = middle;
  }
  return low;
}

static void interpolate(const struct point *low, double energy, double *sections) {
  const struct point *high = low + 1;
  double part = (high->energy - energy) / (high->energy - low->energy);
  for (int quantity = 0; quantity < QUANTITIES; ++quantity)
    sections[quantity] = high->sections[quantity] - part * (high->sections[quantity] - low->sections[quantity]);
}

static struct sections look_up(const struct grid *in, const struct material *material, double energy) {
  struct sections sum = {{0}};
  uint64_t at = energy_below(in->energies, energy);
  for (int k = 0; k < material->count; ++k) {
    int nuclide = material->nuclides[k];
    const struct point *low = &in->points[nuclide * GRID_POINTS + in->indices[at * NUCLIDES + nuclide]];
    double sections[QUANTITIES];
    interpolate(low, energy, sections);
    for (int quantity = 0; quantity < QUANTITIES; ++quantity)
      sum.of[quantity] += material->densities[k] * sections[quantity];
  }
  return sum;
}

void bench_run(uint64_t first, uint64_t count) {
  const struct grid *in = &grid;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(in->points);
#ifndef FIRST_MARKS
    __builtin_is_remote(in->indices);
    __builtin_is_remote(in->energies);
#endif
    grid_results[i] = look_up(in, &grid_materials[grid_material(i)], grid_energy(i));
  }
}
