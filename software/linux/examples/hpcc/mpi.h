// SPDX-License-Identifier: Apache-2.0
//
// MPI of one process, as far as RandomAccess and STREAM of HPC Challenge use it.
#ifndef NHG_HPCC_MPI_H
#define NHG_HPCC_MPI_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int MPI_Comm;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Status;
typedef size_t MPI_Datatype; // its bytes

#define MPI_COMM_SELF 0
#define MPI_DOUBLE sizeof(double)
#define MPI_MIN 0

static inline double MPI_Wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void MPI_Barrier(MPI_Comm all) { (void)all; }
static inline void MPI_Abort(MPI_Comm all, int code) {
  (void)all;
  exit(code);
}
static inline void MPI_Comm_size(MPI_Comm all, int *processes) {
  (void)all;
  *processes = 1;
}
static inline void MPI_Comm_rank(MPI_Comm all, int *mine) {
  (void)all;
  *mine = 0;
}
static inline void MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm all) {
  (void)op, (void)all;
  memcpy(to, from, (size_t)count * type);
}
static inline void MPI_Gather(const void *from, int count, MPI_Datatype type, void *to, int count_to,
                              MPI_Datatype type_to, int root, MPI_Comm all) {
  (void)count_to, (void)type_to, (void)root, (void)all;
  memcpy(to, from, (size_t)count * type);
}

#endif
