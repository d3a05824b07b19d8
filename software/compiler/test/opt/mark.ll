; SPDX-License-Identifier: Apache-2.0
; The first phase alone: calls become metadata, the marked base is hidden; without a scheduler nothing is left.
; RUN: %opt -passes='asyncmem-mark<untried>' -S %s | FileCheck %s
; RUN: %opt -passes='asyncmem-options<sched=none>,asyncmem-mark<untried>' -S %s | FileCheck --check-prefix=NONE %s

; CHECK-LABEL: @sum(
; CHECK-NOT: call {{.*}}@__asyncmem_mark
; CHECK: head:
; CHECK: [[BASE:%.*]] = call ptr @__asyncmem_fresh(
; CHECK: call void (ptr, ...) @__builtin_is_remote(ptr [[BASE]])
; CHECK: getelementptr i64, ptr [[BASE]]
; CHECK: br label %head, {{.*}}!llvm.loop [[ID:![0-9]+]]
; CHECK: !asyncmem.pragmas = !{[[PRAGMA:![0-9]+]]}
; CHECK: [[PRAGMA]] = !{i32 7, ptr @sum, i1 false, i1 false}
; CHECK: [[ID]] = distinct !{[[ID]], [[TAG:![0-9]+]], [[UNROLL:![0-9]+]]}
; CHECK: [[TAG]] = !{!"asyncmem.loop", i32 7, i32 16, i32 0}
; CHECK: [[UNROLL]] = !{!"llvm.loop.unroll.disable"}

; NONE-NOT: __asyncmem_mark
; NONE-NOT: __builtin_is_remote
; NONE-NOT: asyncmem.loop
; NONE: !asyncmem.options = !{[[OPTIONS:![0-9]+]]}
; NONE: [[OPTIONS]] = !{!"sched=none"}
define i64 @sum(ptr %q, ptr %index, i64 %n) {
entry:
  %p.addr = alloca ptr
  store ptr %q, ptr %p.addr
  %mark = call i32 (i32, i32, ...) @__asyncmem_mark(i32 7, i32 16)
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %added, %body ]
  %goes.on = icmp slt i64 %i, %n
  br i1 %goes.on, label %body, label %exit

body:
  %named = load ptr, ptr %p.addr
  call void (ptr, ...) @__builtin_is_remote(ptr %named)
  %at = getelementptr i32, ptr %index, i64 %i
  %k = load i32, ptr %at
  %p = load ptr, ptr %p.addr
  %there = getelementptr i64, ptr %p, i32 %k
  %v = load i64, ptr %there
  %added = add i64 %sum, %v
  %next = add nsw i64 %i, 1
  br label %head

exit:
  ret i64 %sum
}

declare i32 @__asyncmem_mark(i32, i32, ...)
declare void @__builtin_is_remote(ptr, ...)
