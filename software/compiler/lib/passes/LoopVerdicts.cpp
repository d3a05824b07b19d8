// SPDX-License-Identifier: Apache-2.0

#include "passes/LoopPipeline.h"
#include "common/Names.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;
using namespace asyncmem;

/// Trials have the passes that LLVM always has in front of the second phase.
static constexpr char LostTag[] =
    "a pass that its trial did not have has taken its tag, as with "
    "-fcs-profile-generate; compile the file without";

void LoopVerdicts::refuse(Function &F, const LoopTagInfo &Tag, StringRef Why,
                          const DebugLoc &Where, StringRef Variable) {
  RefusalReason Reason = {Why.str(), placeInFile(Where, Tag.Pragma),
                          Variable.str()};
  if (Trial)
    Trial->refuse(Tag.Id, Tag.HasClauses, Reason);
  else if (Tag.HasClauses)
    reportLateRefusal(F, Tag.Pragma, Reason.text());
  else if (Reported.insert({Tag.Id, Reason.text()}).second)
    reportSerial(F, Tag.Pragma, Reason.text());
}

void LoopVerdicts::leave(const LoopTagInfo &Tag, std::string Why) {
  Trial->refuse(Tag.Id, /*HasClauses=*/false,
                {std::move(Why), "", "", /*IsRemark=*/true});
}

void LoopVerdicts::lose(const Function *F, const LoopTagInfo &Tag) {
  if (Trial)
    Trial->lose(Tag.Id);
  else if (F && Tag.HasClauses)
    reportLateRefusal(*F, Tag.Pragma, LostTag);
  else if (F)
    reportSerial(*F, Tag.Pragma, LostTag);
}

void LoopVerdicts::refuseWithoutRemote() {
  for (const Copy &C : Without)
    if (Remote.insert(C.Tag.Id).second)
      refuse(*C.F, C.Tag, C.No.Why, C.No.Where);
}

void LoopVerdicts::refuseLost(Module &M,
                              const std::map<unsigned, Function *> &Pinned) {
  NamedMDNode *List = M.getNamedMetadata(PragmaList);
  if (!List)
    return;
  for (MDNode *Node : List->operands()) {
    auto *Id = mdconst::extract<ConstantInt>(Node->getOperand(0));
    auto *F = mdconst::dyn_extract_or_null<Function>(Node->getOperand(1));
    bool IsPinned = mdconst::extract<ConstantInt>(Node->getOperand(2))->isOne();
    auto *Clauses = mdconst::extract<ConstantInt>(Node->getOperand(3));
    LoopTagInfo Tag = {unsigned(Id->getZExtValue()), 0, Clauses->isOne(),
                       DebugLoc()};
    if (Node->getNumOperands() > 4)
      Tag.Pragma = DebugLoc(cast<DILocation>(Node->getOperand(4)));
    if (Seen.contains(Tag.Id))
      continue;
    auto At = Pinned.find(Tag.Id);
    if (!IsPinned)
      lose(F, Tag);
    else if (At != Pinned.end())
      refuse(*At->second, Tag, "optimisation has found that it does not repeat",
             DebugLoc());
    else if (F && !F->isDeclaration())
      refuse(*F, Tag, "optimisation has found that it never runs", DebugLoc());
  }
  List->eraseFromParent();
}
