// SPDX-License-Identifier: Apache-2.0
// A software interrupt beside each AMU instruction, some instructions later each time, and while a bafin waits: every request is done once, every group
// taken once, and the interrupt is taken once.
#include "test.h"
#include "ami.h"
#include "modes.h"
#include "interrupts.h"

#define FAR_DATA (NHG_FAR_BASE + 0x10000)
#define VALUE 0x1122334455667788

  // In the turn of this place: makes the interrupt pending, and then so many instructions.
  .macro interrupt_here place, turn, delay
  .if \place == \turn
  sw s6, 0(s4)
  .rept \delay
  nop
  .endr
  .endif
  .endm

  // Two groups for getfin, then one for bafin, then what an astore has written.
  .macro take_groups turn, delay
  call begin_turn
  li t0, 5
  li t1, 2
  interrupt_here 0, \turn, \delay
  aset t0, t1
  li x30, FAR_DATA | SIZE_FIELD(3)
  li x31, REQUEST(5, 0)
  interrupt_here 1, \turn, \delay
  aload x30, x31
  li x30, (FAR_DATA + 64) | SIZE_FIELD(3)
  li x31, REQUEST(5, 8)
  interrupt_here 2, \turn, \delay
  aload x30, x31
  li t0, 6
  interrupt_here 3, \turn, \delay
  await x0, t0
  interrupt_here 4, \turn, \delay
  asignal t0
  interrupt_here 5, \turn, \delay
1:getfin a0
  add a1, a1, a0
  bne a1, s5, 1b
  la x30, 3f
  li x31, NHG_AMU_CONFIG_TARGET_BASE
  aconfig x30, x31
  li x30, FAR_DATA | SIZE_FIELD(3)
  li x31, REQUEST(6, 0)
  interrupt_here 6, \turn, \delay
  aload x30, x31
  interrupt_here 7, \turn, \delay
2:bafin a2
  beqz a2, 2b
  li a2, 0
3:li x30, (FAR_DATA + 128) | SIZE_FIELD(3)
  li x31, REQUEST(5, 0)
  interrupt_here 8, \turn, \delay
  astore x30, x31
4:getfin a0
  beqz a0, 4b
  call end_turn
  .endm

  test_begin
  interrupts_begin
  take_spm_way
  li s0, FAR_DATA
  li s1, VALUE
  li s2, 0 // turns
  li s3, NHG_SPM_BASE + 5 * 64
  li s4, NHG_CLINT_MSIP
  li s5, 5 + 6
  li s6, 1
  sd s1, 0(s0)
  sd s1, 64(s0)
  csrwi mie, 1 << MSI
  csrsi mstatus, STATUS_MIE
  .irp delay, 0, 1, 2, 3, 5, 8, 13, 21, 34, 55
  .irp turn, 0, 1, 2, 3, 4, 5, 6, 7, 8
  take_groups \turn, \delay
  .endr
  .endr
  check_eq 10, s2, 90
  j finish

begin_turn:
  sd x0, 0(s3)
  sd x0, 8(s3)
  sd x0, 64(s3)
  sd x0, 128(s0)
  li a1, 0
  ret

end_turn:
  check_eq 1, a0, 5
  srli a2, a2, 39
  check_eq 2, a2, 6 * 64
  fence
  .irp place, 0(s3), 8(s3), 64(s3), 128(s0)
  ld a0, \place
  check_same 3, a0, s1
  .endr
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 4, a0, 0
1:beqz s11, 1b
  check_taken 5, 1, INTERRUPT | MSI, 0
  addi s2, s2, 1
  ret

finish:
  test_end
  interrupt_handlers
