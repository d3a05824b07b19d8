// SPDX-License-Identifier: Apache-2.0
//
// Rows of a loop with a pragma: what each of its iterations uses, a fixed number of bytes on from one to the next. As long as rows meet
// neither each other nor what else the loop uses, they need no cells. When one that is written overlaps with something, all of them are touched,
// iteration by iteration.
#pragma once
#include "check_touch.h"

struct check_row {
  uintptr_t low, end; // of all of these iterations
  uintptr_t place;    // of the first one
  uint64_t bytes;
  int64_t step;
  uint32_t mark;
};

struct check_rows {
  // The ones that are written come first.
  struct check_row row[CHECK_MAX_ROWS];
  unsigned count, written;
  uint64_t iterations;
  int are_touched;
};
static struct check_rows rows;

static inline void forget_rows(void) { rows.iterations = rows.count = rows.written = rows.are_touched = 0; }

// Two different iterations may use one place, one of them writing; if in doubt they do.
static int rows_meet(const struct check_row *a, const struct check_row *b) {
  if (!((a->mark | b->mark) & WRITES) || a->low >= b->end || b->low >= a->end)
    return 0;
  const int64_t step = magnitude(a->step);
  if (a->step != b->step || step == 0)
    return 1;
  if (a->place == b->place)
    return step < (int64_t)(a->bytes > b->bytes ? a->bytes : b->bytes);
  // They meet if a multiple of the step, but not 0, is between these.
  const int64_t apart = (int64_t)(a->place - b->place), low = -(int64_t)a->bytes - apart,
                high = (int64_t)b->bytes - apart;
  int64_t last = (high - 1) / step * step;
  if (last >= high)
    last -= step;
  if (last == 0)
    last = -step;
  return last > low;
}

static void add_row(uintptr_t place, uint64_t bytes, int64_t step, uint64_t count, uint32_t mark) {
  const struct span span = span_of_row(place, bytes, step, count);
  const struct check_row r = {
      .low = span.low,
      .end = span.low + span.bytes,
      .place = place,
      .bytes = bytes,
      .step = step,
      .mark = mark,
  };
  unsigned at = rows.count++;
  if (mark & WRITES) {
    rows.row[at] = rows.row[rows.written];
    at = rows.written++;
  }
  rows.row[at] = r;
  rows.iterations = count; // of all rows
  for (unsigned i = 0; i < rows.count; ++i)
    rows.are_touched |= rows_meet(&r, &rows.row[i]);
}

// What the iteration uses by them. `late`: other accesses have come before.
static inline void touch_rows(int late) {
  const uint64_t n = marked.now - marked.first;
  for (unsigned i = 0; i < rows.count; ++i) {
    const struct check_row *r = &rows.row[i];
    const uintptr_t place = r->place + (uint64_t)r->step * n;
    if (late)
      touch_part(place, r->bytes, r->bytes, r->mark);
    else
      touch_all(place, r->bytes, r->mark);
  }
}

__attribute__((noinline)) static void touch_rows_until_now(void) {
  const uint32_t now = marked.now;
  for (marked.now = marked.first; marked.now < now; ++marked.now)
    touch_rows(1);
  touch_rows(1);
  rows.are_touched = 1;
}

static inline int meets(const struct check_row *row, uintptr_t place, uint64_t bytes) {
  return (place < row->end) & (place + bytes > row->low);
}

// Another access of the loop uses what a row does, one of them writing. When rows are touched their cells tell.
static inline int meets_row(uintptr_t place, uint64_t bytes, uint32_t mark) {
  const unsigned count = rows.are_touched ? 0 : mark & WRITES ? rows.count : rows.written;
  int any = 0;
  for (unsigned i = 0; i < count; ++i)
    any |= meets(&rows.row[i], place, bytes);
  return any;
}

// \returns false if the loop's other accesses read what no row writes: then they need no cells either.
static inline int needs_cells(uintptr_t place, uint64_t bytes, uint32_t mark) {
  if (meets_row(place, bytes, mark))
    touch_rows_until_now();
  return !marked.loop->reads || rows.are_touched;
}
