// SPDX-License-Identifier: Apache-2.0
//
// Shadow memory of -masync=check: what the loop calls. What an access does to cells is in check_touch.h.
//
// One loop at a time is checked: one inside it, or in another thread meanwhile, runs as it is. An inner loop with a pragma of its own that
// tasks share has cells of its own, as an iteration of the loop around it keeps what it did before and behind them.
#include "check_rows.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "host.h"

static unsigned depth;
// Of this thread: what is checked, and whether it holds a lock.
enum { CHECKED = 1, INSIDE = 2, LOCKED = 4 };
static _Thread_local unsigned state;
static atomic_flag busy = ATOMIC_FLAG_INIT;

// Before the constructors of the program.
__attribute__((constructor(101))) static void make_shadow(void) { reserve_parts(); }

static void touch_inside(uintptr_t place, uint64_t bytes, uint32_t mark) {
  if (needs_cells(place, bytes, mark))
    touch_all(&inner, place, bytes, mark);
}

void __asyncmem_check_read(const void *place, uint64_t bytes, uint32_t mark) {
  if (state & CHECKED)
    touch_all(&marked, (uintptr_t)place, bytes, mark);
}

void __asyncmem_check_write(const void *place, uint64_t bytes, uint32_t mark) {
  __asyncmem_check_read(place, bytes, mark | WRITES);
}

void __asyncmem_check_inner_read(const void *place, uint64_t bytes, uint32_t mark) {
  if (state & INSIDE)
    touch_inside((uintptr_t)place, bytes, mark);
}

void __asyncmem_check_inner_write(const void *place, uint64_t bytes, uint32_t mark) {
  __asyncmem_check_inner_read(place, bytes, mark | WRITES);
}

// An access that has two entries, or one. \returns 0 if more has to be looked at.
__attribute__((always_inline)) static inline int use_entries(const struct shadow *s, struct check_entry *c,
                                                             unsigned count, uint32_t mark) {
  uint64_t before, second;
  memcpy(&before, c, sizeof before);
  memcpy(&second, c + count - 1, sizeof second);
  const uint32_t iteration = (uint32_t)before;
  if (before != second)
    return 0;
  if (iteration < s->first) {
    const uint64_t entry = entry_of(s->now, mark);
    store_entry(c, entry);
    store_entry(c + count - 1, entry);
    return 1;
  }
  return ((before >> 32 ^ mark) & USE) == 0 && may_repeat(mark) && iteration < BITS;
}

// The same, of an aligned access: of words, or of bytes of one that have entries.
__attribute__((always_inline)) static inline int use_cells(const struct shadow *s, struct check_entry *c,
                                                           uintptr_t place, unsigned bytes, uint32_t mark) {
  if (bytes >= WORD_BYTES)
    return use_entries(s, c, bytes / WORD_BYTES, mark);
  return c->iteration == SPLIT && use_entries(s, &parts[c->mark + place % WORD_BYTES], bytes, mark);
}

// Another one; apart, so that the usual way needs no registers of the caller's.
__attribute__((noinline)) static void touch_slowly(const struct shadow *s, uintptr_t place, unsigned bytes,
                                                   uint32_t mark) {
  const int simple = !(state & LOCKED) && bytes >= WORD_BYTES && place % bytes == 0;
  struct check_entry *c = cell(s, place);
  unsigned done = 0;
  while (simple && done < bytes && touch_at_once(s, &c[done / WORD_BYTES], mark))
    done += WORD_BYTES;
  if (done < bytes)
    touch_part(s, place + done, bytes - done, bytes, mark);
}

__attribute__((noinline)) static void check_slowly(uintptr_t place, unsigned bytes, uint32_t mark) {
  if (state & CHECKED)
    touch_slowly(&marked, place, bytes, mark);
}

__attribute__((noinline)) static void check_inside_slowly(uintptr_t place, unsigned bytes, uint32_t mark) {
  if (!(state & INSIDE) || !needs_cells(place, bytes, mark))
    return;
  touch_slowly(&inner, place, bytes, mark);
  compare_line(place);
}

__attribute__((noinline)) static void check_both_slowly(uintptr_t place, unsigned bytes, uint32_t mark,
                                                        uint32_t inner_mark) {
  check_slowly(place, bytes, mark);
  check_inside_slowly(place, bytes, inner_mark);
}

__attribute__((always_inline)) static inline int check_at_once(uintptr_t place, unsigned bytes, uint32_t mark) {
  struct check_entry *chunk = chunks[place >> CHUNK_SHIFT];
  return (place % bytes == 0) & (chunk != NULL) && use_cells(&marked, cell_in(chunk, place), place, bytes, mark);
}

__attribute__((always_inline)) static inline int check_inside_at_once(uintptr_t place, unsigned bytes, uint32_t mark) {
  if (place % bytes != 0)
    return 0;
  if (!(mark & WRITES) && inner.loop->reads && !rows.are_touched)
    return !meets_row(place, bytes, mark);
  const uintptr_t number = place / LINE_BYTES;
  const struct check_line *line = first_line(number);
  return line->number == number && line->run == table.run && (mark & WRITES ? line->may_write : line->may_read) &&
         use_cells(&inner, cell_in_line(line, place), place, bytes, mark);
}

