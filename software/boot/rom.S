// SPDX-License-Identifier: Apache-2.0
//
// Boot ROM: reset in machine mode. Lets supervisor mode use the AMU, which OpenSBI does not know of (it keeps what it finds in mstateen0): the grant, and
// the SPM way of L2 (amu-ext/docs/ami.md). Registers have no value after reset, and OpenSBI reads some before it writes them. OpenSBI gets the hart in a0
// and the device tree in a1.
#include "platform.h"

#define MSTATEEN0_C 1

  .section .rom, "ax", @progbits
  .globl reset
reset:
  .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  li x\n, 0
  .endr
  csrsi mstateen0, MSTATEEN0_C
  csrsi NHG_CSR_AMUCTL, 1 << NHG_AMI_AMUCTL_SPM_WAY_LSB
  csrr a0, mhartid
  la a1, device_tree
  li t0, NHG_LOCAL_BASE
  jr t0

  .balign 8
device_tree:
  .incbin "device_tree.dtb"

  .section .firmware, "ax", @progbits
  .incbin "fw_jump.bin"
