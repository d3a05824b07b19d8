// SPDX-License-Identifier: Apache-2.0
//
// The AMU's scratchpad is a way of L2 that a program has to take (amu-ext/docs/ami.md). The compiler has this called before main, once for each
// translation unit with loops that use the AMU; other programs keep the way for the cache.
#include "platform.h"

void __asyncmem_start_amu(void);

void __asyncmem_start_amu(void) {
  __asm__ volatile("csrs %0, %1" ::"i"(NHG_CSR_AMUCTL), "r"(1 << NHG_AMI_AMUCTL_SPM_WAY_LSB) : "memory");
}
