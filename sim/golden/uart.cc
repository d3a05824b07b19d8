// SPDX-License-Identifier: Apache-2.0
#include "uart.h"

#include <cstring>

namespace nhg {

namespace {

constexpr uint64_t RegisterBytes = 4;
constexpr uint8_t ReceiveInterrupt = 1, TransmitInterrupt = 2; // of interrupt_enable
constexpr uint8_t DataReady = 4, TransmitterEmpty = 2, NoInterrupt = 1, FifoOn = 0xc0;
constexpr uint8_t DivisorLatch = 0x80; // of line_control
constexpr uint8_t ModemReady = 0xb0;   // clear to send, data set ready, carrier

bool isRegister(uint64_t address) { return address >= NHG_UART_DATA && address < NHG_UART_SCRATCH + RegisterBytes; }

} // namespace

bool Uart::receive() {
  if (received_ == input_.size() || state_.fifo.size() == NHG_UART_FIFO_BYTES)
    return false;
  state_.fifo.push_back(input_[received_++].byte);
  return true;
}

uint64_t Uart::nextCycle() const { return received_ == input_.size() ? UINT64_MAX : input_[received_].cycle; }

uint8_t Uart::interruptId() const {
  if ((state_.enable & ReceiveInterrupt) && !state_.fifo.empty())
    return DataReady;
  return (state_.enable & TransmitInterrupt) && state_.transmit_pending ? TransmitterEmpty : NoInterrupt;
}

bool Uart::interrupts() const { return interruptId() != NoInterrupt; }

uint8_t Uart::read(uint64_t address) {
  switch (address) {
  case NHG_UART_DATA: {
    if (setsDivisor())
      return state_.divisor[0];
    if (state_.fifo.empty())
      return 0;
    const uint8_t byte = state_.fifo.front();
    state_.fifo.pop_front();
    return byte;
  }
  case NHG_UART_INTERRUPT_ENABLE:
    return setsDivisor() ? state_.divisor[1] : state_.enable;
  case NHG_UART_INTERRUPT_ID: {
    const uint8_t id = interruptId();
    if (id == TransmitterEmpty)
      state_.transmit_pending = false;
    return id | (state_.fifo_on ? FifoOn : 0);
  }
  case NHG_UART_LINE_CONTROL:
    return state_.line_control;
  case NHG_UART_MODEM_CONTROL:
    return state_.modem_control;
  case NHG_UART_LINE_STATUS:
    return 0x60 | !state_.fifo.empty();
  case NHG_UART_MODEM_STATUS:
    return ModemReady;
  default:
    return state_.scratch;
  }
}

void Uart::write(uint64_t address, uint8_t value) {
  switch (address) {
  case NHG_UART_DATA:
    if (setsDivisor()) {
      state_.divisor[0] = value;
      return;
    }
    transmit_(value);
    state_.transmit_pending = true;
    return;
  case NHG_UART_INTERRUPT_ENABLE:
    if (setsDivisor()) {
      state_.divisor[1] = value;
      return;
    }
    if (~state_.enable & value & TransmitInterrupt)
      state_.transmit_pending = true;
    state_.enable = value & 0xf;
    return;
  case NHG_UART_INTERRUPT_ID:
    state_.fifo_on = value & 1;
    if (value & 2)
      state_.fifo.clear();
    return;
  case NHG_UART_LINE_CONTROL:
    state_.line_control = value;
    return;
  case NHG_UART_MODEM_CONTROL:
    state_.modem_control = value & 0x1f;
    return;
  case NHG_UART_SCRATCH:
    state_.scratch = value;
  }
}

// The bus reads whole registers, whatever bytes of them are asked for.
bool Uart::load(uint64_t address, size_t size, uint8_t *bytes) {
  if (size > RegisterBytes || !isRegister(address))
    return false;
  const uint32_t value = read(address / RegisterBytes * RegisterBytes);
  std::memcpy(bytes, reinterpret_cast<const uint8_t *>(&value) + address % RegisterBytes, size);
  return true;
}

bool Uart::store(uint64_t address, size_t size, const uint8_t *bytes) {
  if (size > RegisterBytes || !isRegister(address))
    return false;
  if (address % RegisterBytes == 0)
    write(address, bytes[0]);
  return true;
}

DeviceState Uart::deviceState() const {
  const State &s = state_;
  const bool asAfterReset =
      !s.divisor[0] && !s.divisor[1] && !s.enable && !s.line_control && !s.modem_control && !s.scratch && !s.fifo_on;
  DeviceState device{"uart", {}};
  if (asAfterReset)
    return device;
  constexpr auto Store = DeviceState::Store1;
  device.accesses = {{NHG_UART_LINE_CONTROL, DivisorLatch, Store},
                     {NHG_UART_DATA, s.divisor[0], Store},
                     {NHG_UART_INTERRUPT_ENABLE, s.divisor[1], Store},
                     {NHG_UART_LINE_CONTROL, 0, Store},
                     {NHG_UART_INTERRUPT_ID, s.fifo_on, Store},
                     {NHG_UART_MODEM_CONTROL, s.modem_control, Store},
                     {NHG_UART_SCRATCH, s.scratch, Store},
                     {NHG_UART_INTERRUPT_ENABLE, s.enable, Store}};
  if ((s.enable & TransmitInterrupt) && !s.transmit_pending) // the store that enables it makes it pending
    device.accesses.push_back({NHG_UART_INTERRUPT_ID, 0, DeviceState::Load1});
  device.accesses.push_back({NHG_UART_LINE_CONTROL, s.line_control, Store});
  return device;
}

} // namespace nhg
