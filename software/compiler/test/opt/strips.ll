; SPDX-License-Identifier: Apache-2.0
; Strips are planned on a loop that stays as it is: for how many iterations at once a group is requested, what computes their addresses, where it lies in
; the slot, and what is compared. Another step counts the iterations in front of the inner loop.
; RUN: %opt -passes='asyncmem-options<sched=bafin;verify>,print<asyncmem-requests>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='asyncmem-options<sched=bafin;coalesce=sets>,print<asyncmem-requests>' -disable-output %s 2>&1 | FileCheck --check-prefix=OFF %s
; RUN: %opt -passes='asyncmem-options<sched=bafin;verify>,asyncmem-plan' -S %s | FileCheck --check-prefix=PLANNED %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-unknown-elf"

; The elements of the row are read from its two blocks in the slot, which lie in front of the strip.
; CHECK-LABEL: loop 1 in 'row':
; CHECK-NEXT: a task waits in %step:
; CHECK-NEXT: load 64 bytes at 0, a block of row 0, of which there are two:
; CHECK-NEXT: byte 0: %key = load
; CHECK-NEXT: a task waits in %step:
; CHECK-NEXT: load 8 bytes at 128, for up to 8 iterations each:
; CHECK-NEXT: byte 0: %value = load
; CHECK-NEXT: the loop is repeated (-1 + %length) times
; CHECK-NEXT: counts by 1: %k = phi
; CHECK-NEXT: copied for each iteration: %e = add
; CHECK-NEXT: copied for each iteration: %key.at = getelementptr
; CHECK-NEXT: copied for each iteration, an element of row 0, which advances by 8 bytes: %key = load
; CHECK-NEXT: copied for each iteration: %at = getelementptr
; CHECK-NOT: {{compared|waits}}
; OFF-NOT: {{iterations each|the loop is repeated}}
; PLANNED-LABEL: @row(
; PLANNED: %repeats = alloca i64
; PLANNED: [[COUNT:%.*]] = add i64 %length, -1
; PLANNED: body:
; PLANNED: store i64 [[COUNT]], ptr %repeats
; PLANNED-NEXT: br label %step
define void @row(ptr %a, ptr %keys, ptr noalias %out, i64 %n, i64 %length) {
entry:
  %some = icmp ne i64 %n, 0
  br i1 %some, label %body, label %none

body:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  call void (ptr, ...) @__builtin_is_remote(ptr %a)
  call void (ptr, ...) @__builtin_is_remote(ptr %keys)
  %row = mul i64 %i, %length
  br label %step

step:
  %k = phi i64 [ 0, %body ], [ %k.next, %step ]
  %sum = phi i64 [ 0, %body ], [ %added, %step ]
  %e = add i64 %row, %k
  %key.at = getelementptr i64, ptr %keys, i64 %e
  %key = load i64, ptr %key.at, align 8
  %at = getelementptr i64, ptr %a, i64 %key
  %value = load i64, ptr %at, align 8
  %added = add i64 %sum, %value
  %k.next = add nuw i64 %k, 1
  %more = icmp ne i64 %k.next, %length
  br i1 %more, label %step, label %end

end:
  %place = getelementptr i64, ptr %out, i64 %i
  store i64 %added, ptr %place, align 8
  %next = add nuw i64 %i, 1
  %goes.on = icmp ne i64 %next, %n
  br i1 %goes.on, label %body, label %none, !llvm.loop !0

none:
  ret void
}

; What some iterations store may be what later ones load.
; CHECK-LABEL: loop 2 in 'stores':
; CHECK-NEXT: a task waits in %step:
; CHECK-NEXT: load 8 bytes at 8, for up to 8 iterations each:
; CHECK-NEXT: byte 0: %value = load
; CHECK-NEXT: the loop is repeated (-1 + %length) times
; CHECK-NEXT: counts by 1: %k = phi
; CHECK-NEXT: copied for each iteration: %far = mul
; CHECK-NEXT: copied for each iteration: %e = add
; CHECK-NEXT: copied for each iteration: %at = getelementptr
; CHECK-NEXT: compared with later addresses: store i64 %k
; CHECK-NEXT: a task waits in %change:
; CHECK-NEXT: store 8 bytes at 0:
; PLANNED-LABEL: @stores(
; PLANNED: %repeats = alloca i64
define void @stores(ptr %a, i64 %n, i64 %length) {
entry:
  %some = icmp ne i64 %n, 0
  br i1 %some, label %body, label %none

body:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  call void (ptr, ...) @__builtin_is_remote(ptr %a)
  %row = shl i64 %i, 20
  br label %step

step:
  %k = phi i64 [ 0, %body ], [ %k.next, %again ]
  %far = mul i64 %k, 1000
  %e = add i64 %row, %far
  %at = getelementptr i64, ptr %a, i64 %e
  %value = load i64, ptr %at, align 8
  %odd = trunc i64 %value to i1
  br i1 %odd, label %change, label %again

change:
  %low = and i64 %value, 1023
  %to = add i64 %row, %low
  %to.at = getelementptr i64, ptr %a, i64 %to
  store i64 %k, ptr %to.at, align 8
  br label %again

again:
  %k.next = add nuw i64 %k, 1
  %more = icmp ne i64 %k.next, %length
  br i1 %more, label %step, label %end

end:
  %next = add nuw i64 %i, 1
  %goes.on = icmp ne i64 %next, %n
  br i1 %goes.on, label %body, label %none, !llvm.loop !1

none:
  ret void
}

; How often it repeats is not known before: no strip.
; CHECK-LABEL: loop 3 in 'unknown':
; CHECK-NEXT: a task waits in %step:
; CHECK-NEXT: load 8 bytes at 0:
; CHECK-NEXT: byte 0: %value = load
; CHECK-NOT: repeated
; PLANNED-LABEL: @unknown(
; PLANNED-NOT: %repeats
define void @unknown(ptr %a, ptr noalias %out, i64 %n, i64 %least) {
entry:
  %some = icmp ne i64 %n, 0
  br i1 %some, label %body, label %none

body:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  call void (ptr, ...) @__builtin_is_remote(ptr %a)
  br label %step

step:
  %k = phi i64 [ %i, %body ], [ %k.next, %step ]
  %far = mul i64 %k, 1000
  %at = getelementptr i64, ptr %a, i64 %far
  %value = load i64, ptr %at, align 8
  %k.next = add i64 %k, 1
  %more = icmp ugt i64 %value, %least
  br i1 %more, label %step, label %end

end:
  %place = getelementptr i64, ptr %out, i64 %i
  store i64 %value, ptr %place, align 8
  %next = add nuw i64 %i, 1
  %goes.on = icmp ne i64 %next, %n
  br i1 %goes.on, label %body, label %none, !llvm.loop !2

none:
  ret void
}

declare void @__builtin_is_remote(ptr, ...) memory(inaccessiblemem: readwrite) nounwind willreturn

!asyncmem.pragmas = !{!7, !8, !9}
!0 = distinct !{!0, !3, !6}
!1 = distinct !{!1, !4, !6}
!2 = distinct !{!2, !5, !6}
!3 = !{!"asyncmem.loop", i32 1, i32 8, i32 0}
!4 = !{!"asyncmem.loop", i32 2, i32 8, i32 0}
!5 = !{!"asyncmem.loop", i32 3, i32 8, i32 0}
!6 = !{!"llvm.loop.unroll.disable"}
!7 = !{i32 1, ptr @row, i1 false, i1 false}
!8 = !{i32 2, ptr @stores, i1 false, i1 false}
!9 = !{i32 3, ptr @unknown, i1 false, i1 false}
