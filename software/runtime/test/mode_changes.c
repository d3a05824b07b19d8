// SPDX-License-Identifier: Apache-2.0
//
// Core cycles of what leads from one mode to another on NH-G, and of accesses of CSRs; code and data are in L1. A time stamp is a read of `cycle`, which
// is executed when all before it has retired: the first row says what two of them take by themselves, and the rows below it are from one to the next.
// Prints a table.
//   make -C software/runtime $PWD/build/runtime/test/mode_changes.elf && make run ELF=build/runtime/test/mode_changes.elf
#include <stdint.h>
#include <stdio.h>

#include "host.h"

enum { Rounds = 32, Accesses = 16 };

enum { Stamps, ToUser, ToMachine, Interrupt, Let, Kinds };
static const char *const names[Kinds] = {
    "two reads of cycle",           "mret to U mode",          "ecall in U mode to the handler",
    "store to msip to the handler", "csrs mip to the handler",
};

// One after the other, sixteen times.
#define CYCLES_OF(access)                                                                                              \
  ({                                                                                                                   \
    uint64_t begin, end;                                                                                               \
    __asm__ volatile("rdcycle %0\n.rept %c2\n" access "\n.endr\nrdcycle %1"                                            \
                     : "=&r"(begin), "=&r"(end)                                                                        \
                     : "i"(Accesses)                                                                                   \
                     : "t0", "memory");                                                                                \
    end - begin;                                                                                                       \
  })

// Into U mode, and by a system call out of it.
static void go_to_user(uint64_t spent[]) {
  uint64_t leaves, user, calls, machine;
  __asm__ volatile("la t0, 2f\n"
                   "csrrw t1, mtvec, t0\n"
                   "li t0, 3 << 11\n"
                   "csrc mstatus, t0\n"
                   "la t0, 1f\n"
                   "csrw mepc, t0\n"
                   "rdcycle %0\n"
                   "mret\n"
                   "1: rdcycle %1\n"
                   "rdcycle %2\n"
                   "ecall\n"
                   ".balign 4\n"
                   "2: rdcycle %3\n"
                   "csrw mtvec, t1"
                   : "=&r"(leaves), "=&r"(user), "=&r"(calls), "=&r"(machine)
                   :
                   : "t0", "t1", "memory");
  spent[ToUser] += user - leaves;
  spent[Stamps] += calls - user;
  spent[ToMachine] += machine - calls;
}

// `trigger` makes an interrupt pending, `end` ends it; t2 has the address of msip.
#define CYCLES_TO_HANDLER(enabled, trigger, end)                                                                       \
  ({                                                                                                                   \
    uint64_t before, after;                                                                                            \
    __asm__ volatile("la t0, 2f\n"                                                                                     \
                     "csrrw t1, mtvec, t0\n"                                                                           \
                     "mv t2, %2\n"                                                                                     \
                     "li t0, 1\n"                                                                                      \
                     "csrs mie, %3\n"                                                                                  \
                     "csrsi mstatus, 1 << 3\n"                                                                         \
                     "rdcycle %0\n" trigger "\n1: j 1b\n"                                                              \
                     ".balign 4\n"                                                                                     \
                     "2: rdcycle %1\n" end "\ncsrw mie, x0\n"                                                          \
                     "csrw mtvec, t1"                                                                                  \
                     : "=&r"(before), "=&r"(after)                                                                     \
                     : "r"(NHG_CLINT_MSIP), "r"(enabled)                                                               \
                     : "t0", "t1", "t2", "memory");                                                                    \
    after - before;                                                                                                    \
  })

static void print(const char *what, uint64_t spent, unsigned number) {
  const unsigned tenths = (unsigned)((spent * 10 + number / 2) / number);
  printf("%-38s %6u.%u\n", what, tenths / 10, tenths % 10);
}

int main(void) {
  uint64_t spent[Kinds], reads = 0, writes = 0, refetching = 0;
  __asm__ volatile("csrw pmpaddr0, %0\ncsrw pmpcfg0, %1\ncsrw mcounteren, %2\ncsrw scounteren, %2"
                   :
                   : "r"(-1l), "r"(0x1f), "r"(7));
  host_roi_begin();
  for (unsigned round = 0; round < 2; round++) { // the first fills caches and predictors
    for (unsigned k = 0; k < Kinds; k++)
      spent[k] = 0;
    for (unsigned i = 0; i < Rounds; i++) {
      go_to_user(spent);
      spent[Interrupt] += CYCLES_TO_HANDLER(1 << 3, "sw t0, 0(t2)", "sw x0, 0(t2)");
      spent[Let] += CYCLES_TO_HANDLER(1 << 1, "csrsi mip, 1 << 1", "csrci mip, 1 << 1");
    }
    reads = CYCLES_OF("csrr t0, mscratch");
    writes = CYCLES_OF("csrw mscratch, x0");
    refetching = CYCLES_OF("csrwi mcounteren, 7");
  }
  printf("cycles\n");
  for (unsigned k = 0; k < Kinds; k++)
    print(names[k], spent[k], Rounds);
  print("read of a CSR", reads, Accesses);
  print("write of a CSR", writes, Accesses);
  print("write of a CSR that decoding depends on", refetching, Accesses);
  host_roi_end();
}
