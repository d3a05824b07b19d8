// SPDX-License-Identifier: Apache-2.0
//
// The kernel, where OpenSBI jumps to (image.ld); boot ROM and OpenSBI are those of software/boot/rom.S.
  .section .kernel, "ax", @progbits
  .incbin "kernel/arch/riscv/boot/Image"
