// SPDX-License-Identifier: Apache-2.0
// The unstructured mesh of UME's gradient kernels as DX100 draws it: each corner belongs to a zone and a point, drawn at random within MESH_REACH of the
// corner's own number. One corner in 20 is not an interior one. Values are small whole numbers. All of it lies in far memory.
//
// Regions begin in the middle of the mesh: operation i is corner MESH_FIRST + i, or the point or zone of the same number.
#pragma once
#include "mix.h"

#include <stdbool.h>

#define MESH_CORNERS (1u << MESH_LOG2_CORNERS)
#define MESH_FIRST (MESH_CORNERS / 2)

extern int32_t *corner_type; // 1: interior, else -1
extern int32_t *corner_zone, *corner_point;
extern float *corner_volume, *corner_surface, *zone_field;
extern int32_t *zone_type, *point_type; // 1: inside, -1: on the perimeter
extern float *zone_volume, *zone_gradient, *point_volume, *point_gradient, *point_normal;

// Corners of each point and of each zone, as compressed rows.
struct mesh_rows {
  uint32_t *begin;
  int32_t *corners;
};
extern struct mesh_rows corners_of_points, corners_of_zones;

// Ends both kernels of points: points of operations [first, first + count) are divided by their volumes; on the perimeter without the gradient's normal part.
void mesh_divide_points(uint64_t first, uint64_t count);

// The sums of zones and points in double, as they are before a kernel runs: bench_verify() adds to them.
extern struct mesh_sums {
  double *zone_volume, *zone_gradient, *point_volume, *point_gradient;
} mesh_sums;
// What mesh_divide_points() does.
void mesh_divide_sums(uint64_t first, uint64_t count);
// Whether the zones or points of the kernel have these sums.
bool mesh_zones_are_right(void);
bool mesh_points_are_right(void);
