// SPDX-License-Identifier: Apache-2.0
//
// far COMMAND [ARGUMENT...]: runs a command whose memory is that of node 1, as `numactl --membind=1` does.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BindPolicy = 2, FarNode = 1 }; // MPOL_BIND of linux/mempolicy.h

int main(int argc, char **argv) {
  const unsigned long nodes = 1ul << FarNode;
  if (argc < 2) {
    fprintf(stderr, "usage: far COMMAND [ARGUMENT...]\n");
    return 2;
  }
  if (syscall(SYS_set_mempolicy, BindPolicy, &nodes, 8 * sizeof nodes) != 0) {
    perror("far: no far memory of node 1");
    return 1;
  }
  execvp(argv[1], argv + 1);
  perror(argv[1]);
  return 127;
}
