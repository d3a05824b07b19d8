// SPDX-License-Identifier: Apache-2.0
// What the second phase decides about the loop of each pragma, over all functions
// of a module and all copies of the loop. A trial collects it (Reports.h), else
// what is refused is said at the pragma.

#ifndef ASYNCMEM_LOOPVERDICTS_H
#define ASYNCMEM_LOOPVERDICTS_H

#include "common/Reports.h"
#include "common/LoopTag.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/Module.h"
#include <set>

namespace asyncmem {

class LoopVerdicts {
public:
  /// \p Trial takes them; null: they are reported.
  explicit LoopVerdicts(Outcomes *Trial) : Trial(Trial) {}

  bool isTrial() const { return Trial; }

  /// There is a loop with this tag, about which something will be said.
  void see(const LoopTagInfo &Tag) { Seen.insert(Tag.Id); }

  /// A copy of the loop has remote accesses.
  void findRemote(const LoopTagInfo &Tag) { Remote.insert(Tag.Id); }

  /// A copy of the loop, in \p F, has none. Where some condition decides for all
  /// iterations, others may have some.
  void findNoRemote(llvm::Function &F, const LoopTagInfo &Tag,
                    const Refusal &No) {
    Without.push_back({&F, Tag, No});
  }

  void accept(const LoopTagInfo &Tag) {
    if (Trial)
      Trial->accept(Tag.Id);
  }

  /// Another copy may be split; a loop that its clauses changed cannot be
  /// refused any more.
  void refuse(llvm::Function &F, const LoopTagInfo &Tag, llvm::StringRef Why,
              const llvm::DebugLoc &Where, llvm::StringRef Variable = "");

  /// On a trial: a copy is better off as it is. Another one may be split.
  void leave(const LoopTagInfo &Tag, std::string Why);

  /// On a trial: the pragma does not matter here.
  void forget(const LoopTagInfo &Tag) { Trial->forget(Tag.Id); }

  /// The loop has lost its tag, or another one has it: pins are needed. \p F
  /// may be gone with its loop.
  void lose(const llvm::Function *F, const LoopTagInfo &Tag);

  /// Behind the last function: refuses each pragma of whose loop no copy has remote
  /// accesses.
  void refuseWithoutRemote();

  /// Refuses each pragma of \p M whose loop was never seen; \p Pinned had pins
  /// before the second phase. Removes the list of pragmas.
  void refuseLost(llvm::Module &M,
                  const std::map<unsigned, llvm::Function *> &Pinned);

private:
  struct Copy {
    llvm::Function *F;
    LoopTagInfo Tag;
    Refusal No;
  };

  Outcomes *Trial;
  /// Numbers of pragmas.
  llvm::SmallSet<unsigned, 8> Seen, Remote;
  llvm::SmallVector<Copy, 4> Without;
  /// What was said of a pragma: copies of its loop are mostly refused alike.
  std::set<std::pair<unsigned, std::string>> Reported;
};

} // namespace asyncmem

#endif
