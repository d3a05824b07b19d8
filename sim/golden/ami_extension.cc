// SPDX-License-Identifier: Apache-2.0
#include "ami_extension.h"

#include <cstdio>

#include <riscv/encoding.h>
#include <riscv/mmu.h>
#include <riscv/processor.h>
#include <riscv/trap.h>

#include "disassembly.h"
#include "machine.h"

namespace nhg {

namespace {

#define NHG_NAME(Name, ...) Name,
enum Instruction { NHG_AMI_INSTRUCTIONS(NHG_NAME) };

constexpr const char *ErrorText[] = {NHG_AMU_ERROR_TEXTS};

class AmiExtension : public extension_t {
public:
  AmiExtension(Machine &machine) : machine(machine) {}
  const char *name() const override { return "ami"; }
  std::vector<insn_desc_t> get_instructions(const processor_t &) override;
  std::vector<disasm_insn_t *> get_disasms(const processor_t *) override { return disassembly(); }
  std::vector<csr_t_p> get_csrs(processor_t &hart) const override;

  reg_t execute(Instruction op, processor_t &hart, insn_t insn, reg_t pc);
  reg_t fence(processor_t &hart, insn_t insn, reg_t pc);

private:
  void request(bool isStore, const AmuRequest &request);
  uint16_t take(bool isBafin);
  [[noreturn]] void raise(const AmuError &error, reg_t pc) const;

