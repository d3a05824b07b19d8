// SPDX-License-Identifier: Apache-2.0
// Dependences between iterations through memory: what the compiler can see is not taken from the pragma's promise.
// RUN: %clang %plugin -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s
// RUN: %clang %plugin -Os -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s
#include "asyncmem.h"
#include <string.h>

// CHECK: [[#@LINE+2]]:9: warning: loop left serial: an iteration reads what another one writes, the order of iterations would show; read a copy (line [[#@LINE+5]]
void flow(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 1; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] += a[i - 1];
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: an iteration reads what another one writes
void anti(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] += a[i + 3];
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: an iteration reads what another one writes
void backwards(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = n; i > 0; --i) {
    __builtin_is_remote(a);
    a[i] = a[i + 1] * 3;
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: an iteration reads what another one writes
void strides(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[3 * i] = a[2 * i] + 1;
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: an iteration reads what another one writes
void compared(uint64_t *a, uint64_t *b, const uint64_t *with, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    b[i] = a[i];
    a[i] = memcmp(&b[i + 1], with, 24) > 0;
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: iterations write the same place in memory, the order of iterations would show; give each its own
void overlapping_writes(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] = 1;
    a[i + 2] = 2;
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: {{iterations write the same place|every iteration writes the same variable|an iteration reads what another one writes}}
void rows_overlap(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    for (int j = 0; j < 40; ++j)
      a[i * 32 + j] += a[n * 100 + i];
  }
}
// CHECK: [[#@LINE+3]]:9: warning: loop left serial: {{iterations write the same place|every iteration writes the same variable}}
uint64_t scratch(uint64_t *a, uint64_t *out, int n) {
  uint64_t seen[40];
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    for (int j = 0; j < 40; ++j)
      seen[j] = a[i * 64 + j] * 3;
    out[i] = seen[a[i] % 40];
  }
  return seen[7];
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: every iteration writes the same variable
void fixed_remote_place(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[7] = a[i + 100] * (uint64_t)i;
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: an iteration reads what another one writes
void waits_for_a_lock_before(uint64_t *restrict a, uint64_t *restrict sums, uint64_t *lock, int n) {
#pragma asyncmem num_task(4)
  for (int i = 1; i < n; ++i) {
    __builtin_is_remote(a);
    asyncmem_lock(lock);
    asyncmem_unlock(lock);
    sums[i] = sums[i - 1] + (uint64_t)i;
    a[i] *= 5;
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: every iteration writes the same variable
void one_of_two_variables(uint64_t *restrict a, uint64_t *restrict odd, uint64_t *restrict even, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] & 1)
      *odd = a[i];
    else
      *even = a[i];
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: iterations write the same place in memory
void one_of_two_elements(uint64_t *restrict a, uint64_t *restrict out, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] & 1)
      out[i] = a[i];
    else
      out[i + 3] = a[i];
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: every iteration reads and writes the same variable
void updates_of_two_sizes(uint64_t *restrict a, uint32_t *sum, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t v = a[i], whole;
    if (v & 1) {
      memcpy(&whole, sum, 8);
      whole += v;
      memcpy(sum, &whole, 8);
    } else {
      *sum += (uint32_t)v;
    }
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: an iteration reads what another one writes
void counter_of_32_bits(uint64_t *restrict a, uint64_t *out, uint32_t n) {
#pragma asyncmem num_task(4)
  for (uint32_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    out[i + 2] = out[i] + a[i];
  }
}
// What an iteration keeps over a wait is its own, unless others may update it through an index.
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: local memory is read before and written after a remote access, other iterations may change it between; hold asyncmem_lock from the read to the write (line [[#@LINE+7]],
void own_word_that_others_update(uint64_t *restrict a, uint64_t *restrict best, const uint32_t *restrict to, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t before = best[i], now = a[i];
    if (before < now)
      best[i] = now;
    uint64_t other = best[to[i]];
    if (other < now)
      best[to[i]] = now;
  }
}
// CHECK: [[#@LINE+2]]:9: remark: loop split into tasks
void counter_of_8_bits(uint64_t *restrict a, uint64_t *out, uint32_t n) {
#pragma asyncmem num_task(4)
  for (uint8_t i = 0; i != (uint8_t)n; ++i) {
    __builtin_is_remote(a);
    out[(uint8_t)(i + 2)] = out[i + 300] + a[i * 8];
  }
}
// CHECK: [[#@LINE+2]]:9: remark: loop split into tasks
void next_one_in_a_ring(uint64_t *restrict a, uint64_t *restrict out, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    out[(i + 1) % n] = a[i];
  }
}
// CHECK: [[#@LINE+2]]:9: remark: loop split into tasks
void behind_an_inner_loop(uint64_t *restrict a, uint64_t *restrict table, uint64_t size, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t j = 0, v = a[i];
    while (j < size && v >> j & 1)
      ++j;
    table[j] = 1;
  }
}
// CHECK: [[#@LINE+2]]:9: remark: loop split into tasks
void same_row(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    for (int j = 0; j < 40; ++j)
      a[i * 40 + j] *= 3;
  }
}
// CHECK: [[#@LINE+2]]:9: remark: loop split into tasks
void even_and_odd(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[2 * i] = a[2 * i + 1] + 1;
  }
}
// CHECK: [[#@LINE+2]]:9: remark: loop split into tasks
void few_iterations(uint64_t *a) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < 64; ++i) {
    __builtin_is_remote(a);
    a[i] += a[i + 64];
  }
}
// CHECK: [[#@LINE+2]]:9: remark: loop split into tasks
void in_order_before_the_access(uint64_t *a, uint64_t *sums, int n) {
#pragma asyncmem num_task(4)
  for (int i = 1; i < n; ++i) {
    __builtin_is_remote(a);
    sums[i] = sums[i - 1] + (uint64_t)i;
    a[i] *= 5;
  }
}
// CHECK: [[#@LINE+2]]:9: remark: loop split into tasks
void own_word_over_a_wait(uint64_t *restrict a, uint64_t *restrict best, const uint32_t *restrict to, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t before = best[i], now = a[i];
    if (before < now)
      best[i] = now;
    best[to[i]] = now;
  }
}
