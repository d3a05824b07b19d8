// SPDX-License-Identifier: Apache-2.0
// What steps ask of the target and the scheduler together: whether they fit, what tasks
// may wait for, when the program chooses. Facts of the target alone are in Target.h.

#ifndef ASYNCMEM_MACHINE_H
#define ASYNCMEM_MACHINE_H

#include "common/Request.h"
#include "common/Target.h"

namespace asyncmem {

/// What one suspension may wait for.
struct CoalesceLimits {
  CoalesceMode Mode;
  /// Stores do not wait when they are left to the store buffer.
  bool StoresSuspend;
  unsigned MaxSlotBytes;
};

/// What the program may read beside its cycle counter.
struct PolicyCounters {
  /// Tells an instruction-set simulator's clock, and whether the core waits (RISC-V only).
  bool Instructions = false;
  /// The caches' answers to the AMU.
  bool AmuLines = false;
  /// A system lends the AMU and these counters to threads: runtime/linux/amu.c.
  bool IsLent = false;
};

class Machine : public Target {
public:
  Machine(const llvm::Module &M, const Options &Opts) : Target(M), Opts(Opts) {}

  /// \returns null if the scheduler runs on the target, else what is missing.
  const char *whyUnfit() const;

  /// Tasks request what they wait for (NH-G), prefetch it, or there are none and the
  /// program checks the promises of the loop.
  bool usesAmu() const {
    return Opts.Scheduler == SchedulerKind::Getfin ||
           Opts.Scheduler == SchedulerKind::Bafin;
  }
  bool prefetches() const { return Opts.Scheduler == SchedulerKind::Static; }
  bool checks() const { return Opts.Scheduler == SchedulerKind::Check; }

  /// Accesses of prefetching tasks at which they do not switch.
  NearMode nearMode() const { return Opts.Near.value_or(defaultNearMode()); }

  /// A system lends the AMU to threads: each loop has its plain copy for those that have
  /// not got it.
  bool isAmuLent() const { return usesAmu() && isLinux(); }

  /// Cycles of a measurement that decides between tasks and the plain loop; 0: none.
  uint64_t adaptCycles() const;

  /// The cycle counter may be an instruction-set simulator's. Who asks for the choice
  /// wants it there, too.
  PolicyCounters counters() const;

  /// When \p Tasks tasks run.
  CoalesceLimits limits(unsigned Tasks) const;

  /// Number of tasks of \p Tasks that have room when they wait for \p Groups.
  unsigned tasksWithRoom(unsigned Tasks,
                         llvm::ArrayRef<AccessGroup> Groups) const;

private:
  const Options &Opts;
};

/// \returns the bytes of a slot in which each of \p Groups has room.
unsigned slotBytes(llvm::ArrayRef<AccessGroup> Groups);

} // namespace asyncmem

#endif
