// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Locks held over remote accesses: plain updates of shared data that would get
// lost without them; two nested ones; more than one lock.
#include "common.h"

#ifndef COUNT
#define COUNT 800
#endif
enum { GROUPS = 5 };

struct account {
  uint64_t lock, balance, moves;
};

__attribute__((noinline)) static void pay(struct account *accounts, const uint64_t *amounts, uint64_t *total) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(amounts);
    struct account *a = &accounts[mix(i) % GROUPS];
    asyncmem_lock(&a->lock);
    uint64_t before = a->balance;
    a->balance = before * 1 + (amounts[i] >> 5);
    a->moves++;
    asyncmem_unlock(&a->lock);
    total[i] = i;
  }
}

// Remote data under a lock, and a second lock inside the first.
__attribute__((noinline)) static void transfer(struct account *accounts, uint64_t *remote) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(remote);
    uint64_t m = mix(i);
    unsigned first = m % GROUPS, second = m / 8 % GROUPS;
    unsigned low = first < second ? first : second, high = first < second ? second : first;
    asyncmem_lock(&accounts[low].lock);
    if (low != high)
      asyncmem_lock(&accounts[high].lock);
    uint64_t x = __atomic_load_n(&remote[first], __ATOMIC_RELAXED);
    uint64_t y = __atomic_load_n(&remote[GROUPS + second], __ATOMIC_RELAXED);
    __atomic_store_n(&remote[first], x + (m >> 40), __ATOMIC_RELAXED);
    __atomic_store_n(&remote[GROUPS + second], y - (m >> 40), __ATOMIC_RELAXED);
    if (low != high)
      asyncmem_unlock(&accounts[high].lock);
    asyncmem_unlock(&accounts[low].lock);
  }
}

int main(void) {
  static struct account accounts[GROUPS];
  static uint64_t total[COUNT];
  uint64_t *amounts = remote_words(COUNT);
  pay(accounts, amounts, total);
  print_digest("accounts", accounts, sizeof accounts);
  transfer(accounts, amounts);
  print_digest("amounts", amounts, 2 * GROUPS * 8);
  print_digest("locks", accounts, sizeof accounts);
  return 0;
}
