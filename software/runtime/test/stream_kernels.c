// SPDX-License-Identifier: Apache-2.0
//
// STREAM's four kernels on NH-G, serial, over far memory at the configured latency, at bandwidths that the program sets itself. For each: emulated
// GB/s as STREAM counts them (the arrays' elements, once each), then what the delayer saw: lines that are written are read first.
//   make -C software/runtime $PWD/build/runtime/test/stream_kernels.elf && make run ELF=build/runtime/test/stream_kernels.elf LAT=100
#include <stdint.h>
#include <stdio.h>

#include "cycles.h"
#include "host.h"

// Elements of an array: of the part before measuring, in which the prefetcher learns, and of the measured part; and of the array that fills the caches
// with lines to be written back.
enum { LineBytes = 64, Before = 4096, Elements = 16384, Filling = 262144, Arrays = 3 };

static const unsigned bandwidths_gbps[] = {3, 6, 12, 24, 48, 96, 0};
static const double factor = 3.0;

static double *far_unused = (double *)NHG_FAR_BASE; // nothing else of this program is there

static volatile uint64_t *far_register(uint64_t address) { return (volatile uint64_t *)address; }

// Bytes that far memory has read and written.
static uint64_t traffic(void) {
  *far_register(NHG_FAR_CONTROL_CTRL) = 2;
  return *far_register(NHG_FAR_CONTROL_READ_BYTES) + *far_register(NHG_FAR_CONTROL_WRITE_BYTES);
}

__attribute__((noinline)) static void copy(double *restrict to, const double *restrict a, const double *restrict b,
                                           unsigned n) {
  (void)b;
  for (unsigned i = 0; i < n; i++)
    to[i] = a[i];
}

__attribute__((noinline)) static void scale(double *restrict to, const double *restrict a, const double *restrict b,
                                            unsigned n) {
  (void)b;
  for (unsigned i = 0; i < n; i++)
    to[i] = factor * a[i];
}

__attribute__((noinline)) static void add(double *restrict to, const double *restrict a, const double *restrict b,
                                          unsigned n) {
  for (unsigned i = 0; i < n; i++)
    to[i] = a[i] + b[i];
}

__attribute__((noinline)) static void triad(double *restrict to, const double *restrict a, const double *restrict b,
                                            unsigned n) {
  for (unsigned i = 0; i < n; i++)
    to[i] = a[i] + factor * b[i];
}

static const struct {
  const char *name;
  void (*run)(double *restrict to, const double *restrict a, const double *restrict b, unsigned n);
  unsigned arrays;
} kernels[] = {{"copy", copy, 2}, {"scale", scale, 2}, {"add", add, 3}, {"triad", triad, 3}};

// Bytes in so many cycles as tenths of emulated GB/s.
static unsigned rate(uint64_t bytes, uint64_t spent) {
  return (unsigned)((bytes * NHG_EMULATED_MHZ / 100 + spent / 2) / spent);
}

static void measure(unsigned k, unsigned gbps) {
  double *const to = far_unused, *const a = to + Before + Elements, *const b = a + Before + Elements;
  far_unused += Arrays * (Before + Elements);
  kernels[k].run(to, a, b, Before);
  const uint64_t bytes_before = traffic(), begin = cycles();
  kernels[k].run(to + Before, a + Before, b + Before, Elements);
  const uint64_t spent = cycles() - begin, bytes = traffic() - bytes_before;
  const unsigned counted = rate((uint64_t)kernels[k].arrays * Elements * sizeof *to, spent), seen = rate(bytes, spent);
  if (gbps)
    printf("%4u", gbps);
  else
    printf("%4s", "-");
  printf(" %-6s %8u.%u %8u.%u %8u\n", kernels[k].name, counted / 10, counted % 10, seen / 10, seen % 10,
         (unsigned)(spent * LineBytes / (Elements * sizeof *to)));
}

int main(void) {
  printf("GB/s kernel %9s %10s %9s\n", "counted", "at memory", "cycles a line of each array");
  host_roi_begin();
  for (unsigned i = 0; i < Filling; i += LineBytes / sizeof *far_unused)
    *(volatile double *)&far_unused[i] = 0;
  far_unused += Filling;
  for (unsigned s = 0; s < sizeof bandwidths_gbps / sizeof *bandwidths_gbps; s++) {
    *far_register(NHG_FAR_CONTROL_BANDWIDTH) = ((uint64_t)bandwidths_gbps[s] * 1000 << 16) / NHG_EMULATED_MHZ;
    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++)
      measure(k, bandwidths_gbps[s]);
  }
  host_roi_end();
}
