// SPDX-License-Identifier: Apache-2.0
//
// What an access does to its cells. Each 4 bytes of memory have a cell that says which iteration wrote them first or, if none did, which
// read them first. Iterations run in order, so that the first one is enough: a later access meets it unless it is of the same iteration.
// Where the bytes of a word were not used together, each has a cell; where several iterations change different bits, each bit.
#pragma once
#include "check_cells.h"

#include "asyncmem_check.h"

// Iterations of these numbers: the cells of the bytes, or of the bits, are at `mark` in `parts`.
#define SPLIT UINT32_MAX
#define BITS (UINT32_MAX - 1)
static struct check_entry *parts;
static uint32_t part_count;

static void reserve_parts(void) { parts = reserve(((size_t)UINT32_MAX + 1) * sizeof *parts); }

struct shadow {
  // Iterations are counted over all runs of all loops; those before `first` are forgotten.
  uint32_t now, first;
  const struct check_loop *loop;
};
static struct shadow marked;
static uintptr_t frame;

// In a mark: the permits, whether it is a write, the hash of the lock (ANY_LOCK: several are held; NO_COMMON_LOCK: of readers that hold
// different ones, which whoever holds one lock meets), the site.
enum {
  PERMITS = 31,
  WRITES = CHECK_WRITES,
  LOCK_SHIFT = 6,
  LOCK_BITS = CHECK_SITE_SHIFT - LOCK_SHIFT,
  ANY_LOCK = (1 << LOCK_BITS) - 1,
  NO_COMMON_LOCK = ANY_LOCK - 1,
  // All but the site.
  USE = (1 << CHECK_SITE_SHIFT) - 1,
  MAX_LOCKS = 16
};
static const void *locks[MAX_LOCKS];
static unsigned lock_count;

static uint32_t current_lock(void) {
  return lock_count == 1 ? (uint32_t)((uintptr_t)locks[0] * 0x9e3779b97f4a7c15u >> (64 - LOCK_BITS)) % NO_COMMON_LOCK
                         : (uint32_t)ANY_LOCK;
}

// What is left of it begins at `place`.
struct access {
  uintptr_t start, place;
  uint64_t bytes;
  uint32_t mark;
};

static inline int is_new(struct check_entry c) { return c.iteration < marked.first; }
static uint32_t lock_of(uint32_t mark) { return mark >> LOCK_SHIFT & ANY_LOCK; }
static const struct check_site *site_of(uint32_t mark) { return &marked.loop->sites[mark >> CHECK_SITE_SHIFT]; }

// Of one bit, if both change some bits of a word only.
static int may_meet(uint32_t a, uint32_t b) {
  uint32_t both = a & b;
  if (both & (CHECK_ORDERED | CHECK_LOSSY))
    return 1;
  if (both & CHECK_LOCKED && (lock_of(a) == lock_of(b) || lock_of(a) == ANY_LOCK || lock_of(b) == ANY_LOCK))
    return 1;
  if (both & CHECK_INSERT)
    return !(both & WRITES);
  return both & CHECK_OWNED;
}

// Variables of callees are in frames below that of the loop: the next iteration has others there.
static int is_of_callee(uintptr_t place) { return place < frame && place >= (uintptr_t)__builtin_frame_address(0); }

static void meet(struct check_entry before, const struct access *a) {
  if (!((before.mark | a->mark) & WRITES) || may_meet(before.mark, a->mark) || is_of_callee(a->place))
    return;
  const uint32_t of_site = site_of(a->mark)->bytes;
  check_report(marked.loop, &(struct check_meeting){.place = a->place,
                                                    .bytes = of_site && of_site < a->bytes ? of_site : a->bytes,
                                                    .earlier = before.iteration - marked.first,
                                                    .later = marked.now - marked.first,
                                                    .earlier_site = site_of(before.mark),
                                                    .later_site = site_of(a->mark),
                                                    .earlier_wrote = before.mark & WRITES,
                                                    .later_writes = a->mark & WRITES,
                                                    .locked = (before.mark | a->mark) & CHECK_LOCKED});
}

