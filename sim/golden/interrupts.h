// SPDX-License-Identifier: Apache-2.0
//
// Time, CLINT and pending interrupts of the hart, those of the PLIC among them.
// Spike takes an interrupt when its own mip has one; it has them only while they are offered to it.
#ifndef NHG_INTERRUPTS_H
#define NHG_INTERRUPTS_H

#include <cstddef>
#include <cstdint>
#include <optional>

#include <riscv/processor.h>

#include "device_state.h"
#include "platform.h"
#include "plic.h"

namespace nhg {

class Interrupts {
public:
  void attach(processor_t &hart, const Plic &plic) {
    hart_ = &hart;
    plic_ = &plic;
  }

  // The machine's clock, in cycles: of instructions, and those that it has slept; stopped, it stands.
  uint64_t clock() const;
  void stopClock(uint64_t cycles) { stopped_clock_ = cycles; }
  void goOn();
  // In ticks: of the machine's clock, or what was injected last (lock-step).
  uint64_t time() const;
  void injectTime(uint64_t ticks) { injected_time_ = ticks; }
  // Time goes on to the next time at which a timer that mie enables becomes pending, or to that cycle of the clock, whichever is first. False: there is
  // none.
  bool passToAlarm(uint64_t otherCycle);
  // Instructions until a timer interrupt becomes pending, of those that the clock counts.
  uint64_t instructionsToAlarm() const;

  uint64_t pending() const; // mip
  // Those that mode, mstatus, mie and mideleg let in.
  uint64_t letIn() const;
  bool wakes() const;                             // one is pending and enabled in mie
  uint64_t software() const { return software_; } // what programs have set in mip, STIP also while there is stimecmp
  // What programs set in mip; STIP only while there is no stimecmp.
  void writeSoftware(uint64_t value, uint64_t mask);

  // Spike has them from now on, or none.
  void offer(bool offered);
  // No interrupt is offered any more: a core that takes none (lockstep_selftest).
  void hold() { held_ = true; }
  void refresh() { offer(offered_); } // something has changed what is pending

  static bool isClint(uint64_t address) { return address - NHG_CLINT_BASE < NHG_CLINT_SIZE; }
  static bool isTime(uint64_t address) { return address / 8 == NHG_CLINT_MTIME / 8; }
  // Accesses of the CLINT, of an aligned power of two of at most 8 bytes. False: there is no such register.
  bool load(uint64_t address, size_t size, uint8_t *bytes) const;
  bool store(uint64_t address, size_t size, const uint8_t *bytes);
  DeviceState clint() const;

private:
  std::optional<uint64_t> word(uint64_t address) const;
  uint64_t cyclesTo(uint64_t alarm) const;
  bool hasStimecmp() const;
  uint64_t stimecmp() const;

  processor_t *hart_ = nullptr;
  const Plic *plic_ = nullptr;
  uint64_t software_ = 0; // bits of mip
  bool msip_ = false;
  uint64_t mtimecmp_ = UINT64_MAX;
  uint64_t time_offset_ = 0;  // beyond the machine's clock, in ticks
  uint64_t clock_offset_ = 0; // beyond Spike's cycles: slept, or restored
  std::optional<uint64_t> stopped_clock_;
  std::optional<uint64_t> injected_time_;
  bool offered_ = false, held_ = false;
};

} // namespace nhg
#endif
