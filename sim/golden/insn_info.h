// SPDX-License-Identifier: Apache-2.0
//
// What the lock-step comparison must know about an RV64IMAFDC+AMI instruction before it executes: whether and
// where it accesses memory, and whether its result is open (taken from the RTL).
#ifndef NHG_INSN_INFO_H
#define NHG_INSN_INFO_H

#include <cstdint>

#include <riscv/decode.h>

namespace nhg {

struct InsnInfo {
  enum Kind {
    Other,
    Load,
    Store,
    LoadReserved,
    StoreConditional,
    Amo,
    Take,    // getfin, bafin
    OpenCsr, // reads a counter, amustat or amuhits
    Aload,
    Astore,
    FenceI
  };
  Kind kind = Other;
  unsigned size = 0; // bytes accessed
  unsigned base = 0; // address register
  int64_t offset = 0;

  bool accessesMemory() const { return kind >= Load && kind <= Amo; }
};

InsnInfo classify(insn_t insn);

} // namespace nhg
#endif
