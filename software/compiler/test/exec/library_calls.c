// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// memcmp, memcpy, memchr, strlen, strcmp and strncmp on remote memory: every length up to 300, every alignment of both sides, blocks that begin before a page
// or end with it, bytes that differ at every place.
#include "common.h"
#include <string.h>

enum { COUNT = 304, LENGTH = 320, PAGE = 4096, AROUND = 20 };

static unsigned char local[8][LENGTH] __attribute__((aligned(64)));

static uint64_t sign(int x) { return (uint64_t)((x > 0) - (x < 0) + 1); }

// Row a of both begins at alignment a. They differ behind `place` bytes; lengths are around that.
__attribute__((noinline)) static uint64_t compare(const unsigned char *far, uint64_t place) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < AROUND; ++i) {
    __builtin_is_remote(far);
    uint64_t a = (i + place) & 7, b = (3 * i + place / 8) & 7, length = place + i < AROUND / 2 ? 0 : place + i - AROUND / 2;
    const unsigned char *p = far + a * LENGTH + a, *q = local[b] + b;
    sum += (i + 1) * (sign(memcmp(p, q, length)) + 3 * sign(memcmp(q, p, length)));
    sum += (i + 5) * (uint64_t)(memcmp(p, q, length) == 0);
  }
  return sum;
}

// Blocks of i bytes that end with a page.
__attribute__((noinline)) static uint64_t compare_ends(const unsigned char *end, const unsigned char *local_end, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(end);
    sum += (i + 1) * sign(memcmp(end - i, local_end - i, i));
  }
  return sum;
}

__attribute__((noinline)) static uint64_t compare_both(const unsigned char *far, uint64_t a, uint64_t b, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(far);
    sum += (i + 1) * sign(memcmp(far + a, far + b, i));
  }
  return sum;
}

__attribute__((noinline)) static uint64_t search(const unsigned char *p, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(p);
    const unsigned char *found = memchr(p, (int)(i * 7 | 256), i);
    sum += (i + 1) * (found ? (uint64_t)(found - p) + 1 : 0);
  }
  return sum;
}

// Text i of `far` has i bytes; those around `length` are compared with one of so many.
__attribute__((noinline)) static uint64_t strings(const char *far, const char *local, uint64_t first, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = first; i < first + n; ++i) {
    __builtin_is_remote(far);
    const char *p = far + i * LENGTH + (i * 5 & 7);
    sum += (i + 1) * (9 * sign(strcmp(p, local)) + 3 * sign(strcmp(local, p)) + sign(strncmp(p, local, i)) + strlen(p));
    sum += (i + 7) * (uint64_t)(strncmp(local, p, first + 3) == 0);
  }
  return sum;
}

__attribute__((noinline)) static uint64_t copy(const unsigned char *far, uint64_t to, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(far);
    unsigned char buffer[LENGTH];
    memset(buffer, (int)i, sizeof buffer);
    memcpy(buffer + to, far, i);
    for (uint64_t k = 0; k < LENGTH; ++k)
      sum += (k + 1) * buffer[k];
  }
  return sum;
}

__attribute__((noinline)) static void copy_out(unsigned char *far, uint64_t at, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(far);
    memcpy(far + i * LENGTH + at, local[0] + (i & 7), i);
  }
}

int main(void) {
  unsigned char *room = remote_alloc(COUNT * LENGTH + 3 * PAGE);
  unsigned char *far = room + (-(uintptr_t)room & (PAGE - 1));
  uint64_t sums[8] = {0};
  for (uint64_t a = 0; a < 8; ++a)
    for (uint64_t k = 0; k < LENGTH - 8; ++k)
      local[a][a + k] = far[a * LENGTH + a + k] = (unsigned char)mix(k);
  for (uint64_t place = 0; place < COUNT; ++place) {
    for (uint64_t a = 0; a < 8; ++a)
      local[a][a + place] ^= 0x80 >> (place & 7);
    sums[0] = sums[0] * 3 + compare(far, place);
    for (uint64_t a = 0; a < 8; ++a)
      local[a][a + place] ^= 0x80 >> (place & 7);
  }
  for (uint64_t i = 0; i < 2 * PAGE; ++i)
    far[i] = (unsigned char)mix(i);
  for (uint64_t a = 0; a < 8; ++a) {
    unsigned char *end = local[a] + LENGTH - a;
    memcpy(end - COUNT, far + PAGE - COUNT, COUNT);
    end[-20 * (int)a - 1] ^= a != 0;
    sums[1] = sums[1] * 3 + compare_ends(far + PAGE, end, COUNT);
    sums[2] = sums[2] * 3 + search(far + PAGE - 60 - a, COUNT);
    sums[3] = sums[3] * 3 + copy(far + PAGE - 100 + a, a * 3 & 7, COUNT);
  }
  memcpy(far + PAGE, far, COUNT);
  for (uint64_t a = 0; a < 8; ++a) {
    far[PAGE + 30 * a + 29] ^= 1;
    sums[4] = sums[4] * 3 + compare_both(far, a, PAGE + a, COUNT) + compare_both(far, a, a + 16, COUNT);
  }
  for (uint64_t a = 0; a < 8; ++a) {
    copy_out(far, a, COUNT);
    for (uint64_t i = 0; i < COUNT * LENGTH; i += 1 + a)
      sums[5] = sums[5] * 31 + far[i];
  }
  // All texts begin alike, and every third has another byte somewhere.
  for (uint64_t i = 0; i < COUNT; ++i) {
    unsigned char *text = far + i * LENGTH + (i * 5 & 7);
    for (uint64_t k = 0; k < i; ++k)
      text[k] = (unsigned char)(k % 251 + 1);
    text[i] = 0;
    if (i % 3 == 1)
      text[mix(i) % i] ^= 0x80;
  }
  for (uint64_t length = 0; length < COUNT - AROUND; ++length) {
    unsigned char *text = local[length & 7] + (length >> 3 & 7);
    for (uint64_t k = 0; k < length; ++k)
      text[k] = (unsigned char)(k % 251 + 1);
    text[length] = 0;
    sums[6] = sums[6] * 3 + strings((char *)far, (char *)text, length < AROUND / 2 ? 0 : length - AROUND / 2, AROUND);
  }
  print_digest("sums", sums, sizeof sums);
  return 0;
}
