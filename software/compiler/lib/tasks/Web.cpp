// SPDX-License-Identifier: Apache-2.0

#include "tasks/Web.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class WebBuilder {
public:
  explicit WebBuilder(ArrayRef<BasicBlock *> Blocks)
      : Blocks(Blocks), Live(Blocks) {}

  SmallVector<Web, 8> build(ArrayRef<Instruction *> Values) {
    SmallVector<Web, 8> Webs;
    for (Instruction *V : Values) {
      if (Taken.contains(V))
        continue;
      Web &W = Webs.emplace_back();
      add(W, V);
      for (unsigned I = 0; I != W.Members.size(); ++I)
        grow(W, W.Members[I]);
    }
    return Webs;
  }

private:
  ArrayRef<BasicBlock *> Blocks;
  Liveness Live;
  SmallPtrSet<Instruction *, 16> Taken;

  void add(Web &W, Instruction *V) {
    W.Members.insert(V);
    Taken.insert(V);
  }

  void grow(Web &W, Instruction *Member) {
    if (auto *Phi = dyn_cast<PHINode>(Member))
      for (Value *In : Phi->incoming_values())
        tryAdd(W, dyn_cast<Instruction>(In));
    for (User *U : Member->users())
      tryAdd(W, dyn_cast<PHINode>(U));
  }

  void tryAdd(Web &W, Instruction *V) {
    if (!V || Taken.contains(V) || !is_contained(Blocks, V->getParent()))
      return;
    if (none_of(W.Members, [&](Instruction *M) { return interfere(*M, *V); }))
      add(W, V);
  }

  /// \returns true if both may be needed at one time.
  bool interfere(Instruction &A, Instruction &B) const {
    bool PhisOfOneBlock =
        isa<PHINode>(A) && isa<PHINode>(B) && A.getParent() == B.getParent();
    return PhisOfOneBlock || Live.isLiveAfter(A, B) || Live.isLiveAfter(B, A);
  }
};

} // namespace

SmallVector<Web, 8> asyncmem::buildWebs(ArrayRef<Instruction *> Values,
                                        ArrayRef<BasicBlock *> Blocks) {
  return WebBuilder(Blocks).build(Values);
}
