// SPDX-License-Identifier: Apache-2.0
//
// Test of axi4lite_control under random traffic: an AXI4-Lite manager on one side, registers that may let an access wait
// on the other. Every write with all strobes must reach the registers once, others not at all and end in SLVERR;
// reads return what the register held; answers stay until they are taken.
//   axi4lite-test [ACCESSES]     exit 0 when all is well, else 1 with one line
#include <array>
#include <cstdio>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>

#include "Vaxi4lite_control.h"
#include "verilated.h"

namespace {

struct Write {
  uint16_t address;
  uint64_t data;
  bool legal;
};

void require(bool condition, const char *what) {
  if (!condition)
    throw std::runtime_error(what);
}

class Bench {
public:
  Bench() {
    top_->reset = 1;
    edge();
    top_->reset = 0;
  }

  void cycle() {
    drive();
    top_->clock = 0;
    top_->eval();
    top_->control_rdata = registers_[top_->control_addr / 8];
    top_->eval();
    observeAnswers();
    bool write_taken = top_->awvalid && top_->awready, read_taken = top_->arvalid && top_->arready;
    observeAccess(write_taken, read_taken);
    edge();
    if (write_taken)
      top_->awvalid = top_->wvalid = 0;
    if (read_taken)
      top_->arvalid = 0;
  }

  unsigned done = 0;

private:
  uint64_t random() { return random_(); }
  bool sometimes() { return random() % 3 == 0; }
  uint16_t address() { return static_cast<uint16_t>(random() % 512 * 8); }

  void edge() {
    top_->clock = 0;
    top_->eval();
    top_->clock = 1;
    top_->eval();
  }

  void drive() {
    if (!top_->awvalid && sometimes()) {
      write_.address = top_->awaddr = address();
      top_->awvalid = 1;
    }
    if (!top_->wvalid && sometimes()) {
      write_.data = top_->wdata = random();
      top_->wstrb = sometimes() ? static_cast<uint8_t>(random()) : 0xff;
      write_.legal = top_->wstrb == 0xff;
      top_->wvalid = 1;
    }
    if (!top_->arvalid && sometimes()) {
      top_->araddr = address();
      top_->arvalid = 1;
    }
    top_->bready = sometimes();
    top_->rready = sometimes();
    top_->control_ready = sometimes();
  }

  void observeAnswers() {
    require(!held_b_ || top_->bvalid, "B went away");
    require(!held_r_ || top_->rvalid, "R went away");
    held_b_ = top_->bvalid && !top_->bready;
    held_r_ = top_->rvalid && !top_->rready;
    if (top_->bvalid && top_->bready) {
      require(!writes_.empty(), "B without a write");
      require(top_->bresp == (writes_.front().legal ? 0 : 2), "wrong BRESP");
      writes_.pop_front();
      done++;
    }
    if (top_->rvalid && top_->rready) {
      require(!reads_.empty() && top_->rdata == reads_.front() && top_->rresp == 0, "wrong R");
      reads_.pop_front();
      done++;
    }
  }

  void observeAccess(bool write_taken, bool read_taken) {
    require(top_->awready == top_->wready, "address and data of a write are taken apart");
    require(!write_taken || top_->wvalid, "an address was taken without its data");
    bool access = top_->control_valid && top_->control_ready;
    bool write = access && top_->control_write;
    require(write == (write_taken && write_.legal), "a write reached the registers at the wrong time");
    require((access && !write) == read_taken, "a read reached the registers at the wrong time");
    if (write) {
      require(top_->control_addr == write_.address && top_->control_wdata == write_.data, "a write was changed");
      registers_[write_.address / 8] = write_.data;
    }
    if (write_taken)
      writes_.push_back(write_);
    if (read_taken) {
      require(top_->control_addr == top_->araddr, "a read was changed");
      reads_.push_back(registers_[top_->araddr / 8]);
    }
  }

  std::mt19937_64 random_{1};
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Vaxi4lite_control> top_ = std::make_unique<Vaxi4lite_control>(context_.get());
  std::array<uint64_t, 512> registers_{};
  Write write_{};
  std::deque<Write> writes_;
  std::deque<uint64_t> reads_;
  bool held_b_ = false, held_r_ = false; // offered and not taken
};

} // namespace

int main(int argc, char **argv) {
  unsigned long accesses = argc > 1 ? strtoul(argv[1], nullptr, 0) : 100000;
  try {
    Bench bench;
    for (unsigned long cycles = 0; bench.done < accesses; cycles++) {
      require(cycles < 100 * accesses, "the port is stuck");
      bench.cycle();
    }
    printf("axi4lite-test: %u accesses, no difference\n", bench.done);
    return 0;
  } catch (const std::exception &error) {
    fprintf(stderr, "axi4lite-test: %s\n", error.what());
    return 1;
  }
}
