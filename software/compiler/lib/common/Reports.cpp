// SPDX-License-Identifier: Apache-2.0

#include "common/Reports.h"
#include "common/Names.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMRemarkStreamer.h"

using namespace llvm;
using namespace asyncmem;

/// \returns where \p At stands in the source; of what the compiler has made for itself,
/// where something before it does.
static DebugLoc placeOf(const Instruction &At) {
  SmallSetVector<const BasicBlock *, 8> Blocks;
  Blocks.insert(At.getParent());
  for (unsigned N = 0; N != Blocks.size(); ++N) {
    const Instruction *I = N ? Blocks[N]->getTerminator() : &At;
    for (; I; I = I->getPrevNode())
      if (I->getDebugLoc() && I->getDebugLoc().getLine())
        return I->getDebugLoc();
    Blocks.insert(pred_begin(Blocks[N]), pred_end(Blocks[N]));
  }
  return DebugLoc();
}

bool asyncmem::refuse(Refusal &No, const Twine &Why, const Instruction *At) {
  No.Why = Why.str();
  No.Where = At ? placeOf(*At) : DebugLoc();
  return false;
}

std::string asyncmem::placeInFile(const DILocation *Where,
                                  const DILocation *Pragma) {
  while (Where && Pragma && Where->getFilename() != Pragma->getFilename())
    Where = Where->getInlinedAt();
  if (!Where || !Where->getLine())
    return "";
  std::string Line = " (line " + std::to_string(Where->getLine());
  return Where->getColumn()
             ? Line + ", column " + std::to_string(Where->getColumn()) + ")"
             : Line + ")";
}

namespace {

struct Reports {
  bool WarningsShown = false;
  StringSet<> Printed;

  /// \returns true if a report has not been printed before.
  bool isNew(const DiagnosticInfoOptimizationBase &Report) {
    return Printed.insert(Report.getLocationStr() + Report.getMsg()).second;
  }
};

Reports &reports() {
  static Reports TheReports;
  return TheReports;
}

} // namespace

void asyncmem::reportSerial(const Function &F, const DebugLoc &Pragma,
                            StringRef Why) {
  std::string Text = ("loop left serial: " + Why).str();
  // Clang prints the name of the pass behind the option, where it takes none.
  F.getContext().diagnose(DiagnosticInfoOptimizationFailure(
                              "", "LoopLeftSerial", Pragma, &F.getEntryBlock())
                          << Text);
  emitRemark(F,
             OptimizationRemarkMissed(PassName, "LoopNotSplit", Pragma,
                                      &F.getEntryBlock())
                 << Text,
             /*Print=*/!reports().WarningsShown);
}

void asyncmem::reportLateRefusal(const Function &F, const DebugLoc &Pragma,
                                 StringRef Why) {
  F.getContext().diagnose(DiagnosticInfoUnsupported(
      F,
      "this loop was accepted on trial and is refused now: " + Why +
          "; remove its clauses or its pragma and report this as a defect",
      Pragma));
}

void Outcomes::refuse(unsigned Pragma, bool HasClauses,
                      const RefusalReason &Why) {
  Outcome &O = Pragmas[Pragma];
  O.HasClauses |= HasClauses;
  auto IsSame = [&](const RefusalReason &R) { return R.text() == Why.text(); };
  if (none_of(O.Reasons, IsSame))
    O.Reasons.push_back(Why);
}

RefusedLoops Outcomes::refused() const {
  RefusedLoops Result;
  for (const auto &[Pragma, O] : Pragmas)
    if ((O.Forgotten || !O.Reasons.empty()) && (!O.Accepted || O.HasClauses))
      Result[Pragma] = O.Reasons;
  return Result;
}

void asyncmem::beginReports(bool WarningsShown) {
  reports() = {WarningsShown, {}};
}

void asyncmem::reportWarning(const Function &F, const DebugLoc &Where,
                             StringRef Text) {
  DiagnosticInfoOptimizationFailure Warning("", "Warning", Where,
                                            &F.getEntryBlock());
  Warning << Text;
  if (reports().isNew(Warning))
    F.getContext().diagnose(Warning);
}

bool asyncmem::wantsRemarks(const Function &F) {
  LLVMContext &Context = F.getContext();
  return Context.getLLVMRemarkStreamer() ||
         Context.getDiagHandlerPtr()->isAnyRemarkEnabled();
}

void asyncmem::emitRemark(const Function &F,
                          const DiagnosticInfoOptimizationBase &Remark,
                          bool Print) {
  LLVMContext &Context = F.getContext();
  if (Print && reports().isNew(Remark))
    Context.diagnose(Remark);
  else if (LLVMRemarkStreamer *Record = Context.getLLVMRemarkStreamer())
    Record->emit(Remark);
}
