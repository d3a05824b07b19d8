// SPDX-License-Identifier: Apache-2.0
//
// Regions of memory protection for programs on test.h.
#ifndef NHG_PMP_H
#define NHG_PMP_H

#define PMP_NONE 0
#define PMP_R 1
#define PMP_RW 3
#define PMP_X 4
#define PMP_RX 5
#define PMP_RWX 7
#define PMP_TOR (1 << 3)
#define PMP_NA4 (2 << 3)
#define PMP_NAPOT (3 << 3)
#define PMP_LOCKED (1 << 7)
#define PMP_LAST 15
// pmpaddr of `bytes`, a power of two from 4096 on, at their multiple `base`; and of all memory.
#define NAPOT_ADDRESS(base, bytes) ((base) >> 2 | ((bytes) >> 3) - 1)
#define NAPOT_ALL 0x3ffffffff

  // `config` of region `index`, which is off before or locked never; clobbers x30, x31.
  .macro region index, address, config
  li x31, \address
  csrw pmpaddr\index, x31
  region_config \index, \config
  .endm
  .macro region_config index, config
  li x30, 0xff << (8 * (\index % 8))
  li x31, (\config) << (8 * (\index % 8))
  .if \index < 8
  csrrc x30, pmpcfg0, x30
  csrs pmpcfg0, x31
  .else
  csrrc x30, pmpcfg2, x30
  csrs pmpcfg2, x31
  .endif
  .endm

  // The last region allows all, which another may be cut out of; no other is on.
  .macro regions_begin
  region 15, NAPOT_ALL, PMP_NAPOT | PMP_RWX
  csrw pmpcfg0, x0
  .endm

#endif
