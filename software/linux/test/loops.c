// SPDX-License-Identifier: Apache-2.0
//
// A marked loop under Linux, for full and one binary: with the AMU, without it, in two threads at the same time, in a signal handler between tasks, and in a
// child. Prints whether this process got the AMU, and task switches; exit status: the number of the check that failed.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "asyncmem.h"

enum { Words = 1 << 12, Iterations = 2000, Rounds = 20 };

static uint64_t *table;
static volatile sig_atomic_t handled, wrong_in_handler;

static uint64_t place(uint64_t i) { return i * 0x9e3779b97f4a7c15 >> 52; }

__attribute__((noinline)) static uint64_t sum(uint64_t from, uint64_t to) {
  uint64_t all = 0;
#pragma asyncmem num_task(32)
  for (uint64_t i = from; i < to; i++) {
    __builtin_is_remote(table);
    all += table[place(i)] ^ i;
  }
  return all;
}

static uint64_t expected(uint64_t from, uint64_t to) {
  uint64_t all = 0;
  for (uint64_t i = from; i < to; i++)
    all += place(i) * 3 ^ i;
  return all;
}

static int sums_are_right(uint64_t from) {
  for (int round = 0; round < Rounds; round++)
    if (sum(from, from + Iterations) != expected(from, from + Iterations))
      return 0;
  return 1;
}

static void *in_thread(void *from) { return (void *)(uintptr_t)sums_are_right((uintptr_t)from); }

static void in_handler(int number) {
  (void)number;
  wrong_in_handler |= sum(7, 300) != expected(7, 300);
  handled++;
}

int main(void) {
  table = remote_alloc(Words * sizeof *table);
  for (uint64_t i = 0; i < Words; i++)
    table[i] = 3 * i;
  if (!sums_are_right(0))
    return 1;

  pthread_t threads[2];
  for (uintptr_t t = 0; t < 2; t++)
    pthread_create(&threads[t], NULL, in_thread, (void *)(t * 1000));
  if (!sums_are_right(5000))
    return 2;
  for (int t = 0; t < 2; t++) {
    void *right;
    pthread_join(threads[t], &right);
    if (!right)
      return 3;
  }

  signal(SIGALRM, in_handler);
  const struct itimerval often = {{0, 700}, {0, 700}}, never = {0};
  setitimer(ITIMER_REAL, &often, NULL);
  while (handled < 5)
    if (!sums_are_right(100))
      return 4;
  setitimer(ITIMER_REAL, &never, NULL);
  if (wrong_in_handler)
    return 5;

  const pid_t child = fork();
  if (child == 0)
    _exit(!sums_are_right(200));
  if (!sums_are_right(300))
    return 6;
  int status;
  if (waitpid(child, &status, 0) != child || status != 0)
    return 7;
  printf("task switches: %llu\n", &__asyncmem_switches ? (unsigned long long)__asyncmem_switches : 0);
  return 0;
}
