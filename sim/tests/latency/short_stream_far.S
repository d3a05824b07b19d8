// SPDX-License-Identifier: Apache-2.0
// Reads of far memory.
#define BASE NHG_FAR_BASE
#include "short_stream.h"
