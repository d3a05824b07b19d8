; SPDX-License-Identifier: Apache-2.0
; A product counts in the place of the counter it is made of: the comparison that ends the loop reads it where it is already computed.
; RUN: %opt -passes='asyncmem-options<sched=bafin;adapt=off;verify>,asyncmem-split' -S %s | FileCheck %s
; RUN: %opt -passes='asyncmem-options<sched=getfin;adapt=off;verify>,asyncmem-split' -S %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-unknown-elf"

; CHECK-LABEL: @steps(
; CHECK: [[ALL:%.*]] = mul i64 %n, 7
; CHECK: [[END:%.*]] = add i64 1, [[ALL]]
; CHECK: add i64 [[NEXT:%product.next[^ ]*]], 7
; CHECK: icmp {{eq|ne}} i64 [[NEXT]], [[END]]
define i64 @steps(ptr %a, i64 %n) {
entry:
  %some = icmp ne i64 %n, 0
  br i1 %some, label %body, label %none

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %added, %body ]
  call void (ptr, ...) @__builtin_is_remote(ptr %a)
  %seven = mul i64 %i, 7
  %place = add i64 %seven, 1
  %near = and i64 %place, 1023
  %at = getelementptr i64, ptr %a, i64 %near
  %value = load i64, ptr %at, align 8
  %added = add i64 %sum, %value
  %next = add nuw i64 %i, 1
  %goes.on = icmp ne i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !0

exit:
  ret i64 %added

none:
  ret i64 0
}

; The last sum, which nothing used before, may overflow.
; CHECK-LABEL: @last_overflows(
; CHECK-NOT: nsw
; CHECK: [[END:%.*]] = add i32 %first,
; CHECK-NOT: nsw
; CHECK: icmp {{eq|ne}} i32 {{%.*}}, [[END]]
; CHECK-NOT: nsw
; CHECK: ret i64
define i64 @last_overflows(ptr %a, i32 %n, i32 %first) {
entry:
  br label %body

body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %j = phi i32 [ %first, %entry ], [ %j.next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %added, %body ]
  call void (ptr, ...) @__builtin_is_remote(ptr %a)
  %near = lshr i32 %j, 22
  %at = getelementptr i64, ptr %a, i32 %near
  %value = load i64, ptr %at, align 8
  %added = add i64 %sum, %value
  %next = add i32 %i, 1
  %j.next = add nuw nsw i32 %j, 3
  %goes.on = icmp ne i32 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !4

exit:
  ret i64 %added
}

declare void @__builtin_is_remote(ptr, ...) memory(inaccessiblemem: readwrite) nounwind willreturn

!asyncmem.pragmas = !{!3, !6}
!0 = distinct !{!0, !1, !2}
!1 = !{!"asyncmem.loop", i32 1, i32 8, i32 0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = !{i32 1, ptr @steps, i1 false, i1 false}
!4 = distinct !{!4, !5, !2}
!5 = !{!"asyncmem.loop", i32 2, i32 8, i32 0}
!6 = !{i32 2, ptr @last_overflows, i1 false, i1 false}
