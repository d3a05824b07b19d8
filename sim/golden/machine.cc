// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <utility>

#include <riscv/extension.h>
#include <riscv/mmu.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ami_extension.h"
#include "checkpoint_format.h"
#include "csrs.h"
#include "insn_info.h"

namespace nhg {

namespace {

constexpr const char *Modes = "msu";
constexpr unsigned VirtualAddressBits = 39; // Sv39 and bare
constexpr reg_t PmpRegions = 16;
constexpr reg_t PmpGrainBytes = 4096;
constexpr reg_t Triggers = 4;
// What addr_to_mem() throws at the first fetch behind a breakpoint's trap.
struct HandlerEntered {};
// Instructions that Spike executes at a time.
constexpr uint64_t StepChunk = 1 << 16;

} // namespace

SparseMemory::SparseMemory(uint64_t base, uint64_t bytes) : base_(base), bytes_(bytes) {
  file_ = memfd_create("nhg-memory", 0);
  if (file_ < 0 || ftruncate(file_, off_t(bytes)) != 0)
    throw std::runtime_error("cannot reserve platform memory; raise the address space limit (ulimit -v)");
  void *data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
  if (data == MAP_FAILED)
    throw std::runtime_error("cannot map platform memory; raise the address space limit (ulimit -v)");
  data_ = static_cast<uint8_t *>(data);
}

SparseMemory::~SparseMemory() {
  munmap(data_, bytes_);
  close(file_);
}

void SparseMemory::forEachTouched(const std::function<void(uint64_t, uint64_t)> &visit) const {
  for (off_t begin = 0;;) {
    begin = lseek(file_, begin, SEEK_DATA);
    if (begin < 0)
      return;
    const off_t end = lseek(file_, begin, SEEK_HOLE);
    visit(base_ + uint64_t(begin), uint64_t(end - begin));
    begin = end;
  }
}

Machine::Machine(const Image &image, AmuMode mode, uint64_t seed)
    : local_(NHG_LOCAL_BASE, NHG_LOCAL_SIZE), far_(NHG_FAR_BASE, NHG_FAR_SIZE), boot_rom_(NHG_BOOT_ROM_SIZE),
      spm_(NHG_SPM_SIZE), mode_(mode),
      amu_(spm_.data(), mode, seed, [this](uint64_t address, uint64_t size) { endReservation(address, size); }),
      extension_(makeAmiExtension(*this)), uart_([this](uint8_t byte) { print(byte); }) {
  config_.isa = NHG_ISA_STRING;
  config_.priv = Modes;
  config_.pmpregions = PmpRegions;
  config_.pmpgranularity = PmpGrainBytes;
  config_.trigger_count = Triggers;
  config_.hartids = {0};
  debug_mmu = nullptr;
  hart_ = std::make_unique<processor_t>(NHG_ISA_STRING, Modes, &config_, this, 0, false, stderr, std::cerr);
  harts_[0] = hart_.get();
  hart_->set_max_vaddr_bits(VirtualAddressBits);
  hart_->register_extension(extension_.get());
  hart_->reset();
  interrupts_.attach(*hart_, plic_);
  counters_go_on_ =
      defineCsrs(*hart_, {[this](reg_t cause) { trapTaken(cause); }, [this] { debugEntered(); }}, interrupts_);
  load(image);
}

Machine::~Machine() = default;

void Machine::load(const Image &image) {
  for (const Segment &segment : image.segments()) {
    uint8_t *to = hostAddress(segment.addr, segment.extent);
    if (to == nullptr) {
      char text[96];
      snprintf(text, sizeof text, "segment at 0x%llx of %llu bytes is outside the platform's memory",
               (unsigned long long)segment.addr, (unsigned long long)segment.extent);
      throw std::runtime_error(text);
    }
    std::memcpy(to, segment.data, segment.size);
  }
  if (image.tohost()) {
    tohost_ = hostAddress(*image.tohost(), sizeof(uint64_t));
    if (tohost_ == nullptr)
      throw std::runtime_error("the symbol tohost is outside the platform's memory; place it in local memory");
  }
  hart_->get_state()->pc = image.resetPc();
}

// After each instruction of a program that has it, which is slower by far.
void Machine::lookAtTohost() {
  uint64_t value = 0;
  if (tohost_ != nullptr)
    std::memcpy(&value, tohost_, sizeof value);
  if (value == 0)
    return;
  exit_code_ = tohostExitCode(value);
  event_ = HostEvent::Exit;
}

void Machine::followLines() {
  plic_.setLine(NHG_PLIC_UART_SOURCE, uart_.interrupts());
  interrupts_.refresh();
}

bool Machine::receiveNext() {
  const bool received = uart_.receive();
  followLines();
  return received;
}

void Machine::receive() {
  while (uart_.nextCycle() <= interrupts_.clock() && receiveNext()) {
  }
}

// A wfi sleeps until an interrupt is pending: time goes on to the next timer or input. In lock-step the RTL sleeps, and says what it receives.
void Machine::stepHart(uint64_t instructions) {
  if (mode_ != AmuMode::Lockstep)
    receive();
  interrupts_.offer(mode_ != AmuMode::Lockstep);
  const bool wasInDebugMode = hart_->get_state()->debug_mode;
  one_step_ = instructions == 1;
  try {
    hart_->step(instructions);
  } catch (HandlerEntered &) {
  }
  if (wasInDebugMode && !hart_->get_state()->debug_mode) {
    counters_go_on_();
    interrupts_.goOn();
  }
  enters_handler_ = false;
  if (!hart_->is_waiting_for_interrupt())
    return;
  hart_->clear_waiting_for_interrupt();
  if (loads_time_)
    for (const auto &counter : {hart_->get_state()->mcycle, hart_->get_state()->minstret})
      counter->bump(-reg_t(1)); // Spike has counted the load, which is still to come
  if (std::exchange(stopped_, false))
    return;
  for (; mode_ != AmuMode::Lockstep && !interrupts_.wakes(); receive()) {
    if (interrupts_.passToAlarm(uart_.nextCycle()))
      continue;
    char text[128];
    snprintf(text, sizeof text,
             "the wfi before pc 0x%llx sleeps for ever; enable a pending interrupt, a timer or one with input in mie",
             (unsigned long long)hart_->get_state()->pc);
    throw std::runtime_error(text);
  }
}

// The UART takes a byte that waits for room as soon as a program has made some.
uint64_t Machine::instructionsToEvent() const {
  const uint64_t next = uart_.nextCycle(), now = interrupts_.clock();
  return std::min(interrupts_.instructionsToAlarm(), next == UINT64_MAX ? next : next > now ? next - now : 1);
}

HostEvent Machine::run(uint64_t maxSteps) {
  event_ = HostEvent::None;
  const uint64_t end = steps() + maxSteps;
  while (steps() < end && event_ == HostEvent::None) {
    const bool one =
        std::exchange(loads_time_, false) || tohost_ != nullptr || inBootRom(); // debug mode ends with a step
    const uint64_t chunk = one ? 1 : std::min(StepChunk, instructionsToEvent());
    stepHart(std::min(end - steps(), chunk));
    lookAtTohost();
  }
  return event_;
}

// Spike's step() ends with a trap, but goes on behind one of a trigger. So the fetch from its handler ends it.
void Machine::trapTaken(reg_t cause) {
  traps_++;
  if (cause != CAUSE_BREAKPOINT)
    return;
  hart_->get_mmu()->flush_tlb(); // the fetch asks for its address
  enters_handler_ = true;
}

// The clock stands where the checkpoint found it.
void Machine::debugEntered() {
  uint64_t clock = 0;
  std::memcpy(&clock, hostAddress(NHG_STATE_PAGE + NHG_STATE_CLOCK, sizeof clock), sizeof clock);
  interrupts_.stopClock(clock);
}

bool Machine::step() {
  event_ = HostEvent::None;
  const uint64_t traps = traps_;
  stepHart(1);
  lookAtTohost();
  injected_load_.reset();
  return traps_ != traps;
}

void Machine::takeInterrupt() {
  event_ = HostEvent::None;
  interrupts_.offer(true);
  hart_->step(1);
  interrupts_.offer(false);
}

uint8_t *Machine::hostAddress(uint64_t address, uint64_t size) {
  for (const SparseMemory *memory : memories())
    if (memory->contains(address, size))
      return memory->at(address);
  const auto inside = [&](uint64_t base, uint64_t bytes) {
    return address >= base && address - base < bytes && size <= bytes - (address - base);
  };
  if (inside(NHG_BOOT_ROM_BASE, NHG_BOOT_ROM_SIZE))
    return &boot_rom_[address - NHG_BOOT_ROM_BASE];
  if (inside(NHG_SPM_BASE, NHG_SPM_SIZE))
    return &spm_[address - NHG_SPM_BASE];
  return nullptr;
}

bool Machine::isDevice(uint64_t address) {
  return address - NHG_HOST_BASE < NHG_HOST_SIZE || address - NHG_FAR_CONTROL_BASE < NHG_FAR_CONTROL_SIZE ||
         Interrupts::isClint(address) || Plic::isHere(address) || Uart::isHere(address) || isSyscon(address);
}

bool Machine::changesPending(const InsnInfo &info, uint64_t address) {
  const bool stores = info.kind == InsnInfo::Store, loads = info.kind == InsnInfo::Load;
  return (stores && Interrupts::isClint(address)) ||
         ((stores || loads) && (Plic::isHere(address) || Uart::isHere(address)));
}

char *Machine::addr_to_mem(reg_t address) {
  if (enters_handler_)
    throw HandlerEntered();
  for (const SparseMemory *memory : memories())
    if (memory->contains(address))
      return reinterpret_cast<char *>(memory->at(address));
  return nullptr;
}

bool Machine::reservable(reg_t address) {
  physical_ = address;
  if (const InsnInfo info = classify(hart_->get_mmu()->load_insn(hart_->get_state()->pc).insn);
      info.kind == InsnInfo::LoadReserved) {
    reserved_ = address;
    reserved_size_ = info.size;
  }
  return addr_to_mem(address) != nullptr;
}

// A request has written bytes: an SC must not hide that.
void Machine::endReservation(uint64_t address, uint64_t size) {
  if (address < reserved_ + reserved_size_ && reserved_ < address + size)
    hart_->get_mmu()->yield_load_reservation();
}

void Machine::withoutTriggers(const std::function<void()> &access) {
  constexpr reg_t LoadsAndStores = MCONTROL_LOAD | MCONTROL_STORE;
  std::array<reg_t, Triggers> active{};
  const auto restore = [&] {
    for (unsigned i = 0; i < Triggers; i++)
      if (active[i] & LoadsAndStores)
        hart_->TM.tdata1_write(i, active[i]);
  };
  for (unsigned i = 0; i < Triggers; i++)
    if ((active[i] = hart_->TM.tdata1_read(i)) & LoadsAndStores)
      hart_->TM.tdata1_write(i, active[i] & ~LoadsAndStores);
  try {
    access();
  } catch (...) {
    restore();
    throw;
  }
  restore();
}

uint64_t Machine::translateRequest(uint64_t address, bool isWrite) {
  withoutTriggers([&] { checkRequest(address, isWrite); });
  return physical_;
}

bool Machine::mayTranslate() const { return get_field(hart_->get_state()->satp->read(), SATP64_MODE) != SATP_MODE_OFF; }

void Machine::forgetTranslations() {
  if (mayTranslate())
    hart_->get_mmu()->flush_tlb();
}

uint64_t Machine::physicalAddress(uint64_t address) {
  physical_ = address;
  if (!mayTranslate())
    return physical_;
  try {
    withoutTriggers([&] { hart_->get_mmu()->clean_inval(address, false, false); });
  } catch (trap_t &) {
    // a page fault, or no memory, of which reservable() has heard
  }
  return physical_;
}

AccessProbe Machine::probeAccess(uint64_t address, bool isWrite) {
  constexpr uint64_t Unknown = UINT64_MAX;
  AccessProbe probe;
  const auto cause = [this](const std::function<void()> &access) -> std::optional<uint64_t> {
    try {
      withoutTriggers(access);
    } catch (trap_t &trap) {
      return trap.cause();
    }
    return std::nullopt;
  };
  physical_ = Unknown;
  cause([&] { hart_->get_mmu()->clean_inval(address, false, false); });
  if (physical_ != Unknown) {
    probe.physical = physical_;
    probe.isElsewhere = addr_to_mem(physical_) == nullptr;
  }
  probe.cause = cause([&] { checkRequest(address, isWrite); });
  return probe;
}

void Machine::checkRequest(uint64_t address, bool isWrite) {
  mmu_t &mmu = *hart_->get_mmu();
  if (isWrite) {
    mmu.check_load_reservation(address, 1); // a store's checks without a store
    return;
  }
  request_probe_ = true;
  try {
    mmu.load<uint8_t>(address);
  } catch (...) {
    request_probe_ = false;
    throw;
  }
  request_probe_ = false;
  mmu.clean_inval(address, false, false); // reports the physical address through reservable()
}

} // namespace nhg
