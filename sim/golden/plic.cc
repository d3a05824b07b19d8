// SPDX-License-Identifier: Apache-2.0
#include "plic.h"

#include <cstring>

namespace nhg {

namespace {

constexpr uint64_t RegisterBytes = 4;
constexpr uint32_t AllSources = (1u << (NHG_PLIC_SOURCES + 1)) - 2;
constexpr uint64_t Enable[] = {NHG_PLIC_ENABLE_MACHINE, NHG_PLIC_ENABLE_SUPERVISOR},
                   Threshold[] = {NHG_PLIC_THRESHOLD_MACHINE, NHG_PLIC_THRESHOLD_SUPERVISOR},
                   Claim[] = {NHG_PLIC_CLAIM_MACHINE, NHG_PLIC_CLAIM_SUPERVISOR};

// Index of the priority register at this address, or beyond the last one.
uint64_t priorityIndex(uint64_t address) { return (address - NHG_PLIC_PRIORITY) / RegisterBytes; }

} // namespace

void Plic::settle() { state_.pending |= lines_ & ~state_.claimed; }

void Plic::setLine(unsigned source, bool on) {
  lines_ = on ? lines_ | 1u << source : lines_ & ~(1u << source);
  settle();
}

// The source that a claim returns: of the highest priority, and of those the lowest number.
uint32_t Plic::best(Mode mode) const {
  uint32_t found = 0;
  for (uint32_t source = 1; source <= NHG_PLIC_SOURCES; source++)
    if ((state_.pending & state_.enable[mode]) >> source & 1 && state_.priority[source] > state_.priority[found])
      found = source;
  return found;
}

bool Plic::interrupts(Mode mode) const { return state_.priority[best(mode)] > state_.threshold[mode]; }

bool Plic::read(uint64_t address, uint32_t &value) const {
  if (address == NHG_PLIC_PENDING) {
    value = state_.pending;
    return true;
  }
  if (priorityIndex(address) <= NHG_PLIC_SOURCES) {
    value = state_.priority[priorityIndex(address)];
    return true;
  }
  for (Mode mode : {Machine, Supervisor}) {
    if (address != Enable[mode] && address != Threshold[mode] && address != Claim[mode])
      continue;
    value = address == Enable[mode]      ? state_.enable[mode]
            : address == Threshold[mode] ? state_.threshold[mode]
                                         : best(mode);
    return true;
  }
  return false;
}

// `lanes`: the bits that are written; of `value` the others are zero.
void Plic::write(uint64_t address, uint32_t value, uint32_t lanes) {
  const auto set = [&](uint32_t &field, uint32_t mask) { field = ((field & ~lanes) | value) & mask; };
  const uint64_t source = priorityIndex(address);
  if (source >= 1 && source <= NHG_PLIC_SOURCES)
    set(state_.priority[source], NHG_PLIC_PRIORITY_MAX);
  for (Mode mode : {Machine, Supervisor}) {
    if (address == Enable[mode])
      set(state_.enable[mode], AllSources);
    if (address == Threshold[mode])
      set(state_.threshold[mode], NHG_PLIC_PRIORITY_MAX);
    if (address == Claim[mode] && value <= NHG_PLIC_SOURCES)
      state_.claimed &= ~(1u << value & state_.enable[mode]);
  }
  settle();
}

bool Plic::peek(uint64_t address, size_t size, uint8_t *bytes) const {
  uint32_t words[2] = {};
  const uint64_t base = address / sizeof words * sizeof words;
  bool found = false;
  for (uint64_t i = 0; i < 2; i++)
    if (size == sizeof words || (address / RegisterBytes & 1) == i)
      found |= read(base + RegisterBytes * i, words[i]);
  std::memcpy(bytes, reinterpret_cast<const uint8_t *>(words) + address % sizeof words, size);
  return found;
}

bool Plic::load(uint64_t address, size_t size, uint8_t *bytes) {
  if (!peek(address, size, bytes))
    return false;
  for (Mode mode : {Machine, Supervisor}) {
    const bool touched = address / RegisterBytes == Claim[mode] / RegisterBytes ||
                         (size > RegisterBytes && address == Claim[mode] - RegisterBytes);
    if (!touched)
      continue;
    const uint32_t taken = 1u << best(mode) & AllSources;
    state_.pending &= ~taken;
    state_.claimed |= taken;
  }
  return true;
}

bool Plic::store(uint64_t address, size_t size, const uint8_t *bytes) {
  uint8_t ignored[8];
  if (!peek(address, size, ignored))
    return false;
  uint64_t value = 0, lanes = 0;
  const uint64_t base = address / sizeof value * sizeof value;
  std::memcpy(reinterpret_cast<uint8_t *>(&value) + address % sizeof value, bytes, size);
  std::memset(reinterpret_cast<uint8_t *>(&lanes) + address % sizeof value, 0xff, size);
  for (uint64_t i = 0; i < 2; i++)
    if (uint32_t(lanes >> 32 * i))
      write(base + RegisterBytes * i, uint32_t(value >> 32 * i), uint32_t(lanes >> 32 * i));
  return true;
}

DeviceState Plic::deviceState(bool disturbed) const {
  constexpr uint32_t Uart = NHG_PLIC_UART_SOURCE;
  DeviceState device{"plic", {}};
  const bool takesBack = disturbed && !(state_.pending >> Uart & 1);
  if (takesBack) // claimed and completed
    device.accesses = {{NHG_PLIC_PRIORITY + RegisterBytes * Uart, 1, DeviceState::Store4},
                       {Enable[Machine], 1u << Uart, DeviceState::Store4},
                       {Claim[Machine], 0, DeviceState::Load4},
                       {Claim[Machine], Uart, DeviceState::Store4}};
  const auto put = [&](uint64_t address, uint32_t value) {
    if (value != 0 || takesBack)
      device.accesses.push_back({address, value, DeviceState::Store4});
  };
  for (uint64_t source = 1; source <= NHG_PLIC_SOURCES; source++)
    put(NHG_PLIC_PRIORITY + RegisterBytes * source, state_.priority[source]);
  for (Mode mode : {Machine, Supervisor}) {
    put(Enable[mode], state_.enable[mode]);
    put(Threshold[mode], state_.threshold[mode]);
  }
  return device;
}

} // namespace nhg
