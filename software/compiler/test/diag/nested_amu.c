// SPDX-License-Identifier: Apache-2.0
// A marked loop inside another one: tasks share it, or the message says why they do not.
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck --check-prefixes=CHECK,SERIAL %s
// RUN: %clang %plugin %sched=check -O2 -c %s -o %t.o -Rpass=asyncmem -Rpass-analysis=asyncmem 2>&1 | FileCheck --check-prefixes=CHECKED,SERIAL %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Rpass-missed=asyncmem -fplugin-arg-asyncmem-tasks=1 2>&1 | FileCheck --check-prefix=ALONE %s
// RUN: %clang %plugin %sched=static -O2 -c %s -o %t.o -Rpass-missed=asyncmem 2>&1 | FileCheck --check-prefix=STATIC %s
#include "asyncmem.h"

// CHECK-DAG: :[[#@LINE+3]]:9: remark: loop split into tasks: {{.*}}, which share an inner loop
// CHECKED-DAG: :[[#@LINE+2]]:9: remark: loop left serial, the program checks what the pragma promises: 2 accesses
void shared(uint64_t *a, uint64_t *b, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
// CHECKED-DAG: :[[#@LINE+4]]:9: remark: tasks rely on promises: no other iteration uses what this one writes in line [[#@LINE+7]]
// CHECKED-DAG: :[[#@LINE+3]]:9: remark: loop left serial, the program checks what the pragma promises: 2 accesses
// ALONE: :[[#@LINE+2]]:9: remark: tasks run this loop as a whole: there is one task
// STATIC: :[[#@LINE+1]]:9: remark: this pragma changes nothing: tasks run its loop as a whole, as only those of the AMU share an inner loop
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      a[i * n + j] = b[j];
    }
  }
}

void has_clauses(uint64_t *a, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t sum = 0;
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: it is inside another marked loop, whose tasks run it as a whole: its clauses belong to its pragma
#pragma asyncmem reduction(+ : sum)
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      sum += a[i * n + j];
    }
    a[i] = sum;
  }
}

void two(uint64_t *a, uint64_t *b, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      a[i * n + j] = j;
    }
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: they share another loop in it
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(b);
      b[i * n + j] = j;
    }
  }
}

void deep(uint64_t *a, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i)
    for (uint64_t k = 0; k < a[n]; ++k)
  // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: it is not directly inside the marked loop around it
#pragma asyncmem
      for (uint64_t j = 0; j < n; ++j) {
        __builtin_is_remote(a);
        a[(i * 64 + k) * n + j] = j;
      }
}

void left_early(uint64_t *a, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: it is left elsewhere than at the end of an iteration
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      if (a[i * n + j] == 3)
        break;
      a[i * n + j] = 1;
    }
  }
}

void uncounted(uint64_t *a, uint64_t *b, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t j = i;
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: how often it repeats is not known before it begins
#pragma asyncmem
    do {
      __builtin_is_remote(a);
      a[i * n + j] = 1;
      j = b[j];
    } while (j);
  }
}

void short_one(uint64_t *a, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: it has at most {{30|31}} iterations
#pragma asyncmem
    for (uint64_t j = n & 1; j < 31; ++j) {
      __builtin_is_remote(a);
      a[i * 31 + j] += 1;
    }
  }
}

void locked(uint64_t *a, uint64_t *b, uint64_t *lock, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    asyncmem_lock(lock);
    ++*b;
    asyncmem_unlock(lock);
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: the marked loop around it takes locks
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      a[i * n + j] = j;
    }
  }
}

void local_only(uint64_t *a, uint64_t *restrict b, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i * 77 % n] = i;
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: it has no remote accesses
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j)
      b[i * n + j] ^= j * j;
  }
}

uint64_t last_value(uint64_t *a, uint64_t *b, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t last = 0;
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: a value that it computes is used behind it
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      last = ++a[i * n + j];
    }
    b[i] = last;
  }
  return b[0];
}

void update_across(uint64_t *a, uint64_t *x, uint64_t *k, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(x);
    uint64_t before = x[k[i]];
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: an update of a remote word begins before it and ends behind it
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j)
      a[i * n + j] = j;
    x[k[i]] = before * 3 + i;
  }
}

void memory(uint64_t *a, uint64_t *b, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t table[16];
    for (uint64_t j = 0; j < 16; ++j)
      table[b[j] & 15] = i + j;
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: it shares a variable in memory with the rest of the iteration
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j)
      a[i * n + j] = table[j & 15];
  }
}

void memory_by_row(uint64_t *a, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t table[16];
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: it shares a variable in memory with the rest of the iteration
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j) {
      table[i & 15] = j;
      table[a[j] & 15] = a[j + 1];
      a[(i + 1) * n + j] = table[i & 15];
    }
  }
}

void recurrence(uint64_t *a, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t hash = i;
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: a value that one of its iterations hands to the next is no counter and no sum
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      hash = hash * 31 ^ j;
      a[i * n + j] = hash;
    }
  }
}

void last_write(uint64_t *a, uint64_t *b, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: every iteration writes the same variable
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      b[i] = j;
      a[i * n + j] += 1;
    }
  }
}

void decides(uint64_t *a, const uint64_t *restrict b, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n;) {
    uint64_t step = 1;
    // SERIAL-DAG: :[[#@LINE+1]]:9: warning: loop left serial: {{.*}} as a whole: it decides about the next iteration of the marked loop around it
#pragma asyncmem
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      step ^= step << 3 ^ j;
      a[i * n + j] = j;
    }
    i += step;
  }
}
