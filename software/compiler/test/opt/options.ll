; SPDX-License-Identifier: Apache-2.0
; Options travel with the module: `opt` sees those that Clang was given; the module of a linker that joined two is refused.
; RUN: %opt -passes='print<asyncmem-classes>' -S %s 2>/dev/null | FileCheck %s
; RUN: %opt -passes='asyncmem-options<tasks=5;near=lines>' -S %s | FileCheck --check-prefix=NEW %s
; RUN: %opt -passes='asyncmem-split' -S %s | FileCheck --check-prefix=SPLIT %s
; RUN: not %opt -passes='asyncmem-options<tasks=0>' -disable-output %s 2>&1 | FileCheck --check-prefix=WRONG %s
; RUN: sed 's/"sched=static"/"sched=best"/' %s > %t.unknown.ll
; RUN: not %opt -passes=asyncmem-split -disable-output %t.unknown.ll 2>&1 | FileCheck --check-prefix=UNKNOWN %s
; RUN: sed 's/{!0}/{!0, !0}/' %s > %t.linked.ll
; RUN: not %opt -passes=asyncmem-split -disable-output %t.linked.ll 2>&1 | FileCheck --check-prefix=LINKED %s
; RUN: %clang %plugin %sched=none -O2 -x c -c /dev/null -mllvm -print-after-all -o /dev/null 2>&1 | FileCheck --check-prefix=CLANG %s

; CHECK: !asyncmem.options = !{![[OPTIONS:[0-9]+]]}
; CHECK: ![[OPTIONS]] = !{!"sched=static", !"tasks=3"}
; NEW: !asyncmem.options = !{![[OPTIONS:[0-9]+]]}
; NEW: ![[OPTIONS]] = !{!"tasks=5", !"near=lines"}
; SPLIT-NOT: asyncmem
; CLANG: IR Dump After asyncmem::WriteOptionsPass
; CLANG: !{!"sched=none"}
; CLANG: IR Dump After asyncmem::AsyncSplitPass
; CLANG-NOT: !{!"sched=none"
; WRONG: asyncmem: tasks=0 is not a number from 1 to 512
; UNKNOWN: LLVM ERROR: asyncmem: sched=best is unknown: use none, static, getfin, bafin or check
; LINKED: LLVM ERROR: asyncmem: the module has the options of several modules: split their loops before they are linked
define void @f() {
  ret void
}

!asyncmem.options = !{!0}
!0 = !{!"sched=static", !"tasks=3"}