  Machine &machine;
};

// M mode may use the AMU, S mode if mstateen0 says so, U mode if both mstateen0 and sstateen0 do.
bool granted(const state_t &state) {
  const bool supervisor = state.mstateen[0]->read() & MSTATEEN0_CS;
  return state.prv == PRV_M || (supervisor && (state.prv == PRV_S || (state.sstateen[0]->read() & SSTATEEN0_CS)));
}

// Reads and writes go to the AMU model; every AMU CSR but amuctl is illegal while the AMU is off or not granted to the mode.
class AmuCsr : public csr_t {
public:
  AmuCsr(processor_t *hart, reg_t address, AmuModel &amu) : csr_t(hart, address), amu(amu) {}
  void verify_permissions(insn_t insn, bool write) const override {
    csr_t::verify_permissions(insn, write);
    if (address != NHG_CSR_AMUCTL && !(amu.on() && granted(*state)))
      throw trap_illegal_instruction(insn.bits());
  }
  reg_t read() const noexcept override {
    switch (address) {
    case NHG_CSR_AMUCTL:
      return amu.control();
    case NHG_CSR_AMUCAP:
      return amu.capabilities();
    case NHG_CSR_AMUSTAT:
      return amu.status();
    case NHG_CSR_AMUHITS:
      return amu.lines();
    case NHG_CSR_AMUREUSE:
      return 0; // lines are not remembered
    case NHG_CSR_AMUID:
      return amu.selected();
    case NHG_CSR_AMUSTATE:
      return amu.selectedState();
    default:
      return amu.config(unsigned(address - NHG_CSR_AMUCFG0));
    }
  }

protected:
  bool unlogged_write(const reg_t value) noexcept override {
    if (address == NHG_CSR_AMUCTL)
      amu.setControl(value);
    if (address == NHG_CSR_AMUID)
      amu.select(value);
    if (address == NHG_CSR_AMUSTATE)
      amu.forget();
    return true;
  }

private:
  AmuModel &amu;
};

template <Instruction op> reg_t executeInstruction(processor_t *hart, insn_t insn, reg_t pc) {
  return static_cast<AmiExtension *>(hart->get_extension())->execute(op, *hart, insn, pc);
}

reg_t executeFence(processor_t *hart, insn_t insn, reg_t pc) {
  return static_cast<AmiExtension *>(hart->get_extension())->fence(*hart, insn, pc);
}

insn_desc_t describe(insn_bits_t match, insn_bits_t mask, insn_func_t execute) {
  insn_desc_t d;
  d.match = match;
  d.mask = mask;
  d.fast_rv64i = d.fast_rv64e = d.logged_rv64i = d.logged_rv64e = execute;
  d.fast_rv32i = d.fast_rv32e = d.logged_rv32i = d.logged_rv32e = ::illegal_instruction;
  return d;
}

std::vector<insn_desc_t> AmiExtension::get_instructions(const processor_t &) {
#define NHG_DESCRIBE(Name, text, match, mask, ...) describe(match, mask, executeInstruction<Name>),
  return {NHG_AMI_INSTRUCTIONS(NHG_DESCRIBE) describe(MATCH_SFENCE_VMA, MASK_SFENCE_VMA, executeFence)};
}

// sfence.vma, which waits for what requests do to memory.
reg_t AmiExtension::fence(processor_t &hart, insn_t insn, reg_t pc) {
  const state_t &state = *hart.get_state();
  const bool trapped = get_field(state.mstatus->read(), MSTATUS_TVM);
  if (state.prv < (trapped ? PRV_M : PRV_S))
    throw trap_illegal_instruction(insn.bits());
  hart.get_mmu()->flush_tlb();
  machine.amu().drain();
  return pc + 4;
}

std::vector<csr_t_p> AmiExtension::get_csrs(processor_t &hart) const {
  std::vector<csr_t_p> csrs;
  for (reg_t address : {NHG_CSR_AMUCTL, NHG_CSR_AMUCAP, NHG_CSR_AMUSTAT, NHG_CSR_AMUHITS, NHG_CSR_AMUREUSE,
                        NHG_CSR_AMUID, NHG_CSR_AMUSTATE})
    csrs.push_back(std::make_shared<AmuCsr>(&hart, address, machine.amu()));
  for (unsigned i = 0; i < AmuModel::ConfigCount; i++)
    csrs.push_back(std::make_shared<AmuCsr>(&hart, NHG_CSR_AMUCFG0 + i, machine.amu()));
  return csrs;
}

reg_t AmiExtension::execute(Instruction op, processor_t &hart, insn_t insn, reg_t pc) {
  AmuModel &amu = machine.amu();
  state_t &state = *hart.get_state();
  if (!amu.on() || !granted(state))
    throw trap_illegal_instruction(insn.bits());
  const reg_t rs1 = state.XPR[insn.rs1()], rs2 = state.XPR[insn.rs2()];
  try {
    switch (op) {
    case Aload:
    case Astore:
      request(op == Astore, AmuRequest(rs1, rs2));
      break;
    case Getfin:
      state.XPR.write(insn.rd(), take(false));
      break;
    case Bafin:
      if (const uint16_t id = take(true)) {
        state.XPR.write(insn.rd(), amu.taskWord(id));
        return amu.target(id);
      }
      state.XPR.write(insn.rd(), 0);
      break;
    case Aset:
      amu.aset(rs1, rs2);
      break;
    case Aconfig:
      amu.aconfig(rs1, rs2);
      break;
    case Await:
      amu.await(AmuRequest(rs1, rs2));
      break;
    case Asignal:
      amu.asignal(rs1);
      break;
    }
  } catch (const AmuError &error) {
    raise(error, pc);
  }
  return pc + 4;
}

void AmiExtension::request(bool isStore, const AmuRequest &request) {
  AmuModel &amu = machine.amu();
  amu.checkRequest(request);
  if (!amu.wayTaken()) {
    if (isStore)
      throw trap_store_access_fault(false, request.address, 0, 0);
    throw trap_load_access_fault(false, request.address, 0, 0);
  }
  const uint64_t physical = machine.translateRequest(request.address, isStore);
  amu.issue(request, isStore, machine.hostAddress(physical, request.size()), physical);
}

// In lock-step the value the RTL wrote to rd says which group it took.
uint16_t AmiExtension::take(bool isBafin) {
  const uint64_t value = machine.injectedTake();
  if (!isBafin || value == 0)
    return machine.amu().take(isBafin, value);
  const uint64_t id = machine.amu().idOfTaskWord(value);
  if (id == 0)
    throw std::runtime_error("bafin returned a value that is no ID's task word");
  return machine.amu().take(true, id);
}

void AmiExtension::raise(const AmuError &error, reg_t pc) const {
  if (machine.abortsOnAmuError()) {
    char text[160];
    snprintf(text, sizeof text, "AMU error at pc 0x%llx, ID %u: %s (code %u)", (unsigned long long)pc, error.id,
             ErrorText[error.code - 1], error.code);
    throw AmiAbort(text);
  }
  throw insn_trap_t(NHG_AMU_CAUSE, false, reg_t(error.code) << NHG_AMI_TVAL_CODE_LSB | error.id);
}

} // namespace

std::unique_ptr<extension_t> makeAmiExtension(Machine &machine) { return std::make_unique<AmiExtension>(machine); }

} // namespace nhg
