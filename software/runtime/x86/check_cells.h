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

// The inner loop's cells are those of one iteration of the loop around it: those of a line of memory where it first used the line, and a hash
// table of lines. The next iteration has the same cells again, so that they are in the caches.
enum {
  LINE_BYTES = 256,
  LINE_WORDS = LINE_BYTES / WORD_BYTES,
  FEWEST_LINES_LOG2 = 10,
  // Above the number of the line in a key.
  RUN_SHIFT = ADDRESS_BITS - 8
};
_Static_assert(LINE_BYTES == 1 << 8, "the number of a line has 8 bits less than an address");

struct check_line {
  // The line, and the run of the inner loop that used it.
  uint64_t key;
  uint32_t cells;
  // These cells where it is known that reads, or writes, of the line meet no row, else null.
  struct check_entry *of_reads, *of_writes;
};

static struct {
  struct check_line *lines;
  struct check_entry (*cells)[LINE_WORDS];
  // Bits of a hash that are no place in the table.
  unsigned shift;
  uint32_t used;
  uint64_t run; // where it is in a key
} table;

static inline size_t table_size(void) { return (size_t)1 << (64 - table.shift); }

// As many lines have cells; with more of them lines would often meet in the table.
static inline size_t most_lines(void) { return table_size() / 2; }

static inline uint64_t key_of(uintptr_t place) { return place / LINE_BYTES | table.run; }

// Where the line of that place is, if no other one is there.
static inline struct check_line *first_line(uintptr_t place) {
  return &table.lines[place / LINE_BYTES * 0x9e3779b97f4a7c15u >> table.shift];
}

// \returns the line of that place, or the one that it can have: then it is of another run.
static inline struct check_line *find_line(uintptr_t place) {
  const uint64_t key = key_of(place);
  size_t i = (size_t)(first_line(place) - table.lines);
  while (table.lines[i].key != key && table.lines[i].key >> RUN_SHIFT == table.run >> RUN_SHIFT)
    i = (i + 1) & (table_size() - 1);
  return &table.lines[i];
}

static void make_table(unsigned shift) {
  table.shift = shift;
  table.lines = reserve(table_size() * sizeof *table.lines);
  table.cells = reserve(most_lines() * sizeof *table.cells);
}

static void enlarge_table(void) {
  struct check_line *lines = table.lines;
  void *cells = table.cells;
  const size_t size = table_size(), most = most_lines();
  if (most >= (size_t)1 << 30)
    check_fail("the inner loop uses too much memory in one iteration of the loop around it; -masync=check has cells "
               "for 256 GiB");
  make_table(table.shift - 1);
  for (size_t i = 0; i < size; ++i)
    if (lines[i].key >> RUN_SHIFT == table.run >> RUN_SHIFT)
      *find_line((lines[i].key & ~table.run) * LINE_BYTES) =
          (struct check_line){.key = lines[i].key, .cells = lines[i].cells};
  memcpy(table.cells, cells, most * sizeof *table.cells);
  munmap(lines, size * sizeof *lines);
  munmap(cells, most * sizeof *table.cells);
}

// Its cells are of iterations before this run.
__attribute__((noinline)) static struct check_line *take_line(struct check_line *line, uintptr_t place) {
  if (table.used == most_lines()) {
    enlarge_table();
    line = find_line(place);
  }
  *line = (struct check_line){.key = key_of(place), .cells = table.used++};
  return line;
}

static inline struct check_entry *inner_cell_of(uintptr_t place) {
  struct check_line *line = find_line(place);
  if (__builtin_expect(line->key != key_of(place), 0))
    line = take_line(line, place);
  return &table.cells[line->cells][place % LINE_BYTES / WORD_BYTES];
}

static void forget_table(void) {
  if (table.lines == NULL)
    return;
  munmap(table.lines, table_size() * sizeof *table.lines);
  munmap(table.cells, most_lines() * sizeof *table.cells);
  make_table(64 - FEWEST_LINES_LOG2);
  table.used = 0;
}

// A run of the inner loop; each has another number, but 0.
static void begin_table(void) {
  const uint64_t step = (uint64_t)1 << RUN_SHIFT;
  if (table.lines == NULL)
    make_table(64 - FEWEST_LINES_LOG2);
  table.run += step;
  if (table.run == 0) {
    forget_table();
    table.run = step;
  }
  table.used = 0;
}
