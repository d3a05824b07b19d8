// SPDX-License-Identifier: Apache-2.0
// Reads of local memory.
#define BASE (NHG_LOCAL_BASE + 0x800000)
#include "short_stream.h"
