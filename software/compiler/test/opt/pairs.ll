; SPDX-License-Identifier: Apache-2.0
; The second phase in steps: classes, requests, the moved accesses, the tasks. What prints changes nothing, and a prepared loop can go on.
; RUN: %opt -passes='print<asyncmem-classes>' -disable-output %s 2>&1 | FileCheck --check-prefix=CLASSES %s
; RUN: %opt -passes='print<asyncmem-requests>' -disable-output %s 2>&1 | FileCheck --check-prefix=REQUESTS %s
; RUN: %opt -passes='asyncmem-options<sched=bafin;coalesce=none>,print<asyncmem-requests>' -disable-output %s 2>&1 | FileCheck --check-prefix=SINGLE %s
; RUN: %opt -passes=asyncmem-prepare -S %s | FileCheck --check-prefix=PREPARED %s
; RUN: %opt -passes=asyncmem-plan -S %s | FileCheck --check-prefix=PLANNED %s
; RUN: %opt -passes='asyncmem-options<sched=bafin;adapt=off>,asyncmem-split' -S %s | FileCheck --check-prefix=TASKS %s
; RUN: %opt -passes='asyncmem-options<sched=static;near=none;adapt=off>,asyncmem-split' -S %s | FileCheck --check-prefix=STATIC %s

; RUN: %opt -passes=verify -S %s -o %t.before
; RUN: %opt -passes='print<asyncmem-classes>,print<asyncmem-requests>' -S %s -o %t.after
; RUN: diff %t.before %t.after
; RUN: %opt -passes=asyncmem-split -S -o %t.once < %s
; RUN: %opt -passes='asyncmem-options<sched=bafin;verify>,asyncmem-split' -S -o %t.verified < %s
; RUN: diff %t.once %t.verified
; RUN: %opt -passes=asyncmem-prepare -S -o %t.prepared < %s
; RUN: %opt -passes='print<asyncmem-requests>,asyncmem-split' -S -o %t.steps < %t.prepared
; RUN: diff %t.once %t.steps
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-unknown-elf"

; CLASSES: loop 7 in 'pairs':
; CLASSES-NEXT: remote: %x = load i64, ptr %pair, align 16
; CLASSES-NEXT: remote: %y = load i64, ptr %second, align 8
; CLASSES-NEXT: remote: %z = load i64, ptr %other, align 8
; CLASSES-NEXT: remote: store i64 %product, ptr %to, align 8
; CLASSES-NEXT: sequential: %i = phi i64
; CLASSES-NEXT: shared: %sum = phi i64
; CLASSES-NEXT: updated by: %added = add i64 %sum, %product
; CLASSES-NOT: exclusive

; REQUESTS: loop 7 in 'pairs':
; REQUESTS-NEXT: a task waits in %body{{.*}}, for carried stores, too:
; REQUESTS-NEXT: load 16 bytes at 0:
; REQUESTS-NEXT: byte 0: %x = load
; REQUESTS-NEXT: byte 8: %y = load
; REQUESTS-NEXT: load 8 bytes at 16:
; REQUESTS-NEXT: byte 0: %z = load
; REQUESTS-NEXT: a task waits in %body{{.*}}, at the next iteration's first wait:
; REQUESTS-NEXT: store 8 bytes at 24:
; REQUESTS-NEXT: byte 0: store i64 %product

; SINGLE-COUNT-4: a task waits in

; PREPARED-LABEL: @pairs(
; PREPARED: call void (ptr, ...) @__builtin_is_remote
; PREPARED: !llvm.loop [[ID:![0-9]+]]
; PREPARED: !asyncmem.options
; PREPARED: !asyncmem.pragmas
; PREPARED: !"asyncmem.loop", i32 7, i32 8, i32 0

; PLANNED-LABEL: @pairs(
; PLANNED: %x = load
; PLANNED-NEXT: %y = load
; PLANNED-NEXT: %z = load
; PLANNED-NEXT: %mixed = xor
; PLANNED-NOT: __builtin_is_remote
; PLANNED-NOT: asyncmem.

; TASKS-LABEL: @pairs(
; TASKS: callbr i64 asm sideeffect
; TASKS-NOT: asyncmem.options

; STATIC-LABEL: @pairs(
; STATIC-COUNT-2: call void @llvm.prefetch
define i64 @pairs(ptr %p, ptr %q, ptr noalias %r, ptr noalias readonly %index, i64 %n) {
entry:
  br label %body

body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi i64 [ 0, %entry ], [ %added, %body ]
  call void (ptr, ...) @__builtin_is_remote(ptr %p)
  call void (ptr, ...) @__builtin_is_remote(ptr %q)
  call void (ptr, ...) @__builtin_is_remote(ptr %r)
  %at = getelementptr i32, ptr %index, i64 %i
  %k = load i32, ptr %at, align 4
  %pair = getelementptr { i64, i64 }, ptr %p, i32 %k
  %x = load i64, ptr %pair, align 16
  %second = getelementptr i64, ptr %pair, i64 1
  %y = load i64, ptr %second, align 8
  %mixed = xor i64 %x, %y
  %other = getelementptr i64, ptr %q, i32 %k
  %z = load i64, ptr %other, align 8
  %product = mul i64 %mixed, %z
  %to = getelementptr i64, ptr %r, i64 %i
  store i64 %product, ptr %to, align 8
  %added = add i64 %sum, %product
  %next = add nsw i64 %i, 1
  %goes.on = icmp slt i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !0

exit:
  ret i64 %added
}

declare void @__builtin_is_remote(ptr, ...) memory(inaccessiblemem: readwrite) nounwind willreturn

!asyncmem.options = !{!3}
!asyncmem.pragmas = !{!4}
!0 = distinct !{!0, !1, !2}
!1 = !{!"asyncmem.loop", i32 7, i32 8, i32 0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = !{!"sched=bafin"}
!4 = !{i32 7, ptr @pairs, i1 false, i1 false}
