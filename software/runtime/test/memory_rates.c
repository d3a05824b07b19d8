// SPDX-License-Identifier: Apache-2.0
//
// Core cycles a 64-byte line of memcpy, memset, memcmp and strlen on NH-G, and of loops over bytes and over 8-byte words: in L1D (the
// same 2 KiB again and again) and in far memory that no cache holds. Prints a table. The region of interest is one function's far
// run, by default memcpy's; TEST_FLAGS=-DREGION=copy_skewed for that of another one.
//   make -C software/runtime $PWD/build/runtime/test/memory_rates.elf && make run ELF=build/runtime/test/memory_rates.elf LAT=100
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cycles.h"
#include "host.h"

#ifndef REGION
#define REGION copy
#endif

typedef unsigned char byte;

enum { LineBytes = 64, NearLines = 32, NearRounds = 16, FarLines = 512, ColdBytes = 1 << 19 };

static byte near_from[(NearLines + 1) * LineBytes] __attribute__((aligned(64)));
static byte near_to[(NearLines + 1) * LineBytes] __attribute__((aligned(64)));
// Far memory not used yet; nothing else of this program is there.
static byte *far_unused = (byte *)NHG_FAR_BASE;

static volatile uint64_t result; // keeps what a function found

static void copy_bytes(byte *to, const byte *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    to[i] = from[i];
}

static void copy_words(byte *to, const byte *from, size_t bytes) {
  for (size_t i = 0; i < bytes / 8; i++)
    ((uint64_t *)to)[i] = ((const uint64_t *)from)[i];
}

static void copy(byte *to, const byte *from, size_t bytes) { memcpy(to, from, bytes); }
static void copy_skewed(byte *to, const byte *from, size_t bytes) { memcpy(to, from + 3, bytes); }
static void move_down(byte *to, const byte *from, size_t bytes) {
  (void)from;
  memmove(to + 8, to, bytes);
}

static void fill(byte *to, const byte *from, size_t bytes) {
  (void)from;
  memset(to, 1, bytes);
}

static void fill_bytes(byte *to, const byte *from, size_t bytes) {
  (void)from;
  for (size_t i = 0; i < bytes; i++)
    to[i] = 1;
}

static void compare(byte *to, const byte *from, size_t bytes) { result = (uint64_t)memcmp(to, from, bytes); }

static void compare_bytes(byte *to, const byte *from, size_t bytes) {
  size_t i = 0;
  while (i < bytes && to[i] == from[i])
    i++;
  result = i;
}

static void length(byte *to, const byte *from, size_t bytes) {
  (void)from;
  to[bytes] = 0;
  result = strlen((const char *)to);
}

static void length_bytes(byte *to, const byte *from, size_t bytes) {
  (void)from;
  to[bytes] = 0;
  size_t i = 0;
  while (to[i])
    i++;
  result = i;
}

static const struct {
  const char *name;
  void (*run)(byte *to, const byte *from, size_t bytes);
  int reads_to; // rather than writes it
} functions[] = {
    {"copy by bytes", copy_bytes, 0},
    {"copy by words", copy_words, 0},
    {"memcpy", copy, 0},
    {"memcpy, source at 3", copy_skewed, 0},
    {"memmove up by 8", move_down, 0},
    {"fill by bytes", fill_bytes, 0},
    {"memset", fill, 0},
    {"compare by bytes", compare_bytes, 1},
    {"memcmp", compare, 1},
    {"length by bytes", length_bytes, 1},
    {"strlen", length, 1},
};

static unsigned per_line(uint64_t spent, unsigned lines) { return (unsigned)((spent * 10 + lines / 2) / lines); }

static unsigned in_l1d(unsigned f) {
  memset(near_from, 1, sizeof near_from);
  memset(near_to, 1, sizeof near_to);
  functions[f].run(near_to, near_from, NearLines * LineBytes);
  const uint64_t begin = cycles();
  for (unsigned i = 0; i < NearRounds; i++)
    functions[f].run(near_to, near_from, NearLines * LineBytes);
  return per_line(cycles() - begin, NearLines * NearRounds);
}

// Filled at latency 0, then driven out of the caches.
static byte *cold(void) {
  byte *place = far_unused;
  far_unused += (FarLines + 1) * LineBytes;
  memset(place, 1, (FarLines + 1) * LineBytes);
  return place;
}

static unsigned far_away(unsigned f, uint64_t latency_cycles) {
  volatile uint64_t *const latency = (volatile uint64_t *)NHG_FAR_CONTROL_LATENCY_CYCLES;
  *latency = 0;
  byte *to = cold(), *from = cold();
  for (byte *const end = far_unused + ColdBytes; far_unused < end; far_unused += LineBytes)
    *(volatile uint64_t *)far_unused = 0; // changed, so that these lines must be written back in turn
  *latency = latency_cycles;
  if (functions[f].run == REGION)
    host_roi_begin();
  const uint64_t begin = cycles();
  functions[f].run(to, from, FarLines * LineBytes);
  const uint64_t end = cycles();
  if (functions[f].run == REGION)
    host_roi_end();
  return per_line(end - begin, FarLines);
}

int main(void) {
  const uint64_t latency_cycles = *(volatile uint64_t *)NHG_FAR_CONTROL_LATENCY_CYCLES;
  printf("%-22s %8s %8s\n", "cycles a line", "in L1D", "far");
  for (unsigned f = 0; f < sizeof functions / sizeof *functions; f++) {
    const unsigned near = in_l1d(f), far = far_away(f, latency_cycles);
    printf("%-22s %6u.%u %6u.%u\n", functions[f].name, near / 10, near % 10, far / 10, far % 10);
  }
  printf("latency of far memory: %u cycles\n", (unsigned)latency_cycles);
}
