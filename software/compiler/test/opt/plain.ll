; SPDX-License-Identifier: Apache-2.0
; Between the phases: a loop that only follows a stream is given back, one that needs tasks keeps its tag; the AMU's schedulers give none back.
; RUN: %opt -passes=asyncmem-plain -S %s | FileCheck %s
; RUN: %opt -passes='asyncmem-options<sched=bafin>,asyncmem-plain' -S %s | FileCheck --check-prefix=AMU %s

; CHECK-LABEL: @scale(
; CHECK-NOT: __asyncmem_fresh
; CHECK: !llvm.loop [[SCALE:![0-9]+]]
; CHECK-LABEL: @gather(
; CHECK: call ptr @__asyncmem_fresh
; CHECK: !llvm.loop [[GATHER:![0-9]+]]
; CHECK: !asyncmem.pragmas = !{[[PRAGMA:![0-9]+]]}
; CHECK: [[PRAGMA]] = !{i32 2, ptr @gather, i1 false, i1 false}
; CHECK: [[SCALE]] = distinct !{[[SCALE]]}
; CHECK: [[GATHER]] = distinct !{[[GATHER]], [[TAG:![0-9]+]], {{![0-9]+}}}
; CHECK: [[TAG]] = !{!"asyncmem.loop", i32 2, i32 8, i32 0}

; AMU-COUNT-2: call ptr @__asyncmem_fresh
; AMU: !"asyncmem.loop", i32 1, i32 8, i32 0
; AMU: !"asyncmem.loop", i32 2, i32 8, i32 0
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @scale(ptr %a, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %base = call ptr @__asyncmem_fresh(ptr %a)
  call void (ptr, ...) @__builtin_is_remote(ptr %base)
  %at = getelementptr inbounds i64, ptr %base, i64 %i
  %old = load i64, ptr %at, align 8
  %new = mul i64 %old, 3
  store i64 %new, ptr %at, align 8
  %next = add nuw nsw i64 %i, 1
  %goes.on = icmp slt i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !0

exit:
  ret void
}

define i64 @gather(ptr %a, ptr noalias readonly %index, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %added, %body ]
  %base = call ptr @__asyncmem_fresh(ptr %a)
  call void (ptr, ...) @__builtin_is_remote(ptr %base)
  %where = getelementptr inbounds i32, ptr %index, i64 %i
  %k = load i32, ptr %where, align 4
  %at = getelementptr inbounds i64, ptr %base, i32 %k
  %value = load i64, ptr %at, align 8
  %added = add i64 %sum, %value
  %next = add nuw nsw i64 %i, 1
  %goes.on = icmp slt i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !3

exit:
  ret i64 %added
}

declare ptr @__asyncmem_fresh(ptr readnone) memory(inaccessiblemem: readwrite) nounwind willreturn
declare void @__builtin_is_remote(ptr, ...) memory(inaccessiblemem: readwrite) nounwind willreturn

!asyncmem.pragmas = !{!5, !6}
!0 = distinct !{!0, !1, !2}
!1 = !{!"asyncmem.loop", i32 1, i32 8, i32 0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !4, !2}
!4 = !{!"asyncmem.loop", i32 2, i32 8, i32 0}
!5 = !{i32 1, ptr @scale, i1 false, i1 false}
!6 = !{i32 2, ptr @gather, i1 false, i1 false}
