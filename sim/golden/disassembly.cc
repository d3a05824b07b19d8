// SPDX-License-Identifier: Apache-2.0
#include "disassembly.h"

#include <cstdio>

#include "golden.h"
#include "platform.h"

namespace nhg {

namespace {

template <auto field> class Register : public arg_t {
  std::string to_string(insn_t insn) const override { return xpr_name[(insn.*field)()]; }
};

const Register<&insn_t::rd> Rd;
const Register<&insn_t::rs1> Rs1;
const Register<&insn_t::rs2> Rs2;

} // namespace

std::vector<disasm_insn_t *> disassembly() {
  return {new disasm_insn_t("aload", NHG_AMI_ALOAD_MATCH, NHG_AMI_ALOAD_MASK, {&Rs1, &Rs2}),
          new disasm_insn_t("astore", NHG_AMI_ASTORE_MATCH, NHG_AMI_ASTORE_MASK, {&Rs1, &Rs2}),
          new disasm_insn_t("getfin", NHG_AMI_GETFIN_MATCH, NHG_AMI_GETFIN_MASK, {&Rd}),
          new disasm_insn_t("bafin", NHG_AMI_BAFIN_MATCH, NHG_AMI_BAFIN_MASK, {&Rd}),
          new disasm_insn_t("aset", NHG_AMI_ASET_MATCH, NHG_AMI_ASET_MASK, {&Rs1, &Rs2}),
          new disasm_insn_t("aconfig", NHG_AMI_ACONFIG_MATCH, NHG_AMI_ACONFIG_MASK, {&Rs1, &Rs2}),
          new disasm_insn_t("await", NHG_AMI_AWAIT_MATCH, NHG_AMI_AWAIT_MASK, {&Rs1, &Rs2}),
          new disasm_insn_t("asignal", NHG_AMI_ASIGNAL_MATCH, NHG_AMI_ASIGNAL_MASK, {&Rs1})};
}

} // namespace nhg

extern "C" void golden_disassemble(uint32_t insn, char *text, size_t length) {
  static const isa_parser_t isa(NHG_ISA_STRING, "m");
  static disassembler_t disassembler(&isa);
  static const bool complete = [] {
    for (disasm_insn_t *instruction : nhg::disassembly())
      disassembler.add_insn(instruction);
    return true;
  }();
  snprintf(text, length, "%s", complete ? disassembler.disassemble(insn_t(insn)).c_str() : "");
}
