// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "../place.h"
#include "asyncmem.h"
#include "bench.h"
#include <string.h>

struct dict dict;
struct text dict_queries[BENCH_END];
uint64_t dict_results[BENCH_END];

static uint64_t value_of(uint64_t number) { return 3 * number + 1; }

static uint64_t number_of(uint64_t operation) { return mix64(operation) >> (63 - DICT_LOG2_ENTRIES); }

// "user:" and the number in decimal, of one to seven digits.
static void write_text(struct text *text, uint64_t number) {
  memcpy(text->bytes, "user:", 5);
  text->size = 5;
  do
    text->bytes[text->size++] = (char)('0' + number % 10);
  while ((number /= 10) != 0);
}

void bench_init(void) {
  struct entry *entries = remote_alloc(DICT_ENTRIES * sizeof(struct entry));
  struct text *texts = remote_alloc(DICT_ENTRIES * sizeof(struct text));
  dict.table = remote_alloc(DICT_ENTRIES * sizeof(struct entry *));
  dict.mask = DICT_ENTRIES - 1;
  for (uint64_t slot = 0; slot < DICT_ENTRIES; ++slot)
    dict.table[slot] = 0;
  for (uint64_t number = 0; number < DICT_ENTRIES; ++number) {
    struct entry *entry = &entries[place(number, DICT_LOG2_ENTRIES)];
    struct text *key = &texts[place(~number, DICT_LOG2_ENTRIES)];
    write_text(key, number);
    struct entry **head = &dict.table[hash_of(key) & dict.mask];
    *entry = (struct entry){*head, key, value_of(number), 0};
    *head = entry;
  }
  for (uint64_t i = BENCH_FIRST; i < BENCH_END; ++i)
    write_text(&dict_queries[i], number_of(i));
}

// The results follow from the numbers of the queries, without the dictionary.
bool bench_verify(uint64_t count) {
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i) {
    uint64_t number = number_of(i);
    if (dict_results[i] != (number < DICT_ENTRIES ? value_of(number) : ABSENT))
      return false;
  }
  return true;
}
