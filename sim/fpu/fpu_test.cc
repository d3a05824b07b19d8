// SPDX-License-Identifier: Apache-2.0
//
// Test of one floating-point unit against Spike, bit for bit, flags included.
//   fpu-test-UNIT [--random N] [--seed N] [--coverage FILE]
// First every operation of the unit x format x rounding mode x combination of classes of its operands, then N random vectors. Bubbles,
// kills and stalls come in between; what was killed is tried again. Exit 0 when all is well, else 1 with one line.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "coverage.h"
#include "device.h"
#include "reference.h"

namespace {

void require(bool condition, const std::string &what) {
  if (!condition)
    throw std::runtime_error(what);
}

std::string describe(const Vector &vector, const Result &got, const Result &expected) {
  char text[300];
  snprintf(text, sizeof text,
           "%s.%c mode %u of %016" PRIx64 " %016" PRIx64 " %016" PRIx64 ": %016" PRIx64
           " flags %02x, Spike has %016" PRIx64 " flags %02x",
           kOperations[vector.operation].name, vector.isDouble ? 'd' : 's', vector.rm, vector.source[0],
           vector.source[1], vector.source[2], got.data, got.flags, expected.data, expected.flags);
  return text;
}

// The vectors, one after another.
class Vectors {
public:
  Vectors(Operands &operands, uint64_t random) : operands_(operands), random_(random) {
    for (unsigned i = 0; i < sizeof kOperations / sizeof *kOperations; i++)
      if (kOperations[i].unit == Unit::FPU_UNIT)
        mine_.push_back(i);
  }
  bool next(Vector &vector) {
    if (!again_.empty()) {
      vector = again_.front();
      again_.pop_front();
      return true;
    }
    if (at_ < mine_.size())
      return directed(vector);
    if (random_ == 0)
      return false;
    random_--;
    vector.operation = mine_[operands_.below(unsigned(mine_.size()))];
    vector.isDouble = operands_.chance(128);
    vector.rm = operands_.below(kRoundingModes);
    operands_.related(vector);
    return true;
  }
  void again(const Vector &vector) { again_.push_back(vector); }

private:
  bool directed(Vector &vector) {
    const Operation &op = kOperations[mine_[at_]];
    vector.operation = mine_[at_];
    vector.isDouble = isDouble_;
    vector.rm = rm_;
    const unsigned number = classes(op, isDouble_);
    unsigned rest = combination_;
    for (unsigned i = 0; i < 3; i++, rest /= number) {
      unsigned index = i < op.sources ? rest % number : 0;
      vector.source[i] = operands_.ofClass(op, isDouble_, hasMembers(op, index) ? index : 0);
    }
    unsigned size = 1;
    for (unsigned i = 0; i < op.sources; i++)
      size *= number;
    if (++combination_ == size) {
      combination_ = 0;
      if (++rm_ == kRoundingModes) {
        rm_ = 0;
        at_ += isDouble_;
        isDouble_ = !isDouble_;
      }
    }
    return true;
  }

  Operands &operands_;
  uint64_t random_;
  std::vector<unsigned> mine_;
  std::deque<Vector> again_;
  size_t at_ = 0;
  bool isDouble_ = false;
  unsigned rm_ = 0, combination_ = 0;
};

struct InFlight {
  bool valid = false;
  Vector vector{};
  Result expected{};
  uint8_t tag = 0;
};

struct Bench {
  Bench(uint64_t seed, uint64_t random) : operands(seed), vectors(operands, random) {}
  void run();
  // The result of an operation that was not killed.
  void compare(const InFlight &operation) {
    require(device.outValid(), "no result for tag " + std::to_string(operation.tag) + " when it is due");
    require(device.outTag() == operation.tag, "a result has another operation's tag");
    require(device.out() == operation.expected, describe(operation.vector, device.out(), operation.expected));
    coverage.count(operation.vector, operation.expected);
    compared++;
  }

