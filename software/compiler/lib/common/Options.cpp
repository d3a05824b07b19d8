// SPDX-License-Identifier: Apache-2.0

#include "common/Options.h"
#include "common/Names.h"
#include <initializer_list>

using namespace llvm;
using namespace asyncmem;

static constexpr uint64_t MaxAdaptCycles = 1000000000;

StringRef asyncmem::schedulerName(SchedulerKind Kind) {
  switch (Kind) {
  case SchedulerKind::None:
    return "none";
  case SchedulerKind::Static:
    return "static";
  case SchedulerKind::Getfin:
    return "getfin";
  case SchedulerKind::Bafin:
    return "bafin";
  case SchedulerKind::Check:
    return "check";
  }
  return "";
}

namespace {

/// One name=value; what reads the value \returns false, with Error set, if it
/// cannot be used.
struct Setting {
  StringRef Name;
  StringRef Value;
  std::string &Error;

  bool refuse(const Twine &Why) const {
    Error = ("asyncmem: " + Name + "=" + Value + " is " + Why).str();
    return false;
  }

  template <typename T>
  bool choose(T &Option,
              std::initializer_list<std::pair<StringRef, T>> Choices) const {
    std::string Names;
    for (auto [Index, Choice] : enumerate(Choices)) {
      if (Choice.first == Value) {
        Option = Choice.second;
        return true;
      }
      if (Index > 0)
        Names += Index + 1 == Choices.size() ? " or " : ", ";
      Names += Choice.first;
    }
    return refuse("unknown: use " + Names);
  }

  /// \returns whether the value, then read, is a number from 1 to \p Most.
  template <typename T> bool isNumber(T &Option, T Most) const {
    return !Value.getAsInteger(10, Option) && Option >= 1 && Option <= Most;
  }

  bool readNumber(unsigned &Option, unsigned Most) const {
    return isNumber(Option, Most) ||
           refuse("not a number from 1 to " + Twine(Most));
  }
};

} // namespace

bool Options::parse(StringRef Arg, std::string &Error) {
  if (!set(Arg, Error))
    return false;
  Given.push_back(Arg.str());
  return true;
}

bool Options::set(StringRef Arg, std::string &Error) {
  auto [Name, Value] = Arg.split('=');
  Setting Given = {Name, Value, Error};
  if (Name == "sched")
    return Given.choose(Scheduler, {{"none", SchedulerKind::None},
                                    {"static", SchedulerKind::Static},
                                    {"getfin", SchedulerKind::Getfin},
                                    {"bafin", SchedulerKind::Bafin},
                                    {"check", SchedulerKind::Check}});
  if (Name == "coalesce")
    return Given.choose(Coalesce, {{"none", {false, false, false}},
                                   {"fields", {true, false, true}},
                                   {"sets", {false, true, true}},
                                   {"blocks", {true, true, false}},
                                   {"all", {true, true, true}}});
  if (Name == "near")
    return Given.choose(Near, {{"none", NearMode{false, false}},
                               {"lines", NearMode{true, false}},
                               {"streams", NearMode{true, true}}});
  if (Name == "selects")
    return Given.choose(BranchlessSelects,
                        {{"plain", false}, {"branchless", true}});
  if (Name == "context")
    return Given.choose(MinimalContext, {{"basic", false}, {"minimal", true}});
  if (Name == "frames")
    return Given.choose(FreshFrames, {{"kept", false}, {"fresh", true}});
  if (Name == "live")
    return Given.choose(AdaptTasks, {{"grow", false}, {"adapt", true}});
  if (Name == "tasks")
    return Given.readNumber(Tasks, MaxTasks);
  if (Name == "levels")
    return Given.readNumber(Levels, MaxLevels);
  if (Name == "adapt") {
    uint64_t Cycles = Value == "off" ? 0 : DefaultAdaptCycles;
    if (!Value.empty() && Value != "off" &&
        !Given.isNumber(Cycles, MaxAdaptCycles))
      return Given.refuse(
          "unknown: use off, or the cycles of one measurement, 1 to " +
          Twine(MaxAdaptCycles));
    AdaptCycles = Cycles;
    return true;
  }
  if (Name == "spm-base") {
    if (Value.getAsInteger(0, SpmBase) ||
        SpmBase >> NHG_AMI_ADDRESS_WORD_ADDRESS_BITS)
      return Given.refuse("not a " + Twine(NHG_AMI_ADDRESS_WORD_ADDRESS_BITS) +
                          "-bit address");
    return true;
  }
  if (Name == "count" && Value.empty()) {
    Count = true;
    return true;
  }
  if (Name == "verify" && Value.empty()) {
    Verify = true;
    return true;
  }
  Error = ("asyncmem: option '" + Arg +
           "' is unknown: use sched=, tasks=, coalesce=, near=, selects=, "
           "context=, frames=, levels=, spm-base=, live=, adapt, adapt=, count "
           "or verify")
              .str();
  return false;
}

PreservedAnalyses WriteOptionsPass::run(Module &M, ModuleAnalysisManager &) {
  removeOptions(M);
  SmallVector<Metadata *, 4> Given;
  for (const std::string &Option : Opts.given())
    Given.push_back(MDString::get(M.getContext(), Option));
  M.getOrInsertNamedMetadata(OptionList)
      ->addOperand(MDNode::get(M.getContext(), Given));
  return PreservedAnalyses::all();
}

Options asyncmem::readOptions(const Module &M) {
  Options Opts;
  const NamedMDNode *List = M.getNamedMetadata(OptionList);
  if (!List)
    return Opts;
  // A linker puts the options of the second module behind those of the first.
  if (List->getNumOperands() != 1)
    report_fatal_error("asyncmem: the module has the options of several "
                       "modules: split their loops before they are linked",
                       /*gen_crash_diag=*/false);
  for (const MDOperand &Operand : List->getOperand(0)->operands()) {
    auto *Option = dyn_cast_or_null<MDString>(Operand);
    std::string Error = "asyncmem: metadata asyncmem.options must be strings";
    if (!Option || !Opts.parse(Option->getString(), Error))
      report_fatal_error(Twine(Error), /*gen_crash_diag=*/false);
  }
  return Opts;
}

bool asyncmem::removeOptions(Module &M) {
  NamedMDNode *List = M.getNamedMetadata(OptionList);
  if (List)
    List->eraseFromParent();
  return List;
}
