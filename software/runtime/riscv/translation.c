// SPDX-License-Identifier: Apache-2.0
//
// The start of a program under Sv39 (PAGES of make run): in supervisor mode, with every address of the platform mapped to itself by pages of one size, as
// an operating system maps what a program uses. All traps stay with machine mode, where trap.c reports them.
#include <stdint.h>

#include "platform.h"

enum { Entries = 512, IndexBits = 9, GigaBits = 30 };
enum { Valid = 1 << 0, Page = Valid | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 6 | 1 << 7 }; // R, W, X, A, D

extern uint64_t __page_tables[]; // program.ld
static uint64_t *unused = __page_tables;

// A table for what lies from `address` on, 2^bits bytes by each entry; pages have 2^page_bits.
static uint64_t *table(uint64_t address, unsigned bits, unsigned page_bits) {
  const uint64_t end = NHG_FAR_BASE + NHG_FAR_SIZE;
  uint64_t *const made = unused;
  unused += Entries;
  for (unsigned i = 0; i < Entries; i++, address += (uint64_t)1 << bits) {
    uint64_t target = address, rights = Page;
    if (address < end && bits != page_bits) {
      target = (uint64_t)table(address, bits - IndexBits, page_bits);
      rights = Valid;
    }
    made[i] = address < end ? target >> 2 | rights : 0;
  }
  return made;
}

void start_translation(unsigned page_bits);

// From machine mode; the next mret enters supervisor mode.
void start_translation(unsigned page_bits) {
  const uint64_t all_memory = 0x1f, counters = 7, sv39 = (uint64_t)8 << 60, machine = (uint64_t)3 << 11,
                 supervisor = 1 << 11, custom = 1;
  const uint64_t root = (uint64_t)table(0, GigaBits, page_bits);
  __asm__ volatile("csrw pmpaddr0, %0\n\tcsrw pmpcfg0, %1" ::"r"((uint64_t)-1), "r"(all_memory));
  __asm__ volatile("csrw mcounteren, %0\n\tcsrw mstateen0, %1" ::"r"(counters), "r"(custom));
  __asm__ volatile("csrc mstatus, %0\n\tcsrs mstatus, %1" ::"r"(machine), "r"(supervisor));
  __asm__ volatile("csrw satp, %0\n\tsfence.vma" ::"r"(sv39 | root >> 12) : "memory");
}
