// SPDX-License-Identifier: Apache-2.0

#include "asyncmem/Options.h"
#include "asyncmem/Names.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include <optional>

using namespace llvm;
using namespace asyncmem;

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
  }
  return "";
}

bool Options::parse(StringRef Arg, std::string &Error) {
  auto [Name, Value] = Arg.split('=');
  if (Name == "sched") {
    auto Kind = StringSwitch<std::optional<SchedulerKind>>(Value)
                    .Case("none", SchedulerKind::None)
                    .Case("static", SchedulerKind::Static)
                    .Case("getfin", SchedulerKind::Getfin)
                    .Case("bafin", SchedulerKind::Bafin)
                    .Default(std::nullopt);
    if (!Kind) {
      Error = ("asyncmem: sched=" + Twine(Value) +
               " is unknown: use none, static, getfin or bafin")
                  .str();
      return false;
    }
    Scheduler = *Kind;
    return true;
  }
  if (Name == "coalesce") {
    auto Mode = StringSwitch<std::optional<CoalesceMode>>(Value)
                    .Case("none", CoalesceMode{false, false})
                    .Case("fields", CoalesceMode{true, false})
                    .Case("sets", CoalesceMode{false, true})
                    .Case("all", CoalesceMode{true, true})
                    .Default(std::nullopt);
    if (!Mode) {
      Error = ("asyncmem: coalesce=" + Twine(Value) +
               " is unknown: use none, fields, sets or all")
                  .str();
      return false;
    }
    Coalesce = *Mode;
    return true;
  }
  if (Name == "near") {
    Near = StringSwitch<std::optional<NearMode>>(Value)
               .Case("none", NearMode{false, false, false})
               .Case("lines", NearMode{true, false, false})
               .Case("streams", NearMode{true, true, false})
               .Case("all", NearMode{true, true, true})
               .Default(std::nullopt);
    if (!Near)
      Error = ("asyncmem: near=" + Twine(Value) +
               " is unknown: use none, lines, streams or all")
                  .str();
    return Near.has_value();
  }
  if (Name == "selects") {
    if (Value != "plain" && Value != "branchless") {
      Error = ("asyncmem: selects=" + Twine(Value) +
               " is unknown: use plain or branchless")
                  .str();
      return false;
    }
    BranchlessSelects = Value == "branchless";
    return true;
  }
  if (Name == "context") {
    if (Value != "basic" && Value != "minimal") {
      Error = ("asyncmem: context=" + Twine(Value) +
               " is unknown: use basic or minimal")
                  .str();
      return false;
    }
    MinimalContext = Value == "minimal";
    return true;
  }
  if (Name == "tasks") {
    if (Value.getAsInteger(10, Tasks) || Tasks < 1 || Tasks > MaxTasks) {
      Error = ("asyncmem: tasks=" + Twine(Value) + " is not a number from 1 to 512")
                  .str();
      return false;
    }
    return true;
  }
  if (Name == "levels") {
    if (Value.getAsInteger(10, Levels) || Levels < 1 || Levels > MaxLevels) {
      Error = ("asyncmem: levels=" + Twine(Value) + " is not a number from 1 to " +
               Twine(MaxLevels))
                  .str();
      return false;
    }
    return true;
  }
  if (Name == "spm-base") {
    if (Value.getAsInteger(0, SpmBase) || SpmBase >> 39) {
      Error = ("asyncmem: spm-base=" + Twine(Value) + " is not a 39-bit address").str();
      return false;
    }
    return true;
  }
  if (Name == "count" && Value.empty()) {
    Count = true;
    return true;
  }
  Error = ("asyncmem: option '" + Twine(Arg) +
           "' is unknown: use sched=, tasks=, coalesce=, near=, selects=, context=, levels=, spm-base= or count")
              .str();
  return false;
}

Options &asyncmem::processOptions() {
  static Options TheOptions;
  return TheOptions;
}
