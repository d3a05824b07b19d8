// SPDX-License-Identifier: Apache-2.0
//
// Natively: threads of the operating system on one core, which pass it on by sched_yield(); ns of CPU time a switch, ns to make, first run and end, resident
// bytes a thread.
//   threads [TASKS [TURNS]]
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { StackBytes = 16384 };

static long turns;
static uint64_t total;
static pthread_barrier_t all_are_there, begin;

static void *add_up(void *unused) {
  (void)unused;
  pthread_barrier_wait(&all_are_there);
  pthread_barrier_wait(&begin);
  uint64_t sum = 0;
  for (long turn = 0; turn < turns; ++turn) {
    sum += (uint64_t)turn;
    sched_yield();
  }
  __atomic_fetch_add(&total, sum, __ATOMIC_RELAXED);
  return NULL;
}

static double cpu_ns(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e9 +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e3;
}

static long resident_bytes(void) {
  long all, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &all, &resident) != 2) {
    perror("threads: /proc/self/statm");
    exit(1);
  }
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

// CPU time of so many threads of so many turns; what of it was theirs to switch, and their resident bytes.
static double run(long tasks, long turns_of_each, double *switching, long *bytes) {
  pthread_t *threads = malloc((size_t)tasks * sizeof *threads);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, StackBytes);
  pthread_barrier_init(&all_are_there, NULL, (unsigned)tasks + 1);
  pthread_barrier_init(&begin, NULL, (unsigned)tasks + 1);
  turns = turns_of_each;
  const long before = resident_bytes();
  const double began = cpu_ns();
  for (long k = 0; k < tasks; ++k)
    if (pthread_create(&threads[k], &attributes, add_up, NULL) != 0) {
      perror("threads: pthread_create");
      exit(1);
    }
  pthread_barrier_wait(&all_are_there);
  *bytes = (resident_bytes() - before) / tasks;
  const double switched = cpu_ns();
  pthread_barrier_wait(&begin);
  for (long k = 0; k < tasks; ++k)
    pthread_join(threads[k], NULL);
  const double ended = cpu_ns();
  free(threads);
  *switching = ended - switched;
  return ended - began;
}

int main(int count, char **words) {
  const long tasks = count > 1 ? atol(words[1]) : 16, of_each = count > 2 ? atol(words[2]) : 20000;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
  double none, switching;
  long bytes, ignored;
  const double making = run(tasks, 0, &none, &bytes);
  run(tasks, of_each, &switching, &ignored);
  printf("threads, sched_yield: %ld threads, %.0f ns a switch, %.0f ns to make, first run and end, %ld bytes\n", tasks,
         (switching - none) / (double)(tasks * of_each), making / (double)tasks, bytes);
  return total == (uint64_t)(tasks * (of_each * (of_each - 1) / 2)) ? 0 : 1;
}
