// SPDX-License-Identifier: Apache-2.0
//
// Shadow memory of -masync=check. Each 4 bytes of memory have a cell that says which iteration wrote them first or, if none did, which
// read them first. Iterations run in order, so that the first one is enough: a later access meets it unless it is of the same iteration.
// Where the bytes of a word were not used together, each has a cell.
//
// One loop at a time is checked: one inside it, or in another thread meanwhile, runs as it is. An inner loop with a pragma of its own that
// tasks share has cells of its own, as an iteration of the loop around it keeps what it did before and behind them.
#include "check_cells.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "asyncmem_check.h"
#include "host.h"

// An iteration of this number: the cells of the bytes are at `mark` in `byte_cells`.
enum { SPLIT = UINT32_MAX };
static struct check_entry *byte_cells;
static uint32_t byte_cell_count;
#define MAX_BYTE_CELLS ((size_t)1 << 32)

struct shadow {
  // Iterations are counted over all runs of all loops; those before `first` are forgotten.
  uint32_t now, first;
  const struct check_loop *loop;
};
static struct shadow marked, inner;
static unsigned depth;
// Of this thread; simple: it holds no lock; inside: it is in the inner loop, too.
static _Thread_local int is_checked, is_simple, is_inside;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static uintptr_t frame;

// In a mark: the permits, whether it is a write, the hash of the lock (ANY_LOCK: several are held), the site.
enum {
  PERMITS = 31,
  WRITES = 32,
  LOCK_SHIFT = 6,
  LOCK_BITS = CHECK_SITE_SHIFT - LOCK_SHIFT,
  ANY_LOCK = (1 << LOCK_BITS) - 1,
  MAX_LOCKS = 16
};
static const void *locks[MAX_LOCKS];
static unsigned lock_count;

// Before the constructors of the program.
__attribute__((constructor(101))) static void make_shadow(void) {
  byte_cells = reserve(MAX_BYTE_CELLS * sizeof *byte_cells);
}

static inline struct check_entry *cell(const struct shadow *s, uintptr_t place) {
  return s == &marked ? cell_of(place) : inner_cell_of(place);
}

static uint32_t current_lock(void) {
  return lock_count == 1 ? (uint32_t)((uintptr_t)locks[0] * 0x9e3779b97f4a7c15u >> (64 - LOCK_BITS)) % ANY_LOCK
                         : (uint32_t)ANY_LOCK;
}

struct access {
  uintptr_t place;
  uint64_t bytes;
  uint32_t mark;
};

static inline int is_new(const struct shadow *s, struct check_entry c) { return c.iteration < s->first; }
static uint32_t lock_of(uint32_t mark) { return mark >> LOCK_SHIFT & ANY_LOCK; }
static const struct check_site *site_of(uint32_t mark) { return &marked.loop->sites[mark >> CHECK_SITE_SHIFT]; }

static int may_meet(uint32_t a, uint32_t b) {
  uint32_t both = a & b;
  if (both & (CHECK_ORDERED | CHECK_LOSSY))
    return 1;
  if (both & CHECK_LOCKED && (lock_of(a) == lock_of(b) || lock_of(a) == ANY_LOCK || lock_of(b) == ANY_LOCK))
    return 1;
  if (both & CHECK_INSERT)
    return !(site_of(a)->bits & site_of(b)->bits);
  return both & CHECK_OWNED;
}

// Variables of callees are in frames below that of the loop: the next iteration has others there.
static int is_of_callee(uintptr_t place) { return place < frame && place >= (uintptr_t)__builtin_frame_address(0); }

static void meet(const struct shadow *s, struct check_entry before, const struct access *a) {
  if (!((before.mark | a->mark) & WRITES) || may_meet(before.mark, a->mark) || is_of_callee(a->place))
    return;
  check_report(s->loop, &(struct check_meeting){.place = a->place,
                                                .bytes = a->bytes,
                                                .earlier = before.iteration - s->first,
                                                .later = s->now - s->first,
                                                .inside = s == &inner,
                                                .around = marked.now - marked.first,
                                                .earlier_site = site_of(before.mark),
                                                .later_site = site_of(a->mark),
                                                .earlier_wrote = before.mark & WRITES,
                                                .later_writes = a->mark & WRITES,
                                                .locked = (before.mark | a->mark) & CHECK_LOCKED});
}

