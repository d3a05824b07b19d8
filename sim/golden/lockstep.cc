// SPDX-License-Identifier: Apache-2.0
//
// golden.h on top of Machine: one instruction per call, RTL values injected where the architecture leaves
// the result open, everything else compared.
#include "golden.h"

#include <array>
#include <bitset>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <riscv/disasm.h>
#include <riscv/mmu.h>

#include "checkpoint.h"
#include "csrs.h"
#include "image.h"
#include "insn_info.h"
#include "lockstep_access.h"
#include "lockstep_interrupts.h"
#include "lockstep_translation.h"
#include "machine.h"

using nhg::Fetched;
using nhg::InsnInfo;
using nhg::Machine;

struct golden {
  explicit golden(const nhg::Image &image)
      : machine(std::make_unique<Machine>(image, nhg::AmuMode::Lockstep, 0)), translation_rules(*machine) {}

  std::unique_ptr<Machine> machine;
  bool failed = false;
  // Lines that were written since the last fence.i, and the pc of the last instruction that did.
  std::unordered_map<uint64_t, uint64_t> unfenced;
  std::bitset<NHG_SPM_SIZE> spm_written; // since its way was taken
  bool uses_spm = false;
  nhg::InterruptRules interrupt_rules;
  nhg::TranslationRules translation_rules;
};

