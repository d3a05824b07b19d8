// SPDX-License-Identifier: Apache-2.0
// A gather and a scatter of Spatter by an index array, as for xRAGE. The trace of DX100 is not in its artifact; this pattern has what its counters say of
// it: runs of neighbours at scattered places, 6.6 elements for each new line. Operation i is element i, of both.
#pragma once
#include <stdint.h>

#define XRAGE_ELEMENTS (1u << XRAGE_LOG2_ELEMENTS)

extern int32_t *xrage_pattern;
extern double *xrage_dense, *xrage_sparse;           // gather
extern double *xrage_dense_from, *xrage_sparse_into; // scatter
