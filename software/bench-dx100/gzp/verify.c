// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#include "../shared/mesh.h"

// The other way round: point by point, over the corners that it has in the slice.
static void add(uint64_t first, uint64_t count) {
  for (uint32_t p = 0; p < MESH_CORNERS; ++p)
    for (uint32_t k = corners_of_points.begin[p]; k < corners_of_points.begin[p + 1]; ++k) {
      const int32_t c = corners_of_points.corners[k];
      if (corner_type[c] > 0 && (uint64_t)c - MESH_FIRST - first < count) {
        mesh_sums.point_volume[p] += corner_volume[c];
        mesh_sums.point_gradient[p] += (double)corner_surface[c] * zone_field[corner_zone[c]];
      }
    }
  mesh_divide_sums(first, count);
}

bool bench_verify(uint64_t count) {
  add(0, BENCH_WARMUP_OPERATIONS);
  add(BENCH_WARMUP_OPERATIONS, count - BENCH_WARMUP_OPERATIONS);
  return mesh_points_are_right();
}
