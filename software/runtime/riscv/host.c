// SPDX-License-Identifier: Apache-2.0
#include "host.h"

#include <stdio.h>

static void write_register(uint64_t address, uint64_t value) {
  // The barrier keeps the compiler from moving work across a mark.
  __asm__ volatile("" ::: "memory");
  *(volatile uint64_t *)(uintptr_t)address = value;
  __asm__ volatile("" ::: "memory");
}

void host_exit(int code) {
  write_register(NHG_HOST_EXIT, (uint64_t)(unsigned)code);
  for (;;) {
  }
}

void host_putchar(char c) { write_register(NHG_HOST_PUTC, (unsigned char)c); }
void host_checkpoint(void) { write_register(NHG_HOST_CHECKPOINT, 1); }
void host_roi_begin(void) { write_register(NHG_HOST_ROI_BEGIN, 1); }

void host_roi_end(void) {
  write_register(NHG_HOST_ROI_END, 1);
  write_register(NHG_FAR_CONTROL_LATENCY_CYCLES, 0);
}

void host_metric(unsigned index, uint64_t value) {
  if (index < NHG_HOST_METRIC_COUNT)
    write_register(NHG_HOST_METRIC + 8 * index, value);
}

// picolibc: standard output and the end of exit().
static int put_to_host(char c, FILE *file) {
  (void)file;
  host_putchar(c);
  return (unsigned char)c;
}

static FILE host_stream = FDEV_SETUP_STREAM(put_to_host, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &host_stream;
FILE *const stderr = &host_stream;

void _exit(int code) { host_exit(code); }
