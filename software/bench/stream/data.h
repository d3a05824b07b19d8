// SPDX-License-Identifier: Apache-2.0
// STREAM: copy, scale, add and triad over arrays of doubles in far memory. Each kernel works on its own quarter of the
// arrays, so that it finds nothing in the caches that the one before it left there, as with STREAM's full-length arrays.
// Operation i is element i of each quarter.
#pragma once
#include <stdint.h>

#define STREAM_ELEMENTS (1ul << STREAM_LOG2_ELEMENTS)
#define STREAM_SCALAR 3.0

enum stream_kernel { STREAM_COPY, STREAM_SCALE, STREAM_ADD, STREAM_TRIAD, STREAM_KERNELS };

extern double *stream_a, *stream_b, *stream_c;

// First element of a kernel's quarter.
static inline uint64_t stream_quarter(enum stream_kernel kernel) { return kernel * (STREAM_ELEMENTS / STREAM_KERNELS); }
