// SPDX-License-Identifier: Apache-2.0
// Which expansions of a whole search, `reached` vertices in vlist, are the region's. Each makes their vertices the first entries of vlist
// and takes their claims back; it returns false when there are not enough vertices.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// From all levels and of all degrees.
bool bfs_sample(int64_t reached);

// Those that follow each other in the middle of the largest level (slice.c).
bool bfs_slice(int64_t reached);
