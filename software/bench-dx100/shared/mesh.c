// SPDX-License-Identifier: Apache-2.0
#include "mesh.h"
#include "asyncmem.h"
#include "bench.h"
#include "near_enough.h"

#include <stdlib.h>

_Static_assert(BENCH_END <= MESH_CORNERS / 4 && MESH_REACH <= MESH_CORNERS / 4, "regions stay inside of the mesh");

int32_t *corner_type, *corner_zone, *corner_point, *zone_type, *point_type;
float *corner_volume, *corner_surface, *zone_field, *zone_volume, *zone_gradient, *point_volume, *point_gradient,
    *point_normal;
struct mesh_rows corners_of_points, corners_of_zones;
struct mesh_sums mesh_sums;

static int32_t near_number(uint64_t corner, uint64_t kind) {
  const int64_t offset = (int64_t)(mix64(2 * corner + kind) >> 20) % (2 * MESH_REACH + 1) - MESH_REACH;
  const int64_t number = (int64_t)corner + offset;
  return (int32_t)(number < 0 ? 0 : number >= (int64_t)MESH_CORNERS ? MESH_CORNERS - 1 : number);
}

static int32_t type_of(uint64_t number) { return mix64(~number) % 20 == 0 ? -1 : 1; }

static float *allocate(uint32_t spread) {
  float *values = remote_alloc(MESH_CORNERS * sizeof *values);
  for (uint32_t k = 0; k < MESH_CORNERS; ++k)
    values[k] = 1 + k % spread;
  return values;
}

static int32_t *allocate_types(uint64_t kind) {
  int32_t *types = remote_alloc(MESH_CORNERS * sizeof *types);
  for (uint32_t k = 0; k < MESH_CORNERS; ++k)
    types[k] = type_of(3ul * k + kind);
  return types;
}

static int32_t *allocate_numbers(uint64_t kind) {
  int32_t *numbers = remote_alloc(MESH_CORNERS * sizeof *numbers);
  for (uint32_t k = 0; k < MESH_CORNERS; ++k)
    numbers[k] = near_number(k, kind);
  return numbers;
}

static struct mesh_rows rows_of(const int32_t *owners) {
  struct mesh_rows rows = {remote_alloc((MESH_CORNERS + 1) * sizeof(uint32_t)),
                           remote_alloc(MESH_CORNERS * sizeof(int32_t))};
  for (uint32_t k = 0; k <= MESH_CORNERS; ++k)
    rows.begin[k] = 0;
  for (uint32_t c = 0; c < MESH_CORNERS; ++c)
    ++rows.begin[owners[c]];
  // begin[k] becomes the end of row k; filling the rows backwards makes it the begin.
  for (uint32_t k = 1; k <= MESH_CORNERS; ++k)
    rows.begin[k] += rows.begin[k - 1];
  for (uint32_t c = MESH_CORNERS; c-- > 0;)
    rows.corners[--rows.begin[owners[c]]] = (int32_t)c;
  return rows;
}

static double *copy_of(const float *values) {
  double *copy = malloc(MESH_CORNERS * sizeof *copy);
  for (uint32_t k = 0; k < MESH_CORNERS; ++k)
    copy[k] = values[k];
  return copy;
}

void bench_init(void) {
  corner_type = allocate_types(0);
  zone_type = allocate_types(1);
  point_type = allocate_types(2);
  corner_zone = allocate_numbers(0);
  corner_point = allocate_numbers(1);
  corner_volume = allocate(3);
  corner_surface = allocate(5);
  zone_field = allocate(7);
  // Sums begin at 1, so that what no corner belongs to can be divided, too.
  zone_volume = allocate(1);
  zone_gradient = allocate(1);
  point_volume = allocate(1);
  point_gradient = allocate(2);
  point_normal = allocate(4);
  corners_of_points = rows_of(corner_point);
  corners_of_zones = rows_of(corner_zone);
  mesh_sums =
      (struct mesh_sums){copy_of(zone_volume), copy_of(zone_gradient), copy_of(point_volume), copy_of(point_gradient)};
}

void mesh_divide_sums(uint64_t first, uint64_t count) {
  for (uint64_t p = MESH_FIRST + first; p < MESH_FIRST + first + count; ++p) {
    const double normal = point_type[p] > 0 ? 0 : point_normal[p];
    mesh_sums.point_gradient[p] *= (1 - normal * normal) / mesh_sums.point_volume[p];
  }
}

static bool are(const float *values, const double *exact) {
  for (uint32_t k = 0; k < MESH_CORNERS; ++k)
    if (!near_enough(values[k], exact[k]))
      return false;
  return true;
}

bool mesh_zones_are_right(void) {
  return are(zone_volume, mesh_sums.zone_volume) && are(zone_gradient, mesh_sums.zone_gradient);
}

bool mesh_points_are_right(void) {
  return are(point_volume, mesh_sums.point_volume) && are(point_gradient, mesh_sums.point_gradient);
}
