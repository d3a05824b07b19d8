// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "mix.h"

float *bag_weights;
uint32_t *bag_indices;
uint64_t *bag_offsets;
float bag_sums[BENCH_END][BAG_COLUMNS];

// Weights of a row are bytes of its random number, from the bit of the column on.
static uint64_t weight_of(uint64_t random, uint64_t column) { return random >> column & 255; }

static uint64_t index_of(uint64_t element) { return mix64(~element) >> (64 - BAG_LOG2_ROWS); }

// From 4 to 11 elements
static uint64_t size_of(uint64_t bag) { return 4 + (mix64(bag) >> 61); }

void bench_init(void) {
  bag_weights = remote_alloc(BAG_ROWS * BAG_COLUMNS * sizeof *bag_weights);
  for (uint64_t row = 0; row < BAG_ROWS; ++row)
    for (uint64_t column = 0; column < BAG_COLUMNS; ++column)
      bag_weights[row * BAG_COLUMNS + column] = weight_of(mix64(row), column);
  bag_offsets = remote_alloc((BENCH_END + 1) * sizeof *bag_offsets);
  bag_offsets[0] = 0;
  for (uint64_t bag = 0; bag < BENCH_END; ++bag)
    bag_offsets[bag + 1] = bag_offsets[bag] + size_of(bag);
  bag_indices = remote_alloc(bag_offsets[BENCH_END] * sizeof *bag_indices);
  for (uint64_t element = 0; element < bag_offsets[BENCH_END]; ++element)
    bag_indices[element] = (uint32_t)index_of(element);
}

// In whole numbers from what the arrays were made of.
bool bench_verify(uint64_t count) {
  uint64_t element = 0;
  for (uint64_t bag = 0; bag < BENCH_FIRST + count; ++bag) {
    uint64_t sums[BAG_COLUMNS] = {0};
    for (uint64_t end = element + size_of(bag); element < end; ++element) {
      uint64_t random = mix64(index_of(element));
      for (uint64_t column = 0; column < BAG_COLUMNS; ++column)
        sums[column] += weight_of(random, column);
    }
    for (uint64_t column = 0; bag >= BENCH_FIRST && column < BAG_COLUMNS; ++column)
      if (bag_sums[bag][column] != (float)sums[column])
        return false;
  }
  return true;
}
