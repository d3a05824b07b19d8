// SPDX-License-Identifier: Apache-2.0
//
// Lock-step: what is known about the next instruction before it executes, and where it goes: as golden memory says, or as an earlier translation that the
// RTL may still use.
#ifndef NHG_LOCKSTEP_ACCESS_H
#define NHG_LOCKSTEP_ACCESS_H

#include <cstdint>

#include "golden.h"
#include "insn_info.h"
#include "lockstep_translation.h"
#include "machine.h"

namespace nhg {

struct Fetched {
  bool good = false;
  uint64_t bits = 0;
  uint64_t first = 0, last = 0; // physical addresses of its first and last halfword
  uint64_t cause = 0, tval = 0; // of the fault, if it is not good; 0: a trigger
  unsigned rd = 0;
  InsnInfo info;
  uint64_t vaddress = 0;          // of a memory access
  uint64_t physical = 0;          // of the same
  uint64_t address = 0, size = 0; // of a memory access, or what a request will write: physical

  bool isRequest() const { return info.kind == InsnInfo::Aload || info.kind == InsnInfo::Astore; }
  bool writesMemory() const {
    return info.kind == InsnInfo::Store || info.kind == InsnInfo::StoreConditional || info.kind == InsnInfo::Amo;
  }
};

bool isFetchFault(const golden_commit_t &rtl);
Fetched fetch(Machine &machine, TranslationRules &rules, const golden_commit_t &rtl);

} // namespace nhg
#endif
