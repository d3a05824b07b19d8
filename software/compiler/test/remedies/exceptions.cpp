// SPDX-License-Identifier: Apache-2.0
// Exceptions and statics of C++, and with REMEDY what the refusal proposes instead.
// ONLY: x86
// FLAGS: -fexceptions
// RUN: %check_remedies %s %t
#include <asyncmem.h>
#include <cstdio>
#include <new>

constexpr int COUNT = 200, WORDS = 1 << 10;

#ifdef REMEDY
#define IF_CURED(text) text
#define IF_REFUSED(text)
#else
#define IF_CURED(text)
#define IF_REFUSED(text) text
#endif

static uint64_t out[COUNT], *boxes[COUNT];

// Another file may have another one.
IF_REFUSED(__attribute__((weak))) IF_CURED(static) void store(uint64_t value, int at) IF_CURED(noexcept) {
  out[at] = value;
}

__attribute__((noinline)) static void may_throw(const uint64_t *t) {
  // REFUSED: it calls 'store(unsigned long, int)', which may throw; define it in this file, noexcept
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    store(t[i * 3], i);
  }
}

__attribute__((noinline)) static void boxes_and_locks(const uint64_t *__restrict t, uint64_t *__restrict word, uint64_t **__restrict to) {
  // REFUSED: operator new may throw in it, and other iterations would never release their locks; use new (std::nothrow)
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    to[i] = new IF_CURED((std::nothrow)) uint64_t(t[i * 3]);
    asyncmem_lock(word);
    word[1] += t[i * 5];
    asyncmem_unlock(word);
  }
}

__attribute__((noinline)) static uint64_t expensive() {
  static uint64_t calls;
  return ++calls;
}

__attribute__((noinline)) static void static_variable(const uint64_t *t) {
  IF_CURED(static const uint64_t once = expensive();)
  // REFUSED: it calls '__cxa_guard_acquire', which initializes a static variable; define that before the loop
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    IF_REFUSED(static const uint64_t once = expensive();)
    out[i] += t[(uint64_t(i) * 37 + once) % WORDS];
  }
}

int main() {
  auto *t = (uint64_t *)remote_alloc(WORDS * sizeof(uint64_t));
  for (int i = 0; i < WORDS; ++i)
    t[i] = (uint64_t)i * 0x9e3779b97f4a7c15u >> 40;
  uint64_t word[2] = {0, 0};
  may_throw(t);
  boxes_and_locks(t, word, boxes);
  static_variable(t);
  uint64_t sum = word[1];
  for (int i = 0; i < COUNT; ++i)
    sum = sum * 31 + out[i] + *boxes[i];
  printf("%lx\n", (unsigned long)(sum & 0xffffffff));
}
