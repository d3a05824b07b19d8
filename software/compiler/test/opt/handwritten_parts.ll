; SPDX-License-Identifier: Apache-2.0
; What accesses the frame is context, the jump to another coroutine scheduler; what has lost its line goes with what follows it, not with the context before it.
; RUN: %opt -passes=asyncmem-handwritten-parts -S %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-unknown-elf"

; CHECK-LABEL: @work.resume(
; CHECK: %pointer = load ptr, ptr %place, align 8, !dbg [[CONTEXT:![0-9]+]]
; CHECK: %lost = load i64, ptr %pointer, align 8, !dbg [[LINE:![0-9]+]]
; CHECK: %merged = add i64 %lost, 1, !dbg [[LINE]]
; CHECK: %sum = add i64 %merged, %lost, !dbg [[LINE]]
; CHECK: store i64 %sum, ptr %place, align 8, !dbg [[CONTEXT]]
; CHECK: %next = load ptr, ptr @ready, align 8, !dbg [[JUMP:![0-9]+]]
; CHECK: tail call fastcc void %next(ptr %pointer), !dbg [[JUMP]]
; CHECK: ret void, !dbg [[WHOLE:![0-9]+]]
; CHECK-LABEL: @work(
; CHECK: load ptr, ptr %frame, align 8{{$}}
; CHECK-DAG: [[CONTEXT]] = !DILocation(line: 1, scope: [[PART:![0-9]+]], inlinedAt:
; CHECK-DAG: [[PART]] = distinct !DISubprogram(name: "coroamu.context"
; CHECK-DAG: [[JUMP]] = !DILocation(line: 1, scope: [[SCHEDULER:![0-9]+]], inlinedAt:
; CHECK-DAG: [[SCHEDULER]] = distinct !DISubprogram(name: "coroamu.scheduler"
; CHECK-DAG: [[LINE]] = !DILocation(line: 7
; CHECK-DAG: [[WHOLE]] = !DILocation(line: 5
@ready = external global ptr

define void @work.resume(ptr %frame) !dbg !3 {
  %place = getelementptr i8, ptr %frame, i64 16
  %pointer = load ptr, ptr %place, align 8
  %lost = load i64, ptr %pointer, align 8
  %merged = add i64 %lost, 1, !dbg !5
  %sum = add i64 %merged, %lost, !dbg !6
  store i64 %sum, ptr %place, align 8, !dbg !6
  %next = load ptr, ptr @ready, align 8
  tail call fastcc void %next(ptr %pointer), !dbg !6
  ret void
}

define void @work(ptr %frame) !dbg !7 {
  %pointer = load ptr, ptr %frame, align 8
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "work.cpp", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "work", file: !1, line: 5, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocation(line: 0, scope: !3)
!6 = !DILocation(line: 7, scope: !3)
!7 = distinct !DISubprogram(name: "work", file: !1, line: 5, type: !4, unit: !0, spFlags: DISPFlagDefinition)
