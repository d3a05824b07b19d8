// SPDX-License-Identifier: Apache-2.0
// What is done to a marked loop before it becomes tasks, step by step, so that the analyses
// know its form and tasks can run it. How each works stands at the head of its source.

#ifndef ASYNCMEM_TRANSFORMS_H
#define ASYNCMEM_TRANSFORMS_H

#include "common/Options.h"
#include "common/Reports.h"
#include "common/TaskLoop.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
} // namespace llvm

namespace asyncmem {

// LoopParts.cpp

/// Inlines one call in \p L that has to wait, or whose effects must be seen. \returns
/// false if there is none left; the analyses of the function are out of date after true.
bool inlineCallee(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
                  const Options &Opts);

/// Makes fatal exits a part of the iteration: what follows them, never run, is
/// a way on through \p L, so that they decide about no other iteration.
/// \returns true if the control flow changed.
bool keepFatalExits(llvm::Loop &L);

// BodyVariables.cpp

/// Gives \p L, in \p F, places of its own for variables whose life starts in each of
/// its iterations, and again before each use elsewhere. \returns true if there are any.
bool separateBodyVariables(llvm::Loop &L, llvm::Function &F);

// LibraryCalls.cpp

/// Replaces such calls in \p Loops, which are marked; with \p Requests of the AMU.
/// \returns true if there was one: no analysis of \p F holds then.
bool expandLibraryCalls(llvm::Function &F, llvm::ArrayRef<llvm::Loop *> Loops,
                        bool Requests);

// LoopForms.cpp

/// Replaces the phis of \p L, of its inner loops too, all of whose operands are
/// one value, through any cycle of phis, or are computed alike.
void foldPhis(llvm::Loop &L, const llvm::DominatorTree &DT);

/// Reads in \p L what it was handed, where the loop may write. \returns true if
/// something changed.
bool readAgain(llvm::Loop &L, llvm::ScalarEvolution &SE, llvm::AAResults &AA);

/// Lets launch add where a task multiplies a counter with a constant before it first
/// waits: the chain of operations in front of its first request is as much shorter. LLVM
/// does so for loops whose every turn is an iteration; a scheduler's is not.
void stepProducts(TaskLoop &T, llvm::ScalarEvolution &SE);

// AccessPieces.cpp

/// Splits remote accesses of \p L that no request can make as a whole into loads and
/// stores of 1, 2, 4 or 8 bytes; with \p NeedsAligned (requests of the AMU) into aligned
/// ones. Blocks of unknown or greater length stay.
void splitIntoPieces(llvm::Loop &L, llvm::Function &F, bool NeedsAligned);

/// Makes loads of 1, 2, 4 or 8 bytes of comparisons in \p L of at most a cache
/// line, of which a side is remote; with \p NeedsAligned (requests of the AMU) smaller
/// ones where what is remote is not aligned, which the program finds out where nobody knows.
void splitCompares(llvm::Loop &L, bool NeedsAligned,
                   llvm::FunctionAnalysisManager &FAM);

// Marks.cpp

/// Removes the marks, and what nothing but a mark needs, or nothing at all: an
/// access must not vanish when it has been planned. Needs the accesses of \p T
/// collected. \returns false with \p No set if none of them is left.
bool dropDeadAccesses(TaskLoop &T, Refusal &No);

/// Marks the remote accesses of \p T again, and what clauses promise of them.
void markAgain(const TaskLoop &T);

// UpdateForms.cpp

/// Turns "c ? x op v : x" into "x op (c ? v : neutral)"; needs T.L and T.Blocks.
void makeUpdatesUnconditional(TaskLoop &T);

/// Gives each iteration a sum of its own for carried values of which it needs several
/// versions at a time. Needs the accesses of \p T collected. \returns true if something
/// changed.
bool sumInIterations(TaskLoop &T);

/// Reads the variables that clauses let iterations share as late as it can be, and once
/// where no remote access lies between two reads. Needs the accesses of \p T collected.
void readLate(TaskLoop &T);

// WholeUpdates.cpp

/// Needs the accesses of \p T collected. \returns true if something changed.
bool makeUpdatesWhole(TaskLoop &T, llvm::AAResults &AA,
                      const llvm::LoopInfo &LI);

// JoinedIterations.cpp

/// Joins the iterations of \p T, an analysed loop that nothing was changed in. \returns
/// true if it did: the loop is to be analysed anew.
bool joinIterations(TaskLoop &T, llvm::FunctionAnalysisManager &FAM);

// KeptLine.cpp

/// Lets tasks keep the line of one update of \p T, an analysed loop that nothing was
/// changed in. \returns true if it did: \p FAM has forgotten the function, T.L with
/// it, and what it has learnt since holds.
bool keepLine(TaskLoop &T, llvm::FunctionAnalysisManager &FAM);

// Ownership.cpp

/// Lets tasks own the words of T.Updates from load to store. If there are any,
/// the remote atomic operations that are still whole own theirs, too.
void takeOwnership(TaskLoop &T, llvm::FunctionAnalysisManager &FAM);

/// Replaces the atomic operations among T.Remote by loads and stores between
/// calls of asyncmem_lock and asyncmem_unlock.
void expandRemoteAtomics(TaskLoop &T);

// BranchHints.cpp

/// Marks the selects of \p T that depend on remote data as unpredictable; \p OnlyCarried:
/// of values that a phi takes.
void markSelects(TaskLoop &T, bool OnlyCarried);

/// Writes unpredictable selects of integers and pointers in \p F, code for NH-G, as
/// instructions of Zicond, for which the program as a whole is not compiled.
void expandMarkedSelects(llvm::Function &F);

/// Writes what LLVM guesses down at the branches of \p T: once the loop is taken
/// apart at suspensions, inner loops are none any more for later passes.
void keepBranchWeights(TaskLoop &T,
                       const llvm::BranchProbabilityInfo &Probabilities);

} // namespace asyncmem

#endif
