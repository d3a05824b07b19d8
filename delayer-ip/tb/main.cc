// SPDX-License-Identifier: Apache-2.0
//
// Test of the delayer: every output of every cycle against the reference model, protocol checkers on both sides.
//   delayer-test [--beats N] [--seed N]
// The directed parts (directed.cc) always run; then constrained-random phases of N data beats together. Exit 0 when all
// is well, else 1 with one line.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "bench.h"
#include "directed.h"

namespace {

void randomSettings(Bench &bench) {
  Traffic &t = bench.traffic;
  if (t.chance(160)) {
    const unsigned latencies[] = {0, 1, 2, 20, 300, 1200, 3000, t.below(100), t.below(4000), t.below(65536)};
    bench.control(kLatency, latencies[t.below(10)]);
  }
  if (t.chance(96))
    bench.control(kModel, t.below(6));
  if (t.chance(64)) {
    bench.control(kAmplitude, t.chance(16) ? t.below(70000) : t.chance(128) ? t.below(8) : t.below(2000));
    bench.control(kProbability, t.below(65536));
  }
  for (unsigned word = t.chance(64) ? t.below(256) : 0; word; word--)
    bench.control(kTable + 8 * t.below(256), t.random64() & (t.chance(8) ? ~0ull : 0x01ff01ff01ff01ff));
  if (t.chance(32))
    bench.control(kSeed, t.chance(64) ? 0 : t.chance(64) ? Reference::kWriteNumbers : t.random64());
  if (t.chance(64)) {
    bench.control(kHistogramBase, t.below(4000));
    bench.control(kHistogramShift, t.below(18));
  }
  if (t.chance(64))
    bench.control(kBandwidthMode, t.below(3));
  if (t.chance(96))
    bench.control(kRate, t.chance(128) ? 0 : t.chance(128) ? t.below(64 << 16) : (1 + t.below(32)) << 16);
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
  phase.data_lead = t.chance(64) ? t.chance(64) ? Reference::kTransactions + 4 : 4 : 0;
  phase.address_rate = t.chance(64) ? t.below(64) : 64;
  phase.lines_only = t.chance(64);
  phase.ids = t.chance(64) ? 1 + t.below(8) : kIds;
  phase.control_rate = t.below(16);
  t.phase = phase;
  randomSettings(bench);
  bench.run(200 + t.below(4000));
  if (t.chance(4))
    bench.reset();
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
    runDirected(bench);
    uint64_t directed = bench.beats();
    while (bench.beats() < directed + beats)
      randomPhase(bench);
    bench.drain();
    auto ull = [](uint64_t value) { return static_cast<unsigned long long>(value); };
    printf("delayer-test: %llu directed and %llu random beats in %llu cycles, no difference (seed %llu)\n",
           ull(directed), ull(bench.beats() - directed), ull(bench.cycles()), ull(seed));
    return 0;
  } catch (const std::exception &error) {
    fprintf(stderr, "delayer-test: seed %llu: %s\n", static_cast<unsigned long long>(seed), error.what());
    return 1;
  }
}
