// SPDX-License-Identifier: Apache-2.0
//
// The device with traffic on its pins and the reference model beside it, cycle by cycle.
#ifndef DELAYER_BENCH_H
#define DELAYER_BENCH_H

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "reference.h"
#include "traffic.h"

class Vtb_delayer;
class VerilatedContext;

// Offsets of registers.
enum Register : uint16_t {
  kControl = 0x08,
  kLatency = 0x10,
  kRate = 0x18,
  kModel = 0x20,
  kAmplitude = 0x28,
  kProbability = 0x30,
  kSeed = 0x38,
  kCounterBase = 0x40,
  kHistogramBase = 0x140,
  kHistogramShift = 0x148,
  kBandwidthMode = 0x150,
  kBins = 0x200,
  kTable = 0x800
};

inline void require(bool condition, const std::string &what) {
  if (!condition)
    throw std::runtime_error(what);
}

class Bench {
public:
  explicit Bench(uint64_t seed);
  ~Bench();

  // Device, reference and traffic from the start; what was in flight is gone. The totals go on.
  void reset();
  void cycle();
  void run(uint64_t cycles);
  // Writes a register, or reads one, which the reference compares; takes one cycle.
  void control(unsigned address, uint64_t value);
  void readRegister(unsigned address);
  void constantLatency(unsigned cycles);
  // Lets everything in flight end; a phase without stalls and without new requests stands afterwards.
  void drain(unsigned memory_latency = 20);
  // Starts one read and one write, and waits for their end; returns whether both took exactly so many cycles.
  bool oneOfEach(unsigned memory_latency, uint64_t expected_cycles);

  uint64_t beats() const { return beats_ + reference.beats(); }
  uint64_t cycles() const { return cycles_ + reference.now(); }
  const Pins &pins() const { return pins_; } // of the last cycle

  Traffic traffic;
  Reference reference;

private:
  void access(bool write, unsigned address, uint64_t value);
  void tick();
  void putInputs();
  void getOutputs();

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vtb_delayer> top_;
  Pins pins_;
  uint64_t beats_ = 0, cycles_ = 0; // before the last reset
};

#endif
