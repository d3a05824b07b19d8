/* SPDX-License-Identifier: Apache-2.0 */
/* What a program with marked loops includes. With the compiler plugin,
   __ASYNCMEM__ is defined and loops behind '#pragma asyncmem' are transformed;
   without it the same source compiles and means the same, serially.

     uint64_t *table = remote_alloc(bytes);
     #pragma asyncmem num_task(64)
     for (size_t i = 0; i < n; ++i) {
       __builtin_is_remote(table);  // table leads to far memory
       table[index(i)] ^= i;
     } */
#ifndef NHG_ASYNCMEM_H
#define NHG_ASYNCMEM_H

#include "remote.h"

/* Added by -fplugin-arg-asyncmem-count: task switches, and loads and stores of
   task context. Absent (address 0) in programs compiled without that option. */
#ifdef __cplusplus
extern "C" {
#endif
extern uint64_t __asyncmem_switches __attribute__((weak));
extern uint64_t __asyncmem_context_ops __attribute__((weak));

/* Mutual exclusion between iterations of a marked loop, over remote accesses
   and all: a lock is a uint64_t in local memory, 0 when free. Locks may nest.
   Atomic operations on remote data need none. */
void asyncmem_lock(uint64_t *lock) __attribute__((nothrow));
void asyncmem_unlock(uint64_t *lock) __attribute__((nothrow));
#ifdef __cplusplus
}
#endif

#ifndef __ASYNCMEM__
#define __builtin_is_remote(pointer) ((void)(pointer))
#define __builtin_is_near(pointer) ((void)(pointer))
#endif

#endif
