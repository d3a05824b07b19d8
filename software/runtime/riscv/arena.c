// SPDX-License-Identifier: Apache-2.0
#include "arena.h"

// Far memory is part of the platform.
int arena_ready(void) { return 1; }
