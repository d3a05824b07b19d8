// SPDX-License-Identifier: Apache-2.0
//
// The interrupt controller of the machine. Not Spike's, which sets mip by itself: in lock-step an interrupt is offered where the RTL takes one.
#ifndef NHG_PLIC_H
#define NHG_PLIC_H

#include <array>
#include <cstddef>
#include <cstdint>

#include "device_state.h"
#include "platform.h"

namespace nhg {

class Plic {
public:
  enum Mode { Machine, Supervisor, Modes };
  struct State { // bit i of a set is source i, from 1 on
    std::array<uint32_t, NHG_PLIC_SOURCES + 1> priority{};
    uint32_t pending = 0, claimed = 0;
    std::array<uint32_t, Modes> enable{}, threshold{};
  };

  // A level. While it is on, its source becomes pending unless it is claimed and not completed.
  void setLine(unsigned source, bool on);
  bool interrupts(Mode mode) const;

  static bool isHere(uint64_t address) { return address - NHG_PLIC_BASE < NHG_PLIC_SIZE; }
  // What a load would return. Accesses of an aligned power of two of at most 8 bytes; false: there is no such register.
  bool peek(uint64_t address, size_t size, uint8_t *bytes) const;
  bool load(uint64_t address, size_t size, uint8_t *bytes);
  bool store(uint64_t address, size_t size, const uint8_t *bytes);

  // Priorities, enables and thresholds; what is pending follows from the lines. `disturbed`: what was restored before may have had the UART's line on.
  DeviceState deviceState(bool disturbed) const;
  // No source is claimed, or pending without its line: nothing brings that back.
  bool restorable() const { return state_.claimed == 0 && (state_.pending & ~lines_) == 0; }

private:
  uint32_t best(Mode mode) const;
  bool read(uint64_t address, uint32_t &value) const;
  void write(uint64_t address, uint32_t value, uint32_t lanes);
  void settle();

  State state_;
  uint32_t lines_ = 0;
};

} // namespace nhg
#endif
