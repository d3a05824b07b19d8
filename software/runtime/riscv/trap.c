// SPDX-License-Identifier: Apache-2.0
//
// Reports a trap that no program expects and ends the program with status NHG_EXIT_STATUS_TRAP + cause.
#include <stdint.h>

#include "host.h"

static void put_text(const char *text) {
  while (*text)
    host_putchar(*text++);
}

static void put_hex(uint64_t value) {
  put_text("0x");
  for (int shift = 60; shift >= 0; shift -= 4)
    host_putchar("0123456789abcdef"[value >> shift & 15]);
}

// Called on its own stack by trap_entry.
void trap_report(uint64_t cause, uint64_t epc, uint64_t tval) {
  put_text("trap: cause ");
  put_hex(cause);
  put_text(" epc ");
  put_hex(epc);
  put_text(" tval ");
  put_hex(tval);
  if (cause == NHG_AMU_CAUSE) {
    put_text(" (AMU error code ");
    put_hex(tval >> NHG_AMI_TVAL_CODE_LSB);
    put_text(", see amu-ext/docs/ami.md)");
  }
  host_putchar('\n');
  host_exit(NHG_EXIT_STATUS_TRAP + (int)(cause & 0x7f));
}
