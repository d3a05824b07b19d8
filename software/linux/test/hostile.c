// SPDX-License-Identifier: Apache-2.0
//
// Runs hostile programs, each in a process of its own, and says how each ended. Exit status: how many did not end as they should, or left groups behind.
// hostile getfin: what exec of another program runs.
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define SYSFS "/sys/devices/virtual/misc/coroamu/"

int granted_device(void) {
  const int device = open_device();
  if (ioctl(device, COROAMU_GRANT) != 0 || map_window(device) == MAP_FAILED)
    _exit(99);
  return device;
}

char *new_pages(unsigned count, int protection) {
  char *pages = mmap(NULL, (size_t)count * PageBytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    _exit(98);
  return pages;
}

unsigned long outstanding(void) {
  unsigned long groups = ~0ul;
  FILE *file = fopen(SYSFS "outstanding", "r");
  if (file == NULL || fscanf(file, "%lu", &groups) != 1)
    _exit(97);
  fclose(file);
  return groups;
}

int status_of(int (*body)(void)) {
  const pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

static int runs_well(const struct program *program) {
  printf("%s: ", program->name);
  fflush(stdout);
  const int status = status_of(program->run);
  const int good = program->signal ? WIFSIGNALED(status) && WTERMSIG(status) == program->signal : status == 0;
  const unsigned long left = outstanding();
  if (good && left == 0)
    printf("ok\n");
  else
    printf("WRONG: wait status %#x, %lu groups outstanding\n", status, left);
  return good && left == 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "getfin") == 0)
    return (int)getfin();
  unsigned wrong = 0;
  for (unsigned i = 0; i < refused_count; i++)
    wrong += !runs_well(&refused_programs[i]);
  for (unsigned i = 0; i < shared_count; i++)
    wrong += !runs_well(&shared_programs[i]);
  printf("%u hostile programs, %u wrong\n", refused_count + shared_count, wrong);
  return (int)wrong;
}