__attribute__((always_inline)) static inline void check(const void *place, unsigned bytes, uint32_t mark) {
  if ((state & (CHECKED | LOCKED)) != CHECKED || !check_at_once((uintptr_t)place, bytes, mark))
    check_slowly((uintptr_t)place, bytes, mark);
}

__attribute__((always_inline)) static inline void check_inside(const void *place, unsigned bytes, uint32_t mark) {
  if (state != (CHECKED | INSIDE) || !check_inside_at_once((uintptr_t)place, bytes, mark))
    check_inside_slowly((uintptr_t)place, bytes, mark);
}

__attribute__((always_inline)) static inline void check_both(const void *place, unsigned bytes, uint32_t mark,
                                                             uint32_t inner_mark) {
  if (state != (CHECKED | INSIDE) || !check_at_once((uintptr_t)place, bytes, mark))
    check_both_slowly((uintptr_t)place, bytes, mark, inner_mark);
  else if (!check_inside_at_once((uintptr_t)place, bytes, inner_mark))
    check_inside_slowly((uintptr_t)place, bytes, inner_mark);
}

#define CHECK_BYTES(bytes)                                                                                             \
  void __asyncmem_check_read_##bytes(const void *place, uint32_t mark) { check(place, bytes, mark); }                  \
  void __asyncmem_check_write_##bytes(const void *place, uint32_t mark) { check(place, bytes, mark | WRITES); }        \
  void __asyncmem_check_inner_read_##bytes(const void *place, uint32_t mark) { check_inside(place, bytes, mark); }     \
  void __asyncmem_check_inner_write_##bytes(const void *place, uint32_t mark) {                                        \
    check_inside(place, bytes, mark | WRITES);                                                                         \
  }                                                                                                                    \
  void __asyncmem_check_both_read_##bytes(const void *place, uint32_t mark, uint32_t inner_mark) {                     \
    check_both(place, bytes, mark, inner_mark);                                                                        \
  }                                                                                                                    \
  void __asyncmem_check_both_write_##bytes(const void *place, uint32_t mark, uint32_t inner_mark) {                    \
    check_both(place, bytes, mark | WRITES, inner_mark | WRITES);                                                      \
  }
CHECK_BYTES(1)
CHECK_BYTES(2)
CHECK_BYTES(4)
CHECK_BYTES(8)

static void forget(const struct shadow *s, uintptr_t place, uint64_t bytes) {
  for (uintptr_t p = place; p < place + bytes; ++p) {
    struct check_entry *c = cell(s, p);
    if (c->iteration == SPLIT)
      parts[c->mark + p % WORD_BYTES].iteration = 0;
    else
      c->iteration = 0; // the heap gives whole words
  }
}

void __asyncmem_check_fresh(const void *place, uint64_t bytes) {
  if (state & CHECKED && place)
    forget(&marked, (uintptr_t)place, bytes);
  if (state & INSIDE && place)
    forget(&inner, (uintptr_t)place, bytes);
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
  forget_table();
  marked.first = marked.now = inner.first = inner.now = 1;
  part_count = 0;
  forget_rows();
}

// \returns 0 if it is the first one again.
static inline int next_iteration(struct shadow *s) {
  if (__builtin_expect(++s->now < BITS - 1, 1))
    return 1;
  begin_numbers_anew();
  return 0;
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
  lock_count = 0;
  state = CHECKED;
}

void __asyncmem_check_iteration(void) {
  if (state & CHECKED && !depth)
    next_iteration(&marked);
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

void __asyncmem_check_inner_begin(const struct check_loop *loop) {
  if (!state || depth)
    return;
  inner.loop = loop;
  inner.first = inner.now + 1;
  forget_rows();
  begin_table(inner.first);
  state |= INSIDE;
}

void __asyncmem_check_inner_iteration(void) {
  if (!(state & INSIDE) || depth)
    return;
  if (next_iteration(&inner) && rows.are_touched)
    touch_rows();
}

void __asyncmem_check_inner_end(void) {
  if (!depth)
    state &= ~(unsigned)INSIDE;
}

void __asyncmem_check_row(const void *place, uint64_t bytes, int64_t step, uint64_t count, uint32_t mark) {
  if (state & CHECKED && count)
    touch_row(&marked, (uintptr_t)place, bytes, step, count, mark);
}

void __asyncmem_check_inner_row(const void *place, uint64_t bytes, int64_t step, uint64_t count, uint32_t mark) {
  if (!(state & INSIDE) || !count)
    return;
  const struct span span = span_of_row((uintptr_t)place, bytes, step, count);
  if (needs_cells(span.low, span.bytes, mark))
    touch_row(&inner, (uintptr_t)place, bytes, step, count, mark);
}

void __asyncmem_check_inner_own_row(const void *place, uint64_t bytes, int64_t step, uint64_t first, uint64_t count,
                                    uint32_t mark) {
  if (state & INSIDE && !depth && count)
    add_row((uintptr_t)place, bytes, step, first, count, mark);
}

void __asyncmem_check_inner_rows_end(void) {
  if (!(state & INSIDE) || depth)
    return;
  for (uint64_t i = 0; rows.are_touched && i < rows.iterations; ++i) {
    if (next_iteration(&inner))
      touch_rows();
  }
  state &= ~(unsigned)INSIDE;
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
