// SPDX-License-Identifier: Apache-2.0

#include "common/CodeParts.h"
#include "common/Names.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace asyncmem;

namespace {

DebugLoc locationOf(DISubprogram *Where, DILocation *Loop, StringRef Part) {
  LLVMContext &Context = Where->getContext();
  DIFile *File = DIFile::get(Context, Part, "");
  auto *Type = DISubroutineType::get(Context, DINode::FlagZero, 0,
                                     MDTuple::get(Context, {nullptr}));
  auto *Function = DISubprogram::getDistinct(
      Context, File, Part, /*LinkageName=*/"", File, /*Line=*/1, Type,
      /*ScopeLine=*/1, /*ContainingType=*/nullptr, /*VirtualIndex=*/0,
      /*ThisAdjustment=*/0, DINode::FlagArtificial,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit |
          DISubprogram::SPFlagOptimized,
      Where->getUnit());
  return DILocation::get(Context, /*Line=*/1, /*Column=*/0, Function, Loop);
}

} // namespace

CodeParts::CodeParts(Function &F, const DebugLoc &Loop) {
  DISubprogram *Where = F.getSubprogram();
  if (!Where || !Loop)
    return;
  DILocation *At =
      DILocation::getDistinct(F.getContext(), Loop.getLine(), Loop.getCol(),
                              Loop.getScope(), Loop.getInlinedAt());
  Scheduler = locationOf(Where, At, SchedulerPart);
  Context = locationOf(Where, At, ContextPart);
}
