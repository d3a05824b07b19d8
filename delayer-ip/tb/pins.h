// SPDX-License-Identifier: Apache-2.0
//
// All pins of the delayer in one cycle, inputs chosen by the traffic and outputs of the device.
// A data word is named by a 64-bit value from which all its lanes of 32 bits follow, see dataLane.
#ifndef DELAYER_PINS_H
#define DELAYER_PINS_H

#include <bitset>
#include <cstdint>

constexpr unsigned kIds = 1u << DELAYER_ID_BITS, kDataBytes = DELAYER_DATA_BITS / 8;
constexpr uint8_t kDataSize = __builtin_ctz(kDataBytes); // of a burst of whole beats
using Strobes = std::bitset<kDataBytes>;

struct Address {
  uint64_t addr = 0;
  uint32_t id = 0;
  uint8_t len = 0, size = 0, burst = 1;
  bool operator==(const Address &o) const {
    return addr == o.addr && len == o.len && size == o.size && burst == o.burst;
  }
};

struct Data {
  uint64_t value = 0;
  bool lanes_right = true; // on outputs: every lane follows from value
  Strobes strobes;         // writes
  uint8_t resp = 0;        // reads
  bool last = false;
};

inline uint32_t dataLane(uint64_t value, unsigned lane) {
  return static_cast<uint32_t>(lane & 1 ? value >> 32 : value) + (lane >> 1) * 0x9e3779b9u;
}

struct Pins {
  bool control_valid = false, control_write = false;
  uint16_t control_addr = 0;
  uint64_t control_wdata = 0, control_rdata = 0;
  bool s_awvalid = false, s_awready = false, s_wvalid = false, s_wready = false, s_bvalid = false, s_bready = false;
  bool s_arvalid = false, s_arready = false, s_rvalid = false, s_rready = false;
  bool m_awvalid = false, m_awready = false, m_wvalid = false, m_wready = false, m_bvalid = false, m_bready = false;
  bool m_arvalid = false, m_arready = false, m_rvalid = false, m_rready = false;
  Address s_aw, s_ar, m_aw, m_ar;
  Data s_w, s_r, m_w, m_r;
  uint32_t s_rid = 0, s_bid = 0;
  uint8_t s_bresp = 0, m_bresp = 0;
};

#endif
