// SPDX-License-Identifier: Apache-2.0
// Serial or tasks, decided while the program runs.
//
// Tasks lose where the data is in the caches anyway. Before the loop becomes
// tasks it gets two plain copies: a probe, which runs the first iterations and
// measures them, and a loop that runs the rest when they were quick:
//
//   preheader -> choose -> probe -> decide -> serial copy -> exits
//                   |                  |
//                   +---(remembered)---+----> the loop itself -> exits

#ifndef ASYNCMEM_SERIALVERSION_H
#define ASYNCMEM_SERIALVERSION_H

#include "asyncmem/TaskLoop.h"

namespace asyncmem {

/// Adds the copies in front of the analysed loop \p T, which stays what it was
/// but for its preheader.
void addSerialVersion(TaskLoop &T);

} // namespace asyncmem

#endif