// An iteration that uses a place in two ways may meet others only where both ways may.
static inline uint32_t joined(uint32_t before, uint32_t mark) {
  uint32_t dropped = ~(before & mark) & PERMITS;
  if (lock_of(before) != lock_of(mark))
    dropped |= CHECK_LOCKED;
  return (before & WRITES ? before : mark) & ~dropped;
}

// Of two readers, of which the first is kept.
static inline uint32_t with_lock_of(uint32_t kept, uint32_t mark) {
  const int may_more = mark & ~kept & PERMITS || !(kept & mark & CHECK_LOCKED) || (kept | mark) & WRITES;
  if (may_more || lock_of(mark) == ANY_LOCK || lock_of(mark) == lock_of(kept))
    return kept;
  const uint32_t lock = lock_of(kept) == ANY_LOCK ? lock_of(mark) : (uint32_t)NO_COMMON_LOCK;
  return (kept & ~((uint32_t)ANY_LOCK << LOCK_SHIFT)) | lock << LOCK_SHIFT;
}

static void touch(struct check_entry *c, const struct access *a) {
  if (is_new(*c)) {
    *c = (struct check_entry){marked.now, a->mark};
    return;
  }
  if (c->iteration == marked.now) {
    c->mark = joined(c->mark, a->mark);
    return;
  }
  // A row is late: both read.
  if (c->iteration > marked.now) {
    if (!(a->mark & PERMITS) || c->mark & PERMITS)
      *c = (struct check_entry){marked.now, a->mark};
    return;
  }
  meet(*c, a);
  // Kept is the first writer, or of readers the first one that the fewest writers may meet.
  if (a->mark & ~c->mark & WRITES || (!(c->mark & WRITES) && !(a->mark & PERMITS) && c->mark & PERMITS))
    *c = (struct check_entry){marked.now, a->mark};
  else
    c->mark = with_lock_of(c->mark, a->mark);
}

static uint32_t take_parts(unsigned count) {
  if (part_count > UINT32_MAX - count)
    check_fail("the loop uses parts of too many words; -masync=check has cells for 4 GiB of them");
  part_count += count;
  return part_count - count;
}

static inline int changes_bits(uint32_t mark) { return (mark & (CHECK_INSERT | WRITES)) == (CHECK_INSERT | WRITES); }

// An update of other bits of the word only reads this one.
static inline uint32_t mark_of_bit(uint32_t mark, uint64_t bit) {
  return changes_bits(mark) && !(site_of(mark)->bits >> bit & 1) ? mark & ~(uint32_t)WRITES : mark;
}

// The cell of `bits` bits was used as a whole, by an aligned access, or never.
static void split_into_bits(struct check_entry *c, unsigned bits, uintptr_t place) {
  const uint32_t first = take_parts(bits);
  for (unsigned i = 0; i < bits; ++i) {
    parts[first + i] = *c;
    if (!is_new(*c) && c->mark & CHECK_INSERT)
      parts[first + i].mark = mark_of_bit(c->mark, place % site_of(c->mark)->bytes * 8 + i);
  }
  *c = (struct check_entry){BITS, first};
}

// The cell of the `bits` bits at the access's place.
static void touch_bits(struct check_entry *c, unsigned bits, const struct access *a) {
  if (c->iteration != BITS) {
    const int others = !is_new(*c) && changes_bits(c->mark) &&
                       (c->iteration != marked.now || c->mark >> CHECK_SITE_SHIFT != a->mark >> CHECK_SITE_SHIFT);
    if (!changes_bits(a->mark) || !(others || a->start % a->bytes)) {
      touch(c, a);
      return;
    }
    split_into_bits(c, bits, a->place);
  }
  for (unsigned i = 0; i < bits; ++i) {
    struct access of_bit = *a;
    of_bit.mark = mark_of_bit(a->mark, (a->place - a->start) * 8 + i);
    touch(&parts[c->mark + i], &of_bit);
  }
}

