// SPDX-License-Identifier: Apache-2.0
//
// Rows of an inner loop with a pragma: what each of its iterations uses, a fixed number of bytes on from one to the next. As long as rows meet
// neither each other nor what else the loop uses, they need no cells. When one that is written overlaps with something, all of them are touched,
// iteration by iteration.
#pragma once
#include "check_touch.h"

struct check_row {
  uintptr_t low, end; // of all of these iterations
  uintptr_t place;    // of the first one
  uint64_t first, count;
  uint64_t bytes;
  int64_t step;
  uint32_t mark;
};

static struct {
  // The ones that are written come first.
  struct check_row row[2 * CHECK_MAX_ROWS];
  unsigned count, written;
  uint64_t iterations;
  int are_touched;
} rows;

static inline void forget_rows(void) { rows.iterations = rows.count = rows.written = rows.are_touched = 0; }

// Two different iterations may use one place, one of them writing; if in doubt they do.
static int rows_meet(const struct check_row *a, const struct check_row *b) {
  if (!((a->mark | b->mark) & WRITES) || a->low >= b->end || b->low >= a->end)
    return 0;
  const int64_t step = magnitude(a->step);
  if (a->step != b->step || a->first != b->first || step == 0)
    return 1;
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

static void add_row(uintptr_t place, uint64_t bytes, int64_t step, uint64_t first, uint64_t count, uint32_t mark) {
  const struct span span = span_of_row(place, bytes, step, count);
  const struct check_row r = {
      .low = span.low,
      .end = span.low + span.bytes,
      .place = place,
      .first = first,
      .count = count,
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
  if (rows.iterations < first + count)
    rows.iterations = first + count;
  for (unsigned i = 0; i < rows.count; ++i)
    rows.are_touched |= rows_meet(&r, &rows.row[i]);
}

// What the iteration uses by them.
__attribute__((noinline)) static void touch_rows(void) {
  const uint64_t iteration = inner.now - inner.first;
  for (unsigned i = 0; i < rows.count; ++i) {
    const struct check_row *r = &rows.row[i];
    const uint64_t n = iteration - r->first;
    if (n < r->count)
      touch_all(&inner, r->place + (uint64_t)r->step * n, r->bytes, r->mark);
  }
}

__attribute__((noinline)) static void touch_rows_until_now(void) {
  const uint32_t now = inner.now;
  for (inner.now = inner.first; inner.now < now; ++inner.now)
    touch_rows();
  touch_rows();
  rows.are_touched = 1;
}

// Another access of the inner loop uses what a row does, one of them writing.
static inline int meets_row(uintptr_t place, uint64_t bytes, uint32_t mark) {
  const unsigned count = mark & WRITES ? rows.count : rows.written;
  int meets = 0;
  for (unsigned i = 0; i < count; ++i)
    meets |= (place < rows.row[i].end) & (place + bytes > rows.row[i].low);
  return meets;
}

// \returns false if the loop's other accesses read what no row writes: then they need no cells either.
static inline int needs_cells(uintptr_t place, uint64_t bytes, uint32_t mark) {
  if (!rows.are_touched && meets_row(place, bytes, mark))
    touch_rows_until_now();
  return !inner.loop->reads || rows.are_touched;
}

// Of the line of a place that has cells, so that others of it need not be compared.
static void compare_line(uintptr_t place) {
  struct check_line *line = find_line(place / LINE_BYTES);
  const uintptr_t low = line->number * LINE_BYTES;
  line->may_read = line->may_write = 1;
  for (unsigned i = 0; i < rows.count && !rows.are_touched; ++i)
    if (low < rows.row[i].end && low + LINE_BYTES > rows.row[i].low) {
      line->may_read &= i >= rows.written;
      line->may_write = 0;
    }
}
