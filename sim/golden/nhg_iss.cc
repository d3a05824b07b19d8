// SPDX-License-Identifier: Apache-2.0
//
// nhg-iss: runs a program on the golden model.
//
//   nhg-iss --elf IMAGE [--adversarial SEED] [--checkpoint OUT [--checkpoint-at N]] [--final OUT] [--max-insns N] [--result OUT.json]
//     [--uart-input FILE] [--recent-lines OUT]
//
// FILE is what the UART receives (uart_input.h); a cycle of it is an instruction here.
// IMAGE is an ELF program or a checkpoint. Console output goes to stdout, messages to stderr.
// Exit status: the program's exit code (255 when it does not fit 8 bits); 2 usage or file error, 3 stopped
// by an AMU error in adversarial mode, 4 instruction limit reached, 5 checkpoint mark missing or not usable.
// With --checkpoint the run ends at the first checkpoint mark, status 0. With --checkpoint-at, too, the checkpoint is taken when N instructions are
// executed, or as soon as one can be, and the run goes on. --final writes the machine at the program's end, as a checkpoint. --recent-lines writes what
// caches would hold at the checkpoint mark (recent_lines.h).
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "ami_extension.h"
#include "checkpoint.h"
#include "far_accesses.h"
#include "image.h"
#include "machine.h"
#include "recent_lines.h"

namespace {

enum Status { UsageError = 2, AmiAborted = 3, LimitReached = 4, NoCheckpoint = 5 };

struct Options {
  std::string image, checkpoint, finalState, result, uartInput, recentLines;
  std::optional<uint64_t> adversarialSeed, checkpointAt;
  uint64_t maxInstructions = UINT64_MAX;
};

struct Outcome {
  uint64_t exitCode = 0, instret = 0, roiInstret = 0, roiCount = 0;
  double seconds = 0;
};

uint64_t parseNumber(const char *option, const char *text) {
  char *end = nullptr;
  const uint64_t value = strtoull(text, &end, 0);
  if (*text == 0 || *end != 0)
    throw std::runtime_error(std::string(option) + " needs a number, got '" + text + "'");
  return value;
}

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc)
      throw std::runtime_error("option " + option + " needs a value");
    const char *value = argv[i + 1];
    if (option == "--elf")
      options.image = value;
    else if (option == "--adversarial")
      options.adversarialSeed = parseNumber("--adversarial", value);
    else if (option == "--checkpoint")
      options.checkpoint = value;
    else if (option == "--checkpoint-at")
      options.checkpointAt = parseNumber("--checkpoint-at", value);
    else if (option == "--final")
      options.finalState = value;
    else if (option == "--max-insns")
      options.maxInstructions = parseNumber("--max-insns", value);
    else if (option == "--result")
      options.result = value;
    else if (option == "--uart-input")
      options.uartInput = value;
    else if (option == "--recent-lines")
      options.recentLines = value;
    else
      throw std::runtime_error("unknown option " + option);
  }
  if (options.image.empty())
    throw std::runtime_error(
        "usage: nhg-iss --elf IMAGE [--adversarial SEED] [--checkpoint OUT [--checkpoint-at N]] [--final OUT] "
        "[--max-insns N] [--result OUT.json] [--uart-input FILE] [--recent-lines OUT]");
  if (options.checkpointAt && options.checkpoint.empty())
    throw std::runtime_error("--checkpoint-at needs --checkpoint OUT, the file to write");
  if (!options.recentLines.empty() && (options.checkpoint.empty() || options.checkpointAt))
    throw std::runtime_error("--recent-lines needs --checkpoint OUT at the program's mark: lines are those there");
  return options;
}

void writeResult(const std::string &path, const Outcome &outcome, nhg::Machine &machine,
                 const nhg::FarAccesses &accesses) {
  const std::string partial = path + ".partial";
  FILE *file = fopen(partial.c_str(), "w");
  if (file == nullptr)
    throw std::runtime_error("cannot write " + path);
  const nhg::AmuModel::Counts &amu = machine.amu().counts();
  fprintf(file,
          "{\n  \"exit_code\": %" PRIu64 ",\n  \"instret\": %" PRIu64 ",\n  \"roi_instret\": %" PRIu64
          ",\n  \"roi_count\": %" PRIu64 ",\n  \"host_seconds\": %.6f,\n",
          outcome.exitCode, outcome.instret, outcome.roiInstret, outcome.roiCount, outcome.seconds);
  fprintf(file,
          "  \"amu\": {\"aload\": %" PRIu64 ", \"astore\": %" PRIu64 ", \"getfin\": %" PRIu64 ", \"bafin\": %" PRIu64
          ", \"taken\": %" PRIu64 ", \"bytes\": %" PRIu64 "},\n  \"metrics\": [",
          amu.aload, amu.astore, amu.getfin, amu.bafin, amu.taken, amu.bytes);
  for (size_t i = 0; i < machine.metrics().size(); i++)
    fprintf(file, "%s%" PRIu64, i ? ", " : "", machine.metrics()[i]);
  fprintf(file, "],\n  \"far_accesses\": [");
  const char *separator = "";
  for (const auto &[pc, count] : accesses.byPc()) {
    fprintf(file, "%s[%" PRIu64 ", %" PRIu64 "]", separator, pc, count);
    separator = ", ";
  }
  fprintf(file, "]\n}\n");
  if (fclose(file) != 0 || rename(partial.c_str(), path.c_str()) != 0)
    throw std::runtime_error("cannot write " + path);
}

