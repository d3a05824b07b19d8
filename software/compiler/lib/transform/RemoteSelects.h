// SPDX-License-Identifier: Apache-2.0
// Values chosen by remote data, "found < key ? middle : high". Data that was
// worth a switch is new to the core, so a branch on it is predicted badly;
// where the choice is only between values, there need not be one.

#ifndef ASYNCMEM_REMOTESELECTS_H
#define ASYNCMEM_REMOTESELECTS_H

#include "loop/TaskLoop.h"

namespace asyncmem {

/// Marks the selects of \p T that depend on remote data as unpredictable.
void selectWithoutBranches(TaskLoop &T);

} // namespace asyncmem

#endif
