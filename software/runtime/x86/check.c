// SPDX-License-Identifier: Apache-2.0
//
// Shadow memory of -masync=check: what the loop calls. What an access does to cells is in check_touch.h.
//
// One loop at a time is checked: one inside it, or in another thread meanwhile, runs as it is.
#include "check_access.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "host.h"

static unsigned depth;
static atomic_flag busy = ATOMIC_FLAG_INIT;

// Before the constructors of the program.
__attribute__((constructor(101))) static void make_shadow(void) { reserve_parts(); }

static void touch_if_needed(uintptr_t place, uint64_t bytes, uint32_t mark) {
  if (needs_cells(place, bytes, mark))
    touch_all(place, bytes, mark);
}

void __asyncmem_check_read(const void *place, uint64_t bytes, uint32_t mark) {
  if (state & CHECKED)
    touch_if_needed((uintptr_t)place, bytes, mark);
}

static uint64_t read_bytes(const char *string, const char *other, uint64_t most_bytes) {
  uint64_t n = 0;
  while (n < most_bytes && string[n] == other[n] && string[n])
    ++n;
  return n < most_bytes ? n + 1 : n;
}

void __asyncmem_check_read_string(const char *string, const char *other, uint64_t most_bytes, uint32_t mark) {
  if (state & CHECKED)
    __asyncmem_check_read(string, read_bytes(string, other, most_bytes), mark);
}

void __asyncmem_check_write(const void *place, uint64_t bytes, uint32_t mark) {
  __asyncmem_check_read(place, bytes, mark | WRITES);
}

#define CHECK_BYTES(bytes)                                                                                             \
  void __asyncmem_check_read_##bytes(const void *place, uint32_t mark) { check(place, bytes, mark); }                  \
  void __asyncmem_check_write_##bytes(const void *place, uint32_t mark) { check(place, bytes, mark | WRITES); }
CHECK_BYTES(1)
CHECK_BYTES(2)
CHECK_BYTES(4)
CHECK_BYTES(8)
CHECK_BYTES(16)

static void forget(uintptr_t place, uint64_t bytes) {
  for (uintptr_t p = place; p < place + bytes; ++p) {
    struct check_entry *c = cell_of(p);
    if (c->iteration == SPLIT)
      parts[c->mark + p % WORD_BYTES].iteration = 0;
    else
      c->iteration = 0; // the heap gives whole words
  }
}

void __asyncmem_check_fresh(const void *place, uint64_t bytes) {
  if (state & CHECKED && place)
    forget((uintptr_t)place, bytes);
}

void __asyncmem_check_allocated(const void *place, uint64_t bytes) {
  enum { MOST_BYTES = 1 << 28, PAGE_CELLS = 4096 / sizeof(struct check_entry) };
  if (bytes > MOST_BYTES)
    return;
  for (uint64_t i = 0; i < bytes; i += PAGE_CELLS * WORD_BYTES)
    *(volatile uint32_t *)&cell_of((uintptr_t)place + i)->iteration = 0;
}

// All is forgotten, also what these loops did.
__attribute__((noinline)) static void begin_numbers_anew(void) {
  forget_chunks();
  marked.first = marked.now = 1;
  part_count = 0;
  forget_rows();
}

// \returns 0 if it is the first one again.
static inline int next_iteration(void) {
  if (__builtin_expect(++marked.now < BITS - 1, 1))
    return 1;
  begin_numbers_anew();
  return 0;
}

static inline void begin_iteration(void) {
  if (next_iteration() && rows.are_touched)
    touch_rows(0);
}

// Of a loop all of whose accesses are in rows.
static void touch_all_rows(void) {
  for (uint64_t i = 0; rows.are_touched && i < rows.iterations; ++i)
    begin_iteration();
}

static void touch_row_if_needed(uintptr_t place, uint64_t bytes, int64_t step, uint64_t count, uint32_t mark) {
  const struct span span = span_of_row(place, bytes, step, count);
  if (needs_cells(span.low, span.bytes, mark))
    touch_row(place, bytes, step, count, mark);
}

void __asyncmem_check_begin(const struct check_loop *loop) {
  if (state) {
    ++depth;
    return;
  }
  if (atomic_flag_test_and_set(&busy))
    return;
  marked.loop = loop;
  frame = (uintptr_t)__builtin_frame_address(0) +
          2 * sizeof(void *); // behind the return address and the saved frame pointer
  marked.first = marked.now + 1;
  forget_rows();
  lock_count = 0;
  state = CHECKED;
}

void __asyncmem_check_iteration(void) {
  if (state & CHECKED && !depth)
    begin_iteration();
}

void __asyncmem_check_end(void) {
  if (!state)
    return;
  if (depth) {
    --depth;
    return;
  }
  state = 0;
  atomic_flag_clear(&busy);
}

void __asyncmem_check_row(const void *place, uint64_t bytes, int64_t step, uint64_t count, uint32_t mark) {
  if (state & CHECKED && count)
    touch_row_if_needed((uintptr_t)place, bytes, step, count, mark);
}

void __asyncmem_check_own_row(const void *place, uint64_t bytes, int64_t step, uint64_t count, uint32_t mark) {
  if (state & CHECKED && !depth && count)
    add_row((uintptr_t)place, bytes, step, count, mark);
}

void __asyncmem_check_rows_end(void) {
  if (state & CHECKED && !depth)
    touch_all_rows();
  __asyncmem_check_end();
}

void __asyncmem_check_lock(const void *lock) {
  if (!state)
    return;
  if (lock_count == MAX_LOCKS)
    check_fail("an iteration holds more than 16 locks; -masync=check follows no more");
  locks[lock_count++] = lock;
  state |= LOCKED;
}

void __asyncmem_check_unlock(const void *lock) {
  for (unsigned i = state ? lock_count : 0; i-- > 0;)
    if (locks[i] == lock) {
      locks[i] = locks[--lock_count];
      if (lock_count == 0)
        state &= ~(unsigned)LOCKED;
      return;
    }
}