namespace {

constexpr uint64_t LineBytes = 64;

uint64_t lineOf(uint64_t address) { return address / LineBytes * LineBytes; }

void copyText(char *to, size_t bytes, const std::string &text) {
  if (to != nullptr && bytes > 0)
    snprintf(to, bytes, "%s", text.c_str());
}

std::string hex(uint64_t value) {
  char text[20];
  snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

std::string differs(const char *what, uint64_t golden, uint64_t rtl) {
  return golden == rtl ? "" : std::string(what) + ": golden " + hex(golden) + ", RTL " + hex(rtl);
}

bool showsResult(const golden_commit_t &rtl) { return rtl.rd_valid && rtl.rd != 0; }

void reserve(Machine &machine, uint64_t address) {
  try {
    machine.hart().get_mmu()->load_reserved<uint32_t>(address);
  } catch (trap_t &) {
    // the SC will take it, too
  }
}

// The manual lets an SC succeed anywhere in the reserved line, as NH-G's does; Spike's must meet the reserved address.
void reserveAddressInLine(Machine &machine, uint64_t address) {
  mmu_t &mmu = *machine.hart().get_mmu();
  try {
    for (uint64_t word = lineOf(address); word < lineOf(address) + LineBytes; word += sizeof(uint32_t))
      if (mmu.check_load_reservation(word, sizeof(uint32_t)))
        return reserve(machine, address);
  } catch (trap_t &) {
    // the SC will take it, too
  }
}

// Before execution: hands the RTL's values for open results to the golden model.
void inject(Machine &machine, const Fetched &fetched, const golden_commit_t &rtl) {
  const InsnInfo &info = fetched.info;
  machine.injectTake(0);
  // A trigger fires on an SC whether or not it would succeed; Spike's only if it does.
  if (rtl.trap && info.kind == InsnInfo::StoreConditional && rtl.cause == CAUSE_BREAKPOINT)
    machine.withoutTriggers([&] { reserve(machine, fetched.vaddress); });
  if (rtl.trap)
    return;
  if (info.kind == InsnInfo::Take)
    machine.injectTake(rtl.rd_value);
  if (info.kind == InsnInfo::StoreConditional) {
    if (showsResult(rtl) && rtl.rd_value != 0)
      machine.hart().get_mmu()->yield_load_reservation();
    else
      machine.withoutTriggers([&] { reserveAddressInLine(machine, fetched.vaddress); });
  }
  const bool isOpen = !nhg::Interrupts::isClint(fetched.address) || nhg::Interrupts::isTime(fetched.address);
  if (info.kind == InsnInfo::Load && rtl.rd_valid && Machine::isDevice(fetched.address) && isOpen)
    machine.injectDeviceLoad(rtl.rd_value);
  const bool reads = info.kind == InsnInfo::Load || info.kind == InsnInfo::LoadReserved || info.kind == InsnInfo::Amo;
  if (reads && rtl.rd_valid && !machine.amu().races().empty())
    if (uint8_t *memory = machine.hostAddress(fetched.address, info.size))
      machine.amu().races().settleLoad(fetched.address, info.size, rtl.rd_value, memory);
}

// What mip or sip reads: an interrupt of timer or UART may have become pending between the read and its retirement.
void adoptPending(Machine &machine, const Fetched &fetched, uint64_t rising, const golden_commit_t &rtl) {
  const uint32_t csr = rtl.insn >> 20;
  if (!nhg::isCsrInstruction(rtl.insn) || (csr != CSR_MIP && csr != CSR_SIP) || fetched.rd == 0)
    return;
  state_t &state = *machine.hart().get_state();
  if (((state.XPR[fetched.rd] ^ rtl.rd_value) & ~rising) == 0)
    state.XPR.write(fetched.rd, rtl.rd_value);
}

// After execution: open results that are registers, and `before` the bytes that an SC without rd may have left.
void adopt(Machine &machine, const Fetched &fetched, uint64_t before, const golden_commit_t &rtl) {
  const InsnInfo &info = fetched.info;
  if (info.kind == InsnInfo::OpenCsr && fetched.rd != 0)
    machine.hart().get_state()->XPR.write(fetched.rd, rtl.rd_value);
  const bool unseen = info.kind == InsnInfo::StoreConditional && !showsResult(rtl);
  if (unseen || (fetched.writesMemory() && !machine.amu().races().empty()))
    if (const uint8_t *memory = machine.hostAddress(fetched.address, info.size)) {
      if (unseen)
        machine.amu().races().noteMaybeStore(fetched.address, info.size, reinterpret_cast<uint8_t *>(&before), memory);
      else
        machine.amu().races().noteStore(fetched.address, info.size, memory);
    }
}

// What was written: it is code only behind a fence.i, and is compared at the end.
void noteWritten(golden &g, const Fetched &fetched, uint64_t pc) {
  const InsnInfo &info = fetched.info;
  if (info.kind == InsnInfo::FenceI)
    g.unfenced.clear();
  if (g.uses_spm && !g.machine->amu().wayTaken()) { // L2 may have used the way
    g.spm_written.reset();
    g.uses_spm = false;
  }
  if (!fetched.writesMemory() && !fetched.isRequest())
    return;
  const uint64_t end = fetched.address + fetched.size;
  g.uses_spm |= fetched.address - NHG_SPM_BASE < NHG_SPM_SIZE;
  for (uint64_t line = lineOf(fetched.address); line < end; line += LineBytes)
    g.unfenced[line] = pc;
  for (uint64_t at = fetched.address; at < end && at - NHG_SPM_BASE < NHG_SPM_SIZE; at++)
    g.spm_written.set(at - NHG_SPM_BASE);
}

// If the code at pc was changed without fence.i, which the core need not have seen.
std::string withoutFence(const golden &g, uint64_t pc) {
  for (uint64_t line : {lineOf(pc), lineOf(pc + 2)})
    if (const auto found = g.unfenced.find(line); found != g.unfenced.end())
      return "; without a fence.i since, the instruction at pc " + hex(found->second) +
             " has changed this line of code: the program needs one";
  return "";
}

std::string compareTrap(Machine &machine, bool trapped, const golden_commit_t &rtl) {
  const state_t &state = *machine.hart().get_state();
  if (trapped && !rtl.trap)
    return "golden traps (cause " + hex(nhg::trapCause(state)) + ", tval " + hex(nhg::trapValue(state)) +
           "), RTL retires";
  if (!trapped && rtl.trap)
    return "RTL traps (cause " + hex(rtl.cause) + ", tval " + hex(rtl.tval) + "), golden retires";
  if (!trapped)
    return "";
  const std::string cause = differs("cause", nhg::trapCause(state), rtl.cause);
  return cause.empty() ? differs("tval", nhg::trapValue(state), rtl.tval) : cause;
}

std::string comparePrivileged(const state_t &state, const golden_commit_t &rtl) {
  if (const std::string text = differs("privilege mode", state.prv, rtl.privilege); !text.empty())
    return text;
  const nhg::PrivilegedCsrs golden = nhg::privilegedCsrs(state);
  for (size_t i = 0; i < golden.size(); i++)
    if (golden[i] != rtl.csrs[i])
      return differs(nhg::privilegedCsrName(i), golden[i], rtl.csrs[i]);
  return "";
}

constexpr unsigned RegistersPerClass = 32;

// The registers an instruction can write, as 64-bit words.
struct Registers {
  std::array<uint64_t, RegistersPerClass> integer, floating;

  explicit Registers(const state_t &state) {
    for (unsigned i = 0; i < RegistersPerClass; i++) {
      integer[i] = state.XPR[i];
      floating[i] = state.FPR[i].v[0];
    }
  }
};

// Of one class: every register that changed must be the one the RTL wrote, and what the RTL wrote must be right.
std::string compareClass(char name, const std::array<uint64_t, RegistersPerClass> &before,
                         const std::array<uint64_t, RegistersPerClass> &after, std::optional<unsigned> written,
                         uint64_t value) {
  if (written && after[*written] != value)
    return differs((name + std::to_string(*written)).c_str(), after[*written], value);
  for (unsigned i = 0; i < RegistersPerClass; i++)
    if (i != written && after[i] != before[i])
      return std::string("golden writes ") + name + std::to_string(i) + " = " + hex(after[i]) + ", RTL does not";
  return "";
}

std::string compareRegisters(const Registers &before, const Registers &after, const golden_commit_t &rtl) {
  const auto written = [&rtl](unsigned rd_class) -> std::optional<unsigned> {
    const bool zero = rtl.rd_class == GOLDEN_INTEGER && rtl.rd == 0; // its value is not kept
    return rtl.rd_valid && rtl.rd_class == rd_class && !zero ? std::optional<unsigned>(rtl.rd) : std::nullopt;
  };
  const std::string text = compareClass('x', before.integer, after.integer, written(GOLDEN_INTEGER), rtl.rd_value);
  return text.empty() ? compareClass('f', before.floating, after.floating, written(GOLDEN_FLOAT), rtl.rd_value) : text;
}

std::string takeInterrupt(golden &g, const golden_commit_t &rtl) {
  Machine &machine = *g.machine;
  const state_t &state = *machine.hart().get_state();
  if (rtl.csrs != nullptr)
    if (const std::string text = comparePrivileged(state, rtl); !text.empty())
      return text;
  if (!machine.interrupts().letIn())
    return "RTL takes interrupt " + hex(rtl.cause) + ", golden lets none in: mip " +
           hex(machine.interrupts().pending()) + ", mie " + hex(state.mie->read());
  machine.takeInterrupt();
  g.interrupt_rules.taken();
  return compareTrap(machine, true, rtl);
}

std::string stepAndCompare(golden &g, const golden_commit_t &rtl) {
  constexpr uint32_t Wfi = 0x10500073;
  Machine &machine = *g.machine;
  state_t &state = *machine.hart().get_state();
  const uint64_t pendingBefore = machine.interrupts().pending();
  machine.interrupts().injectTime(rtl.time);
  const bool accesses = !rtl.trap && rtl.mem_valid;
  const bool toUart = accesses && nhg::Uart::isHere(rtl.mem_addr), toPlic = accesses && nhg::Plic::isHere(rtl.mem_addr);
  const uint64_t received = toUart   ? rtl.uart_received_at_access
                            : toPlic ? machine.uart().received()
                                     : rtl.uart_received;
  if (const std::string text = nhg::receiveUpTo(machine, received); !text.empty())
    return text;
  const uint64_t rising = machine.interrupts().pending() & ~pendingBefore;
  if (const std::string text = differs("pc", state.pc, rtl.pc); !text.empty())
    return text;
  if (rtl.trap && rtl.cause >> 63)
    return takeInterrupt(g, rtl);
  if (const std::string text = g.interrupt_rules.isDue(machine.interrupts()); !text.empty())
    return text;
  const Fetched fetched = nhg::fetch(machine, g.translation_rules, rtl);
  if (fetched.good)
    if (const std::string text = differs("instruction word", fetched.bits, rtl.insn); !text.empty())
      return text + withoutFence(g, rtl.pc);
  if (fetched.good && !nhg::isFetchFault(rtl) && !(rtl.trap && rtl.cause == CAUSE_BREAKPOINT)) {
    if (const std::string text = differs("address of the instruction", fetched.first, rtl.fetch_first); !text.empty())
      return text;
    if (const std::string text = differs("address of its last halfword", fetched.last, rtl.fetch_last); !text.empty())
      return text;
  }
  if (fetched.good && !rtl.trap && rtl.mem_valid && (fetched.info.accessesMemory() || fetched.isRequest()))
    if (const std::string text = differs("access address", fetched.physical, rtl.mem_addr); !text.empty())
      return text;
  if (fetched.good && !rtl.trap && rtl.mem_valid && fetched.info.accessesMemory() &&
      bool(rtl.mem_is_mmio) != Machine::isDevice(fetched.address))
    return std::string("access to ") + hex(fetched.address) + ": RTL says " + (rtl.mem_is_mmio ? "device" : "memory") +
           ", golden the other";

  const bool csrsAreAfter =
      (nhg::isCsrInstruction(rtl.insn) || Machine::changesPending(fetched.info, fetched.address)) && !rtl.trap;
  if (rtl.csrs != nullptr && !csrsAreAfter)
    if (const std::string text = comparePrivileged(state, rtl); !text.empty())
      return text;
  const Registers before(state);
  uint64_t bytesBefore = 0;
  if (fetched.info.kind == InsnInfo::StoreConditional)
    if (const uint8_t *memory = machine.hostAddress(fetched.address, fetched.size))
      memcpy(&bytesBefore, memory, fetched.size);
  insn_t insn(rtl.insn);
  const uint64_t rs1 = state.XPR[insn.rs1()], rs2 = state.XPR[insn.rs2()];
  if (fetched.writesMemory() || fetched.info.kind == InsnInfo::Astore)
    g.translation_rules.noteStore(fetched.address, fetched.size);
  inject(machine, fetched, rtl);
  if (fetched.info.kind == InsnInfo::Load && showsResult(rtl))
    nhg::receiveBeforeLoad(machine, fetched.address, fetched.size, rtl.rd_value, rtl.uart_received);
  const bool trapped = machine.step();
  g.translation_rules.end();
  if (const std::string text = compareTrap(machine, trapped, rtl); !text.empty() || trapped)
    return text;
  if (const std::string text = nhg::receiveUpTo(machine, rtl.uart_received); !text.empty())
    return text;
  if (rtl.insn == Wfi && !machine.interrupts().wakes())
    return "RTL's wfi ends, golden has no interrupt that is pending and enabled in mie";
  g.interrupt_rules.retired(rtl.insn, machine.interrupts());
  g.translation_rules.retired(rtl.insn, rs1, rs2);
  adopt(machine, fetched, bytesBefore, rtl);
  adoptPending(machine, fetched, rising, rtl);
  noteWritten(g, fetched, rtl.pc);
  const std::string text = compareRegisters(before, Registers(state), rtl);
  return text.empty() && rtl.csrs != nullptr && csrsAreAfter ? comparePrivileged(state, rtl) : text;
}

std::string where(Machine &machine, const golden_commit_t &rtl) {
  const disassembler_t *disassembler = machine.hart().get_disassembler();
  return " [instruction " + std::to_string(machine.steps()) + ", pc " + hex(rtl.pc) + ", " + hex(rtl.insn) + " " +
         disassembler->disassemble(insn_t(rtl.insn)) + "]";
}

} // namespace

extern "C" {

golden_t *golden_create(const char *image_path, char *err, size_t errlen) {
  try {
    return std::make_unique<golden>(nhg::Image(image_path)).release();
  } catch (const std::exception &error) {
    copyText(err, errlen, error.what());
    return nullptr;
  }
}

void golden_destroy(golden_t *g) { delete g; }

void golden_uart_input(golden_t *g, const uint8_t *bytes, size_t count) {
  std::vector<nhg::UartByte> input;
  for (size_t i = 0; i < count; i++)
    input.push_back({0, bytes[i]});
  g->machine->uart().setInput(std::move(input));
}

int golden_step(golden_t *g, const golden_commit_t *rtl, char *err, size_t errlen) {
  std::string text;
  if (g->failed) {
    copyText(err, errlen, "golden_step called after a mismatch or the program's end");
    return GOLDEN_MISMATCH;
  }
  try {
    text = stepAndCompare(*g, *rtl);
  } catch (const std::exception &error) {
    text = error.what();
  }
  if (!text.empty()) {
    g->failed = true;
    copyText(err, errlen, "lock-step mismatch: " + text + where(*g->machine, *rtl));
    return GOLDEN_MISMATCH;
  }
  if (g->machine->event() == nhg::HostEvent::Exit) {
    g->failed = true;
    return GOLDEN_EXITED;
  }
  return GOLDEN_OK;
}

uint64_t golden_pc(const golden_t *g) { return g->machine->hart().get_state()->pc; }

uint64_t golden_reg(const golden_t *g, unsigned index) {
  return index < 32 ? g->machine->hart().get_state()->XPR[index] : 0;
}

int golden_checkpoint(golden_t *g, const char *path, char *err, size_t errlen) {
  if (const std::string why = nhg::whyNoCheckpoint(*g->machine); !why.empty()) {
    copyText(err, errlen, "a checkpoint is asked for " + why);
    return GOLDEN_CHECKPOINT_LATER;
  }
  try {
    nhg::writeCheckpoint(*g->machine, path);
  } catch (const std::exception &error) {
    copyText(err, errlen, error.what());
    return GOLDEN_MISMATCH;
  }
  return GOLDEN_OK;
}

uint64_t golden_instret(const golden_t *g) { return g->machine->instret(); }

uint64_t golden_by_earlier_ptes(const golden_t *g) { return g->translation_rules.byEarlier(); }

uint64_t golden_exit_code(const golden_t *g) { return g->machine->exitCode(); }

uint64_t golden_metric(const golden_t *g, unsigned index) {
  return index < g->machine->metrics().size() ? g->machine->metrics()[index] : 0;
}

void golden_visit_memory(const golden_t *g, void (*visit)(void *, uint64_t, uint64_t), void *context) {
  for (const nhg::SparseMemory *memory : g->machine->memories())
    memory->forEachTouched([&](uint64_t address, uint64_t bytes) { visit(context, address, bytes); });
  if (g->machine->amu().wayTaken())
    visit(context, NHG_SPM_BASE, NHG_SPM_SIZE);
}

int golden_compare_line(golden_t *g, uint64_t addr, const void *line, char *err, size_t errlen) {
  constexpr uint64_t WordBytes = 8;
  const auto *rtl = static_cast<const uint8_t *>(line);
  const uint8_t *golden = g->machine->hostAddress(addr, LineBytes);
  if (golden != nullptr && memcmp(golden, rtl, LineBytes) == 0)
    return GOLDEN_OK;
  for (uint64_t i = 0; golden != nullptr && i < LineBytes; i++) {
    if (golden[i] == rtl[i] || g->machine->amu().races().allowed(addr + i, golden[i]).count(rtl[i]))
      continue;
    if (addr - NHG_SPM_BASE < NHG_SPM_SIZE && !g->spm_written[addr + i - NHG_SPM_BASE])
      continue;
    uint64_t words[2];
    const uint64_t at = i / WordBytes * WordBytes;
    memcpy(&words[0], golden + at, WordBytes);
    memcpy(&words[1], rtl + at, WordBytes);
    copyText(err, errlen,
             "lock-step mismatch: memory at the end, " + differs(hex(addr + at).c_str(), words[0], words[1]));
    return GOLDEN_MISMATCH;
  }
  if (golden != nullptr)
    return GOLDEN_OK;
  copyText(err, errlen,
           "lock-step mismatch: memory at the end, the RTL has a line at " + hex(addr) + ", where no memory is");
  return GOLDEN_MISMATCH;
}

int golden_read_memory(const golden_t *g, uint64_t addr, void *buf, size_t bytes) {
  const uint8_t *from = g->machine->hostAddress(addr, bytes);
  if (from == nullptr)
    return 1;
  memcpy(buf, from, bytes);
  return 0;
}

} // extern "C"
