// SPDX-License-Identifier: Apache-2.0
//
// Names and operands of the AMI instructions for Spike's disassembler.
#ifndef NHG_DISASSEMBLY_H
#define NHG_DISASSEMBLY_H

#include <vector>

#include <riscv/disasm.h>

namespace nhg {

// The caller owns them.
std::vector<disasm_insn_t *> disassembly();

} // namespace nhg
#endif
