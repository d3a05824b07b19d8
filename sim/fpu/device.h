// SPDX-License-Identifier: Apache-2.0
//
// A unit under test, one cycle at a time. Each is a program of its own: FPU_MODEL names the model Verilator made, FPU_LATENCY the stages of a
// pipelined unit, 0 for the one that takes an operation when it is ready.
#ifndef FPU_DEVICE_H
#define FPU_DEVICE_H

#include <memory>

#include "operations.h"

#define FPU_STRING_(x) #x
#define FPU_STRING(x) FPU_STRING_(x)
#include FPU_STRING(FPU_MODEL.h)
#include "verilated.h"

class Device {
public:
  Device() : context_(std::make_unique<VerilatedContext>()), top_(std::make_unique<FPU_MODEL>(context_.get())) {
    top_->reset = 1;
    tick();
    tick();
    top_->reset = 0;
  }
  ~Device() { top_->final(); }

  // Inputs of this cycle. Without a vector the operands stay as they are.
  void offer(const Vector *vector, uint8_t tag) {
    top_->io_in_valid = vector != nullptr;
    if (!vector)
      return;
    top_->io_in_bits_op = kOperations[vector->operation].code;
    top_->io_in_bits_double = vector->isDouble;
    top_->io_in_bits_rm = vector->rm;
    top_->io_in_bits_src_0 = vector->source[0];
    top_->io_in_bits_src_1 = vector->source[1];
    top_->io_in_bits_src_2 = vector->source[2];
    top_->io_in_bits_tag = tag;
  }
  void kill(unsigned stages) { top_->io_kill = stages; }
  void settle() { top_->eval(); }
  void tick() {
    top_->clock = 0;
    top_->eval();
    top_->clock = 1;
    top_->eval();
  }

  // Outputs of this cycle, once settled.
  bool outValid() const { return top_->io_out_valid; }
  Result out() const { return {top_->io_out_bits_data, top_->io_out_bits_flags}; }
  uint8_t outTag() const { return top_->io_out_bits_tag; }
#if FPU_LATENCY == 0
  bool inReady() const { return top_->io_in_ready; }
  void outReady(bool ready) { top_->io_out_ready = ready; }
  bool inFlight() const { return top_->io_inFlight_valid; }
  uint8_t tagInFlight() const { return top_->io_inFlight_bits; }
#else
  static constexpr unsigned kLatency = FPU_LATENCY;
  bool inFlight(unsigned stage) const { return stages()[stage].valid; }
  uint8_t tagInFlight(unsigned stage) const { return stages()[stage].tag; }

private:
  struct Stage {
    bool valid;
    uint8_t tag;
  };
  struct Stages {
    Stage stage[4];
    const Stage &operator[](unsigned i) const { return stage[i]; }
  };
  Stages stages() const {
    return {{
        {bool(top_->io_inFlight_0_valid), top_->io_inFlight_0_bits},
        {bool(top_->io_inFlight_1_valid), top_->io_inFlight_1_bits},
#if FPU_LATENCY > 2
        {bool(top_->io_inFlight_2_valid), top_->io_inFlight_2_bits},
        {bool(top_->io_inFlight_3_valid), top_->io_inFlight_3_bits},
#endif
    }};
  }
#endif

private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<FPU_MODEL> top_;
};

#endif
