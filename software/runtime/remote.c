// SPDX-License-Identifier: Apache-2.0
//
// Bump allocator over the far-memory arena. The page before each block holds its header.
#include "remote.h"

#include <stdio.h>

#include "arena.h"
#include "asyncmem_check.h"
#include "host.h"

enum { PageBytes = 4096 };

typedef struct block {
  struct block *older;
  uint64_t end; // first address after the block
  int free;
} block;

// Only native programs can be of -masync=check. Those of NH-G stay as they are, to the cycle.
#ifdef __riscv
static void tell_checker(const void *place, size_t bytes) {
  (void)place;
  (void)bytes;
}
#else
#pragma weak __asyncmem_check_allocated
static void tell_checker(const void *place, size_t bytes) {
  if (__asyncmem_check_allocated != NULL)
    __asyncmem_check_allocated(place, bytes);
}
#endif

static block *newest;

static uint64_t first_unused(void) { return newest ? newest->end : NHG_FAR_BASE; }

void *remote_alloc(size_t bytes) {
  const uint64_t limit = NHG_FAR_BASE + NHG_FAR_SIZE;
  const uint64_t header = first_unused();
  const uint64_t room = limit - header;
  if (!arena_ready() || room < PageBytes || bytes > room - PageBytes) {
    printf("remote_alloc: no room for %llu bytes of far memory; use a smaller scale\n", (unsigned long long)bytes);
    host_exit(1);
  }
  block *b = (block *)(uintptr_t)header;
  b->older = newest;
  b->end = (header + PageBytes + bytes + PageBytes - 1) & ~(uint64_t)(PageBytes - 1);
  b->free = 0;
  newest = b;
  tell_checker((char *)b + PageBytes, bytes);
  return (char *)b + PageBytes;
}

void remote_free(void *pointer) {
  if (pointer == NULL)
    return;
  ((block *)((char *)pointer - PageBytes))->free = 1;
  while (newest != NULL && newest->free)
    newest = newest->older;
}
