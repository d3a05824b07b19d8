// SPDX-License-Identifier: Apache-2.0
//
// nhg-sim: runs one program or checkpoint on the simulated NH-G. See options.cc for the command line.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "platform.h"
#include "simulator.h"
#include "svdpi.h"

namespace {

struct AssertionFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace

// Called by the Verilated model.
extern "C" int nhg_memory_read(unsigned long long addr, svBitVecVal *data) {
  return nhg::Simulator::current().memory().readWord(addr, data) ? 0 : 1;
}

extern "C" int nhg_memory_write(unsigned long long addr, const svBitVecVal *data, unsigned strobes) {
  return nhg::Simulator::current().memory().writeWord(addr, data, strobes) ? 0 : 1;
}

extern "C" void nhg_host_write(unsigned offset, unsigned long long data) {
  nhg::Simulator::current().host().write(offset, data);
}

// Replacements for Verilator's defaults, which abort; chosen by VL_USER_FATAL and VL_USER_STOP.
void vl_fatal(const char *file, int line, const char *, const char *message) {
  throw AssertionFailure(std::string(file) + ":" + std::to_string(line) + ": " + message);
}

void vl_stop(const char *file, int line, const char *) {
  throw AssertionFailure(std::string(file) + ":" + std::to_string(line) + ": assertion failed, see the line above");
}

int main(int argc, char **argv) {
  try {
    nhg::Simulator simulator(nhg::parseOptions(argc, argv));
    int code = simulator.run();
    fflush(stdout);
    return code;
  } catch (const AssertionFailure &failure) {
    fflush(stdout);
    fprintf(stderr, "nhg-sim: RTL assertion: %s\n", failure.what());
    return NHG_SIMULATOR_EXIT_ASSERTION;
  } catch (const std::exception &error) {
    fflush(stdout);
    fprintf(stderr, "nhg-sim: %s\n", error.what());
    return NHG_SIMULATOR_EXIT_BAD_INPUT;
  }
}
