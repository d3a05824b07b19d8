// SPDX-License-Identifier: Apache-2.0
//
// Core cycles of a dependent load on NH-G, translated by Sv39, by what is known of its page: pointer chases through pages that the TLB of loads has, that the
// L2 TLB has, and that neither has, whose table entries are in L1D (written before), L2, L3 or far memory; the table of the page itself is known, so a walk
// reads one line. Data is in L1D always. Then of an sfence.vma without anything under way, and of the first load behind one: a walk of all three tables
// in L2. Loads and stores of M mode are translated by MPRV. Prints a table.
//   make -C software/runtime $PWD/build/runtime/test/page_walks.elf && make run ELF=build/runtime/test/page_walks.elf LAT=100
#include <stdint.h>
#include <stdio.h>

#include "host.h"

enum {
  PageBytes = 4096,
  LineBytes = 64,
  PageLog = 12,
  Entries = 512,
  Sector = 8,
  Sectors = Entries / Sector,
  Rounds = 16
};
enum { Leaf = 0xcf, Pointer = 1 }; // V R W X A D, and V
// Lines of memory this far apart share a set of L2, or of L3 and L2; twice the ways of it and more push a line out.
enum { L2Stride = 512 * LineBytes, L3Stride = 4096 * LineBytes, Conflicts = 24 };
static const uint64_t Window = 0x3000000000, Sv39 = 8ul << 60, Mprv = 1 << 17, SupervisorBefore = 1 << 11;

static uint64_t root[Entries] __attribute__((aligned(4096))), middle[Entries] __attribute__((aligned(4096)));
// Nothing else of this program is there: 2 MiB of pages, and behind them what evicts.
static char *const local_unused = (char *)(NHG_LOCAL_BASE + NHG_LOCAL_SIZE / 2);
static char *const far_unused = (char *)(NHG_FAR_BASE + (NHG_FAR_SIZE / 2));
static volatile uint64_t sum;

static void fence(void) { __asm__ volatile("sfence.vma" ::: "memory"); }

// The leaves of 512 pages of data, in `last`.
static void map(volatile uint64_t *last) {
  root[Window >> 30] = (uintptr_t)middle >> PageLog << 10 | Pointer;
  middle[0] = (uintptr_t)last >> PageLog << 10 | Pointer;
  for (unsigned i = 0; i < Entries; i++)
    last[i] = ((uintptr_t)local_unused / PageBytes + i) << 10 | Leaf;
  __asm__ volatile("csrw satp, %0" ::"r"(Sv39 | (uintptr_t)root >> PageLog));
  fence();
}

// The word of a page that a chase reads; those of different pages lie in different sets of L1D.
static uint64_t offset(unsigned page) {
  return page * (uint64_t)PageBytes + (page + page / Sector) % Sectors * LineBytes;
}

// Links `pages` pages, `stride` apart, to a cycle. So their lines are in L1D.
static void link_pages(unsigned pages, unsigned stride) {
  for (unsigned i = 0; i < pages; i++)
    *(uint64_t *)(local_unused + offset(i * stride)) = Window + offset((i + 1) % pages * stride);
}

// Cycles of so many dependent loads from a page on, translated.
static uint64_t chase(unsigned page, unsigned loads) {
  uint64_t at = Window + offset(page), begin, end;
  __asm__ volatile("csrs mstatus, %4\n"
                   "rdcycle %0\n"
                   "1: ld %1, 0(%1)\n"
                   "addi %3, %3, -1\n"
                   "bnez %3, 1b\n"
                   "rdcycle %2\n"
                   "csrc mstatus, %4\n"
                   : "=&r"(begin), "+&r"(at), "=&r"(end), "+&r"(loads)
                   : "r"(Mprv)
                   : "memory");
  sum += at;
  return end - begin;
}

// What no load behind `sfence.vma` may find by itself: the page of the first sector, and so its table.
static uint64_t walks(void) {
  chase(0, 1);
  return chase(Sector, Sectors - 1);
}

// Reads lines of the sets that a table's lines are in, until these are gone; behind the table nothing is used.
static void evict(const volatile uint64_t *table, unsigned stride) {
  for (unsigned k = 1; k <= Conflicts; k++)
    for (unsigned line = 0; line < Sectors; line++)
      sum += table[(k * (uint64_t)stride + line * LineBytes) / sizeof *table];
}

static void print(const char *what, uint64_t spent, unsigned number) {
  const unsigned tenths = (unsigned)((spent * 10 + number / 2) / number);
  printf("%-38s %6u.%u\n", what, tenths / 10, tenths % 10);
}

static uint64_t cycles_of_fence(void) {
  uint64_t begin, end;
  __asm__ volatile("rdcycle %0\nsfence.vma\nrdcycle %1" : "=r"(begin), "=r"(end)::"memory");
  return end - begin;
}

int main(void) {
  volatile uint64_t *const near_table = (uint64_t *)(local_unused + Entries * PageBytes);
  volatile uint64_t *const far_table = (uint64_t *)far_unused;
  __asm__ volatile("csrw pmpaddr0, %0\ncsrw pmpcfg0, %1\ncsrs mstatus, %2" ::"r"(-1l), "r"(0x1f),
                   "r"(SupervisorBefore));
  host_roi_begin();
  printf("cycles a load\n");
  map(near_table);
  link_pages(Sector, 1);
  chase(0, Sector);
  print("a page that the TLB has", chase(0, 8 * Sector), 8 * Sector);
  link_pages(32, 1);
  chase(0, 32);
  print("a page that the L2 TLB has", chase(0, 64), 64);

  link_pages(Sectors, Sector);
  for (unsigned i = 0; i < Entries; i += Sector)
    near_table[i] = near_table[i];
  fence();
  print("a walk, table in L1D", walks(), Sectors - 1);
  fence();
  print("a walk, table in L2", walks(), Sectors - 1);
  evict(near_table, L2Stride);
  link_pages(Sectors, Sector);
  fence();
  print("a walk, table in L3", walks(), Sectors - 1);
  map(far_table);
  evict(far_table, L3Stride);
  link_pages(Sectors, Sector);
  fence();
  print("a walk, table in far memory", walks(), Sectors - 1);

  uint64_t fences = 0, first = 0;
  for (unsigned round = 0; round < Rounds; round++) {
    fences += cycles_of_fence();
    first += chase(0, 1);
  }
  print("sfence.vma", fences, Rounds);
  print("the first load behind it", first, Rounds);
  host_roi_end();
}
