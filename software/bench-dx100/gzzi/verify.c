// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#include "../shared/mesh.h"

static bool is_added(int32_t z, uint64_t count) { return zone_type[z] > 0 && (uint64_t)z - MESH_FIRST < count; }

// The other way round: corner by corner, those whose zone the slice has.
bool bench_verify(uint64_t count) {
  static double volume[MESH_CORNERS];
  for (uint32_t c = 0; c < MESH_CORNERS; ++c)
    volume[corner_zone[c]] += corner_volume[c];
  for (uint32_t c = 0; c < MESH_CORNERS; ++c) {
    const int32_t z = corner_zone[c];
    if (is_added(z, count))
      mesh_sums.zone_gradient[z] += (double)point_gradient[corner_point[c]] * corner_volume[c] / volume[z];
  }
  return mesh_zones_are_right();
}
