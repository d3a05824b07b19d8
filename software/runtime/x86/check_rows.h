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
static struct check_rows marked_rows, inner_rows;

static inline struct check_rows *rows_of(const struct shadow *s) { return s == &marked ? &marked_rows : &inner_rows; }

static inline void forget_rows(struct check_rows *rows) {
  rows->iterations = rows->count = rows->written = rows->are_touched = 0;
}

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

static void add_row(struct check_rows *rows, uintptr_t place, uint64_t bytes, int64_t step, uint64_t count,
                    uint32_t mark) {
  const struct span span = span_of_row(place, bytes, step, count);
  const struct check_row r = {
      .low = span.low,
      .end = span.low + span.bytes,
      .place = place,
      .bytes = bytes,
      .step = step,
      .mark = mark,
  };
  unsigned at = rows->count++;
  if (mark & WRITES) {
    rows->row[at] = rows->row[rows->written];
    at = rows->written++;
  }
  rows->row[at] = r;
  rows->iterations = count; // of all rows
  for (unsigned i = 0; i < rows->count; ++i)
    rows->are_touched |= rows_meet(&r, &rows->row[i]);
}

// What the iteration uses by them. `late`: other accesses have come before.
static inline void touch_rows(const struct shadow *s, int late) {
  const struct check_rows *rows = rows_of(s);
  const uint64_t n = s->now - s->first;
  for (unsigned i = 0; i < rows->count; ++i) {
    const struct check_row *r = &rows->row[i];
    const uintptr_t place = r->place + (uint64_t)r->step * n;
    if (late)
      touch_part(s, place, r->bytes, r->bytes, r->mark);
    else
      touch_all(s, place, r->bytes, r->mark);
  }
}

__attribute__((noinline)) static void touch_rows_until_now(struct shadow *s) {
  const uint32_t now = s->now;
  for (s->now = s->first; s->now < now; ++s->now)
    touch_rows(s, 1);
  touch_rows(s, 1);
  rows_of(s)->are_touched = 1;
}

static inline int meets(const struct check_row *row, uintptr_t place, uint64_t bytes) {
  return (place < row->end) & (place + bytes > row->low);
}

// Another access of the loop uses what a row does, one of them writing. When rows are touched their cells tell.
static inline int meets_row(const struct check_rows *rows, uintptr_t place, uint64_t bytes, uint32_t mark) {
  const unsigned count = rows->are_touched ? 0 : mark & WRITES ? rows->count : rows->written;
  int any = 0;
  for (unsigned i = 0; i < count; ++i)
    any |= meets(&rows->row[i], place, bytes);
  return any;
}

// \returns false if the loop's other accesses read what no row writes: then they need no cells either.
static inline int needs_cells(struct shadow *s, uintptr_t place, uint64_t bytes, uint32_t mark) {
  const struct check_rows *rows = rows_of(s);
  if (meets_row(rows, place, bytes, mark))
    touch_rows_until_now(s);
  return !s->loop->reads || rows->are_touched;
}

// Of the line of a place that has cells, so that others of it need not be compared.
static void compare_line(uintptr_t place) {
  struct check_line *line = find_line(place);
  const uintptr_t low = place - place % LINE_BYTES;
  const int may_read = !meets_row(&marked_rows, low, LINE_BYTES, 0) && !meets_row(&inner_rows, low, LINE_BYTES, 0);
  const int may_write =
      !meets_row(&marked_rows, low, LINE_BYTES, WRITES) && !meets_row(&inner_rows, low, LINE_BYTES, WRITES);
  line->of_reads = may_read ? table.cells[line->cells] : NULL;
  line->of_writes = may_write ? table.cells[line->cells] : NULL;
}
