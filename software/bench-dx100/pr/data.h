// SPDX-License-Identifier: Apache-2.0
// One iteration of GAP's PageRank by pulling. Operation i is vertex i: its rows are those of its incoming edges.
#pragma once
#include "../shared/graph.h"

#define PR_DAMPING 0.85f
#define PR_BASE (0.15f / GRAPH_VERTICES)

extern float *pr_scores, *pr_contributions, *pr_next_contributions;
extern uint32_t *pr_out_degrees;
extern double pr_error; // sum of the changes
