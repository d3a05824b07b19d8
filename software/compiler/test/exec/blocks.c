// SPDX-License-Identifier: Apache-2.0
// Remote accesses that are no single request: structures copied and filled as blocks, 16-byte values, packed fields.
// RUN: %same_results %s %t
#include "common.h"
#include <string.h>

enum { COUNT = 301 };

struct row {
  uint64_t key;
  double values[6];
  uint32_t count;
  char name[12];
};
// 23 bytes, aligned to 1.
struct __attribute__((packed)) record {
  uint8_t kind;
  uint32_t size;
  char text[10];
  uint64_t *where;
};
struct wide {
  unsigned __int128 value;
  uint32_t flag;
};

__attribute__((noinline)) static void gather(const struct row *from, struct row *to, struct row *local, const uint32_t *order) {
#pragma asyncmem num_task(32)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[i] = from[order[i]];
    memcpy(&local[order[i]], &from[i], sizeof *local);
  }
}

// The halves of a row overlap.
__attribute__((noinline)) static void shift(struct row *rows, const uint32_t *order, int byte) {
#pragma asyncmem num_task(32)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(rows);
    struct row *row = &rows[order[i]];
    memmove(&row->values[1], &row->values[0], 5 * sizeof(double));
    memset(row->name, byte + i, sizeof row->name);
  }
}

__attribute__((noinline)) static uint64_t packed(struct record *records, const uint32_t *order) {
  uint64_t sum = 0;
#pragma asyncmem num_task(32) distinct_update(records)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(records);
    struct record *r = &records[order[i]];
    uint64_t *where = r->where;
    __builtin_is_remote(where);
    sum += r->size * r->kind + *where;
    r->size ^= i;
  }
  return sum;
}

__attribute__((noinline)) static unsigned __int128 doubled(struct wide *items, const uint32_t *order) {
  unsigned __int128 all = 0;
#pragma asyncmem num_task(32) distinct_update(items)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(items);
    struct wide *item = &items[order[i]];
    if (item->flag & 1)
      all += item->value;
    item->value *= 3;
  }
  return all;
}

int main(void) {
  static struct row local[COUNT];
  static uint32_t order[COUNT];
  struct row *from = (struct row *)remote_alloc(COUNT * sizeof *from);
  struct row *to = (struct row *)remote_alloc(COUNT * sizeof *to);
  struct record *records = (struct record *)remote_alloc(COUNT * sizeof *records);
  struct wide *items = (struct wide *)remote_alloc(COUNT * sizeof *items);
  memset(from, 0, COUNT * sizeof *from);
  memset(items, 0, COUNT * sizeof *items);
  for (int i = 0; i < COUNT; ++i) {
    order[i] = i * 5 % COUNT;
    from[i].key = mix(i);
    for (int k = 0; k < 6; ++k)
      from[i].values[k] = mix(i + k) % 1000;
    from[i].count = i;
    records[i] = (struct record){.kind = mix(i), .size = mix(i) >> 8, .where = &from[i].key};
    items[i].value = (unsigned __int128)mix(i) << 64 | mix(i + 1);
    items[i].flag = mix(i) >> 5;
  }
  gather(from, to, local, order);
  shift(to, order, 'a');
  print_digest("to", to, COUNT * sizeof *to);
  print_digest("local", local, sizeof local);
  printf("sum %lu\n", (unsigned long)packed(records, order));
  for (int i = 0; i < COUNT; ++i)
    records[i].where = 0;
  print_digest("records", records, COUNT * sizeof *records);
  unsigned __int128 all = doubled(items, order);
  printf("all %lu %lu\n", (unsigned long)(all >> 64), (unsigned long)all);
  print_digest("items", items, COUNT * sizeof *items);
}
