// SPDX-License-Identifier: Apache-2.0
//
// Producers read an array in far memory, consumers write another one.
#pragma once
#include "check.h"
#include "remote.h"

enum { Producers = 9, Consumers = 5, ItemsOfProducer = 5 * SCALE, Items = Producers * ItemsOfProducer };

static uint64_t *input, *output;

static inline uint64_t made_from(uint64_t item) { return item * item + 1; }

static inline void make_arrays(void) {
  input = (uint64_t *)remote_alloc(Items * sizeof(uint64_t));
  output = (uint64_t *)remote_alloc(Items * sizeof(uint64_t));
  for (uint64_t i = 0; i < Items; ++i) {
    input[i] = scattered(i);
    output[i] = 0;
  }
}

static inline void check_output(void) {
  for (uint64_t i = 0; i < Items; ++i)
    CHECK(output[i] == made_from(scattered(i)));
}
