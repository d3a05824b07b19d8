// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <type_traits>

#include "Vtb_delayer.h"
#include "verilated.h"

void vl_fatal(const char *file, int line, const char *, const char *message) {
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + message);
}

void vl_stop(const char *file, int line, const char *) {
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": assertion failed, see the line above");
}

namespace {

// Pins up to 64 bits are an integer, wider ones lanes of 32 bits.
template <typename Wide> void putData(Wide &pins, uint64_t value) {
  for (unsigned lane = 0; lane < kDataBytes / 4; lane++)
    pins[lane] = dataLane(value, lane);
}
void putData(QData &pins, uint64_t value) { pins = value; }

template <typename Wide> void getData(const Wide &pins, Data &data) {
  data.value = pins[0] | uint64_t(pins[1]) << 32;
  data.lanes_right = true;
  for (unsigned lane = 2; lane < kDataBytes / 4; lane++)
    data.lanes_right &= pins[lane] == dataLane(data.value, lane);
}
void getData(const QData &pins, Data &data) {
  data.value = pins;
  data.lanes_right = true;
}

template <typename Pins> void putStrobes(Pins &pins, const Strobes &strobes) {
  if constexpr (std::is_integral_v<Pins>)
    pins = static_cast<Pins>(strobes.to_ullong());
  else
    for (unsigned bit = 0; bit < kDataBytes; bit++)
      pins[bit / 32] = (pins[bit / 32] & ~(1u << bit % 32)) | uint32_t(strobes[bit]) << bit % 32;
}

template <typename Pins> void getStrobes(const Pins &pins, Strobes &strobes) {
  if constexpr (std::is_integral_v<Pins>)
    strobes = Strobes(pins);
  else
    for (unsigned bit = 0; bit < kDataBytes; bit++)
      strobes[bit] = pins[bit / 32] >> bit % 32 & 1;
}

} // namespace

Bench::Bench(uint64_t seed) : traffic(seed), context_(std::make_unique<VerilatedContext>()) {
  context_->randReset(2);
  context_->randSeed(static_cast<int>(seed));
  top_ = std::make_unique<Vtb_delayer>(context_.get());
  reset();
}

Bench::~Bench() = default;

void Bench::reset() {
  beats_ += reference.beats();
  cycles_ += reference.now();
  reference = Reference(reference.table());
  traffic = Traffic(traffic.below(1u << 31));
  top_->reset = 1;
  for (int i = 0; i < 4; i++)
    tick();
  top_->reset = 0;
}

void Bench::tick() {
  top_->clock = 0;
  top_->eval();
  top_->clock = 1;
  top_->eval();
}

void Bench::cycle() {
  traffic.drive(pins_);
  putInputs();
  top_->clock = 0;
  top_->eval();
  getOutputs();
  reference.cycle(pins_);
  traffic.observe(pins_);
  top_->clock = 1;
  top_->eval();
}

void Bench::run(uint64_t cycles) {
  for (uint64_t i = 0; i < cycles; i++)
    cycle();
}

void Bench::control(unsigned address, uint64_t value) { access(true, address, value); }

void Bench::readRegister(unsigned address) { access(false, address, 0); }

void Bench::access(bool write, unsigned address, uint64_t value) {
  traffic.control_pending = true;
  traffic.control_write = write;
  traffic.control_addr = static_cast<uint16_t>(address);
  traffic.control_wdata = value;
  cycle();
}

void Bench::constantLatency(unsigned cycles) {
  control(kModel, JitterSettings::kConstant);
  control(kLatency, cycles);
}

void Bench::drain(unsigned memory_latency) {
  traffic.phase = {};
  traffic.phase.memory_latency = memory_latency;
  for (uint64_t i = 0, idle = 0; idle < 32; i++) {
    require(i < 2000000, "cycle " + std::to_string(reference.now()) + ": traffic does not drain");
    cycle();
    idle = reference.reads().inFlight() + reference.writes().inFlight() ? 0 : idle + 1;
  }
}

bool Bench::oneOfEach(unsigned memory_latency, uint64_t expected_cycles) {
  drain(memory_latency);
  control(kControl, 1);
  traffic.phase.read_rate = traffic.phase.write_rate = 256;
  cycle();
  drain(memory_latency);
  bool right = reference.counter(kReads) == 1 && reference.counter(kWrites) == 1;
  for (Counter counter : {kReadLatencyMin, kReadLatencyMax, kWriteLatencyMin, kWriteLatencyMax})
    right &= reference.counter(counter) == expected_cycles;
  return right;
}

void Bench::putInputs() {
  Vtb_delayer &top = *top_;
  const Pins &p = pins_;
  top.control_valid = p.control_valid, top.control_write = p.control_write;
  top.control_addr = p.control_addr, top.control_wdata = p.control_wdata;
  top.s_arvalid = p.s_arvalid, top.s_arid = static_cast<uint16_t>(p.s_ar.id), top.s_araddr = p.s_ar.addr;
  top.s_arlen = p.s_ar.len, top.s_arsize = p.s_ar.size, top.s_arburst = p.s_ar.burst;
  top.s_awvalid = p.s_awvalid, top.s_awid = static_cast<uint16_t>(p.s_aw.id), top.s_awaddr = p.s_aw.addr;
  top.s_awlen = p.s_aw.len, top.s_awsize = p.s_aw.size, top.s_awburst = p.s_aw.burst;
  top.s_wvalid = p.s_wvalid, top.s_wlast = p.s_w.last;
  putStrobes(top.s_wstrb, p.s_w.strobes);
  if (p.s_wvalid)
    putData(top.s_wdata, p.s_w.value);
  top.s_rready = p.s_rready, top.s_bready = p.s_bready;
  top.m_arready = p.m_arready, top.m_awready = p.m_awready, top.m_wready = p.m_wready;
  top.m_rvalid = p.m_rvalid, top.m_rresp = p.m_r.resp, top.m_rlast = p.m_r.last;
  if (p.m_rvalid)
    putData(top.m_rdata, p.m_r.value);
  top.m_bvalid = p.m_bvalid, top.m_bresp = p.m_bresp;
}

void Bench::getOutputs() {
  const Vtb_delayer &top = *top_;
  Pins &p = pins_;
  require(top.control_ready, "control_ready is low");
  p.control_rdata = top.control_rdata;
  p.s_arready = top.s_arready, p.s_awready = top.s_awready, p.s_wready = top.s_wready;
  p.s_rvalid = top.s_rvalid, p.s_rid = top.s_rid, p.s_bvalid = top.s_bvalid, p.s_bid = top.s_bid;
  p.s_bresp = top.s_bresp;
  if (p.s_rvalid) {
    getData(top.s_rdata, p.s_r);
    p.s_r.resp = top.s_rresp, p.s_r.last = top.s_rlast;
  }
  p.m_rready = top.m_rready, p.m_bready = top.m_bready;
  p.m_arvalid = top.m_arvalid, p.m_awvalid = top.m_awvalid, p.m_wvalid = top.m_wvalid;
  p.m_ar = {top.m_araddr, 0, top.m_arlen, top.m_arsize, top.m_arburst};
  p.m_aw = {top.m_awaddr, 0, top.m_awlen, top.m_awsize, top.m_awburst};
  if (p.m_wvalid) {
    getData(top.m_wdata, p.m_w);
    getStrobes(top.m_wstrb, p.m_w.strobes);
    p.m_w.last = top.m_wlast;
  }
}
