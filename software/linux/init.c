// SPDX-License-Identifier: Apache-2.0
//
// The first program: mounts what programs expect, lets the golden model take its checkpoint of the booted system, and runs what the command line of this
// repository (tools/nhg/linux.py) has put into memory that Linux does not know, or else a shell on the console. When that ends, the machine does.
//
// What it finds there: struct programs and an archive (cpio, newc). It is unpacked in /program, and /program/run starts.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux.h"
#include "platform.h"

#define PROGRAM_FOLDER "/program"
#define MEASURED "/sys/class/misc/coroamu/measured"

struct programs {
  uint64_t bytes;          // of the archive; 0: there is none
  uint64_t measures_whole; // the region is all that runs; otherwise the program marks its own
  char archive[];
};

// Names that the kernel's device folder has not.
static const struct {
  const char *target, *name;
} links[] = {{"/proc/self/fd", "/dev/fd"},
             {"/proc/self/fd/0", "/dev/stdin"},
             {"/proc/self/fd/1", "/dev/stdout"},
             {"/proc/self/fd/2", "/dev/stderr"}};

static volatile uint64_t *host;

static void check(int right, const char *what) {
  if (right)
    return;
  perror(what);
  sync();
  reboot(RB_POWER_OFF);
}

// Physical memory or devices.
static void *map_physical(uint64_t address, size_t bytes) {
  const int memory = open("/dev/mem", O_RDWR | O_SYNC);
  check(memory >= 0, "init: /dev/mem");
  void *place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, (off_t)address);
  check(place != MAP_FAILED, "init: mapping physical memory");
  close(memory);
  return place;
}

static void tell_host(uint64_t address, uint64_t value) { host[(address - NHG_HOST_BASE) / sizeof *host] = value; }

// The driver lets this process mark a region.
static void measure_me(void) {
  FILE *file = fopen(MEASURED, "w");
  if (file != NULL) {
    fprintf(file, "%d", getpid());
    fclose(file);
  }
}

static int run(char *const arguments[], int marks_region) {
  const pid_t child = fork();
  if (child == 0) {
    if (marks_region)
      measure_me();
    setsid();
    ioctl(STDIN_FILENO, TIOCSCTTY, 0);
    execv(arguments[0], arguments);
    perror(arguments[0]);
    _exit(127);
  }
  int status = 0;
  for (pid_t ended = 0; ended != child;) // others are orphans
    ended = wait(&status);
  return WIFEXITED(status) ? WEXITSTATUS(status) : (1 << 7) + WTERMSIG(status); // as shells have it
}

// The archive goes through a pipe, since nothing else reads that memory. Only the writer maps it: forks copy such a mapping page by page.
static void unpack(size_t bytes) {
  int ends[2];
  check(pipe(ends) == 0, "init: pipe");
  const pid_t writer = fork();
  if (writer == 0) {
    close(ends[0]);
    const struct programs *programs = map_physical(NHG_LINUX_PROGRAMS, sizeof *programs + bytes);
    const char *archive = programs->archive;
    for (ssize_t done = 0; bytes > 0 && (done = write(ends[1], archive, bytes)) > 0; bytes -= (size_t)done)
      archive += done;
    _exit(0);
  }
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  close(ends[1]);
  check(chdir(PROGRAM_FOLDER) == 0, "init: " PROGRAM_FOLDER);
  check(run((char *[]){"/bin/busybox", "cpio", "-id", "--quiet", NULL}, 0) == 0, "init: unpacking the programs");
}

static int run_whole_region(char *const arguments[]) {
  tell_host(NHG_HOST_CHECKPOINT, 1);
  tell_host(NHG_HOST_ROI_BEGIN, 1);
  const int status = run(arguments, 0);
  tell_host(NHG_HOST_ROI_END, 1);
  return status;
}

int main(void) {
  check(mount("devtmpfs", "/dev", "devtmpfs", 0, NULL) == 0, "init: /dev");
  check(mount("proc", "/proc", "proc", 0, NULL) == 0, "init: /proc");
  check(mount("sysfs", "/sys", "sysfs", 0, NULL) == 0, "init: /sys");
  for (size_t i = 0; i < sizeof links / sizeof *links; ++i)
    check(symlink(links[i].target, links[i].name) == 0, links[i].name);
  setenv("PATH", "/bin:" PROGRAM_FOLDER, 1);
  host = map_physical(NHG_HOST_BASE, NHG_HOST_SIZE);
  tell_host(NHG_HOST_CHECKPOINT, 1);

  const struct programs *programs = map_physical(NHG_LINUX_PROGRAMS, sizeof *programs);
  int status = 0;
  if (programs->bytes != 0) {
    unpack(programs->bytes);
    check(freopen("/dev/console", "r", stdin) != NULL, "init: /dev/console");
    char *const arguments[] = {PROGRAM_FOLDER "/run", NULL};
    status = programs->measures_whole ? run_whole_region(arguments) : run(arguments, 1);
  } else {
    printf("init: nothing to run, so this is a shell; exit ends the machine\n");
    status = run((char *[]){"/bin/sh", NULL}, 0);
  }
  fflush(NULL);
  if (programs->bytes != 0)
    tell_host(NHG_HOST_EXIT, (uint64_t)status);
  reboot(RB_POWER_OFF);
  return 1;
}
