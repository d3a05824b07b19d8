// SPDX-License-Identifier: Apache-2.0
// The checker leaves a loop plain and tells the runtime of iterations and of the accesses that iterations could meet in.
// RUN: %clang %plugin %sched=check -O2 -S -emit-llvm %s -o - -Rpass=asyncmem -Rpass-analysis=asyncmem 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: FileCheck --check-prefix=WARNING %s < %t.remarks
// The other schedulers say on which promises tasks rely, too.
// RUN: %clang %plugin -O2 -S -emit-llvm %s -o /dev/null -Rpass-analysis=asyncmem 2>&1 | FileCheck --check-prefix=PROMISE %s
#include <stdint.h>

// One store; the loads cannot meet each other. They are rows.
// CHECK-LABEL: define{{.*}} @scatter(
// CHECK-DAG: call void @__asyncmem_check_begin(ptr {{.*}}@asyncmem.checked
// CHECK-DAG: call void @__asyncmem_check_own_row(ptr {{.*}}, i64 8, i64 8, i64 {{%[0-9a-z.]+}}, i32 0)
// CHECK-DAG: call void @__asyncmem_check_own_row(ptr {{.*}}, i64 8, i64 8, i64 {{%[0-9a-z.]+}}, i32 65536)
// CHECK-DAG: call void @__asyncmem_check_end()
// CHECK-DAG: call void @__asyncmem_check_iteration()
// CHECK-DAG: call void @__asyncmem_check_write_8(ptr {{.*}}, i32 131072)
// CHECK-NOT: @__asyncmem_place
// REMARK: check.c:[[#@LINE+4]]:9: remark: tasks rely on promises: no other iteration uses what this one writes in line [[#@LINE+8]]
// REMARK: check.c:[[#@LINE+3]]:9: remark: loop left serial, the program checks what the pragma promises: 3 accesses
// PROMISE: check.c:[[#@LINE+2]]:9: remark: tasks rely on promises: no other iteration uses what this one writes in line [[#@LINE+6]]
void scatter(uint64_t *y, const uint64_t *x, const uint64_t *k, unsigned n) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    y[k[i]] = x[i];
  }
}

// All is rows: nobody tells of iterations.
// CHECK-LABEL: define{{.*}} @copy(
// CHECK: call void @__asyncmem_check_begin(ptr {{.*}}@asyncmem.checked
// CHECK-DAG: call void @__asyncmem_check_own_row(ptr {{.*}}, i64 8, i64 8, i64 {{%[0-9a-z.]+}}, i32 {{[0-9]+}})
// CHECK-DAG: call void @__asyncmem_check_own_row(ptr {{.*}}, i64 8, i64 8, i64 {{%[0-9a-z.]+}}, i32 {{[0-9]+}})
// CHECK: call void @__asyncmem_check_rows_end()
// CHECK-NOT: __asyncmem_check
// CHECK: store <2 x i64>
// CHECK: ret void
void copy(uint64_t *y, const uint64_t *x, unsigned n) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    y[i] = x[i] * 5;
  }
}

// Nothing is written: nothing to check.
// CHECK-LABEL: define{{.*}} @only_reads(
// CHECK-NOT: __asyncmem_check
// REMARK: check.c:[[#@LINE+4]]:9: remark: tasks rely on no promise
// PROMISE: check.c:[[#@LINE+3]]:9: remark: tasks rely on no promise
uint64_t only_reads(const uint64_t *x, const uint64_t *k, unsigned n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    sum += x[k[i]];
  }
  return sum;
}

// The read of an update goes with its write; 2 is CHECK_OWNED.
// CHECK-LABEL: define{{.*}} @update(
// CHECK: call void @__asyncmem_check_write_8(ptr {{.*}}, i32 {{[0-9]*}})
// REMARK: check.c:[[#@LINE+2]]:9: remark: tasks rely on promises: {{.*}}distinct_update() in line [[#@LINE+5]]
void update(uint64_t *y, const uint64_t *k, unsigned n) {
#pragma asyncmem num_task(16) distinct_update(y)
  for (unsigned i = 0; i < n; ++i) {
    __builtin_is_remote(y);
    y[k[i]] += i;
  }
}

// REMARK: check.c:[[#@LINE+2]]:9: remark: tasks rely on promises: {{.*}}lossy_update() in line [[#@LINE+5]]
void lossy(uint64_t *y, const uint64_t *k, unsigned n) {
#pragma asyncmem num_task(16) lossy_update(y)
  for (unsigned i = 0; i < n; ++i) {
    __builtin_is_remote(y);
    y[k[i]] += i;
  }
}

// Refused as always, and not checked.
// WARNING: check.c:[[#@LINE+5]]:9: warning: loop left serial: an iteration reads what another one writes
// CHECK-LABEL: define{{.*}} @refused(
// CHECK-NOT: __asyncmem_check
// CHECK: ret void
void refused(uint64_t *y, unsigned n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(y);
    y[i + 3] = y[i] * 5;
  }
}
