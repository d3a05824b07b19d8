// SPDX-License-Identifier: Apache-2.0
//
// What runs in user mode. It sees the rest of the machine by calls (boot.h) alone, and far memory and the AMU directly.
#include "boot.h"

static long call(long number, uint64_t first, uint64_t second) {
  register uint64_t a0 __asm__("a0") = first, a1 __asm__("a1") = second;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a7) : "memory");
  return (long)a0;
}

// Counts calls; status 0 when each was counted.
void user_calls(void) {
  static const char text[] = "user: hello by a call\n";
  call(CALL_WRITE, (uint64_t)text, sizeof text - 1);
  int wrong = 0;
  for (long i = 1; i <= 100; i++)
    wrong += call(CALL_COUNT, 0, 0) != i;
  call(CALL_EXIT, (uint64_t)wrong, 0);
}

void user_updates(void) {
  gups((uint64_t *)NHG_FAR_BASE);
  call(CALL_EXIT, 0, 0);
}
