// SPDX-License-Identifier: Apache-2.0
//
// How the programs here end when something is wrong, and their numbers without order.
#pragma once
#include <stdio.h>

#include "host.h"

#define CHECK(holds)                                                                                                   \
  do {                                                                                                                 \
    if (!(holds)) {                                                                                                    \
      printf("%s:%d: does not hold: %s\n", __FILE__, __LINE__, #holds);                                                \
      host_exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

static inline uint64_t scattered(uint64_t n) {
  n = (n + 1) * 0x9e3779b97f4a7c15u;
  return (n ^ n >> 32) * 0xbf58476d1ce4e5b9u >> 20;
}
