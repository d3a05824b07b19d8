// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "arena.h"

#include <stdio.h>
#include <sys/mman.h>

#include "host.h"
#include "platform.h"

// Same addresses as on the platform; huge pages where the system gives them.
int arena_ready(void) {
  static int ready = -1;
  if (ready < 0) {
    void *wanted = (void *)NHG_FAR_BASE;
    void *arena = mmap(wanted, NHG_FAR_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    ready = arena == wanted;
    if (!ready) {
      printf("remote_alloc: something else is in the window of far memory, %#llx to %#llx, as the shadow of "
             "-fsanitize=address is; use malloc there\n",
             (unsigned long long)NHG_FAR_BASE, (unsigned long long)(NHG_FAR_BASE + NHG_FAR_SIZE));
      host_exit(1);
    }
    madvise(arena, NHG_FAR_SIZE, MADV_HUGEPAGE);
  }
  return ready;
}
