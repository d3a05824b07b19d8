// SPDX-License-Identifier: Apache-2.0
//
// Shadow memory of -masync=check: what the loop calls. What an access does to its cells is in check_touch.h.
//
// One loop at a time is checked: one inside it, or in another thread meanwhile, runs as it is. An inner loop with a pragma of its own that
// tasks share has cells of its own, as an iteration of the loop around it keeps what it did before and behind them.
#include "check_touch.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "host.h"

static unsigned depth;
// Of this thread; simple: it holds no lock; inside: it is in the inner loop, too.
static _Thread_local int is_checked, is_simple, is_inside;
static atomic_flag busy = ATOMIC_FLAG_INIT;

// Before the constructors of the program.
__attribute__((constructor(101))) static void make_shadow(void) { reserve_parts(); }

void __asyncmem_check_read(const void *place, uint64_t bytes, uint32_t mark) {
  if (is_checked)
    touch_all(&marked, (uintptr_t)place, bytes, mark);
}

void __asyncmem_check_write(const void *place, uint64_t bytes, uint32_t mark) {
  if (is_checked)
    touch_all(&marked, (uintptr_t)place, bytes, mark | WRITES);
}

void __asyncmem_check_inner_read(const void *place, uint64_t bytes, uint32_t mark) {
  if (is_inside)
    touch_all(&inner, (uintptr_t)place, bytes, mark);
}

void __asyncmem_check_inner_write(const void *place, uint64_t bytes, uint32_t mark) {
  if (is_inside)
    touch_all(&inner, (uintptr_t)place, bytes, mark | WRITES);
}

static inline int is_watched(const struct shadow *s) { return s == &marked ? is_checked : is_inside; }

__attribute__((always_inline)) static inline void use_words(const struct shadow *s, const void *place, unsigned words,
                                                            uint32_t mark) {
  if (is_simple && is_watched(s) && (uintptr_t)place % (words * WORD_BYTES) == 0) {
    struct check_entry *c = cell(s, (uintptr_t)place);
    const int alike = words == 2 && c[0].iteration == c[1].iteration && c[0].mark == c[1].mark;
    if (touch_at_once(s, c, mark)) {
      if (alike)
        c[1] = c[0];
      if (words == 1 || alike || touch_at_once(s, c + 1, mark))
        return;
    }
  }
  if (is_watched(s))
    touch_all(s, (uintptr_t)place, words * WORD_BYTES, mark);
}

// One for each shadow.
__attribute__((noinline)) static void use_8_bytes(const void *place, uint32_t mark) {
  use_words(&marked, place, 2, mark);
}
__attribute__((noinline)) static void use_8_bytes_inside(const void *place, uint32_t mark) {
  use_words(&inner, place, 2, mark);
}

// What is swept over is mostly new; apart, so that this way needs no register of the caller's.
__attribute__((always_inline)) static inline void sweep_8_bytes(const struct shadow *s, const void *place,
                                                                uint32_t mark) {
  const int is_there = s == &inner || chunks[(uintptr_t)place >> CHUNK_SHIFT] != NULL;
  if (__builtin_expect(is_simple && is_watched(s) && (uintptr_t)place % 8 == 0 && is_there, 1)) {
    struct check_entry *c = cell(s, (uintptr_t)place);
    if (is_new(s, c[0]) && is_new(s, c[1])) {
      store_entry(&c[0], entry_of(s->now, mark));
      store_entry(&c[1], entry_of(s->now, mark));
      return;
    }
  }
  if (s == &marked)
    use_8_bytes(place, mark);
  else
    use_8_bytes_inside(place, mark);
}

void __asyncmem_check_read_4(const void *place, uint32_t mark) { use_words(&marked, place, 1, mark); }
void __asyncmem_check_read_8(const void *place, uint32_t mark) { sweep_8_bytes(&marked, place, mark); }
void __asyncmem_check_write_4(const void *place, uint32_t mark) { use_words(&marked, place, 1, mark | WRITES); }
void __asyncmem_check_write_8(const void *place, uint32_t mark) { sweep_8_bytes(&marked, place, mark | WRITES); }

void __asyncmem_check_inner_read_4(const void *place, uint32_t mark) { use_words(&inner, place, 1, mark); }
void __asyncmem_check_inner_read_8(const void *place, uint32_t mark) { sweep_8_bytes(&inner, place, mark); }
void __asyncmem_check_inner_write_4(const void *place, uint32_t mark) { use_words(&inner, place, 1, mark | WRITES); }
void __asyncmem_check_inner_write_8(const void *place, uint32_t mark) { sweep_8_bytes(&inner, place, mark | WRITES); }

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
  if (is_checked && place)
    forget(&marked, (uintptr_t)place, bytes);
  if (is_inside && place)
    forget(&inner, (uintptr_t)place, bytes);
}

void __asyncmem_check_allocated(const void *place, uint64_t bytes) {
  enum { MOST_BYTES = 1 << 28, PAGE_CELLS = 4096 / sizeof(struct check_entry) };
  if (bytes > MOST_BYTES)
    return;
  for (uint64_t i = 0; i < bytes; i += PAGE_CELLS * WORD_BYTES)
    *(volatile uint32_t *)&cell_of((uintptr_t)place + i)->iteration = 0;
}

static void next_iteration(struct shadow *s) {
  if (++s->now != BITS - 1)
    return;
  // Numbers are used up: all is forgotten, also what these loops did.
  forget_chunks();
  forget_table();
  marked.first = marked.now = inner.first = inner.now = 1;
  part_count = 0;
}

void __asyncmem_check_begin(const struct check_loop *loop) {
  if (is_checked) {
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
  is_checked = is_simple = 1;
}

void __asyncmem_check_iteration(void) {
  if (is_checked && !depth)
    next_iteration(&marked);
}

void __asyncmem_check_end(void) {
  if (!is_checked)
    return;
  if (depth) {
    --depth;
    return;
  }
  is_checked = is_simple = is_inside = 0;
  atomic_flag_clear(&busy);
}

void __asyncmem_check_inner_begin(const struct check_loop *loop) {
  if (!is_checked || depth)
    return;
  inner.loop = loop;
  inner.first = inner.now + 1;
  begin_table(inner.first);
  is_inside = 1;
}

void __asyncmem_check_inner_iteration(void) {
  if (is_inside && !depth)
    next_iteration(&inner);
}

void __asyncmem_check_inner_end(void) {
  if (!depth)
    is_inside = 0;
}

void __asyncmem_check_lock(const void *lock) {
  if (!is_checked)
    return;
  if (lock_count == MAX_LOCKS)
    check_fail("an iteration holds more than 16 locks; -masync=check follows no more");
  locks[lock_count++] = lock;
  is_simple = 0;
}

void __asyncmem_check_unlock(const void *lock) {
  for (unsigned i = is_checked ? lock_count : 0; i-- > 0;)
    if (locks[i] == lock) {
      locks[i] = locks[--lock_count];
      is_simple = lock_count == 0;
      return;
    }
}
