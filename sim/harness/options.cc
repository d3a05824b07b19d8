// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "exit_codes.h"

namespace nhg {

namespace {

void usage() {
  printf("usage: nhg-sim (--checkpoint FILE | --elf FILE) [options]\n"
         "  --latency-cycles N   far-memory latency, 0 to 65535 core cycles (default 2400 = 800 ns)\n"
         "  --bw-fixed N         far-memory bandwidth, bytes per cycle in 16.16 fixed point (default 0 = unlimited)\n"
         "  --result FILE        write the measurement as JSON when the program has ended\n"
         "  --lockstep           compare every instruction with the golden model\n"
         "  --golden-lib FILE    golden model library (default: ../golden/libgolden.so from the executable)\n"
         "  --commit-log FILE    one line per instruction\n"
         "  --max-cycles N       give up after N cycles (default: no limit)\n"
         "  --watchdog-cycles N  give up after N cycles without an instruction (default 100000)\n"
         "  --trace-from C, --trace-to C, --trace-file FILE   waveform (VCD) of a cycle window; nhg-sim-trace only\n"
         "  --seed N             start state of registers without reset: 0 = zeros, else random (default 0)\n"
         "exit code: the program's; %d and above are the simulator's own:\n"
         "  %d bad input, %d watchdog, %d mismatch with the golden model, %d cycle limit, %d RTL assertion\n"
         "  (a program's value above %d is reported as %d)\n",
         kExitFirstOwn, kExitBadInput, kExitWatchdog, kExitMismatch, kExitMaxCycles, kExitAssertion, kExitFirstOwn - 1,
         kExitFirstOwn - 1);
}

uint64_t number(const std::string &option, const char *text, uint64_t max) {
  errno = 0;
  char *end = nullptr;
  unsigned long long value = strtoull(text, &end, 0);
  if (end == text || *end || *text == '-' || errno || value > max)
    throw std::runtime_error(option + " " + text + ": not a number from 0 to " + std::to_string(max));
  return value;
}

} // namespace

Options parseOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; i++) {
    std::string name = argv[i];
    if (name == "--help") {
      usage();
      exit(0);
    }
    if (name == "--lockstep") {
      options.lockstep = true;
      continue;
    }
    if (name.rfind("--", 0) != 0)
      throw std::runtime_error("unexpected argument '" + name + "'; nhg-sim --help lists the options");
    if (i + 1 == argc)
      throw std::runtime_error(name + ": unknown option, or its value is missing; nhg-sim --help lists the options");
    const char *value = argv[++i];
    if (name == "--checkpoint" || name == "--elf") {
      if (!options.image.empty())
        throw std::runtime_error(name + ": give one program, a checkpoint or an ELF file");
      options.image = value;
    } else if (name == "--result")
      options.result = value;
    else if (name == "--commit-log")
      options.commit_log = value;
    else if (name == "--golden-lib")
      options.golden_library = value;
    else if (name == "--trace-file") {
      options.trace_file = value;
      options.trace = true;
    } else if (name == "--latency-cycles")
      options.latency_cycles = number(name, value, 65535);
    else if (name == "--bw-fixed")
      options.bandwidth = number(name, value, UINT32_MAX);
    else if (name == "--max-cycles")
      options.max_cycles = number(name, value, UINT64_MAX);
    else if (name == "--watchdog-cycles")
      options.watchdog_cycles = number(name, value, UINT64_MAX);
    else if (name == "--trace-from") {
      options.trace_from = number(name, value, UINT64_MAX);
      options.trace = true;
    } else if (name == "--trace-to") {
      options.trace_to = number(name, value, UINT64_MAX);
      options.trace = true;
    } else if (name == "--seed")
      options.seed = number(name, value, INT32_MAX);
    else
      throw std::runtime_error(name + ": unknown option; nhg-sim --help lists the options");
  }
  if (options.image.empty())
    throw std::runtime_error("no program; give --checkpoint FILE or --elf FILE");
  return options;
}

} // namespace nhg
