// SPDX-License-Identifier: Apache-2.0
// The search in a graph with three neighbours a vertex.
// RUN: %same_results %s %t
#define DEGREE 3
#include "bfs.c"
