// SPDX-License-Identifier: Apache-2.0
//
// Locks of asyncmem.h where no tasks run: loops that stayed serial, and threads around them.
#include "asyncmem.h"

void asyncmem_lock(uint64_t *lock) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
    ;
}

void asyncmem_unlock(uint64_t *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }
