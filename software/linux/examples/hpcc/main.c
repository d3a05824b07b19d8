// SPDX-License-Identifier: Apache-2.0
//
// RandomAccess or STREAM of HPC Challenge on one process, without the rest of it:
//   hpcc randomaccess BYTES     a table of half so many bytes; it counts its own errors
//   hpcc stream BYTES           three arrays of so many bytes in all; it checks its own results
// Exit code 0: the program itself found its results right. Task switches are those on the AMU; 0: its loops ran plain.
#include <hpcc.h>
#include <inttypes.h>

#include "RandomAccess.h"

extern uint64_t __asyncmem_switches;

// As many elements of each vector as fit. HPC Challenge's own is in a file that needs all of it.
int HPCC_LocalVectorSize(HPCC_Params *params, int vectors, size_t bytes, int power_of_2) {
  (void)power_of_2;
  return (int)(params->HPLMaxProcMem / bytes / (size_t)vectors);
}

static int run(HPCC_Params *params, const char *name) {
  double copy, scale, add, triad, updates;
  int failure = 1;
  const int refused = strcmp(name, "stream") == 0
                          ? HPCC_Stream(params, 1, MPI_COMM_SELF, 0, &copy, &scale, &add, &triad, &failure)
                          : HPCC_RandomAccess(params, 1, &updates, &failure);
  printf("task switches: %" PRIu64 "\n", __asyncmem_switches);
  return refused || failure;
}

int main(int argc, char **argv) {
  static HPCC_Params params = {.outFname = "/proc/self/fd/1"};
  if (argc == 3)
    params.HPLMaxProcMem = strtoull(argv[2], NULL, 0);
  if (params.HPLMaxProcMem == 0 || (strcmp(argv[1], "randomaccess") != 0 && strcmp(argv[1], "stream") != 0)) {
    fprintf(stderr, "usage: hpcc randomaccess|stream BYTES\n");
    return 2;
  }
  return run(&params, argv[1]);
}
