// SPDX-License-Identifier: Apache-2.0
// Sums of a few words until a sentinel, whose number is not known before.
// RUN: %same_results %s %t
#define UNTIL 1
#include "short_sums.c"
