// SPDX-License-Identifier: Apache-2.0
// Tasks make updates in another order than the loop: what the source says of the
// values in between (no overflow, no infinity) need not hold then.

#ifndef ASYNCMEM_UPDATEORDER_H
#define ASYNCMEM_UPDATEORDER_H

#include "loop/TaskLoop.h"

namespace asyncmem {

/// Updates of shared variables and of words in memory lose the flags by which a
/// value in between would be poison.
void forgetOrder(TaskLoop &T);

} // namespace asyncmem

#endif
