// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <getopt.h>
#include <map>
#include <stdexcept>

#include "platform.h"

namespace nhg {

namespace {

struct Register {
  const char *name;
  uint64_t offset, count;
};

const Register kFarControl[] = {NHG_FAR_CONTROL_REGISTERS};

void usage() {
  printf(
      "usage: nhg-sim (--checkpoint FILE | --elf FILE) [options]\n"
      "  --far-control NAME=VALUE   write a register of the far memory before the program starts, NAME[INDEX] of an "
      "array; may be\n"
      "                       repeated (default: 0 cycles of latency, no limit of bandwidth). `make run` finds the "
      "values from ns and GB/s;\n"
      "                       registers: far_control in tools/platform/platform.toml, for example "
      "latency_cycles=2400 (800 ns)\n"
      "  --result FILE        write the counters as JSON when the program has ended; tools/nhg/result.py reads it\n"
      "  --uart-input FILE    what the UART receives: lines CYCLE TEXT, bytes from that cycle on, with \\n, \\r, "
      "\\t, \\\\ and \\xHH\n"
      "                       (/dev/stdin: from standard input, before the run begins)\n"
      "  --warm-lines FILE    begin with these lines in L3 (nhg-iss --recent-lines), as if the core had run what the "
      "golden model did\n"
      "  --lockstep           compare every instruction, and memory at the end, with the golden model\n"
      "  --golden-lib FILE    golden model library (default: ../golden/libgolden.so from the executable)\n"
      "  --commit-log FILE    one line per instruction\n"
      "  --lose-word ADDRESS  make a word zero when the program has ended, for tests of --lockstep\n"
      "  --stop-after N       end after N instructions as if the program had ended, exit code 0\n"
      "  --final FILE         with --lockstep and --stop-after: the golden model there, as a checkpoint that "
      "another run goes "
      "on from\n"
      "  --max-cycles N       give up after N cycles (default: no limit)\n"
      "  --watchdog-cycles N  give up after N cycles without an instruction (default 100000)\n"
      "  --trace-from C, --trace-to C, --trace-file FILE, --pipeline-file FILE   waveforms (FST) and pipeline log "
      "(Kanata) of a window\n"
      "                       of cycles; nhg-sim-trace only. With --trace-region its cycles count from the "
      "beginning of "
      "the region of interest\n"
      "  --no-time-jump       simulate also cycles in which the design only waits (docs/design/simulation.md)\n"
      "  --check-time-jump    simulate them and compare with what a jump would have led to\n"
      "                       (NHG_TIME_JUMP=off and =check in the environment do the same)\n"
      "  --time-jump-report   at the end: how many were skipped, and what changed in others\n"
      "  --seed N             start state of registers without reset: 0 = zeros, else random (default 0)\n"
      "  --memory-stall-percent N   how often each channel of each memory begins to hold up, 0 to 90 (default 0), "
      "drawn from --seed\n"
      "exit code: the program's; %d and above are the simulator's own:\n"
      "  %d bad input, %d watchdog, %d mismatch with the golden model, %d cycle limit, %d RTL assertion\n"
      "  (a program's value above %d is reported as %d)\n",
      NHG_SIMULATOR_EXIT_FIRST_OWN, NHG_SIMULATOR_EXIT_BAD_INPUT, NHG_SIMULATOR_EXIT_WATCHDOG,
      NHG_SIMULATOR_EXIT_MISMATCH, NHG_SIMULATOR_EXIT_MAX_CYCLES, NHG_SIMULATOR_EXIT_ASSERTION,
      NHG_SIMULATOR_EXIT_FIRST_OWN - 1, NHG_SIMULATOR_EXIT_FIRST_OWN - 1);
}

uint64_t number(const std::string &option, const std::string &text, uint64_t max) {
  errno = 0;
  char *end = nullptr;
  const unsigned long long value = strtoull(text.c_str(), &end, 0);
  if (text.empty() || *end || text[0] == '-' || errno || value > max)
    throw std::runtime_error(option + " " + text + ": not a number from 0 to " + std::to_string(max));
  return value;
}

// NAME=VALUE or NAME[INDEX]=VALUE
ControlWrite controlWrite(const std::string &text) {
  const std::string option = "--far-control " + text;
  const size_t equals = text.find('=');
  if (equals == text.npos)
    throw std::runtime_error(option + ": give REGISTER=VALUE");
  const uint64_t value = number("--far-control " + text.substr(0, equals), text.substr(equals + 1), UINT64_MAX);
  std::string name = text.substr(0, equals), index = "0";
  const size_t bracket = name.find('[');
  if (bracket != name.npos && name.back() == ']') {
    index = name.substr(bracket + 1, name.size() - bracket - 2);
    name.erase(bracket);
  }
  for (const Register &candidate : kFarControl)
    if (name == candidate.name)
      return {candidate.offset + sizeof(uint64_t) * number(option + ": index", index, candidate.count - 1), value};
  throw std::runtime_error(option +
                           ": the far memory has no register of this name; tools/platform/platform.toml lists them");
}

// For what starts the simulator without knowing of it: make run, experiments, tests.
void readEnvironment(Options &options) {
  const char *given = getenv("NHG_TIME_JUMP");
  const std::string choice = given ? given : "";
  if (choice == "off")
    options.time_jump = false;
  else if (choice == "check")
    options.check_time_jump = true;
  else if (!choice.empty() && choice != "on")
    throw std::runtime_error("NHG_TIME_JUMP=" + choice + " in the environment: give on, off or check");
}

} // namespace

Options parseOptions(int argc, char **argv) {
  Options options;
  readEnvironment(options);
  struct Entry {
    const char *name;
    std::function<void(const char *)> take;
  };
  const auto text = [](std::string &place) { return [&place](const char *value) { place = value; }; };
  const auto value = [](const char *name, uint64_t &place, uint64_t max = UINT64_MAX) {
    return Entry{name,
                 [name, &place, max](const char *given) { place = number(std::string("--") + name, given, max); }};
  };
  const auto image = [&options](const char *given) {
    if (!options.image.empty())
      throw std::runtime_error(std::string(given) + ": give one program, a checkpoint or an ELF file");
    options.image = given;
  };
  const Entry entries[] = {
      {"checkpoint", image},
      {"elf", image},
      {"result", text(options.result)},
      {"commit-log", text(options.commit_log)},
      {"golden-lib", text(options.golden_library)},
      {"trace-file", text(options.trace_file)},
      {"pipeline-file", text(options.pipeline_file)},
      {"uart-input", text(options.uart_input)},
      {"warm-lines", text(options.warm_lines)},
      {"far-control", [&options](const char *given) { options.far_control.push_back(controlWrite(given)); }},
      {"final", text(options.final_state)},
      value("stop-after", options.stop_after),
      value("max-cycles", options.max_cycles),
      value("watchdog-cycles", options.watchdog_cycles),
      value("trace-from", options.trace_from),
      value("trace-to", options.trace_to),
      value("seed", options.seed, INT32_MAX),
      value("memory-stall-percent", options.memory_stall_percent, 90),
      value("lose-word", options.lose_word),
  };
  const std::map<std::string, std::function<void()>> flags = {
      {"lockstep", [&options] { options.lockstep = true; }},
      {"trace-region", [&options] { options.trace = options.trace_region = true; }},
      {"no-time-jump", [&options] { options.time_jump = false; }},
      {"check-time-jump", [&options] { options.check_time_jump = true; }},
      {"time-jump-report", [&options] { options.time_jump_report = true; }},
  };
  enum { kHelp = 1000, kFlag };
  std::vector<option> table;
  for (size_t i = 0; i < std::size(entries); i++)
    table.push_back({entries[i].name, required_argument, nullptr, int(i)});
  table.push_back({"help", no_argument, nullptr, kHelp});
  for (const auto &[name, take] : flags)
    table.push_back({name.c_str(), no_argument, nullptr, kFlag});
  table.push_back({});

  opterr = 0;
  for (int found, at; (found = getopt_long(argc, argv, ":", table.data(), &at)) != -1;) {
    if (found == kHelp) {
      usage();
      exit(0);
    } else if (found == kFlag) {
      flags.at(table[size_t(at)].name)();
    } else if (found == '?' || found == ':') {
      const char *problem = found == '?' ? ": unknown option" : ": its value is missing";
      throw std::runtime_error(argv[optind - 1] + std::string(problem) + "; nhg-sim --help lists the options");
    } else {
      const std::string name = entries[found].name;
      options.trace |= name.rfind("trace-", 0) == 0 || name == "pipeline-file";
      entries[found].take(optarg);
    }
  }
  if (optind < argc)
    throw std::runtime_error("unexpected argument '" + std::string(argv[optind]) +
                             "'; nhg-sim --help lists the options");
  if (options.trace_from > options.trace_to)
    throw std::runtime_error("--trace-from " + std::to_string(options.trace_from) + ": after --trace-to " +
                             std::to_string(options.trace_to));
  if (options.trace && options.pipeline_file.empty() && options.trace_file.empty())
    options.trace_file = "nhg-sim.fst";
  if (!options.final_state.empty() && !(options.lockstep && options.stop_after))
    throw std::runtime_error("--final " + options.final_state +
                             ": the golden model writes it; give --lockstep and --stop-after, too");
  if (options.image.empty())
    throw std::runtime_error("no program; give --checkpoint FILE or --elf FILE");
  return options;
}

} // namespace nhg
