// SPDX-License-Identifier: Apache-2.0
#include "asyncmem.h"
#include "bench.h"
#include "mesh.h"

void mesh_divide_points(uint64_t first, uint64_t count) {
  const int32_t *types = point_type;
  const float *volumes = point_volume, *normals = point_normal;
  float *gradients = point_gradient;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t p = MESH_FIRST + first; p < MESH_FIRST + first + count; ++p) {
    __builtin_is_remote(types);
    __builtin_is_remote(volumes);
    __builtin_is_remote(normals);
    __builtin_is_remote(gradients);
    if (types[p] > 0) {
      gradients[p] /= volumes[p];
    } else if (types[p] == -1) {
      const float along = gradients[p] * normals[p];
      gradients[p] = (gradients[p] - normals[p] * along) / volumes[p];
    }
  }
}
