// SPDX-License-Identifier: Apache-2.0
// Streams up and down to the edges of a region of memory protection: prefetches read no line inside it (docs/design/core/prefetcher.md).
#include "test.h"
#include "modes.h"
#include "pmp.h"

#define PAGE_BYTES 0x1000
#define LINE_BYTES 64
#define DENIED (NHG_FAR_BASE + 0x100000)
#define STREAM_BYTES (16 * PAGE_BYTES)
#define LINES (STREAM_BYTES / LINE_BYTES)

  // Loads a word of each line from `first` on; whole pages, so that all that is read lies among them. The counter is 0 on the golden model.
  .macro stream number, first, step
  li s2, NHG_FAR_CONTROL_CTRL
  li t0, 1
  sd t0, 0(s2)
  li t1, \first
  li t2, LINES
1:ld a0, 0(t1)
  addi t1, t1, \step
  addi t2, t2, -1
  bnez t2, 1b
  fence
  li t2, 4000 // loads of a stream that went on have begun by then
2:addi t2, t2, -1
  bnez t2, 2b
  li t0, 2
  sd t0, 0(s2)
  li s3, NHG_FAR_CONTROL_READS
  ld a1, 0(s3)
  li a2, LINES
  sltu a0, a2, a1
  check_eq \number, a0, 0
  .endm

  test_begin
  modes_begin
  regions_begin
  region 1, NAPOT_ADDRESS(DENIED, PAGE_BYTES), PMP_NAPOT | PMP_NONE | PMP_LOCKED
  stream 1, DENIED - STREAM_BYTES, LINE_BYTES
  stream 2, DENIED + PAGE_BYTES + STREAM_BYTES - LINE_BYTES, -LINE_BYTES
  li s0, DENIED
  ld a0, 0(s0)
  check_trap 3, 5, DENIED
  test_end
  mode_handlers
