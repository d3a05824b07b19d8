// SPDX-License-Identifier: Apache-2.0
//
// Tests the lock-step library with a second golden model in the RTL's place.
//
//   lockstep_selftest IMAGE [--adversarial SEED] [--uart-input FILE] [--mutate KIND INDEX]
//
// Without --mutate every commit must match up to EXIT (status 0). With --mutate the first commit from INDEX on
// to which KIND applies is falsified, and exactly that one must be reported (status 0; 1 when it is not, 2 when
// no commit was suited); the data of a store that is lost ("lost-store") by the end at the latest; interrupts of which none is taken from INDEX on
// ("held-interrupts") and an sfence.vma that does nothing ("lost-fence") somewhere behind it.
// The producer completes AMU groups in order, or in the order of an adversarial seed.
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <riscv/mmu.h>

#include "csrs.h"
#include "golden.h"
#include "image.h"
#include "insn_info.h"
#include "lockstep_translation.h"
#include "machine.h"

using nhg::InsnInfo;
using nhg::Machine;
using nhg::TranslationRules;

namespace {

constexpr uint64_t MaxSteps = 50'000'000;
constexpr uint32_t Wfi = 0x10500073;

struct Record {
  golden_commit_t commit{};
  InsnInfo info;
  uint64_t vaddress = 0; // of a memory access
  nhg::PrivilegedCsrs csrs{};
};

bool isFence(const golden_commit_t &commit) { return (commit.insn & MASK_SFENCE_VMA) == MATCH_SFENCE_VMA; }

// Executes one instruction of the producer, which may leave out a fence, and describes it as RTL would.
Record produce(Machine &machine, const TranslationRules &rules, bool losesFence) {
  state_t &state = *machine.hart().get_state();
  machine.receive();
  Record record;
  golden_commit_t &commit = record.commit;
  commit.pc = state.pc;
  unsigned rd = 0;
  try {
    insn_t insn = machine.hart().get_mmu()->load_insn(state.pc).insn;
    commit.insn = uint32_t(insn.bits());
    commit.fetch_first = rules.physicalOfFetch(TranslationRules::Fetch, state.pc);
    commit.fetch_last =
        rules.physicalOfFetch(TranslationRules::Fetch, TranslationRules::lastHalf(state.pc, insn.bits()));
    rd = unsigned(insn.rd());
    record.info = nhg::classify(insn);
  } catch (trap_t &) {
    commit.insn = 0;
  } catch (triggers::matched_t &) {
    commit.insn = 0;
  }
  if (record.info.accessesMemory()) {
    commit.mem_valid = 1;
    record.vaddress = state.XPR[record.info.base] + record.info.offset;
    commit.mem_addr = machine.physicalAddress(record.vaddress);
    commit.mem_is_mmio = Machine::isDevice(commit.mem_addr);
  }
  if (record.info.kind == InsnInfo::Aload || record.info.kind == InsnInfo::Astore) {
    insn_t insn(commit.insn);
    commit.mem_valid = 1;
    record.vaddress = nhg::AmuRequest(state.XPR[insn.rs1()], state.XPR[insn.rs2()]).address;
    commit.mem_addr = machine.physicalAddress(record.vaddress);
  }
  commit.privilege = state.prv;
  commit.time = machine.interrupts().time();
  record.csrs = nhg::privilegedCsrs(state);
  const auto before = state.XPR;
  const auto floatingBefore = state.FPR;
  if (losesFence && isFence(commit)) {
    state.pc += 4;
    return record;
  }
  commit.trap = machine.step();
  commit.uart_received = commit.uart_received_at_access = machine.uart().received();
  if (commit.trap) {
    commit.cause = nhg::trapCause(state);
    commit.tval = nhg::trapValue(state);
    return record;
  }
  if (nhg::isCsrInstruction(commit.insn) || Machine::changesPending(record.info, commit.mem_addr) ||
      commit.insn == Wfi) {
    record.csrs = nhg::privilegedCsrs(state);
    commit.time = machine.interrupts().time();
  }
  const bool open = record.info.kind == InsnInfo::Take || record.info.kind == InsnInfo::OpenCsr ||
                    record.info.kind == InsnInfo::StoreConditional;
  for (unsigned i = 1; i < 32; i++)
    if (state.XPR[i] != before[i])
      rd = i;
  if (open || (rd != 0 && state.XPR[rd] != before[rd])) {
    commit.rd_valid = 1;
    commit.rd = uint8_t(rd);
    commit.rd_value = state.XPR[rd];
  }
  for (unsigned i = 0; i < 32; i++)
    if (state.FPR[i].v[0] != floatingBefore[i].v[0]) {
      commit.rd_valid = 1;
      commit.rd_class = GOLDEN_FLOAT;
      commit.rd = uint8_t(i);
      commit.rd_value = state.FPR[i].v[0];
    }
  return record;
}

bool isPlainWrite(const Record &r) {
  return !r.commit.trap && r.commit.rd_valid && r.commit.rd_class == GOLDEN_INTEGER && r.commit.rd != 0 &&
         (r.info.kind == InsnInfo::Other || (r.info.kind == InsnInfo::Load && !r.commit.mem_is_mmio));
}

// What loads of an address have returned: the last value, and the one before that differs.
struct Seen {
  uint64_t last = 0;
  std::optional<uint64_t> before;
};

// Follows plain loads; the other value of a load that returns what the one before it did, if there was one earlier.
std::optional<uint64_t> earlierValue(const Record &record) {
  static std::map<uint64_t, Seen> loads;
  if (!isPlainWrite(record) || record.info.kind != InsnInfo::Load)
    return std::nullopt;
  const uint64_t value = record.commit.rd_value;
  const auto [place, isFirst] = loads.try_emplace(record.commit.mem_addr, Seen{value, std::nullopt});
  Seen &seen = place->second;
  if (!isFirst && value == seen.last)
    return seen.before;
  if (!isFirst)
    seen.before = seen.last;
  seen.last = value;
  return std::nullopt;
}

bool isTranslated(const Record &record) {
  const uint64_t satp = record.csrs[nhg::privilegedCsrIndex(CSR_SATP)];
  return record.commit.privilege != PRV_M && get_field(satp, SATP64_MODE) != SATP_MODE_OFF;
}

// Falsifies the commit; false when the kind does not apply to it.
bool mutate(const std::string &kind, Record &record) {
  golden_commit_t &c = record.commit;
  const std::optional<uint64_t> earlier = earlierValue(record);
  constexpr uint64_t interrupt = uint64_t(1) << 63;
  const bool isInterrupt = c.trap && (c.cause & interrupt);
  if (kind == "pc") {
    c.pc ^= 2;
  } else if (kind == "insn" && !c.trap) {
    c.insn ^= 0x80;
  } else if (kind == "value" && isPlainWrite(record)) {
    c.rd_value ^= uint64_t(1) << 37;
  } else if (kind == "missing-write" && isPlainWrite(record)) {
    c.rd_valid = 0;
  } else if (kind == "wrong-register" && isPlainWrite(record)) {
    c.rd ^= 1;
  } else if (kind == "wrong-class" && isPlainWrite(record)) {
    c.rd_class = GOLDEN_FLOAT;
  } else if (kind == "fp-value" && !c.trap && c.rd_valid && c.rd_class == GOLDEN_FLOAT) {
    c.rd_value ^= 1;
  } else if (kind == "fp-missing-write" && !c.trap && c.rd_valid && c.rd_class == GOLDEN_FLOAT) {
    c.rd_valid = 0;
  } else if (kind == "load-value" && isPlainWrite(record) && record.info.kind == InsnInfo::Load) {
    c.rd_value += 1;
  } else if (kind == "load-backwards" && earlier) {
    c.rd_value = *earlier;
  } else if (kind == "address" && !c.trap && c.mem_valid) {
    c.mem_addr += 8;
  } else if (kind == "extra-trap" && !c.trap) {
    c.trap = 1;
    c.cause = 5;
  } else if (kind == "missing-trap" && c.trap) {
    c.trap = 0;
  } else if (kind == "cause" && c.trap) {
    c.cause ^= 1;
  } else if (kind == "tval" && c.trap) {
    c.tval ^= 8;
  } else if (kind == "false-interrupt" && !c.trap) {
    c.trap = 1;
    c.cause = interrupt | IRQ_M_TIMER;
  } else if (kind == "wrong-interrupt" && isInterrupt) {
    c.cause ^= 2;
  } else if (kind == "missing-interrupt" && isInterrupt) {
    c.trap = 0;
  } else if (kind == "early-wfi" && c.insn == Wfi && !c.trap) {
    c.time = 0;
    record.csrs[nhg::privilegedCsrIndex(CSR_MIP)] = 0;
  } else if (kind == "pending" && c.trap) {
    record.csrs[nhg::privilegedCsrIndex(CSR_MIP)] ^= MIP_MSIP;
  } else if (kind == "page-fault" && isTranslated(record) && isPlainWrite(record) &&
             record.info.kind == InsnInfo::Load) {
    c.trap = 1;
    c.cause = CAUSE_LOAD_PAGE_FAULT;
    c.tval = record.vaddress;
  } else if (kind == "fetch-page-fault" && isTranslated(record) && !c.trap) {
    c.trap = 1;
    c.cause = CAUSE_FETCH_PAGE_FAULT;
    c.tval = c.pc;
  } else if (kind == "missing-page-fault" && c.trap && c.cause == CAUSE_LOAD_PAGE_FAULT) {
    c.trap = 0;
  } else if (kind == "translation" && isTranslated(record) && !c.trap && c.mem_valid) {
    c.mem_addr ^= 1 << 12;
  } else if (kind == "request-translation" && isTranslated(record) && !c.trap && c.mem_valid &&
             !record.info.accessesMemory()) {
    c.mem_addr ^= 1 << 12;
  } else if (kind == "fetch-translation" && isTranslated(record) && !c.trap) {
    c.fetch_first ^= 1 << 12;
  } else if (kind == "second-fetch-translation" && isTranslated(record) && !c.trap &&
             c.fetch_first >> 12 != c.fetch_last >> 12) {
    c.fetch_last ^= 1 << 12;
  } else if (kind == "privilege") {
    c.privilege ^= 1;
  } else if (kind == "csr") {
    record.csrs[record.csrs.size() - 1] ^= 1;
  } else if (kind == "claim" && record.info.kind == InsnInfo::Load && nhg::Plic::isHere(c.mem_addr) &&
             c.rd_value == 1) {
    c.rd_value = 2;
  } else if (kind == "uart-byte" && record.info.kind == InsnInfo::Load && c.mem_addr == NHG_UART_DATA) {
    c.rd_value ^= 1;
  } else if (kind == "uart-extra" && !c.trap) {
    c.uart_received += 1000;
  } else if (kind == "mstatus" && c.trap) {
    record.csrs[0] ^= 1 << 3;
  } else if (kind == "sc-success" && record.info.kind == InsnInfo::StoreConditional && !c.trap && c.rd_value == 1) {
    c.rd_value = 0;
  } else if (kind == "wrong-id" && record.info.kind == InsnInfo::Take && c.rd_value != 0) {
    c.rd_value ^= 0x100; // another ID or task word
  } else {
    return false;
  }
  return true;
}

// Compares all that the golden model has touched.
bool memoryDiffers(golden_t &golden, Machine &producer, char *err, size_t errlen) {
  struct Context {
    golden_t &golden;
    Machine &producer;
    char *err;
    size_t errlen;
    bool differs;
  } context{golden, producer, err, errlen, false};
  golden_visit_memory(
      &golden,
      [](void *given, uint64_t address, uint64_t bytes) {
        auto &c = *static_cast<Context *>(given);
        for (uint64_t at = address; at < address + bytes && !c.differs; at += 64)
          c.differs = golden_compare_line(&c.golden, at, c.producer.hostAddress(at, 64), c.err, c.errlen) != GOLDEN_OK;
      },
      &context);
  return context.differs;
}

int run(const std::string &path, const std::string &inputPath, nhg::AmuMode mode, uint64_t seed,
        const std::string &kind, uint64_t index) {
  std::unique_ptr<Machine> producer;
  {
    const nhg::Image image(path);
    producer = std::make_unique<Machine>(image, mode, seed);
  }
  char err[512] = "";
  std::unique_ptr<golden_t, void (*)(golden_t *)> golden(golden_create(path.c_str(), err, sizeof err), golden_destroy);
  if (!golden)
    throw std::runtime_error(err);
  if (!inputPath.empty()) {
    std::vector<nhg::UartByte> input = nhg::readUartInput(inputPath);
    std::vector<uint8_t> bytes;
    for (const nhg::UartByte &byte : input)
      bytes.push_back(byte.byte);
    producer->uart().setInput(std::move(input));
    golden_uart_input(golden.get(), bytes.data(), bytes.size());
  }
  const TranslationRules rules(*producer);
  bool lost = false; // the data of one store, or a fence
  std::array<uint64_t, 4> by_mode{};
  for (uint64_t n = 0; n < MaxSteps; n++) {
    if (kind == "held-interrupts" && n == index)
      producer->interrupts().hold();
    const bool losesFence = kind == "lost-fence" && n >= index && !lost;
    Record record = produce(*producer, rules, losesFence);
    if (losesFence && isFence(record.commit)) {
      char text[64];
      golden_disassemble(record.commit.insn, text, sizeof text);
      printf("%s at commit %" PRIu64 ": %s\n", kind.c_str(), n, text);
      lost = true;
    }
    by_mode[record.commit.privilege]++;
    if (kind == "lost-store" && n >= index && !lost && record.info.kind == InsnInfo::Store && !record.commit.trap &&
        !record.commit.mem_is_mmio) {
      *producer->hostAddress(record.commit.mem_addr, 1) ^= 1;
      lost = true;
    }
    const bool mutated = !kind.empty() && n >= index && mutate(kind, record);
    record.commit.csrs = record.csrs.data();
    const int result = golden_step(golden.get(), &record.commit, err, sizeof err);
    if (mutated) {
      printf("%s at commit %" PRIu64 ": %s\n", kind.c_str(), n, result == GOLDEN_MISMATCH ? err : "not reported");
      return result == GOLDEN_MISMATCH ? 0 : 1;
    }
    if (result == GOLDEN_MISMATCH && (lost || (kind == "held-interrupts" && n > index))) {
      printf("%s, seen at commit %" PRIu64 ": %s\n", kind.c_str(), n, err);
      return 0;
    }
    if (result == GOLDEN_MISMATCH)
      throw std::runtime_error(err);
    if (result == GOLDEN_EXITED) {
      const bool differs = memoryDiffers(*golden, *producer, err, sizeof err);
      if (lost && differs)
        printf("%s at the end: %s\n", kind.c_str(), err);
      if (lost)
        return differs ? 0 : 1;
      if (differs)
        throw std::runtime_error(err);
      printf("%" PRIu64 " commits match, of user %" PRIu64 ", supervisor %" PRIu64 ", machine mode %" PRIu64
             ", %" PRIu64 " by earlier PTEs, exit code %" PRIu64 "\n",
             n + 1, by_mode[PRV_U], by_mode[PRV_S], by_mode[PRV_M], golden_by_earlier_ptes(golden.get()),
             golden_exit_code(golden.get()));
      return kind.empty() ? int(golden_exit_code(golden.get()) != 0) : 2;
    }
  }
  throw std::runtime_error("no exit within the step limit; look for an endless loop");
}

} // namespace

int main(int argc, char **argv) {
  std::string path, input, kind;
  nhg::AmuMode mode = nhg::AmuMode::InOrder;
  uint64_t seed = 0, index = 0;
  for (int i = 1; i < argc; i++) {
    const std::string option = argv[i];
    if (option == "--adversarial" && i + 1 < argc) {
      mode = nhg::AmuMode::Adversarial;
      seed = strtoull(argv[++i], nullptr, 0);
    } else if (option == "--uart-input" && i + 1 < argc) {
      input = argv[++i];
    } else if (option == "--mutate" && i + 2 < argc) {
      kind = argv[++i];
      index = strtoull(argv[++i], nullptr, 0);
    } else {
      path = option;
    }
  }
  try {
    return run(path, input, mode, seed, kind, index);
  } catch (const std::exception &error) {
    fprintf(stderr, "lockstep_selftest: %s: %s\n", path.c_str(), error.what());
    return 1;
  }
}
