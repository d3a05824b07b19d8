// SPDX-License-Identifier: Apache-2.0
// UME's gradient of points at zones: each interior corner adds its volume to its zone's, then its point's gradient, weighted by its part of that volume.
#include "asyncmem.h"
#include "bench.h"
#include "../shared/mesh.h"

static void add_volumes(uint64_t first, uint64_t count) {
  const int32_t *types = corner_type, *zones = corner_zone;
  const float *volumes = corner_volume;
  float *volume = zone_volume;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t c = MESH_FIRST + first; c < MESH_FIRST + first + count; ++c) {
    __builtin_is_remote(types);
    __builtin_is_remote(zones);
    __builtin_is_remote(volumes);
    __builtin_is_remote(volume);
    if (types[c] < 1)
      continue;
    volume[zones[c]] += volumes[c];
  }
}

static void add_gradients(uint64_t first, uint64_t count) {
  const int32_t *types = corner_type, *zones = corner_zone, *points = corner_point;
  const float *volumes = corner_volume, *volume = zone_volume, *field = point_gradient;
  float *gradient = zone_gradient;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t c = MESH_FIRST + first; c < MESH_FIRST + first + count; ++c) {
    __builtin_is_remote(types);
    __builtin_is_remote(zones);
    __builtin_is_remote(points);
    __builtin_is_remote(volumes);
    __builtin_is_remote(volume);
    __builtin_is_remote(field);
    __builtin_is_remote(gradient);
    if (types[c] < 1)
      continue;
    const int32_t z = zones[c], p = points[c];
    const float part = volumes[c] / volume[z];
    gradient[z] += field[p] * part;
  }
}

void bench_run(uint64_t first, uint64_t count) {
  add_volumes(first, count);
  add_gradients(first, count);
}
