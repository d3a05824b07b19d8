// SPDX-License-Identifier: Apache-2.0
// The way of the tagged loops of a function to tasks: the function is prepared, then each loop
// goes through the list in LoopPipeline.cpp, and of each pragma something is decided.

#ifndef ASYNCMEM_LOOPPIPELINE_H
#define ASYNCMEM_LOOPPIPELINE_H

#include "common/Reports.h"
#include "passes/Verify.h"
#include "llvm/ADT/SmallSet.h"
#include <set>

namespace asyncmem {

// LoopPreparation.cpp

/// \returns the first loop of \p F with a tag, null if there is none.
llvm::Loop *findTagged(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Shows the bases, inlines what tagged loops call and tidies up. \returns
/// true if \p F changed.
bool prepareFunction(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                     const Options &Opts);

/// Brings the loop of the pragma \p Id into the form "body, then condition".
void canonicalize(llvm::Loop &L, unsigned Id,
                  llvm::FunctionAnalysisManager &FAM);

// LoopVerdicts.cpp

/// What the second phase decides about the loop of each pragma, over all functions
/// of a module and all copies of the loop. A trial collects it (Reports.h), else
/// what is refused is said at the pragma.
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

// LoopPipeline.cpp

/// A loop that bore a mark.
struct MarkedLoop {
  llvm::BasicBlock *Header;
  LoopTagInfo Tag;
};

/// What the loops of a module have in common.
struct SplitContext {
  const Options &Opts;
  /// The phase ends there; each stage is shown to the observer.
  std::optional<Stage> Last;
  const StageObserver &Observer;
  LoopVerdicts &Verdicts;
};

/// Makes tasks of \p L, the loop of \p Tag, which has the marked loops \p Inside.
/// \returns true if there are some.
bool splitLoop(llvm::Loop &L, const LoopTagInfo &Tag,
               llvm::ArrayRef<MarkedLoop> Inside,
               llvm::FunctionAnalysisManager &FAM, const SplitContext &Context);

} // namespace asyncmem

#endif
