; SPDX-License-Identifier: Apache-2.0
; What a request needs of two variables of an inner loop alone is computed on the ways that change them, where they gain by it.
; RUN: %opt -passes='asyncmem-options<sched=bafin;adapt=off;verify>,asyncmem-split,verify' -S %s | FileCheck %s
; RUN: %opt -passes='asyncmem-options<sched=getfin;adapt=off;verify>,asyncmem-split,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-unknown-elf"

; CHECK-LABEL: @search(
; CHECK: %sum = phi i64 [ [[ABOVE:%[0-9]+]], {{.*}} ], [ [[BELOW:%[0-9]+]], {{.*}} ], [ {{%[0-9]+}}, {{.*}} ], [ {{%[0-9]+}}, {{.*}} ]
; CHECK-NOT: = add
; CHECK: asyncmem.switch
; CHECK: [[PLUS:%[0-9]+]] = add i64 %above,
; CHECK-NEXT: [[ABOVE]] = call i64 asm sideeffect "", "=r,0"(i64 [[PLUS]])
; CHECK-NEXT: br i1
; CHECK: = icmp ult i64
; CHECK-NEXT: [[PLUS:%[0-9]+]] = add i64 %low
; CHECK-NEXT: [[BELOW]] = call i64 asm sideeffect "", "=r,0"(i64 [[PLUS]])
; CHECK-NEXT: br i1
define void @search(ptr %a, ptr noalias %found, i64 %n, i64 %key) {
entry:
  %some = icmp ne i64 %n, 0
  br i1 %some, label %body, label %none

body:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  call void (ptr, ...) @__builtin_is_remote(ptr %a)
  %wanted = xor i64 %i, %key
  br label %step

step:
  %low = phi i64 [ 0, %body ], [ %low.new, %step ]
  %high = phi i64 [ 1000, %body ], [ %high.new, %step ]
  %sum = add i64 %low, %high
  %middle = lshr i64 %sum, 1
  %at = getelementptr i64, ptr %a, i64 %middle
  %value = load i64, ptr %at, align 8
  %less = icmp ult i64 %value, %wanted
  %above = add i64 %middle, 1
  %low.new = select i1 %less, i64 %above, i64 %low
  %high.new = select i1 %less, i64 %high, i64 %middle
  %more = icmp ult i64 %low.new, %high.new
  br i1 %more, label %step, label %end

end:
  %place = getelementptr i64, ptr %found, i64 %i
  store i64 %low.new, ptr %place, align 8
  %next = add nuw i64 %i, 1
  %goes.on = icmp ne i64 %next, %n
  br i1 %goes.on, label %body, label %none, !llvm.loop !0

none:
  ret void
}

; No way gains: the step brings new values of both, which need not be kept apart, and the first sum is no constant.
; CHECK-LABEL: @kept(
; CHECK: %by = phi i64
; CHECK-NEXT: %sum = add i64 %from, %by
define void @kept(ptr %a, ptr noalias %found, i64 %n, i64 %key) {
entry:
  %some = icmp ne i64 %n, 0
  br i1 %some, label %body, label %none

body:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  call void (ptr, ...) @__builtin_is_remote(ptr %a)
  br label %step

step:
  %from = phi i64 [ %i, %body ], [ %from.new, %step ]
  %by = phi i64 [ %key, %body ], [ %value, %step ]
  %sum = add i64 %from, %by
  %at = getelementptr i64, ptr %a, i64 %sum
  %value = load i64, ptr %at, align 8
  %from.new = xor i64 %sum, %value
  %more = icmp ult i64 %from.new, %key
  br i1 %more, label %step, label %end

end:
  %place = getelementptr i64, ptr %found, i64 %i
  store i64 %from.new, ptr %place, align 8
  %next = add nuw i64 %i, 1
  %goes.on = icmp ne i64 %next, %n
  br i1 %goes.on, label %body, label %none, !llvm.loop !1

none:
  ret void
}

declare void @__builtin_is_remote(ptr, ...) memory(inaccessiblemem: readwrite) nounwind willreturn

!asyncmem.pragmas = !{!5, !6}
!0 = distinct !{!0, !2, !4}
!1 = distinct !{!1, !3, !4}
!2 = !{!"asyncmem.loop", i32 1, i32 8, i32 0}
!3 = !{!"asyncmem.loop", i32 2, i32 8, i32 0}
!4 = !{!"llvm.loop.unroll.disable"}
!5 = !{i32 1, ptr @search, i1 false, i1 false}
!6 = !{i32 2, ptr @kept, i1 false, i1 false}
