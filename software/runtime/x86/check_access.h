// SPDX-License-Identifier: Apache-2.0
//
// Single accesses of 1, 2, 4, 8 or 16 bytes that -masync=check looks at: most of them end here, the others in check_rows.h and check_touch.h.
#pragma once
#include "check_rows.h"

// Of this thread: what is checked, and whether it holds a lock.
enum { CHECKED = 1, LOCKED = 2 };
static _Thread_local unsigned state;

// An access that has up to four entries. \returns 0 if more has to be looked at.
__attribute__((always_inline)) static inline int use_entries(struct check_entry *c, unsigned count, uint32_t mark) {
  uint64_t before[4], others = 0;
  memcpy(before, c, count * sizeof *c);
  for (unsigned i = 1; i < count; ++i)
    others |= before[i] ^ before[0];
  const uint32_t iteration = (uint32_t)before[0];
  if (others)
    return 0;
  if (iteration < marked.first) {
    const uint64_t entry = entry_of(marked.now, mark);
    for (unsigned i = 0; i < count; ++i)
      store_entry(c + i, entry);
    return 1;
  }
  return ((before[0] >> 32 ^ mark) & USE) == 0 && may_repeat(mark) && iteration < BITS;
}

// The same, of an aligned access: of words, or of bytes of one that have entries.
__attribute__((always_inline)) static inline int use_cells(struct check_entry *c, uintptr_t place, unsigned bytes,
                                                           uint32_t mark) {
  if (bytes >= WORD_BYTES)
    return use_entries(c, bytes / WORD_BYTES, mark);
  return c->iteration == SPLIT && use_entries(&parts[c->mark + place % WORD_BYTES], bytes, mark);
}

// Another one; apart, so that the usual way needs no registers of the caller's.
__attribute__((noinline)) static void touch_slowly(uintptr_t place, unsigned bytes, uint32_t mark) {
  const int simple = !(state & LOCKED) && bytes >= WORD_BYTES && place % bytes == 0;
  struct check_entry *c = cell_of(place);
  unsigned done = 0;
  while (simple && done < bytes && touch_at_once(&c[done / WORD_BYTES], mark))
    done += WORD_BYTES;
  if (done < bytes)
    touch_part(place + done, bytes - done, bytes, mark);
}

__attribute__((noinline)) static void check_slowly(uintptr_t place, unsigned bytes, uint32_t mark) {
  if (state & CHECKED && needs_cells(place, bytes, mark))
    touch_slowly(place, bytes, mark);
}

// Aligned as far as words are concerned, and with cells side by side.
__attribute__((always_inline)) static inline int is_simple(uintptr_t place, unsigned bytes) {
  return place % (bytes < 8 ? bytes : 8) == 0 && (bytes <= 8 || place % LINE_BYTES <= LINE_BYTES - bytes);
}

// So that accesses need no registers for it.
__attribute__((noinline, preserve_most)) static int meets_marked_row(uintptr_t place, uint64_t bytes, uint32_t mark) {
  return meets_row(place, bytes, mark);
}

// What no row writes needs no cells.
__attribute__((always_inline)) static inline int is_only_read(uint32_t mark) {
  return !(mark & WRITES) && marked.loop->reads && !rows.are_touched;
}

__attribute__((always_inline)) static inline int use_marked(uintptr_t place, unsigned bytes, uint32_t mark) {
  struct check_entry *chunk = chunks[place >> CHUNK_SHIFT];
  return chunk != NULL && use_cells(cell_in(chunk, place), place, bytes, mark);
}

__attribute__((always_inline)) static inline void check(const void *address, unsigned bytes, uint32_t mark) {
  const uintptr_t place = (uintptr_t)address;
  if ((state & (CHECKED | LOCKED)) != CHECKED || (rows.count && meets_marked_row(place, bytes, mark)) ||
      (!is_only_read(mark) && (!is_simple(place, bytes) || !use_marked(place, bytes, mark))))
    check_slowly(place, bytes, mark);
}
