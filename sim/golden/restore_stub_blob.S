// SPDX-License-Identifier: Apache-2.0
//
// Embeds the assembled restore stub (raw RISC-V code) in the host program.
  .section .rodata
  .globl nhg_restore_stub
  .globl nhg_restore_stub_end
nhg_restore_stub:
  .incbin "restore_stub.bin"
nhg_restore_stub_end:
  .section .note.GNU-stack, "", @progbits
