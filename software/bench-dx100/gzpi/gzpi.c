// SPDX-License-Identifier: Apache-2.0
// GZP inverted: each point adds up what its corners have.
#include "asyncmem.h"
#include "bench.h"
#include "../shared/mesh.h"

static void add_corners(uint64_t first, uint64_t count) {
  const uint32_t *begin = corners_of_points.begin;
  const int32_t *corners = corners_of_points.corners, *zones = corner_zone;
  const float *volumes = corner_volume, *surfaces = corner_surface, *field = zone_field;
  float *volume = point_volume, *gradient = point_gradient;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t p = MESH_FIRST + first; p < MESH_FIRST + first + count; ++p) {
    __builtin_is_remote(begin);
    __builtin_is_remote(corners);
    __builtin_is_remote(zones);
    __builtin_is_remote(volumes);
    __builtin_is_remote(surfaces);
    __builtin_is_remote(field);
    __builtin_is_remote(volume);
    __builtin_is_remote(gradient);
    const uint32_t end = begin[p + 1];
    for (uint32_t k = begin[p]; k < end; ++k) {
      const int32_t c = corners[k], z = zones[c];
      volume[p] += volumes[c];
      gradient[p] += surfaces[c] * field[z];
    }
  }
}

void bench_run(uint64_t first, uint64_t count) {
  add_corners(first, count);
  mesh_divide_points(first, count);
}
