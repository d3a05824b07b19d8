// SPDX-License-Identifier: Apache-2.0
// RandomAccess with one stream: the next random number is what an iteration hands on.
// RUN: %same_results %s %t
#define ONE_STREAM
#include "random_access.c"
