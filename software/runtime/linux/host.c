// SPDX-License-Identifier: Apache-2.0
//
// The host interface for a program of Linux on NH-G: the driver maps its page for the process that is measured, where it is without an operating system,
// too. For others marks and metrics say nothing, and the program ends as any does.
#define _GNU_SOURCE
#include "host.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Of the last free metric: page faults of the program from its checkpoint to the end of the region.
enum { MetricPageFaults = NHG_HOST_METRIC_COUNT - 1 };

static int measured;
static long faults_before;

// The offset of a mapping is the platform's address.
static int map_device(int driver, uint64_t address, size_t bytes) {
  void *wanted = (void *)address;
  return mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, driver, (off_t)address) ==
         wanted;
}

static void write_register(uint64_t address, uint64_t value) {
  // The barrier keeps the compiler from moving work across a mark.
  __asm__ volatile("" ::: "memory");
  if (measured)
    *(volatile uint64_t *)address = value;
  __asm__ volatile("" ::: "memory");
}

static long page_faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

// The machine ends with the program that is measured: what Linux does behind it takes long on RTL and says nothing.
static void end_machine(int code, void *unused) {
  (void)unused;
  fflush(NULL);
  write_register(NHG_HOST_EXIT, (uint64_t)(unsigned)code);
}

__attribute__((constructor)) static void open_host(void) {
  const int driver = open("/dev/coroamu", O_RDWR | O_CLOEXEC);
  if (driver < 0)
    return;
  measured = map_device(driver, NHG_HOST_BASE, NHG_HOST_SIZE) &&
             map_device(driver, NHG_FAR_CONTROL_BASE, NHG_FAR_CONTROL_SIZE);
  close(driver);
  if (measured)
    on_exit(end_machine, NULL);
}

void host_exit(int code) { exit(code); }
void host_putchar(char c) { putchar(c); }
void host_checkpoint(void) {
  faults_before = page_faults();
  write_register(NHG_HOST_CHECKPOINT, 1);
}

void host_roi_begin(void) { write_register(NHG_HOST_ROI_BEGIN, 1); }

void host_roi_end(void) {
  write_register(NHG_HOST_ROI_END, 1);
  write_register(NHG_FAR_CONTROL_LATENCY_CYCLES, 0);
  host_metric(MetricPageFaults, (uint64_t)(page_faults() - faults_before));
}

void host_metric(unsigned index, uint64_t value) {
  if (index < NHG_HOST_METRIC_COUNT)
    write_register(NHG_HOST_METRIC + 8 * index, value);
}
