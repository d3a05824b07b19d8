// SPDX-License-Identifier: Apache-2.0
//
// board-sim: the simulated board as a memory-mapped device on stdin and stdout; tools/nhg/board/simulated.py is the other
// end. Time passes only while a command is carried out, so that a run is repeatable. Little endian.
//   request  char operation, uint32 count, uint64 argument, then for 'W' and 'w' count 64-bit words
//            'R' 'r'  read count words at the address, over JTAG or PCIe · 'W' 'w'  write, likewise
//            'T'      let count cycles of the board clock (100 MHz) pass
//            'I'      set the board's inputs: bit 0 HBM over temperature, 1 button, 2 reset of the PCIe slot, 3 the clock of PCIe
//                     stands, 4 the clock of DDR4 is unstable
//            'C'      argument = the inputs that are set count half cycles after the next transaction has begun, unless it is done before
//   reply    uint8 response (AXI: 0, 2, 3; 4: a reset of its link has ended it), then for reads count words
// End of input ends the simulation. Exit codes: tools/platform/platform.toml.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include "Vvcu128_bench.h"
#include "hbm.h"
#include "platform.h"
#include "memory.h"
#include "svdpi.h"
#include "verilated.h"

namespace {

struct Transaction {
  int kind = 0; // 1 read, 2 write, 0 none
  int link = 0; // 0 JTAG, 1 PCIe
  bool offered = false, done = false;
  uint64_t address = 0;
  uint32_t count = 0;
  uint32_t response = 0;
  size_t next = 0;
  std::vector<uint64_t> words;
};

constexpr uint64_t kHbmBytes = 8ull << 30, kDdr4Bytes = 4ull << 30;
nhg::Memory memory({{0, kHbmBytes}, {kHbmBytes, kDdr4Bytes}});
Transaction transaction;

constexpr uint32_t kCut = 4; // response of a transaction whose link was reset
constexpr unsigned kPcieReset = 1 << 2, kPcieStands = 1 << 3, kDdr4Unstable = 1 << 4;
bool ddr4_unstable = false;

constexpr uint32_t kWordsMax = 256;
constexpr uint64_t kCyclesMax = 1000000; // for one transaction; more: the design hangs

template <typename T> bool receive(T &value) { return fread(&value, sizeof value, 1, stdin) == 1; }

void require(bool received) {
  if (!received)
    throw std::runtime_error("the request ends in the middle");
}

// Half periods of the two free-running clocks; they share no edge for long.
constexpr uint64_t kBoardHalfPs = 5000; // 100 MHz
constexpr uint64_t kPcieHalfPs = 2003;  // 250 MHz, a little off

class Board {
public:
  // Until the clocks are locked and the resets gone.
  Board() {
    inputs(0);
    advance(400);
  }

  void advance(uint64_t board_half_cycles) {
    for (uint64_t edges = board_half_cycles; edges;) {
      if (board_edge_ps_ <= pcie_edge_ps_) {
        top_.clock_100mhz = !top_.clock_100mhz;
        board_edge_ps_ += kBoardHalfPs;
        edges--;
      } else {
        top_.clock_pcie = top_.clock_pcie != !pcie_stands_;
        pcie_edge_ps_ += kPcieHalfPs;
      }
      top_.eval();
    }
  }

  void complete() {
    for (uint64_t half_cycle = 0; !transaction.done; half_cycle++) {
      if (half_cycle == 2 * kCyclesMax)
        throw std::runtime_error("the board does not answer an access at address " +
                                 std::to_string(transaction.address));
      if (cut_inputs_ && half_cycle == cut_half_cycles_) {
        inputs(cut_inputs_);
        transaction.done = true;
        transaction.kind = 0;
        transaction.response = kCut;
      }
      advance(1);
    }
    cut_inputs_ = 0;
  }

  void inputs(uint32_t bits) {
    nhg::hbm_too_hot = bits & 1;
    top_.button = bits >> 1 & 1;
    top_.pcie_perst_n = !(bits & kPcieReset);
    pcie_stands_ = bits & kPcieStands;
    ddr4_unstable = bits & kDdr4Unstable;
  }

  void cutNext(uint32_t half_cycles, uint32_t inputs) {
    cut_half_cycles_ = half_cycles;
    cut_inputs_ = inputs;
  }

private:
  bool pcie_stands_ = false;
  uint32_t cut_half_cycles_ = 0, cut_inputs_ = 0;
  Vvcu128_bench top_;
  uint64_t board_edge_ps_ = kBoardHalfPs, pcie_edge_ps_ = kPcieHalfPs;
};

// One request; false at the end of input.
bool serve(Board &board) {
  char op;
  uint32_t count;
  uint64_t address;
  if (!receive(op))
    return false;
  require(receive(count) && receive(address));
  const bool read = op == 'R' || op == 'r', write = op == 'W' || op == 'w';
  if (op == 'T' || op == 'I' || op == 'C') {
    if (op == 'T')
      board.advance(2ull * count);
    else if (op == 'I')
      board.inputs(count);
    else
      board.cutNext(count, address);
    putchar(0);
  } else if ((read || write) && count >= 1 && count <= kWordsMax) {
    transaction = Transaction{};
    transaction.kind = read ? 1 : 2;
    transaction.link = op == 'r' || op == 'w';
    transaction.address = address;
    transaction.count = count;
    if (write) {
      transaction.words.resize(count);
      require(fread(transaction.words.data(), 8, count, stdin) == count);
    }
    board.complete();
    putchar(static_cast<int>(transaction.response));
    transaction.words.resize(count);
    if (read)
      fwrite(transaction.words.data(), 8, count, stdout);
  } else
    throw std::runtime_error("unknown request");
  fflush(stdout);
  return true;
}

} // namespace

extern "C" int nhg_host_next(int link, unsigned long long *address, unsigned *words) {
  if (!transaction.kind || transaction.offered || transaction.link != link)
    return 0;
  transaction.offered = true;
  *address = transaction.address;
  *words = transaction.count;
  return transaction.kind;
}

extern "C" unsigned long long nhg_host_word() { return transaction.words.at(transaction.next++); }

extern "C" void nhg_host_read(unsigned long long data) { transaction.words.push_back(data); }

extern "C" void nhg_host_response(unsigned response, unsigned last) {
  transaction.response |= response;
  transaction.done = last;
}

extern "C" int nhg_ddr4_unstable() { return ddr4_unstable; }

extern "C" int nhg_memory_read(unsigned long long address, svBitVecVal *data) {
  return memory.readWord(address, data) ? 0 : 1;
}

extern "C" int nhg_memory_write(unsigned long long address, const svBitVecVal *data, unsigned strobes) {
  return memory.writeWord(address, data, strobes) ? 0 : 1;
}

// Replacements for Verilator's defaults, which abort; chosen by VL_USER_FATAL and VL_USER_STOP.
void vl_fatal(const char *file, int line, const char *, const char *message) {
  fprintf(stderr, "board-sim: RTL assertion: %s:%d: %s\n", file, line, message);
  _exit(NHG_SIMULATOR_EXIT_ASSERTION);
}

void vl_stop(const char *file, int line, const char *module) {
  vl_fatal(file, line, module, "assertion failed, see the line above");
}

int main() {
  try {
    Board board;
    while (serve(board)) {
    }
    return 0;
  } catch (const std::exception &error) {
    fprintf(stderr, "board-sim: %s\n", error.what());
    return NHG_SIMULATOR_EXIT_BAD_INPUT;
  }
}
