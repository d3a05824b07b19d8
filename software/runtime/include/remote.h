/* SPDX-License-Identifier: Apache-2.0 */
/* Far memory: an arena at NHG_FAR_BASE of NHG_FAR_SIZE bytes on both targets, so that "is this pointer
   remote" is one range check. Contents are not initialised. */
#ifndef NHG_REMOTE_H
#define NHG_REMOTE_H

#include <stddef.h>
#include <stdint.h>

#include "platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns `bytes` of far memory aligned to 4096 bytes; ends the program with a message when there is no room. */
void *remote_alloc(size_t bytes);

/* Gives memory back. Blocks are reused in reverse order of allocation only: freeing the newest block makes
   room, freeing another one takes effect when all newer ones are free. */
void remote_free(void *pointer);

static __attribute__((unused)) int remote_contains(const void *pointer) {
  return (uint64_t)(uintptr_t)pointer - NHG_FAR_BASE < (uint64_t)NHG_FAR_SIZE;
}

#ifdef __cplusplus
}
#endif
#endif
