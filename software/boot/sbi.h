// SPDX-License-Identifier: Apache-2.0
//
// Calls of the firmware, by the SBI specification 2.0.
#ifndef NHG_BOOT_SBI_H
#define NHG_BOOT_SBI_H

#include <stdint.h>

enum {
  SBI_BASE = 0x10,
  SBI_TIME = 0x54494d45,          // "TIME"
  SBI_SYSTEM_RESET = 0x53525354,  // "SRST"
  SBI_DEBUG_CONSOLE = 0x4442434e, // "DBCN"
};
enum { SBI_BASE_PROBE = 3 };

struct sbi_result {
  long error, value;
};

static inline struct sbi_result sbi_call(long extension, long function, uint64_t first, uint64_t second,
                                         uint64_t third) {
  register uint64_t a0 __asm__("a0") = first, a1 __asm__("a1") = second;
  register uint64_t a2 __asm__("a2") = third;
  register long a6 __asm__("a6") = function, a7 __asm__("a7") = extension;
  __asm__ volatile("ecall" : "+r"(a0), "+r"(a1) : "r"(a2), "r"(a6), "r"(a7) : "memory");
  return (struct sbi_result){(long)a0, (long)a1};
}
#endif
