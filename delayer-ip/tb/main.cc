// SPDX-License-Identifier: Apache-2.0
//
// Test of the delayer: every output of every cycle against the reference model, protocol checkers on both sides.
//   delayer-test [--beats N] [--seed N]
// Directed parts (latency of an idle memory to the cycle, bandwidth, 512 + 512 in flight, counters) always run; then
// constrained-random phases until N data beats have passed. Exit 0 when all is well, else 1 with one line.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "Vtb_delayer.h"
#include "reference.h"
#include "traffic.h"
#include "verilated.h"

void vl_fatal(const char *file, int line, const char *, const char *message) {
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + message);
}

void vl_stop(const char *file, int line, const char *) {
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": assertion failed, see the line above");
}

namespace {

enum Register : uint16_t { kControl = 0x08, kLatency = 0x10, kRate = 0x18 };
enum Counter { kInflightMax = 6, kLate = 7 };

template <typename Wide> void putData(Wide &pins, uint64_t value) {
  for (unsigned lane = 0; lane < 8; lane++)
    pins[lane] = dataLane(value, lane);
}

template <typename Wide> void getData(const Wide &pins, Data &data) {
  data.value = pins[0] | uint64_t(pins[1]) << 32;
  data.lanes_right = true;
  for (unsigned lane = 2; lane < 8; lane++)
    data.lanes_right &= pins[lane] == dataLane(data.value, lane);
}

void require(bool condition, const std::string &what) {
  if (!condition)
    throw std::runtime_error(what);
}

class Bench {
public:
  explicit Bench(uint64_t seed) : traffic(seed) {
    context_->randReset(2);
    context_->randSeed(static_cast<int>(seed));
    top_ = std::make_unique<Vtb_delayer>(context_.get());
    top_->reset = 1;
    for (int i = 0; i < 4; i++)
      tick();
    top_->reset = 0;
  }

