// SPDX-License-Identifier: Apache-2.0
//
// Start of a bare-metal program at the reset pc: defines every register (floating_point.S the floating-point ones), clears .bss, sets stack, global and
// thread pointer, installs the trap handler, runs constructors and main, this under Sv39 if it is crt0_pages.S. The first unexpected trap ends the
// program with a report (trap.c).
  .section .text.init, "ax", @progbits
  .globl _start
_start:
  .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  li x\n, 0
  .endr
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, __stack_top
  la tp, __tls_base
  la t0, trap_entry
  csrw mtvec, t0
  call enable_floating_point

  la t0, __bss_start
  la t1, __bss_end
clear_bss:
  bgeu t0, t1, bss_done
  sd zero, 0(t0)
  addi t0, t0, 8
  j clear_bss
bss_done:

  call __libc_init_array
#ifdef NHG_PAGES
  lui a0, %hi(__page_bits)
  addi a0, a0, %lo(__page_bits)
  call start_translation
  la t0, 1f
  csrw mepc, t0
  mret
1:
#endif
  li a0, 0
  li a1, 0
  call main
  call exit
  j .

  // Optional functions of the C library: an absent one would be address 0, out of reach of this code model.
  .weak _init
  .weak _fini
  .weak __call_exitprocs
_init:
_fini:
__call_exitprocs:
  ret

  .align 2
trap_entry:
  la sp, __trap_stack_top
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  call trap_report
  j .
