// SPDX-License-Identifier: Apache-2.0
#include "csrs.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include <riscv/debug_defines.h>
#include <riscv/mmu.h>

namespace nhg {

namespace {

// A register of which programs change and see only some bits.
class MaskedCsr : public csr_t {
public:
  MaskedCsr(processor_t *hart, csr_t_p whole, reg_t writable, reg_t readable)
      : csr_t(hart, whole->address), whole(whole), writable(writable), readable(readable) {}
  void verify_permissions(insn_t insn, bool write) const override { whole->verify_permissions(insn, write); }
  reg_t read() const noexcept override { return whole->read() & readable; }

protected:
  bool unlogged_write(const reg_t value) noexcept override {
    whole->write((value & writable) | (read() & ~writable));
    return true;
  }

private:
  csr_t_p whole;
  reg_t writable, readable;
};

// satp, of which a write with a mode that is not there changes nothing.
class SatpCsr : public MaskedCsr {
public:
  using MaskedCsr::MaskedCsr;

protected:
  bool unlogged_write(const reg_t value) noexcept override {
    const reg_t mode = get_field(value, SATP64_MODE);
    return (mode == SATP_MODE_OFF || mode == SATP_MODE_SV39) && MaskedCsr::unlogged_write(value);
  }
};

// A register that is there, for whom Spike lets access it, and zero.
class ZeroCsr : public csr_t {
public:
  ZeroCsr(processor_t *hart, csr_t_p whole) : csr_t(hart, whole->address), whole(whole) {}
  void verify_permissions(insn_t insn, bool write) const override { whole->verify_permissions(insn, write); }
  reg_t read() const noexcept override { return 0; }

protected:
  bool unlogged_write(const reg_t) noexcept override { return false; }

private:
  csr_t_p whole;
};

// A counter that the program may write. Spike's own below it counts on, of instructions: that is the machine's clock.
class WritableCounterCsr : public csr_t {
public:
  WritableCounterCsr(processor_t *hart, csr_t_p count) : csr_t(hart, count->address), count(count) {}
  reg_t read() const noexcept override { return stopped.value_or(count->read() + offset); }
  void stop() { stopped = read(); }
  void goOn() {
    offset = read() - count->read();
    stopped.reset();
  }

protected:
  bool unlogged_write(const reg_t value) noexcept override {
    if (stopped)
      stopped = value;
    offset = value - (count->read() + 1); // the next instruction reads what was written
    return true;
  }

private:
  csr_t_p count;
  reg_t offset = 0;
  std::optional<reg_t> stopped;
};

// dcsr or dpc, which only code of the boot ROM has; the write of dcsr enters debug mode.
class DebugCsr : public csr_t {
public:
  DebugCsr(processor_t *hart, reg_t address, const std::function<void()> &entered)
      : csr_t(hart, address), state(*hart->get_state()), entered(entered) {}
  void verify_permissions(insn_t insn, bool write) const override {
    csr_t::verify_permissions(insn, write);
    if (state.pc - NHG_BOOT_ROM_BASE >= NHG_BOOT_ROM_SIZE)
      throw trap_illegal_instruction(insn.bits());
  }
  reg_t read() const noexcept override { return address == CSR_DCSR ? state.dcsr->prv : state.dpc->read(); }

protected:
  bool unlogged_write(const reg_t value) noexcept override {
    if (address == CSR_DPC) {
      state.dpc->write(value);
      return true;
    }
    const reg_t mode = get_field(value, DCSR_PRV);
    state.dcsr->prv = uint8_t(mode == PRV_HS ? PRV_U : mode);
    state.debug_mode = true;
    entered();
    return true;
  }

private:
  state_t &state;
  std::function<void()> entered;
};

class TimeCsr : public csr_t {
public:
  TimeCsr(processor_t *hart, const Interrupts &interrupts) : csr_t(hart, CSR_TIME), interrupts(interrupts) {}
  reg_t read() const noexcept override { return interrupts.time(); }

protected:
  bool unlogged_write(const reg_t) noexcept override { return false; }

private:
  const Interrupts &interrupts;
};

// mip, or as sip those that are delegated.
class PendingCsr : public csr_t {
public:
  PendingCsr(processor_t *hart, reg_t address, reg_t writable, Interrupts &interrupts)
      : csr_t(hart, address), hart(hart), writable(writable), interrupts(interrupts) {}
  reg_t read() const noexcept override { return interrupts.pending() & visible(); }

protected:
  bool unlogged_write(const reg_t value) noexcept override {
    interrupts.writeSoftware((value & ~MIP_SEIP) | writtenSeip(value), writable & visible());
    return true;
  }

private:
  // What SEIP becomes: an instruction that sets or clears bits takes its old value without the line (privileged architecture, 3.1.9).
  reg_t writtenSeip(reg_t value) const {
    constexpr unsigned Immediate = 4, Operation = 3, Set = 2, Clear = 3;
    insn_t insn = hart->get_mmu()->load_insn(hart->get_state()->pc).insn;
    const unsigned funct3 = insn.bits() >> 12 & 7;
    const reg_t operand = funct3 & Immediate ? insn.rs1() : hart->get_state()->XPR[insn.rs1()];
    if ((funct3 & Operation) == Set)
      value = interrupts.software() | operand;
    if ((funct3 & Operation) == Clear)
      value = interrupts.software() & ~operand;
    return value & MIP_SEIP;
  }
  reg_t visible() const { return address == CSR_SIP ? hart->get_state()->mideleg->read() : ~reg_t(0); }
  processor_t *hart;
  reg_t writable;
  Interrupts &interrupts;
};

// One that says when a timer interrupt is pending.
class TimerCsr : public MaskedCsr {
public:
  TimerCsr(processor_t *hart, csr_t_p whole, reg_t writable, reg_t readable, Interrupts &interrupts)
      : MaskedCsr(hart, whole, writable, readable), interrupts(interrupts) {}

protected:
  bool unlogged_write(const reg_t value) noexcept override {
    const bool written = MaskedCsr::unlogged_write(value);
    interrupts.refresh();
    return written;
  }

private:
  Interrupts &interrupts;
};

// mcause or scause as a trap writes it: a program's own writes go by Spike's map of CSRs.
class CauseCsr : public csr_t {
public:
  CauseCsr(processor_t *hart, csr_t_p cause, const std::function<void(reg_t)> &taken)
      : csr_t(hart, cause->address), cause(cause), taken(taken) {}
  reg_t read() const noexcept override { return cause->read(); }

protected:
  bool unlogged_write(const reg_t value) noexcept override {
    taken(value);
    cause->write(value);
    return true;
  }

private:
  csr_t_p cause;
  std::function<void(reg_t)> taken;
};

constexpr struct {
  const char *name;
  reg_t address, writable, readable;
} Table[] = {
#define X(name, number, write, read) {#name, number, write, read},
    NHG_PRIVILEGED_CSRS(X) NHG_CSR_VIEWS(X)
#undef X
};

constexpr struct {
  reg_t first, last;
} ZeroRanges[] = {
#define X(name, first, last) {first, last},
    NHG_ZERO_CSRS(X)
#undef X
};

} // namespace

// What Spike has and NH-G has not, so that both agree: misa is fixed, there is no state but that of F and D, no coprocessor interrupt (Spike adds
// both with any extension), no more regions of memory protection than the table has, and triggers are of one type. A cycle is an instruction.
std::function<void()> defineCsrs(processor_t &hart, const CsrEvents &events, Interrupts &interrupts) {
  state_t &state = *hart.get_state();
  const auto define = [&](csr_t_p &inside, reg_t address, reg_t mask) {
    state.csrmap[address] = inside = std::make_shared<masked_csr_t>(&hart, address, mask, 0);
  };
  for (reg_t trigger = 0; trigger < hart.TM.count(); trigger++)
    hart.TM.tdata1_write(unsigned(trigger), reg_t(CSR_TDATA1_TYPE_MCONTROL) << 60);
  for (const auto &csr : Table) {
    if (csr.address == CSR_MEDELEG) // the AMU's exception is none of Spike's
      define(state.medeleg, csr.address, csr.writable);
    else if (csr.address == CSR_MIDELEG)
      define(state.mideleg, csr.address, csr.writable);
    else if (csr.address == CSR_MIP || csr.address == CSR_SIP)
      state.csrmap[csr.address] = std::make_shared<PendingCsr>(&hart, csr.address, csr.writable, interrupts);
    else if (csr.address == CSR_SATP)
      state.csrmap[csr.address] =
          std::make_shared<SatpCsr>(&hart, state.csrmap.at(csr.address), csr.writable, csr.readable);
    else if (csr.address == CSR_MENVCFG || csr.address == CSR_STIMECMP)
      state.csrmap[csr.address] =
          std::make_shared<TimerCsr>(&hart, state.csrmap.at(csr.address), csr.writable, csr.readable, interrupts);
    else
      state.csrmap[csr.address] =
          std::make_shared<MaskedCsr>(&hart, state.csrmap.at(csr.address), csr.writable, csr.readable);
  }
  for (const auto &range : ZeroRanges)
    for (reg_t address = range.first; address <= range.last; address++)
      if (const auto found = state.csrmap.find(address); found != state.csrmap.end())
        found->second = std::make_shared<ZeroCsr>(&hart, found->second);
      else
        state.csrmap[address] = std::make_shared<const_csr_t>(&hart, address, 0);
  const auto named = [](reg_t address) {
    return std::any_of(std::begin(Table), std::end(Table), [&](const auto &csr) { return csr.address == address; });
  };
  for (reg_t address = CSR_PMPCFG0; address <= CSR_PMPADDR63; address++)
    if (!named(address))
      state.csrmap.erase(address);
  state.csrmap[CSR_MISA] = std::make_shared<const_csr_t>(&hart, CSR_MISA, state.misa->read());
  state.csrmap[CSR_MARCHID] = std::make_shared<const_csr_t>(&hart, CSR_MARCHID, 0);
  for (reg_t address : {CSR_TDATA3, CSR_MCONTEXT, CSR_SCONTEXT})
    state.csrmap.erase(address);
  state.csrmap[CSR_TINFO] = std::make_shared<const_csr_t>(&hart, CSR_TINFO, reg_t(1) << CSR_TDATA1_TYPE_MCONTROL);
  const auto count = [&](csr_t_p counter, reg_t user) {
    const auto writable = std::make_shared<WritableCounterCsr>(&hart, counter);
    state.csrmap[counter->address] = writable;
    state.csrmap[user] = std::make_shared<counter_proxy_csr_t>(&hart, user, writable);
    return writable;
  };
  const auto cycles = count(state.mcycle, CSR_CYCLE), instructions = count(state.minstret, CSR_INSTRET);
  const auto enterDebug = [=] {
    cycles->stop();
    instructions->stop();
    events.debugEntered();
  };
  for (reg_t address : {CSR_DCSR, CSR_DPC})
    state.csrmap[address] = std::make_shared<DebugCsr>(&hart, address, enterDebug);
  const auto time = std::make_shared<TimeCsr>(&hart, interrupts);
  state.csrmap[CSR_TIME] = std::make_shared<counter_proxy_csr_t>(&hart, CSR_TIME, time);
  state.mcause = std::make_shared<CauseCsr>(&hart, state.mcause, events.trapTaken);
  state.nonvirtual_scause = std::make_shared<CauseCsr>(&hart, state.nonvirtual_scause, events.trapTaken);
  return [=] {
    cycles->goOn();
    instructions->goOn();
  };
}

uint64_t trapCause(const state_t &state) {
  return (state.prv == PRV_S ? state.nonvirtual_scause : state.mcause)->read();
}

uint64_t trapValue(const state_t &state) { return (state.prv == PRV_S ? state.nonvirtual_stval : state.mtval)->read(); }

PrivilegedCsrs privilegedCsrs(const state_t &state) {
  PrivilegedCsrs values;
  for (size_t i = 0; i < values.size(); i++)
    values[i] = state.csrmap.at(Table[i].address)->read();
  return values;
}

const char *privilegedCsrName(size_t index) { return Table[index].name; }

size_t privilegedCsrIndex(uint64_t number) {
  return size_t(
      std::find_if(std::begin(Table), std::end(Table), [=](const auto &csr) { return csr.address == number; }) -
      std::begin(Table));
}

bool isCsrInstruction(uint32_t insn) {
  constexpr uint32_t System = 0x73;
  return (insn & 0x7f) == System && (insn >> 12 & 3) != 0;
}

} // namespace nhg