// Bytes from `from` to `to` of a word.
static void touch_word(struct check_entry *c, unsigned from, unsigned to, struct access *a) {
  if (c->iteration != SPLIT) {
    if (to - from == WORD_BYTES) {
      touch_bits(c, WORD_BYTES * 8, a);
      return;
    }
    const struct check_entry whole = *c;
    const uint32_t first = take_parts(WORD_BYTES);
    for (unsigned i = 0; i < WORD_BYTES; ++i)
      parts[first + i] = whole.iteration == BITS ? (struct check_entry){BITS, whole.mark + 8 * i} : whole;
    *c = (struct check_entry){SPLIT, first};
  }
  for (unsigned i = from; i < to; ++i) {
    touch_bits(&parts[c->mark + i], 8, a);
    ++a->place;
  }
  a->place -= to - from;
}

// `part`: of the bytes.
__attribute__((noinline)) static void touch_part(uintptr_t place, uint64_t part, uint64_t bytes, uint32_t mark) {
  struct access a = {place, place, bytes, mark};
  if (lock_count)
    a.mark |= CHECK_LOCKED | current_lock() << LOCK_SHIFT;
  const uintptr_t end = place + part;
  while (a.place < end) {
    unsigned from = a.place % WORD_BYTES;
    unsigned to = end - a.place < WORD_BYTES - from ? from + (unsigned)(end - a.place) : WORD_BYTES;
    touch_word(cell_of(a.place), from, to, &a);
    a.place += to - from;
  }
}

static inline uint64_t entry_of(uint32_t iteration, uint32_t mark) { return (uint64_t)mark << 32 | iteration; }

// At once: two stores would have to end before an entry can be read as a whole.
static inline void store_entry(struct check_entry *c, uint64_t entry) {
  _Static_assert(sizeof entry == sizeof *c, "an entry is a word");
  memcpy(c, &entry, sizeof entry);
}

// The most of all accesses: to what no other iteration has used, or to what others may use in the same way. \returns 0 if it is another
// one. Without branches, as nobody can foresee which of these a place is.
__attribute__((always_inline)) static inline int touch_at_once(struct check_entry *c, uint32_t mark) {
  const uint32_t before = c->mark, both = before & mark, differ = before ^ mark;
  const int fresh = is_new(*c), own = c->iteration == marked.now;
  const int in_order = !((before | mark) & WRITES) & !(differ & PERMITS);
  const int shared = !!(both & (CHECK_ORDERED | CHECK_OWNED | CHECK_LOSSY)) & !!(before & WRITES);
  if (!(fresh | own | in_order | shared) | (!fresh & !!((before | mark) & CHECK_INSERT)) | (c->iteration >= BITS))
    return 0;
  const uint32_t joint = ((before & WRITES ? before : mark) & ~(uint32_t)PERMITS) | (both & PERMITS);
  store_entry(c, entry_of(fresh ? marked.now : c->iteration, fresh ? mark : own ? joint : before));
  return 1;
}

// More of a use like this one changes nothing.
static inline int may_repeat(uint32_t mark) {
  return !(mark & WRITES) || (mark & (CHECK_ORDERED | CHECK_OWNED | CHECK_LOSSY) && !(mark & CHECK_INSERT));
}

// The cells of words in sequence, mostly alike: all new, or all used in the same way before.
__attribute__((always_inline)) static inline void touch_cells(uintptr_t place, unsigned words, uint64_t bytes,
                                                              uint32_t mark) {
  struct check_entry *c = cell_of(place);
  const uint64_t entry = entry_of(marked.now, mark);
  const uint32_t first = marked.first;
  unsigned used = 0, other = !may_repeat(mark);
  for (unsigned i = 0; i < words; ++i)
    used |= c[i].iteration >= first;
  if (!used) {
    for (unsigned i = 0; i < words; ++i)
      store_entry(&c[i], entry);
    return;
  }
  for (unsigned i = 0; i < words; ++i)
    other |= (c[i].iteration < first) | (c[i].iteration >= BITS) | ((c[i].mark ^ mark) & USE);
  for (unsigned i = 0; other && i < words; ++i)
    if (mark & CHECK_LOCKED || !touch_at_once(&c[i], mark))
      touch_part(place + i * WORD_BYTES, WORD_BYTES, bytes, mark);
}

