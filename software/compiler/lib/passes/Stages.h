// SPDX-License-Identifier: Apache-2.0
// Steps of the second phase after which a loop can be looked at, and at which the
// phase can stop.

#ifndef ASYNCMEM_STAGES_H
#define ASYNCMEM_STAGES_H

#include "frontend/LoopTag.h"
#include "loop/TaskLoop.h"
#include <functional>

namespace asyncmem {

enum class Stage {
  /// The loop has the form "body, then condition" and its callees inside; tag and
  /// marks are there, so that the phase can begin anew.
  Prepared,
  /// It will be split: accesses, classes and updates are known.
  Classified,
  /// Which accesses wait together is planned; on the AMU updates are exclusive.
  Grouped,
  /// With prefetches: accesses have moved together; which of them are near is
  /// planned.
  Near,
  /// Accesses have moved together and updates are exclusive; where tasks wait for
  /// which requests is known.
  Planned
};

/// Looks at a loop behind each step; never at Prepared.
using StageObserver =
    std::function<void(Stage, const TaskLoop &, const LoopTagInfo &)>;

} // namespace asyncmem

#endif
