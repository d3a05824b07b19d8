// SPDX-License-Identifier: Apache-2.0
// Reads of local memory, line by line, soon after reset.
#define BASE (NHG_LOCAL_BASE + 0x800000)
#define BEFORE 256
#define WORDS t2, t4, t5, t6, a1, a2, a3, a4
#include "stream.h"
