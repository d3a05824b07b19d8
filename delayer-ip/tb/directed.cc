// SPDX-License-Identifier: Apache-2.0
#include "directed.h"

#include <algorithm>
#include <cmath>

namespace {

void saturate(Bench &bench) {
  bench.traffic.phase.lines_only = true;
  bench.traffic.phase.read_rate = bench.traffic.phase.write_rate = 256;
}

// One read and one write at a time: configured latency to the cycle, or the memory's own when that is longer.
void testIdleLatency(Bench &bench) {
  for (unsigned latency : {0u, 1u, 2u, 3u, 4u, 19u, 20u, 21u, 300u, 600u, 1200u, 2400u, 3000u, 32767u, 32768u, 65535u})
    for (unsigned memory : {1u, 2u, 20u, 50u}) {
      if (latency > Reference::kLatencyMax)
        continue;
      bench.constantLatency(latency);
      std::string where = " with latency " + std::to_string(latency) + ", memory " + std::to_string(memory);
      require(bench.oneOfEach(memory, std::max(latency, memory)), "wrong latency" + where);
      require(bench.reference.counter(kLate) == (latency && memory > latency ? 2u : 0u), "wrong late count" + where);
    }
}

// Latency 0 is a bypass: under full load no answer and no request waits a cycle in the device.
void testBypass(Bench &bench) {
  bench.constantLatency(0);
  for (unsigned ids : {1u, kIds}) {
    bench.drain(1);
    saturate(bench);
    bench.traffic.phase.ids = ids;
    for (unsigned i = 0; i < 2000; i++) {
      bench.cycle();
      const Pins &p = bench.pins();
      require(p.s_rvalid == p.m_rvalid && p.s_bvalid == p.m_bvalid && p.m_arvalid == (p.s_arvalid && p.s_arready) &&
                  p.m_awvalid == (p.s_awvalid && p.s_awready) && p.m_wvalid == (p.s_wvalid && p.s_wready),
              "latency 0 adds a cycle");
    }
  }
}

// As many in flight as the device promises, each way; constant latency keeps the order of requests.
void testDepth(Bench &bench) {
  bench.drain();
  unsigned latency = std::min(3000u, Reference::kLatencyMax);
  bench.constantLatency(latency);
  uint64_t overtakes = bench.reference.reads().overtakes() + bench.reference.writes().overtakes();
  bench.control(kControl, 1);
  saturate(bench);
  bench.run(latency - 100);
  constexpr unsigned most = Reference::kTransactions;
  require(bench.reference.reads().inFlight() == most && bench.reference.writes().inFlight() == most,
          "less reads or writes in flight than promised");
  bench.drain();
  require(bench.reference.counter(kInflightMax) == 2 * most, "wrong maximum in flight");
  require(bench.reference.reads().overtakes() + bench.reference.writes().overtakes() == overtakes,
          "constant latency changed the order of answers");
}

// Under constant demand the configured rate is met, of both directions together or of each, but for the fill of the bucket:
// a cycle's inflow at most, and below zero by a cycle's beats at most.
void testBandwidth(Bench &bench) {
  constexpr uint64_t cycles = 20000, port_rate = kDataBytes << 16;
  for (bool per_direction : {false, true})
    for (unsigned rate : {1u << 14, 1u << 16, 3u << 15, 65537u, kDataBytes * 5 << 12, (kDataBytes - 1) << 16,
                          kDataBytes << 16, kDataBytes * 3 << 15}) {
      bench.drain();
      bench.constantLatency(20);
      bench.control(kBandwidthMode, per_direction);
      bench.control(kRate, rate);
      saturate(bench);
      bench.run(2000);
      uint64_t before[2] = {bench.reference.bytes(false), bench.reference.bytes(true)};
      bench.run(cycles);
      uint64_t read = bench.reference.bytes(false) - before[0], written = bench.reference.bytes(true) - before[1];
      auto check = [&](const char *what, uint64_t bytes, uint64_t beats) {
        uint64_t inflow = per_direction ? std::min<uint64_t>(rate, port_rate) : rate;
        uint64_t expected = cycles * inflow >> 16, slack_bytes = (inflow >> 16) + 1 + kDataBytes * beats;
        require(bytes + slack_bytes >= expected && bytes <= expected + slack_bytes,
                "rate " + std::to_string(rate) + ": " + what + " " + std::to_string(bytes) + " bytes instead of " +
                    std::to_string(expected));
      };
      if (per_direction) {
        check("read", read, 1);
        check("written", written, 1);
      } else
        check("read and written", read + written, 2);
      bench.control(kRate, 0);
    }
  bench.control(kBandwidthMode, 0);
}

// Writes alone have emptied the common bucket when the mode changes; their own begins full.
void testBandwidthMode(Bench &bench) {
  bench.drain();
  bench.constantLatency(20);
  bench.control(kRate, 4 << 16);
  saturate(bench);
  bench.traffic.phase.read_rate = 0;
  for (bool per_direction : {true, false, true}) {
    bench.run(300);
    bench.control(kBandwidthMode, per_direction);
  }
  bench.run(300);
  bench.drain();
  bench.control(kBandwidthMode, 0);
  bench.control(kRate, 0);
}

// A memory and a core that stall for longer than the device's clocks take to wrap.
void testLongStalls(Bench &bench) {
  constexpr unsigned stall = 700200; // clocks of 10, 12 and 18 bits would take its begin for the future
  bench.drain();
  bench.constantLatency(300);
  require(bench.oneOfEach(stall, stall), "a late answer was delayed further");
  require(bench.reference.counter(kLate) == 2, "a late answer was not counted");
  bench.traffic.phase.ids = 4;
  saturate(bench);
  bench.run(200);
  bench.traffic.phase.rready_rate = bench.traffic.phase.bready_rate = 0;
  bench.run(stall);
  bench.drain();
}

// One ID and a few, answered by the memory in the cycle after the request, with times that would change their order.
void testOrder(Bench &bench) {
  bench.control(kModel, JitterSettings::kUniform);
  bench.control(kAmplitude, 30);
  bench.control(kLatency, 40);
  for (unsigned ids : {1u, 2u, 5u}) {
    bench.drain(1);
    bench.traffic.phase.read_rate = bench.traffic.phase.write_rate = 256;
    bench.traffic.phase.most_beats = 1;
    bench.traffic.phase.ids = ids;
    bench.run(2000);
  }
  bench.drain();
  bench.constantLatency(0);
}

// Write data runs ahead of its addresses by as many bursts as the device promises.
void testDataLead(Bench &bench) {
  bench.drain();
  bench.control(kControl, 1);
  bench.traffic.phase.write_rate = 256;
  bench.traffic.phase.most_beats = 1;
  bench.traffic.phase.data_lead = Reference::kTransactions + 4;
  bench.traffic.phase.address_rate = 0;
  bench.run(Reference::kTransactions + 20);
  require(bench.reference.counter(kWriteStalls + kRoom) != 0,
          "less write data taken ahead of its addresses than promised");
  bench.drain();
}

// Resets in the midst of traffic; nothing of before may show afterwards.
void testReset(Bench &bench) {
  for (unsigned i = 0; i < 24; i++) {
    bench.control(kLatency, 4 * i);
    bench.control(kModel, JitterSettings::kUniform);
    bench.control(kAmplitude, 2 * i);
    bench.control(kRate, i % 3 << 19);
    bench.control(kBandwidthMode, i % 2);
    saturate(bench);
    bench.run(100 + bench.traffic.below(200));
    bench.reset();
  }
}

// Every register, and every address where there is none, with values at and beyond the bounds of the fields.
void testRegisters(Bench &bench) {
  for (unsigned address = 0; address < 4096; address += 8)
    for (uint64_t value : {~0ull, 1ull << 32, 0x10001ull, 0xffffull, 17ull, 5ull, 0ull}) {
      bench.control(address, value);
      bench.readRegister(address);
      bench.control(address + 1 + bench.traffic.below(7), 1);
      bench.readRegister(address);
    }
}

// Periods of a few cycles under traffic; every counter and bin of each, and what came in the cycle of the clear.
void testClear(Bench &bench) {
  bench.control(kHistogramShift, 2);
  bench.control(kModel, JitterSettings::kUniform);
  bench.control(kAmplitude, 30);
  bench.control(kLatency, 60);
  bench.drain(1);
  bench.traffic.phase.read_rate = bench.traffic.phase.write_rate = 256;
  bench.traffic.phase.most_beats = 1;
  bench.traffic.phase.memory_latency = 1;
  for (unsigned i = 0; i < 100; i++) {
    bench.control(kControl, 1);
    bench.run(bench.traffic.below(4));
    bench.control(kControl, 2);
    for (unsigned address = kCounterBase; address < kHistogramBase; address += 8)
      bench.readRegister(address);
    for (unsigned address = kBins; address < kBins + 0x200; address += 8)
      bench.readRegister(address);
  }
  bench.drain();
  bench.constantLatency(0);
}

struct Spread {
  double mean, deviation;
};

// Latencies of a few thousand reads under a model, from the histogram of single cycles around `centre`.
Spread measure(Bench &bench, JitterSettings::Model model, unsigned amplitude, unsigned centre) {
  bench.drain(1);
  bench.control(kLatency, centre);
  bench.control(kModel, model);
  bench.control(kAmplitude, amplitude);
  bench.control(kHistogramBase, centre - 16);
  bench.control(kHistogramShift, 0);
  bench.control(kControl, 1);
  bench.traffic.phase.read_rate = 16; // one beat at a time, so that answers seldom meet
  bench.traffic.phase.most_beats = 1;
  bench.traffic.phase.memory_latency = 1;
  bench.run(160000);
  bench.drain(1);
  double count = 0, sum = 0, squares = 0;
  for (unsigned bin = 0; bin < Reference::kBins; bin++) {
    double n = static_cast<double>(bench.reference.bin(false, bin)), offset = bin - 16.0;
    count += n;
    sum += n * offset;
    squares += n * offset * offset;
  }
  require(count == static_cast<double>(bench.reference.counter(kReads)), "the histogram does not hold every read");
  return {sum / count, std::sqrt(squares / count - sum * sum / count / count)};
}

bool near(double value, double expected, double error) { return std::abs(value - expected) < error; }

// The models have the distributions they promise, and let transactions overtake each other.
void testJitterModels(Bench &bench) {
  uint64_t before = bench.reference.reads().overtakes();
  Spread uniform = measure(bench, JitterSettings::kUniform, 10, 200);
  require(near(uniform.mean, 0.05, 0.25) && near(uniform.deviation, 6.06, 0.2), "uniform jitter is not uniform");
  Spread normal = measure(bench, JitterSettings::kNormal, 14, 200);
  require(near(normal.mean, 0.05, 0.25) && near(normal.deviation, 4.05, 0.2), "normal jitter is not bell-shaped");
  bench.control(kProbability, 0x4000);
  Spread two_point = measure(bench, JitterSettings::kTwoPoint, 12, 200);
  require(near(two_point.mean, 3.05, 0.25) && near(two_point.deviation, 5.2, 0.2), "two-point jitter is wrong");
  for (unsigned word = 0; word < 256; word++)
    bench.control(kTable + 8 * word, word < 64 ? 0xfff8fff8fff8fff8 : 0x0004000400040004);
  Spread table = measure(bench, JitterSettings::kTable, 0, 200);
  require(near(table.mean, 1.05, 0.25) && near(table.deviation, 5.2, 0.2), "the table's offsets are wrong");
  require(bench.reference.reads().overtakes() > before, "jitter does not change the order of answers");
  bench.constantLatency(0);
}

// The same seed gives the same latencies, whatever the traffic in between.
void testSeed(Bench &bench) {
  uint64_t sums[2];
  bench.control(kModel, JitterSettings::kUniform);
  bench.control(kAmplitude, 100);
  bench.control(kLatency, 200);
  for (uint64_t &sum : sums) {
    bench.control(kSeed, 12345);
    sum = 0;
    for (unsigned i = 0; i < 20; i++) {
      bench.oneOfEach(1 + bench.traffic.below(50), 0);
      sum = sum * 31 + bench.reference.counter(kReadLatencySum) * 7 + bench.reference.counter(kWriteLatencySum);
    }
  }
  require(sums[0] == sums[1], "one seed gave two sequences");
  bench.constantLatency(0);
}

// Where the models decide: a number at the probability of the two-point model and one below it, and a seed that
// would let the generator begin with 0.
void testNumbers(Bench &bench) {
  bench.control(kLatency, 100);
  bench.control(kModel, JitterSettings::kTwoPoint);
  bench.control(kAmplitude, 20);
  for (uint64_t seed : {1ull, 12345ull, 0x123456789abcdefull})
    for (unsigned above : {0u, 1u}) {
      bench.control(kProbability, (Jitter::step(seed) >> 48) + above);
      bench.control(kSeed, seed);
      bench.oneOfEach(1, 0);
      require(bench.reference.counter(kReadLatencySum) == 100 + 20 * above, "two-point jitter at the wrong number");
    }
  bench.control(kModel, JitterSettings::kUniform);
  for (uint64_t seed : {uint64_t(0), Reference::kWriteNumbers}) {
    bench.control(kSeed, seed);
    for (unsigned i = 0; i < 8; i++)
      bench.oneOfEach(1, 0);
  }
  bench.constantLatency(0);
}

} // namespace

void runDirected(Bench &bench) {
  testIdleLatency(bench);
  testBypass(bench);
  testDepth(bench);
  testBandwidth(bench);
  testBandwidthMode(bench);
  testLongStalls(bench);
  testOrder(bench);
  testDataLead(bench);
  testReset(bench);
  testRegisters(bench);
  testClear(bench);
  testJitterModels(bench);
  testSeed(bench);
  testNumbers(bench);
  bench.drain();
}
