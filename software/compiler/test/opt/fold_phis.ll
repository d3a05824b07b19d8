; SPDX-License-Identifier: Apache-2.0
; Where both ways compute one value it is computed where they meet, and promises no more than each of them did.
; RUN: %opt -passes='asyncmem-options<sched=bafin;adapt=off;verify>,asyncmem-prepare' -S %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-unknown-elf"

; CHECK-LABEL: @ways(
; CHECK: join:
; CHECK-DAG: call i64 @llvm.ctpop.i64(i64 %value){{$}}
; CHECK-DAG: fmul contract double %float, 3.000000e+00
; CHECK-DAG: add i64 %value, 9
; CHECK: br i1
define i64 @ways(ptr %a, ptr %b, i64 %n) {
entry:
  %some = icmp ne i64 %n, 0
  br i1 %some, label %body, label %none

body:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %sum = phi i64 [ 0, %entry ], [ %added, %join ]
  call void (ptr, ...) @__builtin_is_remote(ptr %a)
  %at = getelementptr i64, ptr %a, i64 %i
  %value = load i64, ptr %at, align 8
  %float = uitofp i64 %value to double
  %to = getelementptr i64, ptr %b, i64 %i
  %small = icmp ult i64 %value, 16
  br i1 %small, label %few, label %many

few:
  %bits.few = call i64 @llvm.ctpop.i64(i64 %value), !range !4
  %product.few = fmul nsz contract double %float, 3.0
  %more.few = add nuw i64 %value, 9
  store i64 1, ptr %to, align 8
  br label %join

many:
  %bits.many = call i64 @llvm.ctpop.i64(i64 %value)
  %product.many = fmul reassoc contract double %float, 3.0
  %more.many = add nsw i64 %value, 9
  store i64 2, ptr %to, align 8
  br label %join

join:
  %bits = phi i64 [ %bits.few, %few ], [ %bits.many, %many ]
  %product = phi double [ %product.few, %few ], [ %product.many, %many ]
  %more = phi i64 [ %more.few, %few ], [ %more.many, %many ]
  %whole = fptoui double %product to i64
  %mixed = xor i64 %whole, %bits
  %all = xor i64 %mixed, %more
  %added = add i64 %sum, %all
  %next = add nuw i64 %i, 1
  %goes.on = icmp ne i64 %next, %n
  br i1 %goes.on, label %body, label %exit, !llvm.loop !0

exit:
  ret i64 %added

none:
  ret i64 0
}

declare void @__builtin_is_remote(ptr, ...) memory(inaccessiblemem: readwrite) nounwind willreturn
declare i64 @llvm.ctpop.i64(i64)

!asyncmem.pragmas = !{!3}
!0 = distinct !{!0, !1, !2}
!1 = !{!"asyncmem.loop", i32 1, i32 8, i32 0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = !{i32 1, ptr @ways, i1 false, i1 false}
!4 = !{i64 0, i64 5}
