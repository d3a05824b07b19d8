// SPDX-License-Identifier: Apache-2.0
#include "interrupts.h"

#include <algorithm>
#include <cstring>

namespace nhg {

namespace {

// 64-bit words of the CLINT that hold a register.
constexpr uint64_t wordOf(uint64_t address) { return address / sizeof(uint64_t); }

} // namespace

bool Interrupts::hasStimecmp() const { return hart_->get_state()->menvcfg->read() & MENVCFG_STCE; }

uint64_t Interrupts::stimecmp() const { return hart_->get_state()->csrmap.at(CSR_STIMECMP)->read(); }

uint64_t Interrupts::clock() const {
  return stopped_clock_.value_or(hart_->get_state()->mcycle->read() + clock_offset_);
}

void Interrupts::goOn() {
  clock_offset_ = clock() - hart_->get_state()->mcycle->read();
  stopped_clock_.reset();
}

uint64_t Interrupts::time() const { return injected_time_.value_or(clock() / NHG_TICK_CYCLES + time_offset_); }

// UINT64_MAX: that time is over, or too far away.
uint64_t Interrupts::cyclesTo(uint64_t alarm) const {
  const uint64_t now = time();
  if (alarm <= now || alarm - now > UINT64_MAX / NHG_TICK_CYCLES)
    return UINT64_MAX;
  return (alarm - now) * NHG_TICK_CYCLES - clock() % NHG_TICK_CYCLES;
}

bool Interrupts::passToAlarm(uint64_t otherCycle) {
  const uint64_t enabled = hart_->get_state()->mie->read();
  uint64_t cycles = otherCycle > clock() && otherCycle != UINT64_MAX ? otherCycle - clock() : UINT64_MAX;
  if (enabled & MIP_MTIP)
    cycles = std::min(cycles, cyclesTo(mtimecmp_));
  if ((enabled & MIP_STIP) && hasStimecmp())
    cycles = std::min(cycles, cyclesTo(stimecmp()));
  if (cycles == UINT64_MAX)
    return false;
  clock_offset_ += cycles;
  return true;
}

uint64_t Interrupts::instructionsToAlarm() const { return std::min(cyclesTo(mtimecmp_), cyclesTo(stimecmp())); }

uint64_t Interrupts::pending() const {
  uint64_t bits = software_;
  if (hasStimecmp())
    bits = (bits & ~uint64_t(MIP_STIP)) | (time() >= stimecmp() ? MIP_STIP : 0);
  return bits | (msip_ ? MIP_MSIP : 0) | (time() >= mtimecmp_ ? MIP_MTIP : 0) |
         (plic_->interrupts(Plic::Machine) ? MIP_MEIP : 0) | (plic_->interrupts(Plic::Supervisor) ? MIP_SEIP : 0);
}

bool Interrupts::wakes() const { return pending() & hart_->get_state()->mie->read(); }

uint64_t Interrupts::letIn() const {
  const state_t &state = *hart_->get_state();
  if (state.debug_mode)
    return 0;
  const uint64_t ready = pending() & state.mie->read(), delegated = state.mideleg->read(),
                 status = state.mstatus->read();
  const bool machine = state.prv < PRV_M || (status & MSTATUS_MIE);
  const bool supervisor = state.prv < PRV_S || (state.prv == PRV_S && (status & MSTATUS_SIE));
  return (machine ? ready & ~delegated : 0) | (supervisor ? ready & delegated : 0);
}

void Interrupts::writeSoftware(uint64_t value, uint64_t mask) {
  if (hasStimecmp())
    mask &= ~uint64_t(MIP_STIP);
  software_ = (software_ & ~mask) | (value & mask);
  refresh();
}

void Interrupts::offer(bool offered) {
  offered_ = offered;
  hart_->get_state()->mip->backdoor_write_with_mask(~reg_t(0), offered && !held_ ? pending() : 0);
}

std::optional<uint64_t> Interrupts::word(uint64_t address) const {
  switch (wordOf(address)) {
  case wordOf(NHG_CLINT_MSIP):
    return msip_;
  case wordOf(NHG_CLINT_MTIMECMP):
    return mtimecmp_;
  case wordOf(NHG_CLINT_MTIME):
    return time();
  }
  return std::nullopt;
}

bool Interrupts::load(uint64_t address, size_t size, uint8_t *bytes) const {
  const std::optional<uint64_t> value = word(address);
  if (!value)
    return false;
  std::memcpy(bytes, reinterpret_cast<const uint8_t *>(&*value) + address % sizeof *value, size);
  return true;
}

bool Interrupts::store(uint64_t address, size_t size, const uint8_t *bytes) {
  std::optional<uint64_t> value = word(address);
  if (!value)
    return false;
  std::memcpy(reinterpret_cast<uint8_t *>(&*value) + address % sizeof *value, bytes, size);
  switch (wordOf(address)) {
  case wordOf(NHG_CLINT_MSIP):
    msip_ = *value & 1;
    break;
  case wordOf(NHG_CLINT_MTIMECMP):
    mtimecmp_ = *value;
    break;
  default:
    time_offset_ += *value - time();
  }
  refresh();
  return true;
}

DeviceState Interrupts::clint() const {
  return {"clint",
          {{NHG_CLINT_MSIP, msip_, DeviceState::Store8},
           {NHG_CLINT_MTIMECMP, mtimecmp_, DeviceState::Store8},
           {NHG_CLINT_MTIME, time(), DeviceState::Store8}}};
}

} // namespace nhg
