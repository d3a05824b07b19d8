// SPDX-License-Identifier: Apache-2.0
// print<asyncmem-classes> and print<asyncmem-requests>: what the second phase
// knows of each marked loop, in text. It runs on a copy, the module stays as it is.

#include "passes/Passes.h"
#include "llvm/Analysis/ScalarEvolution.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class Printer {
public:
  explicit Printer(raw_ostream &Out) : Out(Out) {}

  void head(const TaskLoop &T, const LoopTagInfo &Tag) {
    Out << "loop " << Tag.Id << " in '" << T.Header->getParent()->getName()
        << "':\n";
  }

  void stage(Stage Now, const TaskLoop &T) {
    if (Now == Stage::Classified)
      classes(T);
    else if (Now == Stage::Grouped)
      groups(T);
    else if (Now == Stage::Near)
      near(T);
    else
      requests(T);
  }

private:
  raw_ostream &Out;

  void classes(const TaskLoop &T) {
    list("remote", T.Remote);
    list("loaded by launch", T.LaunchLoads);
    list("sequential", T.Sequential);
    for (const SharedUpdate &S : T.Shared) {
      line("shared", *S.Phi);
      list("  updated by", S.Updates);
    }
    list("private variable", T.PrivateMemory);
    for (const RemoteUpdate &U : T.Updates) {
      line("exclusive from", *U.First);
      list("  to", U.Stores);
    }
  }

  void groups(const TaskLoop &T) {
    for (const Move &M : T.Moves) {
      line("moves", *M.I);
      line("  in front of", *M.Position);
    }
    requests(T);
  }

  void near(const TaskLoop &T) {
    for (const NearAccess &Near : T.Near.Accesses)
      line(Near.Why == NearReason::Line ? "near, in a known line"
                                        : "near, in a stream",
           *Near.Access);
    for (const RowPrefetch &Row : T.Near.Rows) {
      line("prefetched along the row of", *Row.Access);
      Out << "    from the end of " << name(*Row.Entry->getParent())
          << (Row.Waits ? ", where a task waits" : "") << ", by " << Row.Line
          << " bytes\n";
    }
    for (const StreamPrefetch &S : T.Near.Streams) {
      line("prefetched at", *S.Position);
      for (int64_t Offset : S.Offsets)
        Out << "    " << Offset << " bytes ahead\n";
    }
    requests(T);
  }

  void requests(const TaskLoop &T) {
    for (const AccessGroup &Group : T.Groups) {
      const BasicBlock *BB =
          Group.Requests.front().Parts.front().Access->getParent();
      Out << "  a task waits in " << name(*BB);
      Out << (Group.IsCarried ? ", at the next iteration's first wait" : "")
          << (Group.CompletesCarried ? ", for carried stores, too" : "")
          << ":\n";
      for (const Request &R : Group.Requests)
        request(R, Group);
      if (Group.Strip)
        strip(*Group.Strip);
    }
  }

  void strip(const Strip &S) {
    Out << "    the loop is repeated " << *S.RepeatCount << " times\n";
    for (auto [Counter, Step] : S.Counters)
      Out << "    counts by " << Step << ":" << *Counter << '\n';
    for (const StripOperation &Operation : S.Operations) {
      Out << "    copied for each iteration";
      if (Operation.Row)
        element(Operation);
      Out << ":" << *Operation.Operation << '\n';
    }
    for (const StripOperation &Element : S.Beside) {
      Out << "    ends with its block";
      element(Element);
      Out << ":" << *Element.Operation << '\n';
    }
    for (StoreInst *Store : S.Stores)
      Out << "    compared with later addresses"
          << (S.Before.contains(Store) ? ", before the loads" : "") << ":"
          << *Store << '\n';
  }

  void element(const StripOperation &Element) {
    Out << ", an element of row " << *Element.Row << ", which advances by "
        << Element.Step << " bytes";
  }

  static std::string name(const BasicBlock &BB) {
    std::string Name;
    raw_string_ostream To(Name);
    BB.printAsOperand(To, /*PrintType=*/false);
    return Name;
  }

  void line(StringRef What, const Instruction &I) {
    Out << "  " << What << ":" << I << '\n';
  }

  template <typename Range> void list(StringRef What, const Range &All) {
    for (const Instruction *I : All)
      line(What, *I);
  }

  void request(const Request &R, const AccessGroup &Group) {
    Out << "    " << (R.isStore() ? "store " : "load ") << R.bytes()
        << " bytes at " << R.SlotOffset;
    if (Group.Row)
      Out << ", a block of row " << *Group.Row
          << (Group.Length > 1 ? ", of which there are two" : "");
    if (Group.Strip)
      Out << ", for up to " << Group.Length << " iterations each";
    Out << (R.mayNeedPieces() ? ", in pieces where not aligned" : "") << ":\n";
    for (const AccessPart &Part : R.Parts)
      Out << "      byte " << Part.Offset << ":" << *Part.Access << '\n';
  }
};

} // namespace

PreservedAnalyses asyncmem::LoopPrinterPass::run(Module &M,
                                                 ModuleAnalysisManager &MAM) {
  Outcomes Found;
  ModulePassManager Passes;
  Passes.addPass(AsyncSplitPass(
      Shown, &Found,
      [this](Stage Now, const TaskLoop &T, const LoopTagInfo &Tag) {
        if (Now != Shown)
          return;
        Printer P(Out);
        P.head(T, Tag);
        P.stage(Now, T);
      }));
  ModuleSnapshot(M).run(Passes, MAM);
  for (const auto &[Pragma, Reasons] : Found.refused())
    for (const RefusalReason &Why : Reasons)
      Out << "loop " << Pragma << " stays serial: " << Why.text() << '\n';
  return PreservedAnalyses::all();
}
