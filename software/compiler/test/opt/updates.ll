; SPDX-License-Identifier: Apache-2.0
; Updates that tasks may meet in: found as such, and made exclusive by a lock of the word's address; a loop that cannot be split says why.
; RUN: %opt -passes='print<asyncmem-classes>' -disable-output %s 2>&1 | FileCheck --check-prefix=CLASSES %s
; RUN: %opt -passes='print<asyncmem-requests>' -disable-output %s 2>&1 | FileCheck --check-prefix=REQUESTS %s
; RUN: %opt -passes=asyncmem-plan -S %s 2>/dev/null | FileCheck --check-prefix=PLANNED %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-unknown-elf"

; CLASSES: loop 1 in 'counts':
; CLASSES-NEXT: remote: %old = load i64
; CLASSES-NEXT: remote: store i64 %new
; CLASSES-NEXT: sequential: %i = phi
; CLASSES-NEXT: exclusive from: %old = load i64
; CLASSES-NEXT: to: store i64 %new
; CLASSES: loop 2 stays serial: it contains a volatile access

; REQUESTS: loop 1 in 'counts':
; REQUESTS-NEXT: a task waits in %body:
; REQUESTS-NEXT: load 8 bytes at 0:
; REQUESTS: a task waits in %body:
; REQUESTS-NEXT: store 8 bytes at 0:

; PLANNED-LABEL: @counts(
; PLANNED: call void @asyncmem_lock
; PLANNED: load i64
; PLANNED: store i64
; PLANNED: call void @asyncmem_unlock
; PLANNED-LABEL: @watches(
; PLANNED-NOT: call void @asyncmem_lock
define void @counts(ptr %counters, ptr noalias readonly %index, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  call void (ptr, ...) @__builtin_is_remote(ptr %counters)
  %at = getelementptr i32, ptr %index, i64 %i
  %k = load i32, ptr %at, align 4
  %counter = getelementptr i64, ptr %counters, i32 %k
  %old = load i64, ptr %counter, align 8
  %new = add i64 %old, 1
  store i64 %new, ptr %counter, align 8
  %next = add nsw i64 %i, 1
  %goes.on = icmp slt i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !0

exit:
  ret void
}

define void @watches(ptr %flags, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  call void (ptr, ...) @__builtin_is_remote(ptr %flags)
  %flag = getelementptr i64, ptr %flags, i64 %i
  %seen = load volatile i64, ptr %flag, align 8
  store i64 %seen, ptr %flag, align 8
  %next = add nsw i64 %i, 1
  %goes.on = icmp slt i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !3

exit:
  ret void
}

declare void @__builtin_is_remote(ptr, ...) memory(inaccessiblemem: readwrite) nounwind willreturn

!asyncmem.options = !{!5}
!asyncmem.pragmas = !{!6, !7}
!0 = distinct !{!0, !1, !2}
!1 = !{!"asyncmem.loop", i32 1, i32 8, i32 0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !4, !2}
!4 = !{!"asyncmem.loop", i32 2, i32 8, i32 0}
!5 = !{!"sched=bafin"}
!6 = !{i32 1, ptr @counts, i1 false, i1 false}
!7 = !{i32 2, ptr @watches, i1 false, i1 false}
