/* SPDX-License-Identifier: Apache-2.0 */
/* What the compiler and the runtime know of each other in programs of -masync=check: calls in a checked loop, and what the loop may do. */

#ifndef NHG_ASYNCMEM_CHECK_H
#define NHG_ASYNCMEM_CHECK_H

#include <stdint.h>

/* Why an access may meet one of another iteration; both must have the same bit. */
enum {
  CHECK_ORDERED = 1, /* before the first remote access: tasks run in order */
  CHECK_OWNED = 2,   /* atomic, or in an update that no other task comes between */
  CHECK_LOSSY = 4,   /* through a pointer of lossy_update() */
  CHECK_INSERT = 8,  /* in such an update that only changes some bits of a word: others may change others */
  CHECK_LOCKED = 16  /* set at run time: under a lock of the program */
};

/* In the mark of a row that is written; of other accesses the name of the call says it. */
enum { CHECK_WRITES = 32 };

/* What the report proposes. */
enum {
  CHECK_IS_ATOMIC = 1,
  CHECK_IS_DISTINCT = 2, /* through a pointer of distinct_update() */
  CHECK_IS_VARIABLE = 4, /* a variable of the program, not an element */
  CHECK_IS_UPDATE = 8    /* reads the place and writes it again */
};

/* One access in the source. */
struct check_site {
  const char *file;
  uint32_t line, column;
  uint32_t traits, bytes;
  uint64_t bits; /* of these bytes, that CHECK_INSERT changes */
};

/* How many accesses of a loop with a pragma can be told of as its rows. */
enum { CHECK_MAX_ROWS = 64 };

enum { CHECK_SITE_SHIFT = 16, CHECK_MAX_SITES = 1 << 16 };

struct check_loop {
  const struct check_site *sites;
  const char *file;
  uint32_t line;
  uint32_t reads; /* all that it writes is in rows */
};

#ifdef __cplusplus
extern "C" {
#endif

void __asyncmem_check_begin(const struct check_loop *loop);
void __asyncmem_check_iteration(void);
void __asyncmem_check_end(void);

/* `mark`: the permits, and the number of the site above CHECK_SITE_SHIFT. */
void __asyncmem_check_read(const void *place, uint64_t bytes, uint32_t mark);
void __asyncmem_check_write(const void *place, uint64_t bytes, uint32_t mark);
/* Reads a string to its end, or as far as it is like the other one, but at most so many bytes. */
void __asyncmem_check_read_string(const char *string, const char *other, uint64_t most_bytes, uint32_t mark);
/* The same for some numbers of bytes. */
#define ASYNCMEM_CHECK_BYTES(bytes)                                                                                    \
  void __asyncmem_check_read_##bytes(const void *place, uint32_t mark);                                                \
  void __asyncmem_check_write_##bytes(const void *place, uint32_t mark);
ASYNCMEM_CHECK_BYTES(1)
ASYNCMEM_CHECK_BYTES(2)
ASYNCMEM_CHECK_BYTES(4)
ASYNCMEM_CHECK_BYTES(8)
ASYNCMEM_CHECK_BYTES(16)

/* What an inner loop reads or writes in `count` of its iterations, `step` bytes on from one to the next; called in front of the loop. */
void __asyncmem_check_row(const void *place, uint64_t bytes, int64_t step, uint64_t count, uint32_t mark);
/* What a loop with a pragma itself reads or writes so in its iterations; between its begin and its first iteration. A loop that does nothing
   else ends there: nobody tells of its iterations. */
void __asyncmem_check_own_row(const void *place, uint64_t bytes, int64_t step, uint64_t count, uint32_t mark);
void __asyncmem_check_rows_end(void);

/* Far memory, as it is allocated: its shadow comes into being then, not in the loop. */
void __asyncmem_check_allocated(const void *place, uint64_t bytes);

/* Memory that nobody else knows: from the heap, or a variable whose life starts. */
void __asyncmem_check_fresh(const void *place, uint64_t bytes);

/* Calls of asyncmem_lock and asyncmem_unlock. */
void __asyncmem_check_lock(const void *lock);
void __asyncmem_check_unlock(const void *lock);

#ifdef __cplusplus
}
#endif

#endif
