// SPDX-License-Identifier: Apache-2.0
//
// The golden model's accesses that do not go to memory: boot ROM, SPM, devices, host interface.
#include "machine.h"

#include <cstdio>
#include <cstring>

#include <riscv/mmu.h>

#include "insn_info.h"

// Spike's step() ends after an instruction that throws this, counting it as retired. It is declared in a
// header that Spike does not install; a class of the same name is the same exception.
class wait_for_interrupt_t {};

namespace nhg {

namespace {

constexpr unsigned AtomicOpcode = 0x2f;

} // namespace

// LR, SC and AMOs work on memory only.
bool Machine::atomicAccess() {
  insn_t insn = hart_->get_mmu()->load_insn(hart_->get_state()->pc).insn;
  return (insn.bits() & 0x7f) == AtomicOpcode;
}

// Page tables lie in memory or in the boot ROM: what else Spike reads for a walk, and the instruction at the pc does not itself, is an access fault.
bool Machine::isRefusedWalk(uint64_t address) {
  if (!mayTranslate() || address - NHG_BOOT_ROM_BASE < NHG_BOOT_ROM_SIZE)
    return false;
  if (checks_walk_)
    return true;
  checks_walk_ = true;
  bool isWalk = true; // that of the fetch, if it traps
  try {
    const InsnInfo info = classify(hart_->get_mmu()->load_insn(hart_->get_state()->pc).insn);
    isWalk = !info.accessesMemory() || physicalAddress(hart_->get_state()->XPR[info.base] + info.offset) != address;
  } catch (trap_t &) {
  }
  checks_walk_ = false;
  return isWalk;
}

bool Machine::mmio_fetch(reg_t address, size_t size, uint8_t *bytes) {
  if (address - NHG_BOOT_ROM_BASE >= NHG_BOOT_ROM_SIZE)
    return false;
  const uint8_t *from = hostAddress(address, size);
  if (from == nullptr)
    return false;
  std::memcpy(bytes, from, size);
  return true;
}

bool Machine::mmio_load(reg_t address, size_t size, uint8_t *bytes) {
  if (isRefusedWalk(address) || request_probe_ || atomicAccess())
    return false;
  if (Interrupts::isClint(address)) {
    if (Interrupts::isTime(address) && !one_step_)
      stopBeforeLoadOfTime();
    if (!interrupts_.load(address, size, bytes))
      return false;
    if (injected_load_)
      std::memcpy(bytes, &*injected_load_, size);
    return true;
  }
  if (Plic::isHere(address) || Uart::isHere(address)) {
    const bool there = Plic::isHere(address) ? plic_.load(address, size, bytes) : uart_.load(address, size, bytes);
    followLines();
    return there;
  }
  if (isDevice(address)) {
    uint64_t value = 0;
    if (isSyscon(address)) {
      std::memset(bytes, 0, size);
      return address / 8 == NHG_SYSCON_POWER / 8;
    }
    if (size != 8)
      return false;
    if (address - NHG_FAR_CONTROL_BASE < NHG_FAR_CONTROL_SIZE)
      value = far_control_[(address - NHG_FAR_CONTROL_BASE) / 8];
    value = injected_load_.value_or(value);
    std::memcpy(bytes, &value, size);
    return true;
  }
  if (address - NHG_SPM_BASE < NHG_SPM_SIZE && !amu_.wayTaken())
    return false;
  const uint8_t *from = hostAddress(address, size);
  if (from == nullptr)
    return false;
  std::memcpy(bytes, from, size);
  return true;
}

bool Machine::mmio_store(reg_t address, size_t size, const uint8_t *bytes) {
  if (atomicAccess())
    return false;
  if (Interrupts::isClint(address)) {
    if (!interrupts_.store(address, size, bytes))
      return false;
    stopAfterThisStore(); // what it makes pending is taken next
  }
  if (Plic::isHere(address) || Uart::isHere(address)) {
    if (!(Plic::isHere(address) ? plic_.store(address, size, bytes) : uart_.store(address, size, bytes)))
      return false;
    followLines();
    stopAfterThisStore();
  }
  if (isSyscon(address))
    return syscon(address, size, bytes);
  if (isDevice(address)) {
    uint64_t value = 0;
    if (size != 8)
      return false;
    std::memcpy(&value, bytes, size);
    if (address - NHG_HOST_BASE < NHG_HOST_SIZE)
      return hostStore(address - NHG_HOST_BASE, value);
    far_control_[(address - NHG_FAR_CONTROL_BASE) / 8] = value;
    return true;
  }
  if (address - NHG_SPM_BASE >= NHG_SPM_SIZE || !amu_.wayTaken())
    return false;
  std::memcpy(&spm_[address - NHG_SPM_BASE], bytes, size);
  return true;
}

void Machine::print(uint8_t byte) const {
  if (mode_ != AmuMode::Lockstep) // there the core under comparison has printed it
    putchar(byte);
}

bool Machine::syscon(uint64_t address, size_t size, const uint8_t *written) {
  uint16_t value = 0;
  if (address == NHG_SYSCON_POWER && size >= sizeof value)
    std::memcpy(&value, written, sizeof value);
  if (value == NHG_SYSCON_POWER_OFF || value == NHG_SYSCON_REBOOT)
    return hostStore(NHG_HOST_EXIT - NHG_HOST_BASE, value == NHG_SYSCON_REBOOT ? NHG_EXIT_STATUS_REBOOT : 0);
  return address / 8 == NHG_SYSCON_POWER / 8;
}

bool Machine::hostStore(uint64_t offset, uint64_t value) {
  const uint64_t address = NHG_HOST_BASE + offset;
  switch (address) {
  case NHG_HOST_EXIT:
    exit_code_ = value;
    stopAfterThisStore(HostEvent::Exit);
  case NHG_HOST_PUTC:
    print(uint8_t(value));
    return true;
  case NHG_HOST_CHECKPOINT:
    stopAfterThisStore(HostEvent::Checkpoint);
  case NHG_HOST_ROI_BEGIN:
    stopAfterThisStore(HostEvent::RoiBegin);
  case NHG_HOST_ROI_END:
    stopAfterThisStore(HostEvent::RoiEnd);
  }
  if (address >= NHG_HOST_METRIC && address < NHG_HOST_METRIC + 8 * NHG_HOST_METRIC_COUNT)
    metrics_[(address - NHG_HOST_METRIC) / 8] = value;
  return true;
}

// Spike counts instructions when a step ends. So the clock is right at the first one of a step only.
void Machine::stopBeforeLoadOfTime() {
  loads_time_ = stopped_ = true;
  throw wait_for_interrupt_t();
}

void Machine::stopAfterThisStore(HostEvent event) {
  event_ = event;
  stopAfterThisStore();
}

void Machine::stopAfterThisStore() {
  stopped_ = true;
  state_t &state = *hart_->get_state();
  state.pc += hart_->get_mmu()->load_insn(state.pc).insn.length();
  throw wait_for_interrupt_t();
}

} // namespace nhg
