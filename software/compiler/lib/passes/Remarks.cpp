// SPDX-License-Identifier: Apache-2.0

#include "passes/Remarks.h"
#include "common/Names.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <set>

using namespace llvm;
using namespace asyncmem;

using NV = DiagnosticInfoOptimizationBase::Argument;

void asyncmem::reportSuspensions(const TaskLoop &T) {
  const Function &F = *T.Header->getParent();
  for (const AccessGroup &Group : T.Groups)
    reportRemark(F, [&] {
      unsigned Bytes = 0;
      for (const Request &R : Group.Requests)
        Bytes += R.bytes();
      return OptimizationRemarkAnalysis(PassName, "Suspension",
                                        Group.accesses().front())
             << "a task waits here: " << NV("Accesses", Group.accessCount())
             << " remote accesses in " << NV("Requests", Group.Requests.size())
             << " requests of " << NV("Bytes", Bytes) << " bytes together"
             << (Group.Row ? ", once for a block of a row" : "")
             << (Group.Record ? ", kept for fields that are read later" : "")
             << (Group.Held ? ", unless they were among such" : "")
             << (Group.Strip ? ", once for a strip of iterations of the inner "
                               "loop, at most "
                             : "")
             << (Group.Strip ? std::to_string(Group.Length) : "")
             << (Group.IsCarried
                     ? ", and while iterations follow, not before the next one"
                     : "");
    });
  for (const Value *V : T.ReadingCalls)
    if (auto *Call = cast_or_null<CallBase>(V))
      reportRemark(F, [&] {
        const Function *Callee = Call->getCalledFunction();
        return OptimizationRemarkMissed(PassName, "ReadingCall", Call)
               << "the core waits here for remote memory that "
               << (Callee ? "'" + demangle(Callee->getName()) + "'"
                          : "a called function")
               << " reads; tasks wait only at accesses of the loop itself";
      });
}

void asyncmem::reportAccesses(const TaskLoop &T) {
  const Function &F = *T.Header->getParent();
  for (const AccessVerdict &Access : T.Verdicts) {
    reportRemark(F, [&] {
      return OptimizationRemark(PassName, "Access", Access.Where, T.Header)
             << NV("Verdict", Access.IsRemote    ? "remote"
                              : Access.IsWaiting ? "waits in the core"
                                                 : "near")
             << ": " << NV("Why", Access.Why);
    });
    if (Access.IsForgotten)
      reportWarning(
          F, Access.Where,
          "the core waits for this load, whose address comes out of "
          "remote data; mark its pointer with __builtin_is_remote, or "
          "with __builtin_is_near if it leads to local memory");
  }
}

void asyncmem::reportUpdates(const TaskLoop &T) {
  const Function &F = *T.Header->getParent();
  for (const RemoteUpdate &U : T.Updates)
    reportRemark(F, [&] {
      return OptimizationRemarkAnalysis(PassName, "ExclusiveUpdate",
                                        U.Stores.front())
             << "iterations may update the same remote word here: tasks take a "
                "lock of its address; name the pointer in distinct_update() if "
                "they never do, in lossy_update() if updates may get lost";
    });
}

/// \returns "line 3" or "lines 3, 5", each line once; nothing if none is known.
static std::string linesOf(ArrayRef<const Instruction *> Places) {
  std::set<unsigned> Lines;
  for (const Instruction *I : Places)
    if (const DILocation *Where = I->getDebugLoc())
      Lines.insert(Where->getLine());
  std::string Text = Lines.size() > 1 ? "lines" : "line";
  for (unsigned Line : Lines)
    Text += (Line == *Lines.begin() ? " " : ", ") + std::to_string(Line);
  return Lines.empty() ? "an unknown line" : Text;
}

