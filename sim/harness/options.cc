// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "exit_codes.h"

namespace nhg {

namespace {

constexpr size_t kJitterEntries = 1024;
constexpr uint64_t kJitterModels = 5;

void usage() {
  printf("usage: nhg-sim (--checkpoint FILE | --elf FILE) [options]\n"
         "  --latency-cycles N   far-memory latency, 0 to 65535 core cycles (default 2400 = 800 ns)\n"
         "  --bw-fixed N         far-memory bandwidth, bytes per cycle in 16.16 fixed point (default 0 = unlimited)\n"
         "  --bw-mode N          that is 0: of reads and writes together, 1: of each (default 0)\n"
         "  --jitter-model N     far-memory jitter: 0 constant, 1 uniform, 2 normal, 3 two-point, 4 table (default 0)\n"
         "  --jitter-amplitude N, --jitter-probability N, --jitter-seed N   its registers (docs/delayer.md; default 0)\n"
         "  --jitter-table FILE  %zu offsets in cycles, -32768 to 32767, as text\n"
         "  --result FILE        write the measurement as JSON when the program has ended\n"
         "  --lockstep           compare every instruction with the golden model\n"
         "  --golden-lib FILE    golden model library (default: ../golden/libgolden.so from the executable)\n"
         "  --commit-log FILE    one line per instruction\n"
         "  --max-cycles N       give up after N cycles (default: no limit)\n"
         "  --watchdog-cycles N  give up after N cycles without an instruction (default 100000)\n"
         "  --trace-from C, --trace-to C, --trace-file FILE   waveform (VCD) of a cycle window; nhg-sim-trace only\n"
         "  --seed N             start state of registers without reset: 0 = zeros, else random (default 0)\n"
         "  --memory-stall-percent N   how often each channel of each memory begins to hold up, 0 to 90 (default 0), drawn from --seed\n"
         "exit code: the program's; %d and above are the simulator's own:\n"
         "  %d bad input, %d watchdog, %d mismatch with the golden model, %d cycle limit, %d RTL assertion\n"
         "  (a program's value above %d is reported as %d)\n",
         kJitterEntries, kExitFirstOwn, kExitBadInput, kExitWatchdog, kExitMismatch, kExitMaxCycles, kExitAssertion, kExitFirstOwn - 1,
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

// The table as the delayer's registers take it, four signed 16-bit entries a word.
std::vector<uint64_t> jitterTable(const std::string &path) {
  std::ifstream file(path);
  std::vector<uint64_t> words(kJitterEntries / 4);
  size_t count = 0;
  for (long entry; file >> entry; count++) {
    if (entry < INT16_MIN || entry > INT16_MAX || count == kJitterEntries)
      break;
    words[count / 4] |= uint64_t(uint16_t(entry)) << 16 * (count % 4);
  }
  if (count != kJitterEntries || !file.eof())
    throw std::runtime_error("--jitter-table " + path + ": not " + std::to_string(kJitterEntries) +
                             " whole numbers from -32768 to 32767");
  return words;
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
    else if (name == "--bw-mode")
      options.bandwidth_mode = number(name, value, 1);
    else if (name == "--jitter-model")
      options.jitter_model = number(name, value, kJitterModels - 1);
    else if (name == "--jitter-amplitude")
      options.jitter_amplitude = number(name, value, 65535);
    else if (name == "--jitter-probability")
      options.jitter_probability = number(name, value, 65535);
    else if (name == "--jitter-seed")
      options.jitter_seed = number(name, value, UINT64_MAX);
    else if (name == "--jitter-table")
      options.jitter_table = jitterTable(value);
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
    else if (name == "--memory-stall-percent")
      options.memory_stall_percent = number(name, value, 90);
    else
      throw std::runtime_error(name + ": unknown option; nhg-sim --help lists the options");
  }
  if (options.jitter_model == kJitterModels - 1 && options.jitter_table.empty())
    throw std::runtime_error("--jitter-model 4 draws from a table; give --jitter-table FILE");
  if (options.image.empty())
    throw std::runtime_error("no program; give --checkpoint FILE or --elf FILE");
  return options;
}

} // namespace nhg