// An iteration that uses a place in two ways may meet others only where both ways may.
static inline uint32_t joined(uint32_t before, uint32_t mark) {
  uint32_t dropped = ~(before & mark) & PERMITS;
  // The read of an update changes no bits.
  if (before & mark & CHECK_INSERT && before >> CHECK_SITE_SHIFT != mark >> CHECK_SITE_SHIFT && site_of(before)->bits &&
      site_of(mark)->bits)
    dropped |= CHECK_INSERT;
  if (lock_of(before) != lock_of(mark))
    dropped |= CHECK_LOCKED;
  return (before & WRITES ? before : mark) & ~dropped;
}

static void touch(const struct shadow *s, struct check_entry *c, const struct access *a) {
  if (is_new(s, *c)) {
    *c = (struct check_entry){s->now, a->mark};
    return;
  }
  if (c->iteration == s->now) {
    c->mark = joined(c->mark, a->mark);
    return;
  }
  meet(s, *c, a);
  // Kept is the first writer, or of readers the first one that the fewest writers may meet.
  if (a->mark & ~c->mark & WRITES || (!(c->mark & WRITES) && !(a->mark & PERMITS) && c->mark & PERMITS))
    *c = (struct check_entry){s->now, a->mark};
}

// Bytes from `from` to `to` of a word; without an access they are forgotten.
static void touch_word(const struct shadow *s, struct check_entry *c, unsigned from, unsigned to,
                       const struct access *a) {
  if (c->iteration != SPLIT) {
    if (to - from == WORD_BYTES) {
      touch(s, c, a);
      return;
    }
    if (byte_cell_count > UINT32_MAX - WORD_BYTES)
      check_fail("the loop uses parts of too many words; -masync=check has cells for 4 GiB of them");
    for (unsigned i = 0; i < WORD_BYTES; ++i)
      byte_cells[byte_cell_count + i] = *c;
    *c = (struct check_entry){SPLIT, byte_cell_count};
    byte_cell_count += WORD_BYTES;
  }
  for (unsigned i = from; i < to; ++i)
    touch(s, &byte_cells[c->mark + i], a);
}

__attribute__((noinline)) static void touch_all(const struct shadow *s, uintptr_t place, uint64_t bytes,
                                                uint32_t mark) {
  struct access a = {place, bytes, mark};
  if (lock_count)
    a.mark |= CHECK_LOCKED | current_lock() << LOCK_SHIFT;
  const uintptr_t end = place + bytes;
  while (a.place < end) {
    unsigned from = a.place % WORD_BYTES;
    unsigned to = end - a.place < WORD_BYTES - from ? from + (unsigned)(end - a.place) : WORD_BYTES;
    touch_word(s, cell(s, a.place), from, to, &a);
    a.place += to - from;
  }
}

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

// At once: two stores would have to end before an entry can be read as a whole.
static inline void store_entry(struct check_entry *c, uint32_t iteration, uint32_t mark) {
  const uint64_t entry = (uint64_t)mark << 32 | iteration;
  _Static_assert(sizeof entry == sizeof *c, "an entry is a word");
  memcpy(c, &entry, sizeof entry);
}

// The most of all accesses: to what no other iteration has used, or to what others may use in the same way. \returns 0 if it is another
// one. Without branches, as nobody can foresee which of these a place is.
__attribute__((always_inline)) static inline int touch_at_once(const struct shadow *s, struct check_entry *c,
                                                               uint32_t mark) {
  const uint32_t before = c->mark, both = before & mark, differ = before ^ mark;
  const int fresh = is_new(s, *c), own = c->iteration == s->now;
  const int in_order = !((before | mark) & WRITES) & !(differ & PERMITS);
  const int shared = !!(both & (CHECK_ORDERED | CHECK_OWNED | CHECK_LOSSY)) & !!(before & WRITES);
  if (!(fresh | own | in_order | shared) | (!fresh & !!((before | mark) & CHECK_INSERT)) | (c->iteration == SPLIT))
    return 0;
  const uint32_t joint = ((before & WRITES ? before : mark) & ~(uint32_t)PERMITS) | (both & PERMITS);
  store_entry(c, fresh ? s->now : c->iteration, fresh ? mark : own ? joint : before);
  return 1;
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
      store_entry(&c[0], s->now, mark);
      store_entry(&c[1], s->now, mark);
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
      byte_cells[c->mark + p % WORD_BYTES].iteration = 0;
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
  if (++s->now != SPLIT - 1)
    return;
  // Numbers are used up: all is forgotten, also what these loops did.
  forget_chunks();
  forget_table();
  marked.first = marked.now = inner.first = inner.now = 1;
  byte_cell_count = 0;
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
