// SPDX-License-Identifier: Apache-2.0
// Reads of far memory, word by word, when L2's prefetcher has learned.
#define BASE NHG_FAR_BASE
#define BEFORE 6144
#define WORDS t2
#include "stream.h"
