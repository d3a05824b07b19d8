// SPDX-License-Identifier: Apache-2.0
//
// Test of axi4lite_control under random traffic: an AXI4-Lite manager on one side, registers that may let an access wait
// on the other. Every write of a whole register or of its lower half must reach it once, with the upper half that was
// written for it before, or zeros; writes with other strobes not at all, and end in SLVERR. Reads return what the register
// held; answers stay until they are taken. AXI4LITE_DATA_BITS is the width of the port.
//   axi4lite-test [ACCESSES]     exit 0 when all is well, else 1 with one line
#include <array>
#include <cstdio>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>

#include "Vaxi4lite_control.h"
#include "verilated.h"

namespace {

constexpr unsigned kStep = AXI4LITE_DATA_BITS / 8; // bytes
constexpr bool kNarrow = AXI4LITE_DATA_BITS == 32;

struct Write {
  uint16_t address;
  uint64_t data;
  uint8_t strobes; // as of a 64-bit port
  bool upper() const { return strobes == 0xf0; }
  bool whole() const { return strobes == 0xff || strobes == 0x0f; }
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
  // Mostly one of a few, so that halves of one register meet
  uint16_t address() { return static_cast<uint16_t>(random() % (sometimes() ? 4096 / kStep : 4) * kStep); }

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
      top_->wdata = random();
      const unsigned all = kNarrow ? 0xf : 0xff,
                     kinds[] = {all, all, kNarrow ? all : 0x0fu, kNarrow ? all : 0xf0u, unsigned(random())};
      top_->wstrb = static_cast<uint8_t>(kinds[random() % 5] & all);
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
      require(top_->bresp == (writes_.front().whole() || writes_.front().upper() ? 0 : 2), "wrong BRESP");
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
    Write now = asOfWidePort();
    require(write == (write_taken && now.whole()), "a write reached the registers at the wrong time");
    require((access && !write) == read_taken, "a read reached the registers at the wrong time");
    if (write) {
      auto waiting = upper_.find(now.address / 8);
      uint64_t above = now.strobes == 0xff ? now.data >> 32 : waiting == upper_.end() ? 0 : waiting->second;
      uint64_t value = above << 32 | (now.data & UINT32_MAX);
      require(top_->control_addr == now.address / 8 * 8 && top_->control_wdata == value, "a write was changed");
      registers_[now.address / 8] = value;
      upper_.erase(now.address / 8);
    }
    if (write_taken) {
      writes_.push_back(now);
      if (now.upper())
        upper_ = {{now.address / 8, now.data >> 32}}; // one waits at most, the last one
    }
    if (read_taken) {
      require(top_->control_addr == top_->araddr / 8 * 8, "a read was changed");
      uint64_t value = registers_[top_->araddr / 8];
      reads_.push_back(!kNarrow ? value : top_->araddr & 4 ? value >> 32 : value & UINT32_MAX);
    }
  }

  // What the pins of the write say, as a 64-bit port would have it.
  Write asOfWidePort() const {
    if (!kNarrow)
      return {write_.address, top_->wdata, static_cast<uint8_t>(top_->wstrb)};
    bool upper = write_.address & 4;
    return {write_.address, uint64_t(top_->wdata) << (upper ? 32 : 0),
            static_cast<uint8_t>(top_->wstrb << (upper ? 4 : 0))};
  }

  std::mt19937_64 random_{1};
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Vaxi4lite_control> top_ = std::make_unique<Vaxi4lite_control>(context_.get());
  std::array<uint64_t, 512> registers_{};
  std::map<unsigned, uint64_t> upper_; // the half that waits, by its register
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
    printf("axi4lite-test: %d bits, %u accesses, no difference\n", AXI4LITE_DATA_BITS, bench.done);
    return 0;
  } catch (const std::exception &error) {
    fprintf(stderr, "axi4lite-test: %s\n", error.what());
    return 1;
  }
}
