// SPDX-License-Identifier: Apache-2.0
//
// Constrained-random traffic for the delayer: a manager, an in-order memory and a control bus, one set of pins a cycle.
#ifndef DELAYER_TRAFFIC_H
#define DELAYER_TRAFFIC_H

#include <cstdint>
#include <deque>
#include <random>

#include "pins.h"

// What varies from phase to phase. Rates are chances in 256 per cycle.
struct Phase {
  unsigned read_rate = 0, write_rate = 0, data_rate = 256; // new AR, new AW, W beats
  unsigned rready_rate = 256, bready_rate = 256;
  unsigned memory_ready_rate = 256, memory_valid_rate = 256;
  unsigned memory_latency = 20, memory_jitter = 0; // cycles
  unsigned most_beats = 16;                        // of a burst
  unsigned data_lead = 0;                          // bursts of write data that may come before their addresses
  unsigned address_rate = 64;                      // new AW while data may lead
  bool lines_only = false;                         // INCR bursts of two whole beats only, written whole
  unsigned ids = kIds;                             // IDs used
  unsigned control_rate = 0;                       // reads of the control registers, snapshots and clears
};

class Traffic {
public:
  explicit Traffic(uint64_t seed) : random_(seed) {}

  Phase phase;
  bool control_pending = false, control_write = false; // an access to issue in the next cycle
  uint16_t control_addr = 0;
  uint64_t control_wdata = 0;

  // Chooses the inputs of the next cycle; valids that were not taken stay.
  void drive(Pins &pins);
  // Sees the outputs of that cycle.
  void observe(const Pins &pins);

  uint64_t random64() { return random_(); }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned in_256) { return below(256) < in_256; }

private:
  struct Answer {
    uint64_t time;
    Data data;
  };
  struct WriteBurst {
    Address address;
    unsigned beats;
  };

  Address randomAddress();
  Strobes randomStrobes();
  uint64_t answerTime(uint64_t &previous);

  std::mt19937_64 random_;
  uint64_t now_ = 0;
  bool hold_ar_ = false, hold_aw_ = false, hold_w_ = false, hold_r_ = false, hold_b_ = false;
  Address ar_, aw_;
  Data w_;
  // Writes whose address or data are still to be sent; the two go independently, in the same order.
  std::deque<WriteBurst> addresses_to_send_, data_to_send_;
  unsigned beat_ = 0;
  uint64_t addresses_sent_ = 0, bursts_begun_ = 0;
  std::deque<Answer> read_answers_;
  std::deque<Answer> write_answers_;
  std::deque<bool> writes_addressed_, writes_complete_;
  uint64_t last_read_answer_ = 0, last_write_answer_ = 0;
};

#endif
