// SPDX-License-Identifier: Apache-2.0

#include "common/Machine.h"

using namespace llvm;
using namespace asyncmem;

const char *Machine::whyUnfit() const {
  if (usesAmu() && !mayHaveAmu())
    return "the getfin and bafin schedulers need the target riscv64; use "
           "-fplugin-arg-asyncmem-sched=static";
  return nullptr;
}

uint64_t Machine::adaptCycles() const {
  return hasCycleCounter()
             ? Opts.AdaptCycles.value_or(isAmuLent() ? DefaultAdaptCycles
                                                     : defaultAdaptCycles())
             : 0;
}

PolicyCounters Machine::counters() const {
  bool Default = !Opts.AdaptCycles && mayCountInstructions();
  return {Default, Default && !prefetches(), isAmuLent()};
}

/// Slots of IDs 1 ... Tasks end inside the SPM; there is a slot 0, unused.
static unsigned slotBytesFor(unsigned Tasks) {
  return std::min<uint64_t>(MaxSpmSlotBytes, bit_floor(SpmBytes / (Tasks + 1)));
}

CoalesceLimits Machine::limits(unsigned Tasks) const {
  if (prefetches())
    return {Opts.Coalesce, /*StoresSuspend=*/false, MaxSpmSlotBytes};
  return {Opts.Coalesce, /*StoresSuspend=*/true,
          std::max(slotBytesFor(Tasks), cost::PreferredSlotBytes)};
}

unsigned Machine::tasksWithRoom(unsigned Tasks,
                                ArrayRef<AccessGroup> Groups) const {
  return prefetches() ? Tasks
                      : std::min(Tasks, SpmBytes / slotBytes(Groups) - 1);
}

unsigned asyncmem::slotBytes(ArrayRef<AccessGroup> Groups) {
  unsigned Bytes = MinSpmSlotBytes;
  for (const AccessGroup &Group : Groups)
    Bytes = std::max(Bytes, Group.slotBytes());
  return PowerOf2Ceil(Bytes);
}
