// SPDX-License-Identifier: Apache-2.0
// Two lines in CMakeLists.txt turn the plugin on: natively, for NH-G, off; and what is said when it cannot work.
// REQUIRES: cmake
// RUN: rm -rf %t.static %t.full %t.off %t.gcc %t.wrong
// RUN: env CC=%cc_path %cmake -S %S -B %t.static -DCMAKE_PREFIX_PATH=%compiler -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-Rpass=asyncmem
// RUN: %cmake --build %t.static 2>&1 | FileCheck %s -check-prefix=STATIC
// STATIC: loop split into tasks: 8 tasks, {{.*}} scheduler static
// RUN: %t.static/example | FileCheck %s
// RUN: %cmake -S %S -B %t.full -DCMAKE_TOOLCHAIN_FILE=%compiler/cmake/nhg.cmake -DCOROAMU_SCHEDULER=full -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-Rpass=asyncmem
// RUN: %cmake --build %t.full 2>&1 | FileCheck %s -check-prefix=FULL
// FULL: loop split into tasks: 8 tasks, {{.*}} scheduler bafin
// RUN: %nhg_iss --elf %t.full/example | FileCheck %s
// RUN: env CC=%cc_path %cmake -S %S -B %t.off -DCMAKE_PREFIX_PATH=%compiler -DCOROAMU_SCHEDULER=off -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-Rpass=asyncmem
// RUN: %cmake --build %t.off 2>&1 | FileCheck %s -check-prefix=OFF
// OFF-NOT: loop split into tasks
// RUN: %t.off/example | FileCheck %s
// RUN: env CC=gcc not %cmake -S %S -B %t.gcc -DCMAKE_PREFIX_PATH=%compiler 2>&1 | FileCheck %s -check-prefix=GCC
// GCC: the plugin needs clang 18
// RUN: env CC=%cc_path not %cmake -S %S -B %t.wrong -DCMAKE_PREFIX_PATH=%compiler -DCOROAMU_SCHEDULER=bafin 2>&1 | FileCheck %s -check-prefix=AMU
// AMU: COROAMU_SCHEDULER=bafin needs the AMU
// CHECK: sum 4950
#include "asyncmem.h"
#include <stdio.h>

int main(void) {
  uint64_t *a = remote_alloc(100 * sizeof *a), sum = 0;
  for (uint64_t i = 0; i < 100; ++i)
    a[i] = i;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < 100; ++i) {
    __builtin_is_remote(a);
    sum += a[i * 37 % 100];
  }
  printf("sum %lu\n", (unsigned long)sum);
  return 0;
}