// The cells of a few words.
static inline void touch_few_cells(uintptr_t place, unsigned words, uint64_t bytes, uint32_t mark) {
  struct check_entry *c = cell_of(place);
  const uint64_t entry = entry_of(marked.now, mark);
  const uint32_t first = marked.first;
#pragma clang loop vectorize(disable) unroll(disable)
  for (unsigned i = 0; i < words; ++i)
    if (c[i].iteration < first)
      store_entry(&c[i], entry);
    else if (mark & CHECK_LOCKED || !touch_at_once(&c[i], mark))
      touch_part(place + i * WORD_BYTES, WORD_BYTES, bytes, mark);
}

// Accesses of some bytes each that cover all of the span.
static void touch_span(uintptr_t place, uint64_t span, uint64_t bytes, uint32_t mark) {
  enum { MANY_BYTES = 64 };
  for (uint64_t part; span; place += part, span -= part) {
    const uint64_t before = place % WORD_BYTES;
    part = before ? WORD_BYTES - before : LINE_BYTES - place % LINE_BYTES;
    if (part > span)
      part = span;
    if (before || part < WORD_BYTES) {
      touch_part(place, part, bytes, mark);
    } else if (part == LINE_BYTES) {
      touch_cells(place, LINE_WORDS, bytes, mark);
    } else {
      part -= part % WORD_BYTES;
      if (part <= MANY_BYTES)
        touch_few_cells(place, (unsigned)(part / WORD_BYTES), bytes, mark);
      else
        touch_cells(place, (unsigned)(part / WORD_BYTES), bytes, mark);
    }
  }
}

// Aligned accesses of one or two words.
__attribute__((always_inline)) static inline void touch_steps(uintptr_t place, unsigned words, uint64_t step,
                                                              uint64_t count, uint32_t mark) {
  const uint64_t entry = entry_of(marked.now, mark);
  const uint32_t first = marked.first;
  for (; count; --count, place += step) {
    struct check_entry *c = cell_of(place);
    if (c[0].iteration < first && c[words - 1].iteration < first) {
      store_entry(&c[0], entry);
      store_entry(&c[words - 1], entry);
    } else {
      touch_cells(place, words, words * WORD_BYTES, mark);
    }
  }
}

struct span {
  uintptr_t low;
  uint64_t bytes;
};

static inline int64_t magnitude(int64_t step) { return step < 0 ? -step : step; }

// Of accesses of some bytes each, `count` of them, each `step` bytes on from the last; what lies between is in it.
static inline struct span span_of_row(uintptr_t place, uint64_t bytes, int64_t step, uint64_t count) {
  return (struct span){.low = step < 0 ? place + (uint64_t)step * (count - 1) : place,
                       .bytes = (uint64_t)magnitude(step) * (count - 1) + bytes};
}

// The same access `count` times in one iteration, each time `step` bytes on.
static void touch_row(uintptr_t place, uint64_t bytes, int64_t step, uint64_t count, uint32_t mark) {
  const struct span span = span_of_row(place, bytes, step, count);
  place = span.low;
  step = magnitude(step);
  if (lock_count)
    mark |= CHECK_LOCKED | current_lock() << LOCK_SHIFT;
  if ((uint64_t)step <= bytes && !(mark & CHECK_INSERT)) {
    touch_span(span.low, span.bytes, bytes, mark);
    return;
  }
  const uint64_t words = bytes / WORD_BYTES;
  if ((place | (uint64_t)step) % bytes || (bytes != WORD_BYTES && bytes != 2 * WORD_BYTES) || mark & CHECK_INSERT)
    for (uint64_t i = 0; i < count; ++i)
      touch_part(place + i * (uint64_t)step, bytes, bytes, mark);
  else if (words == 1)
    touch_steps(place, 1, (uint64_t)step, count, mark);
  else
    touch_steps(place, 2, (uint64_t)step, count, mark);
}

static inline void touch_all(uintptr_t place, uint64_t bytes, uint32_t mark) { touch_row(place, bytes, 0, 1, mark); }