  void cycle() {
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

  void run(uint64_t cycles) {
    for (uint64_t i = 0; i < cycles; i++)
      cycle();
  }

  void control(Register address, uint64_t value) {
    traffic.control_pending = true;
    traffic.control_addr = address;
    traffic.control_wdata = value;
    cycle();
  }

  // Lets everything in flight end; a phase without stalls and without new requests stands afterwards.
  void drain(unsigned memory_latency = 20) {
    traffic.phase = {};
    traffic.phase.memory_latency = memory_latency;
    for (uint64_t i = 0, idle = 0; idle < 32; i++) {
      require(i < 1000000, "cycle " + std::to_string(reference.now()) + ": traffic does not drain");
      cycle();
      idle = reference.readsInFlight() + reference.writesInFlight() ? 0 : idle + 1;
    }
  }

  Traffic traffic;
  Reference reference;

private:
  void tick() {
    top_->clock = 0;
    top_->eval();
    top_->clock = 1;
    top_->eval();
  }

  void putInputs() {
    Vtb_delayer &top = *top_;
    const Pins &p = pins_;
    top.control_valid = p.control_valid, top.control_write = p.control_write;
    top.control_addr = p.control_addr, top.control_wdata = p.control_wdata;
    top.s_arvalid = p.s_arvalid, top.s_arid = static_cast<uint16_t>(p.s_ar.id), top.s_araddr = p.s_ar.addr;
    top.s_arlen = p.s_ar.len, top.s_arsize = p.s_ar.size, top.s_arburst = p.s_ar.burst;
    top.s_awvalid = p.s_awvalid, top.s_awid = static_cast<uint16_t>(p.s_aw.id), top.s_awaddr = p.s_aw.addr;
    top.s_awlen = p.s_aw.len, top.s_awsize = p.s_aw.size, top.s_awburst = p.s_aw.burst;
    top.s_wvalid = p.s_wvalid, top.s_wstrb = p.s_w.strobes, top.s_wlast = p.s_w.last;
    if (p.s_wvalid)
      putData(top.s_wdata, p.s_w.value);
    top.s_rready = p.s_rready, top.s_bready = p.s_bready;
    top.m_arready = p.m_arready, top.m_awready = p.m_awready, top.m_wready = p.m_wready;
    top.m_rvalid = p.m_rvalid, top.m_rresp = p.m_r.resp, top.m_rlast = p.m_r.last;
    if (p.m_rvalid)
      putData(top.m_rdata, p.m_r.value);
    top.m_bvalid = p.m_bvalid, top.m_bresp = p.m_bresp;
  }

  void getOutputs() {
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
      p.m_w.strobes = top.m_wstrb, p.m_w.last = top.m_wlast;
    }
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Vtb_delayer> top_;
  Pins pins_;
};

// One read and one write at a time: configured latency to the cycle, or the memory's own when that is longer.
void testIdleLatency(Bench &bench) {
  for (unsigned latency : {0u, 1u, 2u, 3u, 19u, 20u, 21u, 300u, 600u, 1200u, 2400u, 3000u, 32767u, 32768u, 65535u})
    for (unsigned memory : {1u, 20u, 50u}) {
      bench.drain(memory);
      bench.control(kLatency, latency);
      uint64_t late = bench.reference.counter(kLate);
      bench.traffic.phase.read_rate = bench.traffic.phase.write_rate = 256;
      bench.cycle();
      bench.drain(memory);
      uint64_t expected = std::max(latency, memory);
      std::string where = " with latency " + std::to_string(latency) + ", memory " + std::to_string(memory);
      require(bench.reference.lastReadLatency() == expected, "wrong read latency" + where);
      require(bench.reference.lastWriteLatency() == expected, "wrong write latency" + where);
      require(bench.reference.counter(kLate) - late == (latency && memory > latency ? 2u : 0u), "wrong late count" + where);
    }
}

// As many in flight as the device promises, each way.
void testDepth(Bench &bench) {
  bench.drain();
  bench.control(kLatency, 3000);
  bench.traffic.phase.lines_only = true;
  bench.traffic.phase.read_rate = bench.traffic.phase.write_rate = 256;
  bench.run(2900);
  require(bench.reference.readsInFlight() == 512 && bench.reference.writesInFlight() == 512,
          "less than 512 reads and 512 writes in flight");
  bench.drain();
  require(bench.reference.counter(kInflightMax) == 1024, "wrong maximum in flight");
}

// Under constant demand the configured rate is met within one bucket and one beat each way.
void testBandwidth(Bench &bench) {
  constexpr uint64_t cycles = 20000, slack_bytes = Reference::kBucketBytes + 64;
  for (unsigned rate : {1u << 14, 1u << 16, 3u << 15, 65537u, 10u << 16, 31u << 16, 32u << 16, 48u << 16}) {
    bench.drain();
    bench.control(kLatency, 300);
    bench.control(kRate, rate);
    bench.traffic.phase.lines_only = true;
    bench.traffic.phase.read_rate = bench.traffic.phase.write_rate = 256;
    bench.run(2000);
    uint64_t before = bench.reference.bytes();
    bench.run(cycles);
    uint64_t bytes = bench.reference.bytes() - before, expected = cycles * uint64_t(rate) >> 16;
    require(bytes + slack_bytes >= expected && bytes <= expected + slack_bytes,
            "rate " + std::to_string(rate) + ": " + std::to_string(bytes) + " bytes instead of " +
                std::to_string(expected));
    bench.control(kRate, 0);
  }
}

void randomPhase(Bench &bench) {
  Traffic &t = bench.traffic;
  auto stalls = [&] { return t.chance(128) ? 256 : 8 + t.below(248); };
  Phase phase;
  phase.read_rate = t.below(4) ? t.below(257) : 0;
  phase.write_rate = t.below(4) ? t.below(257) : 0;
  phase.data_rate = stalls();
  phase.rready_rate = stalls();
  phase.bready_rate = stalls();
  phase.memory_ready_rate = stalls();
  phase.memory_valid_rate = stalls();
  phase.memory_latency = t.chance(32) ? 3000 : 1 + t.below(64);
  phase.memory_jitter = t.chance(128) ? 0 : t.below(400);
  phase.most_beats = t.chance(32) ? 256 : 1 + t.below(16);
  phase.data_lead = t.chance(64);
  phase.lines_only = t.chance(64);
  phase.control_rate = t.below(16);
  t.phase = phase;
  if (t.chance(160)) {
    const unsigned latencies[] = {0, 1, 2, 20, 300, 1200, 3000, t.below(100), t.below(4000), t.below(65536)};
    bench.control(kLatency, latencies[t.below(10)]);
  }
  if (t.chance(96))
    bench.control(kRate, t.chance(128) ? 0 : t.chance(128) ? t.below(64 << 16) : (1 + t.below(32)) << 16);
  bench.run(200 + t.below(4000));
}

} // namespace

int main(int argc, char **argv) {
  uint64_t beats = 150000, seed = 1;
  for (int i = 1; i < argc; i++) {
    std::string name = argv[i];
    char *end = nullptr;
    uint64_t value = i + 1 < argc ? strtoull(argv[i + 1], &end, 0) : 0;
    if ((name != "--beats" && name != "--seed") || !end || *end || end == argv[i + 1]) {
      fprintf(stderr, "usage: delayer-test [--beats N] [--seed N]\n");
      return 1;
    }
    (name == "--beats" ? beats : seed) = value;
    i++;
  }
  try {
    Bench bench(seed);
    testIdleLatency(bench);
    testDepth(bench);
    testBandwidth(bench);
    while (bench.reference.beats() < beats)
      randomPhase(bench);
    bench.drain();
    printf("delayer-test: %llu beats in %llu cycles, no difference (seed %llu)\n",
           static_cast<unsigned long long>(bench.reference.beats()),
           static_cast<unsigned long long>(bench.reference.now()), static_cast<unsigned long long>(seed));
    return 0;
  } catch (const std::exception &error) {
    fprintf(stderr, "delayer-test: seed %llu: %s\n", static_cast<unsigned long long>(seed), error.what());
    return 1;
  }
}
