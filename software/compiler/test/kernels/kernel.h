// SPDX-License-Identifier: Apache-2.0
// A kernel in the form public code has it. As a program (exec test) it runs on little data and prints a digest; as a library
// (-DKERNEL_LIBRARY, measure.py) its variants run in turn on the same data.
#ifndef KERNEL_H
#define KERNEL_H

#include "../exec/common.h"
#include "asyncmem.h"
#include <stdlib.h>
#include <string.h>

#ifdef KERNEL_BYTES_IN_FRONT // a string, measure.py --placements
__asm__(".text\n.skip " KERNEL_BYTES_IN_FRONT ", 0x90");
#endif

// Data of about `bytes`, made from a seed; the same for every variant.
void *kernel_make(size_t bytes);
// Before each run: forgets what the run before it did.
void kernel_reset(void *data);
// What is measured. \returns a number that every variant must find.
uint64_t kernel_run(void *data);

#ifndef KERNEL_LIBRARY
int main(void) {
  void *data = kernel_make(30000);
  for (int i = 0; i < 3; ++i) {
    kernel_reset(data);
    uint64_t found = kernel_run(data);
    print_digest("found", &found, sizeof found);
  }
  return 0;
}
#endif

#endif
