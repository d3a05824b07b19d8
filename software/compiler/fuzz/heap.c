// SPDX-License-Identifier: Apache-2.0
// remote_alloc() for sanitized programs: the heap, so that every array has its guard zones. The
// runtime's far memory lies where the address sanitizer keeps its shadow.
#include <stdlib.h>

#include "remote.h"

void *remote_alloc(size_t bytes) {
  void *data;
  if (posix_memalign(&data, 4096, bytes) != 0)
    abort();
  return data;
}

void remote_free(void *pointer) { free(pointer); }
