// SPDX-License-Identifier: Apache-2.0
//
// What the UART receives in a run: bytes, each not before a cycle.
#ifndef NHG_UART_INPUT_H
#define NHG_UART_INPUT_H

#include <cstdint>
#include <string>
#include <vector>

namespace nhg {

struct UartByte {
  uint64_t cycle;
  uint8_t byte;
};

// From a file with lines `CYCLE TEXT`: the bytes of TEXT come one after the other from that cycle on. A backslash stands before n, r, t, another one, or x
// and two hexadecimal digits; the end of a line is none. Empty lines and those that begin with # say nothing. Throws std::runtime_error, also where
// cycles decrease.
std::vector<UartByte> readUartInput(const std::string &path);

} // namespace nhg
#endif
