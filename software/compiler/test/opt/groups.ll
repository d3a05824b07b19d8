; SPDX-License-Identifier: Apache-2.0
; Which accesses wait together is planned, with the moves that it takes, while the loop stays as it is; another step moves them.
; RUN: %opt -passes='print<asyncmem-groups>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='asyncmem-options<sched=bafin;coalesce=none>,print<asyncmem-groups>' -disable-output %s 2>&1 | FileCheck --check-prefix=SINGLE %s
; RUN: %opt -passes='asyncmem-options<sched=bafin;verify>,print<asyncmem-groups>,asyncmem-plan' -S %s 2>/dev/null | FileCheck --check-prefix=PLANNED %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-unknown-elf"

; A load moves up to the accesses it may join, with what computes its address; one behind a store waits together with it.
; CHECK-LABEL: loop 1 in 'passes':
; CHECK-NEXT: moves: %b.at = getelementptr
; CHECK-NEXT: in front of: %x = load
; CHECK-NEXT: moves: %y = load
; CHECK-NEXT: in front of: %to.at = getelementptr
; CHECK-NEXT: moves: %z.at = getelementptr
; CHECK-NEXT: in front of: store i64 %x
; CHECK-NEXT: a task waits in %body:
; CHECK-NEXT: load 8 bytes at 0:
; CHECK-NEXT: byte 0: %x = load
; CHECK-NEXT: load 8 bytes at 8:
; CHECK-NEXT: byte 0: %y = load
; CHECK-NEXT: a task waits in %body:
; CHECK-NEXT: store 8 bytes at 0:
; CHECK-NEXT: byte 0: store i64 %x
; CHECK-NEXT: load 8 bytes at 8:
; CHECK-NEXT: byte 0: %z = load
; CHECK-NOT: {{moves|waits}}

; What lies between may write what is loaded.
; CHECK-LABEL: loop 2 in 'stays':
; CHECK-NEXT: a task waits in %body:
; CHECK-NEXT: load 8 bytes at 0:
; CHECK-NEXT: byte 0: %x = load
; CHECK-NEXT: a task waits in %body:
; CHECK-NEXT: load 8 bytes at 0:
; CHECK-NEXT: byte 0: %y = load
; CHECK-NOT: {{moves|waits}}

; What a later address needs cannot move up, so the store moves down.
; CHECK-LABEL: loop 3 in 'sinks':
; CHECK-NEXT: moves: store i64 %x
; CHECK-NEXT: in front of: %z = load
; CHECK-NEXT: a task waits in %body:
; CHECK-NEXT: load 8 bytes at 0:
; CHECK-NEXT: byte 0: %x = load
; CHECK-NEXT: a task waits in %body:
; CHECK-NEXT: store 8 bytes at 0:
; CHECK-NEXT: byte 0: store i64 %x
; CHECK-NEXT: load 8 bytes at 8:
; CHECK-NEXT: byte 0: %z = load

; SINGLE-NOT: moves
; SINGLE-COUNT-9: a task waits in
; SINGLE-NOT: {{moves|waits}}

; PLANNED-LABEL: @passes(
; PLANNED: %b.at = getelementptr
; PLANNED-NEXT: %x = load
; PLANNED-NEXT: %y = load
; PLANNED: store i64 %x
; PLANNED-NEXT: %z = load
; PLANNED-LABEL: @stays(
; PLANNED: %x = load
; PLANNED: store i64 %i
; PLANNED: %y = load
; PLANNED-LABEL: @sinks(
; PLANNED: %l = load
; PLANNED: store i64 %x
; PLANNED-NEXT: %z = load
define i64 @passes(ptr %a, ptr %b, ptr noalias %to, ptr noalias readonly %index, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %added, %body ]
  call void @__builtin_is_remote(ptr %a)
  call void @__builtin_is_remote(ptr %b)
  call void @__builtin_is_remote(ptr %to)
  %k.at = getelementptr i64, ptr %index, i64 %i
  %k = load i64, ptr %k.at, align 8
  %a.at = getelementptr i64, ptr %a, i64 %k
  %x = load i64, ptr %a.at, align 8
  %to.at = getelementptr i64, ptr %to, i64 %k
  store i64 %x, ptr %to.at, align 8
  %b.at = getelementptr i64, ptr %b, i64 %k
  %y = load i64, ptr %b.at, align 8
  %z.at = getelementptr i64, ptr %a, i64 %y
  %z = load i64, ptr %z.at, align 8
  %added = add i64 %sum, %z
  %next = add nsw i64 %i, 1
  %goes.on = icmp slt i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !0

exit:
  ret i64 %added
}

define i64 @stays(ptr %a, ptr %b, ptr %local, ptr noalias readonly %index, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %added, %body ]
  call void @__builtin_is_remote(ptr %a)
  call void @__builtin_is_remote(ptr %b)
  %k.at = getelementptr i64, ptr %index, i64 %i
  %k = load i64, ptr %k.at, align 8
  %a.at = getelementptr i64, ptr %a, i64 %k
  %x = load i64, ptr %a.at, align 8
  %l.at = getelementptr i64, ptr %local, i64 %i
  store i64 %i, ptr %l.at, align 8
  %b.at = getelementptr i64, ptr %b, i64 %k
  %y = load i64, ptr %b.at, align 8
  %mixed = mul i64 %x, %y
  %added = add i64 %sum, %mixed
  %next = add nsw i64 %i, 1
  %goes.on = icmp slt i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !3

exit:
  ret i64 %added
}

define i64 @sinks(ptr %a, ptr noalias %to, ptr %local, ptr noalias readonly %index, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %added, %body ]
  call void @__builtin_is_remote(ptr %a)
  call void @__builtin_is_remote(ptr %to)
  %k.at = getelementptr i64, ptr %index, i64 %i
  %k = load i64, ptr %k.at, align 8
  %a.at = getelementptr i64, ptr %a, i64 %k
  %x = load i64, ptr %a.at, align 8
  %to.at = getelementptr i64, ptr %to, i64 %k
  store i64 %x, ptr %to.at, align 8
  %l.at = getelementptr i64, ptr %local, i64 %i
  %l = load i64, ptr %l.at, align 8
  %z.at = getelementptr i64, ptr %a, i64 %l
  %z = load i64, ptr %z.at, align 8
  store i64 %z, ptr %l.at, align 8
  %added = add i64 %sum, %z
  %next = add nsw i64 %i, 1
  %goes.on = icmp slt i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !8

exit:
  ret i64 %added
}

declare void @__builtin_is_remote(ptr) memory(inaccessiblemem: readwrite) nounwind willreturn

!asyncmem.options = !{!5}
!asyncmem.pragmas = !{!6, !7, !10}
!0 = distinct !{!0, !1, !2}
!1 = !{!"asyncmem.loop", i32 1, i32 8, i32 0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !4, !2}
!4 = !{!"asyncmem.loop", i32 2, i32 8, i32 0}
!5 = !{!"sched=bafin"}
!6 = !{i32 1, ptr @passes, i1 false, i1 false}
!7 = !{i32 2, ptr @stays, i1 false, i1 false}
!8 = distinct !{!8, !9, !2}
!9 = !{!"asyncmem.loop", i32 3, i32 8, i32 0}
!10 = !{i32 3, ptr @sinks, i1 false, i1 false}