  Operands operands;
  Vectors vectors;
  Reference reference;
  Device device;
  Coverage coverage;
  uint64_t compared = 0, killed = 0, cycles = 0;
};

#if FPU_LATENCY

void Bench::run() {
  InFlight stage[Device::kLatency];
  uint8_t tag = 0;
  unsigned rate = 256; // operations in 256 cycles
  for (bool more = true, busy = true; more || busy; cycles++) {
    if (cycles % 1024 == 0)
      rate = operands.chance(128) ? 256 : 64 + operands.below(192);
    stage[0] = InFlight();
    if (more && operands.chance(rate)) {
      more = vectors.next(stage[0].vector);
      stage[0].valid = more;
    }
    if (stage[0].valid) {
      stage[0].expected = reference.run(stage[0].vector);
      stage[0].tag = tag++;
    }
    device.offer(stage[0].valid ? &stage[0].vector : nullptr, stage[0].tag);
    unsigned kill = 0;
    for (unsigned i = 0; i < Device::kLatency; i++)
      kill |= operands.chance(2) << i;
    device.kill(kill);
    device.settle();
    for (unsigned i = 0; i < Device::kLatency; i++) {
      require(device.inFlight(i) == stage[i].valid, "inFlight of stage " + std::to_string(i) + " is wrong");
      require(!stage[i].valid || device.tagInFlight(i) == stage[i].tag,
              "tag of stage " + std::to_string(i) + " is wrong");
      if (stage[i].valid && kill >> i & 1) {
        vectors.again(stage[i].vector);
        more = true;
        stage[i].valid = false;
        killed++;
      }
    }
    const InFlight &last = stage[Device::kLatency - 1];
    if (last.valid)
      compare(last);
    else
      require(!device.outValid(), "a result where there is none");
    device.tick();
    busy = false;
    for (unsigned i = Device::kLatency - 1; i > 0; i--)
      busy |= (stage[i] = stage[i - 1]).valid;
  }
}

#else

// Cycles from operands to result, counting both.
unsigned latency(const Vector &vector, const Result &expected) {
  const Operation &op = kOperations[vector.operation];
  bool special = (expected.flags & 8) != 0;
  for (unsigned i = 0; i < op.sources; i++) {
    const unsigned index = classOf(op, vector.isDouble, vector.source[i]);
    special |= index / 2 == 0 || index / 2 >= 8; // zero; infinite, NaN, badly boxed
    special |= op.sources == 1 && index % 2 == 1;
  }
  return special ? 2 : vector.isDouble ? 16 : 9;
}

void Bench::run() {
  InFlight inside, offered;
  uint8_t tag = 0;
  uint64_t since = 0;
  unsigned readyRate = 256;
  for (bool more = true; more || inside.valid || offered.valid; cycles++) {
    if (cycles % 4096 == 0)
      readyRate = operands.chance(128) ? 256 : 64 + operands.below(192);
    if (!offered.valid && more && operands.chance(128)) {
      more = vectors.next(offered.vector);
      offered.valid = more;
      if (more) {
        offered.expected = reference.run(offered.vector);
        offered.tag = tag++;
      }
    }
    device.offer(offered.valid ? &offered.vector : nullptr, offered.tag);
    const bool kill = operands.below(512) == 0, ready = operands.chance(readyRate);
    device.kill(kill);
    device.outReady(ready);
    device.settle();
    require(device.inReady() == !inside.valid, "ready is wrong");
    require(device.inFlight() == inside.valid && (!inside.valid || device.tagInFlight() == inside.tag),
            "inFlight is wrong");
    bool done = false;
    if (inside.valid && !kill && cycles - since + 1 >= latency(inside.vector, inside.expected)) {
      require(device.outValid(), "no result after its latency: " + describe(inside.vector, {0, 0}, inside.expected));
      if (ready)
        compare(inside);
      done = ready;
    } else {
      require(!device.outValid(), "a result before its latency, or of a killed operation");
    }
    if (kill && inside.valid) {
      vectors.again(inside.vector);
      more = done = true;
      killed++;
    }
    if (offered.valid && !inside.valid) {
      if (kill) {
        vectors.again(offered.vector);
        more = true;
        killed++;
      } else {
        inside = offered;
        since = cycles;
      }
      offered.valid = false;
    } else if (done) {
      inside.valid = false;
    }
    device.tick();
  }
}

#endif

} // namespace

int main(int argc, char **argv) {
  uint64_t random = 1000000, seed = 1;
  std::string coverage;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    char *end = nullptr;
    const uint64_t number = strtoull(value.c_str(), &end, 0);
    const bool isNumber = !value.empty() && !*end;
    if (name == "--coverage" && !value.empty())
      coverage = value;
    else if ((name == "--random" || name == "--seed") && isNumber)
      (name == "--random" ? random : seed) = number;
    else {
      fprintf(stderr, "usage: %s [--random N] [--seed N] [--coverage FILE]\n", argv[0]);
      return 1;
    }
  }
  try {
    Bench bench(seed, random);
    bench.run();
    const uint64_t missed = bench.coverage.print();
    if (!coverage.empty())
      bench.coverage.write(coverage);
    require(missed == 0, std::to_string(missed) + " combinations of operation, mode and operand classes had no vector");
    printf("fpu-test-" FPU_STRING(FPU_UNIT) ": %" PRIu64 " results in %" PRIu64 " cycles as Spike's, %" PRIu64
                                            " killed and repeated (seed %" PRIu64 ")\n",
           bench.compared, bench.cycles, bench.killed, seed);
    return 0;
  } catch (const std::exception &error) {
    fprintf(stderr, "fpu-test-" FPU_STRING(FPU_UNIT) ": seed %" PRIu64 ": %s\n", seed, error.what());
    return 1;
  }
}
