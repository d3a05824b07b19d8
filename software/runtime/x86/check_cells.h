// SPDX-License-Identifier: Apache-2.0
//
// Where the cells of -masync=check lie, by the address of the word that they stand for. Here, as each access looks for one.
#pragma once
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "check_report.h"

struct check_entry {
  uint32_t iteration, mark;
};

enum { WORD_BYTES = 4, CHUNK_SHIFT = 24, ADDRESS_BITS = 47, CHUNKS = 1 << (ADDRESS_BITS - CHUNK_SHIFT) };

// Of the cells of one entry of `chunks`.
#define CHUNK_BYTES (((size_t)1 << CHUNK_SHIFT) / WORD_BYTES * sizeof(struct check_entry))

// Cells by the address's upper bits; pages come into being when they are touched.
static struct check_entry *chunks[CHUNKS];

static void *reserve(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    check_fail("no address space for the shadow memory of -masync=check; allow more (ulimit -v)");
  return memory;
}

__attribute__((noinline)) static struct check_entry *new_chunk(uintptr_t place) {
  if (place >> ADDRESS_BITS)
    check_fail("an address above 47 bits; -masync=check knows those of Linux on x86-64");
  struct check_entry *chunk = reserve(CHUNK_BYTES);
  madvise(chunk, CHUNK_BYTES, MADV_HUGEPAGE);
  return chunks[place >> CHUNK_SHIFT] = chunk;
}

static inline struct check_entry *cell_in(struct check_entry *chunk, uintptr_t place) {
  return &chunk[(place & (((uintptr_t)1 << CHUNK_SHIFT) - 1)) / WORD_BYTES];
}

static inline struct check_entry *cell_of(uintptr_t place) {
  struct check_entry *chunk = chunks[place >> CHUNK_SHIFT];
  if (__builtin_expect(chunk == NULL, 0))
    chunk = new_chunk(place);
  return cell_in(chunk, place);
}

static void forget_chunks(void) {
  for (size_t i = 0; i < CHUNKS; ++i)
    if (chunks[i] != NULL)
      madvise(chunks[i], CHUNK_BYTES, MADV_DONTNEED);
}

// The cells of so many bytes at a multiple of them lie side by side.
enum { LINE_BYTES = 256, LINE_WORDS = LINE_BYTES / WORD_BYTES };
