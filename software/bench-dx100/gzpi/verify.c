// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#include "../shared/mesh.h"

// The other way round: corner by corner, those whose point the slice has. No slice adds to the points of another.
bool bench_verify(uint64_t count) {
  for (uint32_t c = 0; c < MESH_CORNERS; ++c) {
    const uint32_t p = (uint32_t)corner_point[c];
    if ((uint64_t)p - MESH_FIRST < count) {
      mesh_sums.point_volume[p] += corner_volume[c];
      mesh_sums.point_gradient[p] += (double)corner_surface[c] * zone_field[corner_zone[c]];
    }
  }
  mesh_divide_sums(0, count);
  return mesh_points_are_right();
}
