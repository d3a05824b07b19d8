// SPDX-License-Identifier: Apache-2.0
#include "insn_info.h"

#include "platform.h"

namespace nhg {

namespace {

enum Opcode {
  OpLoad = 0x03,
  OpLoadFp = 0x07,
  OpAmi = NHG_AMI_OPCODE,
  OpMiscMem = 0x0f,
  OpStore = 0x23,
  OpStoreFp = 0x27,
  OpAmo = 0x2f,
  OpSystem = 0x73
};
constexpr unsigned StackPointer = 2, FenceIFunct3 = 1;

InsnInfo access(InsnInfo::Kind kind, unsigned size, unsigned base, int64_t offset) {
  InsnInfo info;
  info.kind = kind;
  info.size = size;
  info.base = base;
  info.offset = offset;
  return info;
}

// Quadrant and funct3 of the RV64C loads and stores.
InsnInfo classifyCompressed(insn_t insn) {
  switch ((insn.bits() & 3) << 3 | (insn.bits() >> 13 & 7)) {
  case 0 << 3 | 1:
  case 0 << 3 | 3:
    return access(InsnInfo::Load, 8, insn.rvc_rs1s(), insn.rvc_ld_imm());
  case 0 << 3 | 2:
    return access(InsnInfo::Load, 4, insn.rvc_rs1s(), insn.rvc_lw_imm());
  case 0 << 3 | 6:
    return access(InsnInfo::Store, 4, insn.rvc_rs1s(), insn.rvc_lw_imm());
  case 0 << 3 | 5:
  case 0 << 3 | 7:
    return access(InsnInfo::Store, 8, insn.rvc_rs1s(), insn.rvc_ld_imm());
  case 2 << 3 | 2:
    return access(InsnInfo::Load, 4, StackPointer, insn.rvc_lwsp_imm());
  case 2 << 3 | 1:
  case 2 << 3 | 3:
    return access(InsnInfo::Load, 8, StackPointer, insn.rvc_ldsp_imm());
  case 2 << 3 | 6:
    return access(InsnInfo::Store, 4, StackPointer, insn.rvc_swsp_imm());
  case 2 << 3 | 5:
  case 2 << 3 | 7:
    return access(InsnInfo::Store, 8, StackPointer, insn.rvc_sdsp_imm());
  }
  return {};
}

InsnInfo classifyAtomic(insn_t insn) {
  const unsigned size = 1u << (insn.bits() >> 12 & 7);
  switch (insn.bits() >> 27 & 31) {
  case 2:
    return access(InsnInfo::LoadReserved, size, insn.rs1(), 0);
  case 3:
    return access(InsnInfo::StoreConditional, size, insn.rs1(), 0);
  default:
    return access(InsnInfo::Amo, size, insn.rs1(), 0);
  }
}

bool isOpenCsr(unsigned csr) {
  switch (csr) {
  case 0xb00: // mcycle
  case 0xb02: // minstret
  case 0xc00: // cycle
  case 0xc01: // time
  case 0xc02: // instret
  case NHG_CSR_AMUSTAT:
  case NHG_CSR_AMUHITS:
  case NHG_CSR_AMUREUSE:
    return true;
  }
  return false;
}

} // namespace

InsnInfo classify(insn_t insn) {
  if (insn.length() == 2)
    return classifyCompressed(insn);
  const unsigned funct3 = insn.bits() >> 12 & 7;
  InsnInfo info;
  switch (insn.bits() & 0x7f) {
  case OpLoad:
  case OpLoadFp:
    return access(InsnInfo::Load, 1u << (funct3 & 3), insn.rs1(), insn.i_imm());
  case OpStore:
  case OpStoreFp:
    return access(InsnInfo::Store, 1u << (funct3 & 3), insn.rs1(), insn.s_imm());
  case OpAmo:
    return classifyAtomic(insn);
  case OpAmi:
    info.kind = funct3 == NHG_AMI_GETFIN_FUNCT3 || funct3 == NHG_AMI_BAFIN_FUNCT3 ? InsnInfo::Take
                : funct3 == NHG_AMI_ALOAD_FUNCT3                                  ? InsnInfo::Aload
                : funct3 == NHG_AMI_ASTORE_FUNCT3                                 ? InsnInfo::Astore
                                                                                  : InsnInfo::Other;
    break;
  case OpMiscMem:
    info.kind = funct3 == FenceIFunct3 ? InsnInfo::FenceI : InsnInfo::Other;
    break;
  case OpSystem:
    info.kind = funct3 != 0 && isOpenCsr(insn.bits() >> 20 & 0xfff) ? InsnInfo::OpenCsr : InsnInfo::Other;
    break;
  }
  return info;
}

} // namespace nhg
