; SPDX-License-Identifier: Apache-2.0
; Launch adds where a task multiplies the counter with a constant before it first waits; not where the task needs the product later.
; RUN: %opt -passes='asyncmem-options<sched=bafin;adapt=off;verify>,asyncmem-split' -S %s | FileCheck %s
; RUN: %opt -passes='asyncmem-options<sched=getfin;adapt=off;verify>,asyncmem-split' -S %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-unknown-elf"

; CHECK-LABEL: @steps(
; CHECK-NOT: mul i64 {{.*}}, 7
; CHECK: [[PLACE:%product[^ ]*]] = phi i64
; CHECK: add i64 [[PLACE]], 7
; CHECK: and i64 [[PLACE]], 1023
; CHECK-NOT: mul i64 {{.*}}, 7
; CHECK: ret i64
define i64 @steps(ptr %a, i64 %n) {
entry:
  br label %body

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
}

; CHECK-LABEL: @needed_later(
; CHECK-NOT: %product
; CHECK: mul i64 {{.*}}, 7
; CHECK-NOT: %product
; CHECK: ret i64
define i64 @needed_later(ptr %a, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %added, %body ]
  call void (ptr, ...) @__builtin_is_remote(ptr %a)
  %seven = mul i64 %i, 7
  %near = and i64 %seven, 1023
  %at = getelementptr i64, ptr %a, i64 %near
  %value = load i64, ptr %at, align 8
  %mixed = xor i64 %value, %seven
  %added = add i64 %sum, %mixed
  %next = add nuw i64 %i, 1
  %goes.on = icmp ne i64 %next, %n
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
!6 = !{i32 2, ptr @needed_later, i1 false, i1 false}
