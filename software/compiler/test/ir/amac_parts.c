// SPDX-License-Identifier: Apache-2.0
// Hand-written state machines: the line table says which accesses are to their records; the code is the same with the plugin and without.
// RUN: %clang %plugin %riscv %sched=none -gline-tables-only -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin %riscv %sched=none -gline-tables-only -O2 -c %s -o %t.o
// RUN: llvm-objdump -d -l --no-show-raw-insn %t.o | FileCheck --check-prefix=LINES %s
// RUN: llvm-objdump -d %t.o > %t.with
// RUN: %clang %riscv -gline-tables-only -O2 -c %s -o %t.o
// RUN: llvm-objdump -d %t.o > %t.without
// RUN: diff %t.with %t.without

struct record {
  unsigned long *word, key;
};

unsigned long others[8];

// What a record leads to and other variables are not context.
// CHECK-LABEL: define {{.*}}@turns(
// CHECK-DAG: load ptr, ptr {{.*}}, !dbg ![[CONTEXT:[0-9]+]]
// CHECK-DAG: load i64, ptr {{.*}}, !dbg ![[CONTEXT]]
// CHECK-DAG: store i64 %{{.*}}, ptr {{.*}}, !dbg ![[CONTEXT]]
// CHECK-LABEL: define {{.*}}@plain(
// CHECK-NOT: !dbg ![[CONTEXT]]
// CHECK-LABEL: define {{.*}}@other(
// CHECK: ![[CONTEXT]] = !DILocation(line: 1, scope: ![[PART:[0-9]+]], inlinedAt:
// CHECK: ![[PART]] = distinct !DISubprogram(name: "coroamu.context"
// LINES: <turns>
// LINES: coroamu.context:1
// LINES: <plain>
// LINES-NOT: coroamu.context:1
void turns(unsigned long count) {
  __attribute__((annotate("coroamu.context"))) static struct record records[8];
  for (unsigned long k = 0; k < count; ++k) {
    *records[k % 8].word ^= records[k % 8].key;
    records[k % 8].word = &others[records[k % 8].key % 8];
    records[k % 8].key += k;
  }
}

void plain(unsigned long count) {
  __attribute__((annotate("something else"))) static struct record records[8];
  for (unsigned long k = 0; k < count; ++k) {
    *records[k % 8].word ^= records[k % 8].key;
    records[k % 8].key = others[k % 8];
  }
}

void other(void) { others[0] = 1; }
