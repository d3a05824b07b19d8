// SPDX-License-Identifier: Apache-2.0
// GZZ inverted: each zone inside of the mesh adds up its corners' volumes, then their points' gradients, weighted by their part of that volume.
#include "asyncmem.h"
#include "bench.h"
#include "../shared/mesh.h"

void bench_run(uint64_t first, uint64_t count) {
  const uint32_t *begin = corners_of_zones.begin;
  const int32_t *corners = corners_of_zones.corners, *types = zone_type, *points = corner_point;
  const float *volumes = corner_volume, *field = point_gradient;
  float *gradient = zone_gradient;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t z = MESH_FIRST + first; z < MESH_FIRST + first + count; ++z) {
    __builtin_is_remote(begin);
    __builtin_is_remote(corners);
    __builtin_is_remote(types);
    __builtin_is_remote(points);
    __builtin_is_remote(volumes);
    __builtin_is_remote(field);
    __builtin_is_remote(gradient);
    if (types[z] < 1)
      continue;
    const uint32_t end = begin[z + 1];
    float volume = 0;
    for (uint32_t k = begin[z]; k < end; ++k)
      volume += volumes[corners[k]];
    for (uint32_t k = begin[z]; k < end; ++k) {
      const int32_t c = corners[k], p = points[c];
      gradient[z] += field[p] * (volumes[c] / volume);
    }
  }
}
