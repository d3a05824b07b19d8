// SPDX-License-Identifier: Apache-2.0
//
// board-sim: the simulated board as a memory-mapped device on stdin and stdout; tools/nhg/board/simulated.py is the other
// end. Time passes only while a command is carried out, so that a run is repeatable. Little endian.
//   request  char op, uint32 count, uint64 address, then for 'W' count 64-bit words
//            'R' read count words · 'W' write count words · 'T' let count cycles of the core pass
//   reply    uint8 response (AXI: 0, 2, 3), then for 'R' count words
// End of input ends the simulation. Exit codes: exit_codes.h.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "Vsoc_bench.h"
#include "exit_codes.h"
#include "memory.h"
#include "svdpi.h"
#include "verilated.h"

namespace {

struct Transaction {
  int kind = 0; // 1 read, 2 write, 0 none
  bool offered = false, done = false;
  uint64_t address = 0;
  uint32_t response = 0;
  size_t next = 0;
  std::vector<uint64_t> words;
};

nhg::Memory memory;
Transaction transaction;
uint32_t beats;

constexpr uint64_t kCyclesMax = 1000000; // for one transaction; more: the design hangs

template <typename T> bool receive(T &value) { return fread(&value, sizeof value, 1, stdin) == 1; }

void require(bool received) {
  if (!received)
    throw std::runtime_error("the request ends in the middle");
}

class Board {
public:
  Board() {
    top_.reset = 1;
    advance(16);
    top_.reset = 0;
  }
  void advance(uint64_t cycles) {
    for (uint64_t i = 0; i < cycles; i++) {
      top_.clock = 1;
      top_.eval();
      top_.clock = 0;
      top_.eval();
    }
  }
  void complete() {
    for (uint64_t cycle = 0; !transaction.done; cycle++) {
      if (cycle == kCyclesMax)
        throw std::runtime_error("the board does not answer an access at address " + std::to_string(transaction.address));
      advance(1);
    }
  }

private:
  Vsoc_bench top_;
};

// One request; false at the end of input.
bool serve(Board &board) {
  char op;
  uint32_t count;
  uint64_t address;
  if (!receive(op))
    return false;
  require(receive(count) && receive(address));
  if (op == 'T') {
    board.advance(count);
    putchar(0);
  } else if ((op == 'R' || op == 'W') && count >= 1 && count <= 256) {
    transaction = Transaction{};
    transaction.kind = op == 'R' ? 1 : 2;
    transaction.address = address;
    beats = count;
    if (op == 'W') {
      transaction.words.resize(count);
      require(fread(transaction.words.data(), 8, count, stdin) == count);
    }
    board.complete();
    putchar(static_cast<int>(transaction.response));
    if (op == 'R')
      fwrite(transaction.words.data(), 8, count, stdout);
  } else
    throw std::runtime_error("unknown request");
  fflush(stdout);
  return true;
}

} // namespace

extern "C" int nhg_host_next(unsigned long long *address, unsigned *count) {
  if (!transaction.kind || transaction.offered)
    return 0;
  transaction.offered = true;
  *address = transaction.address;
  *count = beats;
  return transaction.kind;
}

extern "C" unsigned long long nhg_host_word() { return transaction.words.at(transaction.next++); }

extern "C" void nhg_host_read(unsigned long long data, unsigned response) {
  transaction.words.push_back(data);
  transaction.response |= response;
}

extern "C" void nhg_host_done(unsigned response) {
  transaction.response |= response;
  transaction.done = true;
}

extern "C" int nhg_memory_read(unsigned long long address, svBitVecVal *data) {
  return memory.readWord(address, data) ? 0 : 1;
}

extern "C" int nhg_memory_write(unsigned long long address, const svBitVecVal *data, unsigned strobes) {
  return memory.writeWord(address, data, strobes) ? 0 : 1;
}

// Replacements for Verilator's defaults, which abort; chosen by VL_USER_FATAL and VL_USER_STOP.
void vl_fatal(const char *file, int line, const char *, const char *message) {
  fprintf(stderr, "board-sim: RTL assertion: %s:%d: %s\n", file, line, message);
  _exit(nhg::kExitAssertion);
}

void vl_stop(const char *file, int line, const char *module) { vl_fatal(file, line, module, "assertion failed, see the line above"); }

int main() {
  try {
    Board board;
    while (serve(board)) {
    }
    return 0;
  } catch (const std::exception &error) {
    fprintf(stderr, "board-sim: %s\n", error.what());
    return nhg::kExitBadInput;
  }
}
