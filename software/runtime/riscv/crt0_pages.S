// SPDX-License-Identifier: Apache-2.0
//
// The start of a program under Sv39, which the linker gives the size of pages as __page_bits.
#define NHG_PAGES
#include "crt0.S"
