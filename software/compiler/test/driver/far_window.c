// SPDX-License-Identifier: Apache-2.0
// Where something else is in the window of far memory, as under the address sanitizer, the message says so.
// RUN: %coroamu_cc -O1 %s -o %t
// RUN: not %t | FileCheck %s
// CHECK: remote_alloc: something else is in the window of far memory, {{0x[0-9a-f]+ to 0x[0-9a-f]+}}, as the shadow of -fsanitize=address is; use malloc there
#define _GNU_SOURCE
#include "asyncmem.h"
#include <sys/mman.h>

int main(void) {
  mmap((void *)NHG_FAR_BASE, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return remote_alloc(8) == NULL;
}