void asyncmem::reportPromises(const TaskLoop &T, const DebugLoc &Pragma,
                              ArrayRef<CheckedAccess> Accesses) {
  SmallVector<const Instruction *, 8> Writes, Lossy, Distinct;
  for (const CheckedAccess &A : Accesses)
    if (A.Writes && T.Promised.contains(A.I))
      (T.Lossy.contains(A.I) ? Lossy : Distinct).push_back(A.I);
    else if (A.Writes && A.IsPromised)
      Writes.push_back(A.I);
  const Function &F = *T.Header->getParent();
  reportRemark(F, [&] {
    OptimizationRemarkAnalysis Remark(PassName, "Promises", Pragma,
                                      &F.getEntryBlock());
    if (Writes.empty() && Lossy.empty() && Distinct.empty())
      return Remark << "tasks rely on no promise";
    Remark << "tasks rely on promises:";
    StringRef Before = " ";
    auto Add = [&](ArrayRef<const Instruction *> Places, StringRef Name,
                   StringRef What) {
      if (Places.empty())
        return;
      Remark << Before << What << " " << NV(Name, linesOf(Places));
      Before = "; ";
    };
    Add(Writes, "Writes", "no other iteration uses what this one writes in");
    Add(Distinct, "Distinct", "distinct_update() in");
    Add(Lossy, "Lossy", "lossy_update() in");
    return Remark;
  });
}

void asyncmem::reportChecked(Function &F, const DebugLoc &Pragma,
                             unsigned Accesses) {
  reportRemark(F, [&] {
    return OptimizationRemark(PassName, "LoopChecked", Pragma,
                              &F.getEntryBlock())
           << "loop left serial, the program checks what the pragma promises: "
           << NV("Checked", Accesses) << " accesses";
  });
}

void asyncmem::reportLaunchLoads(const TaskLoop &T) {
  const Function &F = *T.Header->getParent();
  auto Report = [&](const Instruction *Load) {
    reportRemark(F, [&] {
      return OptimizationRemarkMissed(PassName, "LaunchLoad", Load)
             << "this remote load decides about the next iteration: it is made "
                "in program order before a task starts, and blocks";
    });
  };
  for_each(T.LaunchLoads, Report);
  for (const Instruction *Access : T.Remote)
    if (T.Slice.contains(Access))
      Report(Access);
}

void asyncmem::reportNear(const TaskLoop &T, const DebugLoc &Pragma) {
  const Function &F = *T.Header->getParent();
  const bool Plain = T.Groups.empty();
  const unsigned Near = T.Near.Accesses.size();
  const unsigned Lines = count_if(T.Near.Accesses, [](const NearAccess &A) {
    return A.Why == NearReason::Line;
  });
  if (!Near) {
    if (Plain)
      reportRemark(F, [&] {
        return OptimizationRemark(PassName, "LoopPlain", Pragma,
                                  &F.getEntryBlock())
               << "loop needs no tasks: it only stores to remote memory";
      });
    return;
  }
  reportRemark(F, [&] {
    return OptimizationRemark(PassName, Plain ? "LoopPlain" : "NearAccesses",
                              Pragma, &F.getEntryBlock())
           << (Plain ? "loop needs no tasks: " : "no switch at ")
           << NV("Near", Near) << " remote accesses"
           << (Plain ? " are near: " : ": ") << NV("Lines", Lines)
           << " in lines that are there, " << NV("Streams", Near - Lines)
           << " prefetched ahead";
  });
}

void asyncmem::reportSplit(Function &F, const DebugLoc &Pragma,
                           StringRef Scheduler, const ValueClasses &Classes,
                           const TaskStatistics &Built) {
  reportRemark(F, [&] {
    return OptimizationRemark(PassName, "LoopSplit", Pragma, &F.getEntryBlock())
           << "loop split into tasks: " << NV("Tasks", Built.Tasks)
           << " tasks, " << NV("FrameBytes", Built.FrameBytes)
           << " bytes of context each, " << NV("Suspensions", Built.Suspensions)
           << " suspensions for " << NV("Accesses", Built.Accesses)
           << " remote accesses in " << NV("Requests", Built.Requests)
           << " requests (" << NV("Coalesced", Built.Coalesced)
           << " coalesced), " << NV("Private", Built.PrivateValues)
           << " private, " << NV("Shared", Classes.Shared) << " shared and "
           << NV("Sequential", Classes.Sequential)
           << " sequential values, scheduler " << NV("Scheduler", Scheduler)
           << (Built.Adapts ? ", " : "")
           << NV("Choice",
                 Built.Adapts ? "or the plain loop, chosen at run time" : "");
  });
}
