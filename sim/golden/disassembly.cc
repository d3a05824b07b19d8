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
#define NHG_DISASSEMBLED(Name, text, match, mask, ...) new disasm_insn_t(text, match, mask, {__VA_ARGS__}),
  return {NHG_AMI_INSTRUCTIONS(NHG_DISASSEMBLED)};
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
