// SPDX-License-Identifier: Apache-2.0
//
// For list.rs: what list/data.h has inline.
#include "data.h"

uint64_t list_begin(uint64_t operation) { return list_head(operation); }
