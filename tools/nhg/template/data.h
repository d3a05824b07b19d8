// SPDX-License-Identifier: Apache-2.0
// Far array of 2^@UPPER@_LOG2_WORDS words; operation i stores the word at a random place in a local array.
#pragma once
#include "mix.h"

#define @UPPER@_WORDS (1ul << @UPPER@_LOG2_WORDS)

extern uint64_t *@NAME@_words;
extern uint64_t @NAME@_found[];

static inline uint64_t @NAME@_index(uint64_t operation) { return mix64(operation) >> (64 - @UPPER@_LOG2_WORDS); }
