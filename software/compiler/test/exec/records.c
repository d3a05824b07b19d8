// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Fields that blocks of an iteration read one after the other, in one request: records that cross lines and pages, elements beyond
// the bound of an array, fields in front of the first one, fields that are not read on every way, and stores in between that may
// write what was read.
#include "common.h"

enum { PROBES = 150, BUCKETS = 700, KEYS = 48 };

struct tuple {
  uint32_t key, payload;
};

struct bucket {
  uint32_t count;
  struct tuple tuples[2];
  struct bucket *next;
};

// Of 40 bytes, at multiples of 8: some lie in two lines, some in two pages.
struct item {
  uint64_t key;
  uint16_t kind;
  uint8_t flags[6];
  uint64_t value;
  struct item *next;
  uint32_t left, right;
};

__attribute__((noinline)) static uint64_t join(const uint64_t *keys, const struct bucket *buckets) {
  uint64_t found = 0;
#pragma asyncmem num_task(64) reduction(+ : found)
  for (uint64_t i = 0; i < PROBES; ++i) {
    __builtin_is_remote(keys);
    __builtin_is_remote(buckets);
    uint32_t key = keys[i] % KEYS;
    for (const struct bucket *b = &buckets[keys[i] % BUCKETS]; b; b = b->next) {
      __builtin_is_remote(b);
      for (uint32_t k = 0; k < b->count; ++k)
        if (b->tuples[k].key == key)
          found += b->tuples[k].payload;
    }
  }
  return found;
}

// One of the two ways needs no other field; the second field decides about the third.
__attribute__((noinline)) static uint64_t search(const struct item *items, const uint64_t *keys) {
  uint64_t sum = 0;
#pragma asyncmem num_task(64) reduction(+ : sum)
  for (uint64_t i = 0; i < PROBES; ++i) {
    __builtin_is_remote(items);
    uint64_t key = keys[i] % KEYS;
    for (const struct item *x = &items[keys[i] % BUCKETS]; x; x = x->next) {
      __builtin_is_remote(x);
      if (x->key == key) {
        sum += x->kind & 1 ? x->value : x->flags[x->kind % 6];
        break;
      }
    }
  }
  return sum;
}

// The first access is the last field; the others lie in front of it. Of the array more may be read than it has.
__attribute__((noinline)) static uint64_t backwards(const struct item *items, const uint64_t *keys) {
  uint64_t sum = 0;
#pragma asyncmem num_task(64) reduction(+ : sum)
  for (uint64_t i = 0; i < PROBES; ++i) {
    __builtin_is_remote(items);
    const struct item *x = &items[keys[i] % BUCKETS];
    uint32_t last = x->right % 6;
    for (uint32_t k = 0; k <= last; ++k)
      sum += x->flags[k] * 3;
    if (last & 1)
      sum += x->left;
    sum += x->key ^ last;
  }
  return sum;
}

// Words of the record are written between the accesses, through its own pointer and through another one.
__attribute__((noinline)) static uint64_t rewritten(struct item *items, uint64_t *other) {
  uint64_t sum = 0;
#pragma asyncmem num_task(64) reduction(+ : sum)
  for (uint64_t i = 0; i < PROBES; ++i) {
    __builtin_is_remote(items);
    __builtin_is_remote(other);
    struct item *x = &items[i];
    uint64_t key = x->key;
    if (key & 1)
      x->value = key * 5;
    sum += x->value;
    if (key & 2)
      other[i * 5 + 2] = key + 1;
    sum += x->value * 3;
    if (key & 4)
      sum += x->left;
  }
  return sum;
}

// What one iteration reads late another one has written early, under a lock.
__attribute__((noinline)) static uint64_t locked(struct item *items, uint64_t *lock) {
  uint64_t sum = 0;
#pragma asyncmem num_task(64) reduction(+ : sum)
  for (uint64_t i = 0; i < PROBES; ++i) {
    __builtin_is_remote(items);
    struct item *x = &items[i % 3];
    if (x->key) {
      asyncmem_lock(lock);
      x->value += 2;
      asyncmem_unlock(lock);
    }
    sum += x->key & 255;
  }
  return sum;
}

int main(void) {
  uint64_t *words = remote_words(BUCKETS * 4 + 1), *keys = remote_words(PROBES), *others = remote_words(PROBES * 5);
  uint64_t lock = 0, results[16];
  // The last record ends where the array ends; the first one begins 8 bytes behind a page.
  struct bucket *buckets = (struct bucket *)(words + 1);
  struct item *items = (struct item *)remote_words(BUCKETS * 5 + 1);
  for (uint64_t i = 0; i < BUCKETS; ++i) {
    buckets[i].count = i % 11 == 3 ? 5 : i % 3;
    for (uint32_t k = 0; k < 2; ++k)
      buckets[i].tuples[k] = (struct tuple){mix(i * 2 + k) % KEYS, i + k};
    buckets[i].next = i % 5 ? 0 : &buckets[mix(i) % BUCKETS / 5 * 5 + 1];
    items[i].key = mix(i) % KEYS;
    items[i].next = i % 4 == 3 ? 0 : &items[i + 1];
  }
  for (unsigned shift = 0; shift < 2; ++shift) {
    results[shift] = join(keys, buckets);
    results[2 + shift] = search(items, keys);
    results[4 + shift] = backwards(items, keys);
    results[6 + shift] = rewritten(items, (uint64_t *)items);
    results[8 + shift] = rewritten(items, others);
    results[10 + shift] = locked(items, &lock);
    results[12 + shift] = items[7].value;
    results[14 + shift] = items[8].key;
  }
  print_digest("results", results, sizeof results);
  print_digest("items", items, BUCKETS * sizeof *items);
  return 0;
}
