// SPDX-License-Identifier: Apache-2.0
// Refused loops of C++, and with REMEDY the same with what the refusal proposes.
// RUN: %check_remedies %s %t
#include <asyncmem.h>
#include <cstdio>
#include <cstdlib>

constexpr int COUNT = 200, WORDS = 1 << 10;

static uint64_t lock;

#ifdef REMEDY
#define IF_CURED(text) text
#else
#define IF_CURED(text)
#endif

// As std::vector: the end is a pointer in an object on the heap.
struct list {
  uint64_t *first, *end, *room;

  void push_back(uint64_t item) {
    if (end == room)
      grow();
    *end++ = item;
  }

  void grow() {
    size_t size = (size_t)(end - first), more = 2 * size + 1;
    uint64_t *moved = (uint64_t *)malloc(more * sizeof *moved);
    for (size_t i = 0; i < size; ++i)
      moved[i] = first[i];
    free(first);
    first = moved;
    end = moved + size;
    room = moved + more;
  }
};

__attribute__((noinline)) static void append(const uint64_t *t, list &items) {
  // REFUSED: hold asyncmem_lock from the read to the write
#pragma asyncmem num_task(16)
  for (int i = 0; i < 4 * COUNT; ++i) {
    __builtin_is_remote(t);
    uint64_t a = t[i * 37 % WORDS];
    if (t[a % WORDS] & 1) {
      IF_CURED(asyncmem_lock(&lock);)
      items.push_back(a);
      IF_CURED(asyncmem_unlock(&lock);)
    }
  }
}

int main() {
  auto *t = (uint64_t *)remote_alloc(WORDS * sizeof(uint64_t));
  for (int i = 0; i < WORDS; ++i)
    t[i] = (uint64_t)i * 0x9e3779b97f4a7c15u >> 40;
  list items = {};
  append(t, items);
  uint64_t sum = (uint64_t)(items.end - items.first);
  for (uint64_t *item = items.first; item != items.end; ++item)
    sum += *item;
  printf("%lx\n", (unsigned long)(sum & 0xffffffff));
}
