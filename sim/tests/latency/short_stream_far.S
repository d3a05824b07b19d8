// SPDX-License-Identifier: Apache-2.0
// Reads of far memory, line by line, soon after reset.
#define BASE NHG_FAR_BASE
#define BEFORE 256
#define WORDS t2, t4, t5, t6, a1, a2, a3, a4
#include "stream.h"
