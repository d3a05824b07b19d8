// SPDX-License-Identifier: Apache-2.0
//
// Makes the far-memory arena accessible; each target has its own implementation.
#ifndef NHG_ARENA_H
#define NHG_ARENA_H

// Returns 1 when the arena can be used. Cheap after the first call.
int arena_ready(void);

#endif
