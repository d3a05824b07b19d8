// SPDX-License-Identifier: Apache-2.0
// Comparison of what float arithmetic gives in any order of additions with the same in double.
#pragma once
#include <math.h>
#include <stdbool.h>

static inline bool near_enough(double value, double exact) { return fabs(value - exact) <= 1e-5 * (1 + fabs(exact)); }
