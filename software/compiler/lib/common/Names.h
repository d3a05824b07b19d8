// SPDX-License-Identifier: Apache-2.0
// Names shared by the front end (pragma) and the two passes.

#ifndef ASYNCMEM_NAMES_H
#define ASYNCMEM_NAMES_H

#include "llvm/ADT/StringRef.h"

namespace asyncmem {

/// Pass name in remarks: -Rpass=asyncmem.
inline constexpr char PassName[] = "asyncmem";

/// int __asyncmem_mark(int id, int tasks, ...): the call a pragma becomes.
/// After the two integers follow pairs (int ClauseKind, pointer to variable);
/// the number of a reduction's operator stands above the kind's bits.
inline constexpr char MarkFunction[] = "__asyncmem_mark";

/// void __builtin_is_remote(const volatile void *): marks a pointer root.
inline constexpr char RemoteFunction[] = "__builtin_is_remote";

/// void __builtin_is_near(const volatile void *): a pointer from remote memory that
/// does not lead there.
inline constexpr char NearFunction[] = "__builtin_is_near";

/// void __asyncmem_promised(ptr, int ClauseKind): no two iterations update the same
/// word of what the pointer points into, or one of two updates may get lost.
inline constexpr char PromisedFunction[] = "__asyncmem_promised";

/// void *remote_alloc(size_t): its result is a remote pointer root.
inline constexpr char AllocFunction[] = "remote_alloc";

/// void asyncmem_lock(uint64_t *), asyncmem_unlock(uint64_t *): mutual exclusion
/// of iterations; inside tasks the compiler's own code, else the runtime's.
inline constexpr char LockFunction[] = "asyncmem_lock";
inline constexpr char UnlockFunction[] = "asyncmem_unlock";

/// void __asyncmem_start_amu(void): of the runtime; the AMU has its SPM behind it.
inline constexpr char StartFunction[] = "__asyncmem_start_amu";

/// ptr __asyncmem_fresh(ptr): its argument, as a pointer each iteration has
/// anew; keeps accesses through it in their iteration until the loop is split.
inline constexpr char FreshFunction[] = "__asyncmem_fresh";

/// Loop metadata: !{!"asyncmem.loop", i32 id, i32 tasks, i32 1 if
/// clauses change the loop, !DILocation}.
inline constexpr char LoopTag[] = "asyncmem.loop";

/// void __asyncmem_pin(int place, int id, int tasks, int clauses): what the tag
/// says, in front of a loop (place 0) and where an iteration begins (1).
inline constexpr char PinFunction[] = "__asyncmem_pin";

/// Module metadata, one node a pragma: !{i32 id, ptr function, i1 1 if pins mark
/// its loop, i1 1 if clauses change the loop, !DILocation}.
inline constexpr char PragmaList[] = "asyncmem.pragmas";

/// Module metadata, the options as given: !{!"sched=bafin", ...} (Options.h).
inline constexpr char OptionList[] = "asyncmem.options";

/// Instruction metadata on the loads and stores that move task context.
inline constexpr char ContextTag[] = "asyncmem.context";

/// Metadata on a variable whose accesses in marked loops are kept in place: the
/// numbers of their pragmas, !{i32 id, ...}. They are volatile until the loop is
/// split; then each of them has it, empty.
inline constexpr char InPlaceTag[] = "asyncmem.inplace";

/// Instruction metadata on the request at which a task is suspended.
inline constexpr char SwitchTag[] = "asyncmem.switch";

/// Instruction metadata where a recursive callee became part of a task: on the
/// call of the plain function behind the last level; on the saves and reloads of
/// one value, a node of its own; on a call left as it is, recursive or not,
/// !{!"why"}.
inline constexpr char PlainCallTag[] = "asyncmem.plain";

/// Instruction metadata on a call whose task has waited for what it reads.
inline constexpr char TouchedTag[] = "asyncmem.touched";
inline constexpr char LevelTag[] = "asyncmem.level";
inline constexpr char LeftCallTag[] = "asyncmem.left";

/// Instruction metadata where one more task than before lives, and one less.
inline constexpr char GrowTag[] = "asyncmem.grow";
inline constexpr char ShrinkTag[] = "asyncmem.shrink";

/// Artificial functions and files of the debug information that generated code
/// belongs to; tools/nhg/parts.py reads them.
inline constexpr char SchedulerPart[] = "coroamu.scheduler";
inline constexpr char ContextPart[] = "coroamu.context";

/// Counters that -fplugin-arg-asyncmem-count adds to the program (uint64_t).
inline constexpr char SwitchCounter[] = "__asyncmem_switches";
inline constexpr char ContextCounter[] = "__asyncmem_context_ops";
inline constexpr char GrowCounter[] = "__asyncmem_grown";
inline constexpr char ShrinkCounter[] = "__asyncmem_shrunk";

/// On a trial the name of a variable of a marked loop begins with this, and
/// with it those of the values that it becomes.
inline constexpr char VariablePrefix[] = "asyncmem:";

/// What a clause says about a variable of the enclosing scope.
enum ClauseKind {
  SharedVar = 1,
  PrivateVar,
  ReductionVar,
  FirstPrivateVar,
  LastPrivateVar,
  /// The following change nothing of the loop itself.
  LossyUpdate,
  DistinctUpdate
};
inline constexpr unsigned ClauseKindBits = 4;
inline constexpr unsigned clauseKind(unsigned Clause) {
  return Clause & ((1u << ClauseKindBits) - 1);
}
inline constexpr llvm::StringRef ReductionOperators[] = {
    "+", "-", "*", "&", "|", "^", "&&", "||", "min", "max"};

/// Largest num_task.
inline constexpr unsigned MaxTasks = 512;

/// Most levels of a recursive callee inside a task.
inline constexpr unsigned MaxLevels = 1024;

/// Longer blocks of remote memory are no matter of one suspension.
inline constexpr unsigned MaxBlockBytes = 256;

} // namespace asyncmem

#endif
