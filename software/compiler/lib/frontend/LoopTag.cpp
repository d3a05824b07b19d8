// SPDX-License-Identifier: Apache-2.0

#include "frontend/LoopTag.h"
#include "common/Names.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace asyncmem;

void asyncmem::tagLoop(Loop &L, const LoopTagInfo &Tag) {
  LLVMContext &Context = L.getHeader()->getContext();
  auto IntNode = [&](unsigned Value) {
    return ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt32Ty(Context), Value));
  };
  SmallVector<Metadata *, 8> Ops = {nullptr};
  if (MDNode *Old = L.getLoopID())
    for (const MDOperand &Op : drop_begin(Old->operands())) {
      auto *Node = dyn_cast<MDNode>(Op);
      auto *Name = Node && Node->getNumOperands()
                       ? dyn_cast<MDString>(Node->getOperand(0))
                       : nullptr;
      if (!Name || !Name->getString().starts_with("llvm.loop.unroll"))
        Ops.push_back(Op);
    }
  SmallVector<Metadata *, 8> Fields = {MDString::get(Context, LoopTag),
                                       IntNode(Tag.Id), IntNode(Tag.Tasks),
                                       IntNode(Tag.HasClauses)};
  if (DILocation *Loc = Tag.Pragma)
    Fields.push_back(Loc);
  Ops.push_back(MDNode::get(Context, Fields));
  Ops.push_back(
      MDNode::get(Context, MDString::get(Context, "llvm.loop.unroll.disable")));
  MDNode *Id = MDNode::getDistinct(Context, Ops);
  Id->replaceOperandWith(0, Id);
  L.setLoopID(Id);
}

std::optional<LoopTagInfo> asyncmem::readTag(const Loop &L) {
  MDNode *Id = L.getLoopID();
  if (!Id)
    return std::nullopt;
  MDNode *Tag = GetUnrollMetadata(Id, LoopTag);
  if (!Tag)
    return std::nullopt;
  assert(Tag->getNumOperands() >= 4 && "not what tagLoop writes");
  auto Number = [&](unsigned I) {
    return unsigned(
        mdconst::extract<ConstantInt>(Tag->getOperand(I))->getZExtValue());
  };
  LoopTagInfo Info = {Number(1), Number(2), Number(3) != 0, DebugLoc()};
  if (Tag->getNumOperands() > 4)
    Info.Pragma = DebugLoc(cast<DILocation>(Tag->getOperand(4)));
  return Info;
}

void asyncmem::removeTag(Loop &L) {
  L.setLoopID(makePostTransformationMetadata(
      L.getHeader()->getContext(), L.getLoopID(),
      {LoopTag, "llvm.loop.unroll.disable"}, {}));
}
