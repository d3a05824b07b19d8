// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "arena.h"

#include <sys/mman.h>

#include "platform.h"

// Same addresses as on the platform; huge pages where the system gives them.
int arena_ready(void) {
  static int ready = -1;
  if (ready < 0) {
    void *wanted = (void *)NHG_FAR_BASE;
    void *arena = mmap(wanted, NHG_FAR_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    ready = arena == wanted;
    if (ready)
      madvise(arena, NHG_FAR_SIZE, MADV_HUGEPAGE);
  }
  return ready;
}