// Runs to EXIT, to the checkpoint mark or to the limit.
int runMachine(const Options &options, nhg::Machine &machine, Outcome &outcome, nhg::FarAccesses &accesses) {
  std::optional<nhg::RecentLines> recent;
  if (!options.recentLines.empty())
    recent.emplace(machine);
  uint64_t roiBegin = 0;
  bool waitsForCheckpoint = options.checkpointAt.has_value();
  const uint64_t checkpointAt = options.checkpointAt.value_or(0);
  for (;;) {
    const uint64_t done = machine.steps();
    if (waitsForCheckpoint && done >= checkpointAt && !machine.inBootRom() && nhg::whyNoCheckpoint(machine).empty()) {
      nhg::writeCheckpoint(machine, options.checkpoint);
      waitsForCheckpoint = false;
    }
    if (done >= options.maxInstructions) {
      fprintf(stderr,
              "nhg-iss: %s: no exit within %" PRIu64 " instructions, pc 0x%" PRIx64 "; raise --max-insns or "
              "look for an endless loop there\n",
              options.image.c_str(), options.maxInstructions, uint64_t(machine.hart().get_state()->pc));
      return LimitReached;
    }
    uint64_t next = options.maxInstructions - done;
    if (waitsForCheckpoint)
      next = std::min(next, done < checkpointAt ? checkpointAt - done : 1);
    switch (machine.run(next)) {
    case nhg::HostEvent::None:
      break;
    case nhg::HostEvent::Checkpoint:
      if (options.checkpoint.empty() || options.checkpointAt)
        break;
      nhg::writeCheckpoint(machine, options.checkpoint);
      if (recent)
        recent->write(options.recentLines);
      outcome.instret = machine.instret();
      return 0;
    case nhg::HostEvent::RoiBegin:
      roiBegin = machine.instret();
      accesses.count(true);
      break;
    case nhg::HostEvent::RoiEnd:
      outcome.roiInstret += machine.instret() - roiBegin;
      outcome.roiCount++;
      accesses.count(false);
      break;
    case nhg::HostEvent::Exit:
      outcome.exitCode = machine.exitCode();
      outcome.instret = machine.instret();
      if (waitsForCheckpoint) {
        fprintf(stderr,
                "nhg-iss: %s ended before a checkpoint could be taken from instruction %" PRIu64
                " on; give --checkpoint-at a smaller number\n",
                options.image.c_str(), checkpointAt);
        return NoCheckpoint;
      }
      if (!options.checkpoint.empty() && !options.checkpointAt) {
        fprintf(stderr, "nhg-iss: %s ended before a checkpoint mark; call host_checkpoint() in it\n",
                options.image.c_str());
        return NoCheckpoint;
      }
      if (!options.finalState.empty())
        nhg::writeCheckpoint(machine, options.finalState);
      return outcome.exitCode > 255 ? 255 : int(outcome.exitCode);
    }
  }
}

int simulate(const Options &options) {
  const auto mode = options.adversarialSeed ? nhg::AmuMode::Adversarial : nhg::AmuMode::InOrder;
  std::unique_ptr<nhg::Machine> machine;
  {
    const nhg::Image image(options.image);
    machine = std::make_unique<nhg::Machine>(image, mode, options.adversarialSeed.value_or(0));
  }
  if (!options.uartInput.empty())
    machine->uart().setInput(nhg::readUartInput(options.uartInput));
  nhg::FarAccesses accesses(*machine);
  Outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  int status;
  try {
    status = runMachine(options, *machine, outcome, accesses);
  } catch (const nhg::AmiAbort &error) {
    fflush(stdout);
    fprintf(stderr, "nhg-iss: %s: %s\n", options.image.c_str(), error.what());
    return AmiAborted;
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!options.result.empty() && status != LimitReached && status != NoCheckpoint)
    writeResult(options.result, outcome, *machine, accesses);
  fflush(stdout);
  return status;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  try {
    options = parse(argc, argv);
    return simulate(options);
  } catch (const std::exception &error) {
    fflush(stdout);
    fprintf(stderr, "nhg-iss: %s\n", error.what());
    return UsageError;
  }
}
