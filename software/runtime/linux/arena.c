// SPDX-License-Identifier: Apache-2.0
//
// Far memory under Linux is the memory of node 1, in pages of 2 MiB where the system has them, at the addresses it has without an operating system.
#define _GNU_SOURCE
#include "arena.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host.h"
#include "platform.h"

enum { BindPolicy = 2, FarNode = 1 }; // MPOL_BIND of linux/mempolicy.h

int arena_ready(void) {
  static int ready;
  if (ready)
    return 1;
  void *wanted = (void *)NHG_FAR_BASE;
  const unsigned long nodes = 1ul << FarNode;
  if (mmap(wanted, NHG_FAR_SIZE, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != wanted ||
      syscall(SYS_mbind, wanted, NHG_FAR_SIZE, BindPolicy, &nodes, 8 * sizeof nodes, 0) != 0) {
    perror("remote_alloc: no far memory of node 1 at its addresses");
    host_exit(1);
  }
  madvise(wanted, NHG_FAR_SIZE, MADV_HUGEPAGE);
  ready = 1;
  return 1;
}
