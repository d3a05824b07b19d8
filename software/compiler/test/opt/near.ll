; SPDX-License-Identifier: Apache-2.0
; Accesses that prefetching tasks do not wait for are planned, with their prefetches, while the loop stays as it is; another step inserts them.
; RUN: %opt -passes='asyncmem-options<sched=static;near=streams;adapt=off>,print<asyncmem-near>' -disable-output %s 2>&1 \
; RUN:   | FileCheck --check-prefixes=CHECK %s
; RUN: %opt -passes='asyncmem-options<sched=static;near=streams;adapt=off;verify>,print<asyncmem-near>,asyncmem-plan' -S %s 2>/dev/null \
; RUN:   | FileCheck --check-prefix=PLANNED %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-unknown-elf"

; The keys lie in sequence; the second half of a pair lies in the line of the first.
; CHECK-LABEL: loop 1 in 'pair':
; CHECK-NEXT: near, in a stream: %key = load
; CHECK-NEXT: near, in a known line: %second = load
; CHECK-NEXT: prefetched at: %key = load
; CHECK-NEXT: 128 bytes ahead
; CHECK-NEXT: a task waits in %body:
; CHECK-NEXT: load 16 bytes at 0:
; CHECK-NEXT: byte 0: %first = load

; A task waits once for a row, in front of the inner loop.
; CHECK-LABEL: loop 2 in 'row':
; CHECK-NEXT: near, in a stream: %edge = load
; CHECK-NEXT: prefetched along the row of: %edge = load
; CHECK-NEXT: from the end of %body, where a task waits, by 64 bytes
; CHECK-NEXT: a task waits in %body:
; CHECK-NEXT: load 64 bytes at 0
; CHECK-NEXT: byte 0: br label %inner

; CHECK-LABEL: loop 3 in 'probes':
; CHECK-NEXT: a task waits in %inner:
; CHECK-NEXT: load 8 bytes at 0:
; CHECK-NEXT: byte 0: %found = load
; CHECK-NOT: {{near|waits}}

; PLANNED-LABEL: @pair(
; PLANNED: [[AHEAD:%.*]] = getelementptr i8, ptr %k.at, i64 128
; PLANNED-NEXT: call void @llvm.prefetch.p0(ptr [[AHEAD]], i32 0, i32 3, i32 1)
; PLANNED-NEXT: %key = load
; PLANNED-NOT: prefetch
; PLANNED-LABEL: @row(
; PLANNED: [[SECOND:%.*]] = getelementptr i8, ptr [[FIRST:%.*]], i64 64
; PLANNED-NEXT: call void @llvm.prefetch.p0(ptr [[SECOND]], i32 0, i32 3, i32 1)
; PLANNED-NEXT: call void @llvm.prefetch.p0(ptr [[FIRST]], i32 0, i32 3, i32 1)
; PLANNED: br label %inner
; PLANNED: [[LATER:%.*]] = getelementptr i8, ptr %edge.at, i64 128
; PLANNED-NEXT: call void @llvm.prefetch.p0(ptr [[LATER]], i32 0, i32 3, i32 1)
; PLANNED-NEXT: %edge = load
; PLANNED-LABEL: @probes(
; PLANNED-NOT: call void @llvm.prefetch
define i64 @pair(ptr %p, ptr %k, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i64 [ 0, %entry ], [ %added, %latch ]
  call void @__builtin_is_remote(ptr %p)
  call void @__builtin_is_remote(ptr %k)
  %k.at = getelementptr i64, ptr %k, i64 %i
  %key = load i64, ptr %k.at, align 8
  %first.at = getelementptr { i64, i64 }, ptr %p, i64 %key
  %first = load i64, ptr %first.at, align 16
  %some = icmp ne i64 %first, 0
  br i1 %some, label %more, label %latch

more:
  %second.at = getelementptr i64, ptr %first.at, i64 1
  %second = load i64, ptr %second.at, align 8
  br label %latch

latch:
  %found = phi i64 [ 0, %body ], [ %second, %more ]
  %added = add i64 %sum, %found
  %next = add nsw i64 %i, 1
  %goes.on = icmp slt i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !0

exit:
  ret i64 %added
}

define i64 @row(ptr %edges, ptr noalias readonly %begin, i64 %n, i64 %length) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i64 [ 0, %entry ], [ %added, %latch ]
  call void @__builtin_is_remote(ptr %edges)
  %begin.at = getelementptr i64, ptr %begin, i64 %i
  %from = load i64, ptr %begin.at, align 8
  %row = getelementptr i64, ptr %edges, i64 %from
  br label %inner

inner:
  %j = phi i64 [ 0, %body ], [ %j.next, %inner ]
  %part = phi i64 [ %sum, %body ], [ %added, %inner ]
  %edge.at = getelementptr i64, ptr %row, i64 %j
  %edge = load i64, ptr %edge.at, align 8
  %added = add i64 %part, %edge
  %j.next = add nsw i64 %j, 1
  %more = icmp slt i64 %j.next, %length
  br i1 %more, label %inner, label %latch

latch:
  %next = add nsw i64 %i, 1
  %goes.on = icmp slt i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !3

exit:
  ret i64 %added
}

define i64 @probes(ptr %table, ptr noalias readonly %key, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i64 [ 0, %entry ], [ %added, %latch ]
  call void @__builtin_is_remote(ptr %table)
  br label %inner

inner:
  %j = phi i64 [ 0, %body ], [ %j.next, %inner ]
  %part = phi i64 [ %sum, %body ], [ %added, %inner ]
  %at = add i64 %i, %j
  %key.at = getelementptr i64, ptr %key, i64 %at
  %k = load i64, ptr %key.at, align 8
  %entry.at = getelementptr i64, ptr %table, i64 %k
  %found = load i64, ptr %entry.at, align 8
  %added = add i64 %part, %found
  %j.next = add nsw i64 %j, 1
  %more = icmp slt i64 %j.next, 4
  br i1 %more, label %inner, label %latch

latch:
  %next = add nsw i64 %i, 1
  %goes.on = icmp slt i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !5

exit:
  ret i64 %added
}

declare void @__builtin_is_remote(ptr) memory(inaccessiblemem: readwrite) nounwind willreturn

!asyncmem.pragmas = !{!7, !8, !9}
!0 = distinct !{!0, !1, !2}
!1 = !{!"asyncmem.loop", i32 1, i32 8, i32 0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !4, !2}
!4 = !{!"asyncmem.loop", i32 2, i32 8, i32 0}
!5 = distinct !{!5, !6, !2}
!6 = !{!"asyncmem.loop", i32 3, i32 8, i32 0}
!7 = !{i32 1, ptr @pair, i1 false, i1 false}
!8 = !{i32 2, ptr @row, i1 false, i1 false}
!9 = !{i32 3, ptr @probes, i1 false, i1 false}
