// SPDX-License-Identifier: Apache-2.0
//
// Turns floating point on, with a rounding to nearest even and no flag raised, and defines every register. Called by crt0.S.
#define MSTATUS_FS_INITIAL (1 << 13)

  .globl enable_floating_point
enable_floating_point:
  li t0, MSTATUS_FS_INITIAL
  csrs mstatus, t0
  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  fmv.d.x f\n, zero
  .endr
  csrwi fcsr, 0
  ret
