// SPDX-License-Identifier: Apache-2.0
//
// Contents of memory for the latency bench: every word holds its own number, and only that may be written.
#include <cstdint>
#include <cstdio>

#include "svdpi.h"

static uint32_t number(unsigned long long address) { return static_cast<uint32_t>(address >> 5); }

extern "C" int nhg_memory_read(unsigned long long address, svBitVecVal *data) {
  for (int i = 0; i < 8; i++)
    data[i] = number(address);
  return 0;
}

extern "C" int nhg_memory_write(unsigned long long address, const svBitVecVal *data, unsigned strobes) {
  for (int i = 0; i < 8; i++)
    if (data[i] != number(address) || strobes != ~0u) {
      fprintf(stderr, "wrong data are written at %llx\n", address);
      return 1;
    }
  return 0;
}
