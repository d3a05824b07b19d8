// SPDX-License-Identifier: Apache-2.0
// UME's gradient of a field of zones at points: each interior corner adds to its point.
#include "asyncmem.h"
#include "bench.h"
#include "../shared/mesh.h"

static void add_corners(uint64_t first, uint64_t count) {
  const int32_t *types = corner_type, *zones = corner_zone, *points = corner_point;
  const float *volumes = corner_volume, *surfaces = corner_surface, *field = zone_field;
  float *volume = point_volume, *gradient = point_gradient;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t c = MESH_FIRST + first; c < MESH_FIRST + first + count; ++c) {
    __builtin_is_remote(types);
    __builtin_is_remote(zones);
    __builtin_is_remote(points);
    __builtin_is_remote(volumes);
    __builtin_is_remote(surfaces);
    __builtin_is_remote(field);
    __builtin_is_remote(volume);
    __builtin_is_remote(gradient);
    if (types[c] < 1)
      continue;
    const int32_t z = zones[c], p = points[c];
    volume[p] += volumes[c];
    gradient[p] += surfaces[c] * field[z];
  }
}

void bench_run(uint64_t first, uint64_t count) {
  add_corners(first, count);
  mesh_divide_points(first, count);
}
