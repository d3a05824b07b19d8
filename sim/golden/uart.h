// SPDX-License-Identifier: Apache-2.0
//
// The UART 16550 of the machine, as that of the RTL (sim/rtl/uart_16550.sv): no time passes between a byte in and out.
#ifndef NHG_UART_H
#define NHG_UART_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "device_state.h"
#include "platform.h"
#include "uart_input.h"

namespace nhg {

class Uart {
public:
  struct State {
    std::deque<uint8_t> fifo; // received
    uint8_t divisor[2] = {};
    uint8_t enable = 0, line_control = 0, modem_control = 0, scratch = 0;
    bool fifo_on = false, transmit_pending = false;
  };

  explicit Uart(std::function<void(uint8_t)> transmit) : transmit_(std::move(transmit)) {}
  void setInput(std::vector<UartByte> input) { input_ = std::move(input); }

  // The next byte of the input comes in. False: there is none, or the FIFO is full.
  bool receive();
  uint64_t received() const { return received_; } // bytes
  // From which the next byte may come; UINT64_MAX: there is none.
  uint64_t nextCycle() const;
  bool interrupts() const;

  static bool isHere(uint64_t address) { return address - NHG_UART_BASE < NHG_UART_SIZE; }
  // Accesses of an aligned power of two of at most 8 bytes. False: it is refused.
  bool load(uint64_t address, size_t size, uint8_t *bytes);
  bool store(uint64_t address, size_t size, const uint8_t *bytes);

  // All but what the FIFO holds.
  DeviceState deviceState() const;
  bool restorable() const { return state_.fifo.empty(); }

private:
  bool setsDivisor() const { return state_.line_control & 0x80; }
  uint8_t interruptId() const;
  uint8_t read(uint64_t address);
  void write(uint64_t address, uint8_t value);

  State state_;
  std::function<void(uint8_t)> transmit_;
  std::vector<UartByte> input_;
  uint64_t received_ = 0;
};

} // namespace nhg
#endif
