// SPDX-License-Identifier: Apache-2.0
//
// Directed tests of the delayer; each leaves it drained. Throws std::runtime_error at the first failure.
#ifndef DELAYER_DIRECTED_H
#define DELAYER_DIRECTED_H

#include "bench.h"

void runDirected(Bench &bench);

#endif
