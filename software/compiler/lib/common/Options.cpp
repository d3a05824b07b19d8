// SPDX-License-Identifier: Apache-2.0

#include "common/Options.h"
#include "common/AmuInstructions.h"
#include "common/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
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
    return Given.choose(Coalesce, {{"none", {false, false}},
                                   {"fields", {true, false}},
                                   {"sets", {false, true}},
                                   {"all", {true, true}}});
  if (Name == "selects")
    return Given.choose(BranchlessSelects,
                        {{"plain", false}, {"branchless", true}});
  if (Name == "context")
    return Given.choose(MinimalContext, {{"basic", false}, {"minimal", true}});
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
    if (Value.getAsInteger(0, SpmBase) || SpmBase >> ami::AddressBits)
      return Given.refuse("not a " + Twine(ami::AddressBits) + "-bit address");
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
           "' is unknown: use sched=, tasks=, coalesce=, selects=, "
           "context=, levels=, spm-base=, live=, adapt, adapt=, count or "
           "verify")
              .str();
  return false;
}
