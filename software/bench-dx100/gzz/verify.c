// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#include "../shared/mesh.h"

static bool is_added(int32_t c, uint64_t first, uint64_t count) {
  return corner_type[c] > 0 && (uint64_t)c - MESH_FIRST - first < count;
}

// The other way round: zone by zone, over the corners that it has in the slice.
static void add(uint64_t first, uint64_t count) {
  for (uint32_t z = 0; z < MESH_CORNERS; ++z) {
    double weighted = 0;
    for (uint32_t k = corners_of_zones.begin[z]; k < corners_of_zones.begin[z + 1]; ++k) {
      const int32_t c = corners_of_zones.corners[k];
      if (is_added(c, first, count)) {
        mesh_sums.zone_volume[z] += corner_volume[c];
        weighted += (double)point_gradient[corner_point[c]] * corner_volume[c];
      }
    }
    mesh_sums.zone_gradient[z] += weighted / mesh_sums.zone_volume[z];
  }
}

bool bench_verify(uint64_t count) {
  add(0, BENCH_WARMUP_OPERATIONS);
  add(BENCH_WARMUP_OPERATIONS, count - BENCH_WARMUP_OPERATIONS);
  return mesh_zones_are_right();
}
