// SPDX-License-Identifier: Apache-2.0
// Bases in the upper half of Sv39: they read back as they were written, and bafin jumps there, also where the BTQ knew the target.
#include "test.h"
#include "modes.h"
#include "ami.h"
#include "tables.h"

#define UPPER (-0x40000000)
#define CONTEXTS (UPPER + 0x3000)
#define CONTEXT_BYTES 48
#define ID 5

  .macro configured number, register, value
  configure \register, \value
  csrr a0, NHG_CSR_AMUCFG0 + \register
  check_eq \number, a0, \value
  .endm

  test_begin
  modes_begin
  take_spm_way
  flat_pages root
  map root, 511, middle, V
  map middle, 0, last, V
  map last, 0, code, V | R | X | A
  li t0, 1
  csrw mstateen0, t0
  use_root root, 1
  configured 1, NHG_AMU_CONFIG_HANDLER_BASE, -0x4000000000
  configured 2, NHG_AMU_CONFIG_HANDLER_BASE, CONTEXTS
  configured 3, NHG_AMU_CONFIG_HANDLER_SIZE, CONTEXT_BYTES
  configured 4, NHG_AMU_CONFIG_SPM_BASE, -4096
  configured 5, NHG_AMU_CONFIG_TARGET_BASE, UPPER + 0x10
  check_no_trap 6

  enter SUPERVISOR
  li s0, 8
next:
  li x30, NHG_FAR_BASE | SIZE_FIELD(3) | TARGET_FIELD(-4)
  li x31, REQUEST(ID, 0)
  aload x30, x31
  la ra, resumed
poll:
  bafin a0
  beqz a0, poll
  check_eq 7, x0, 1
resumed:
  li t0, (ID * 64) << 39 | ADDRESS_FIELD(CONTEXTS + ID * CONTEXT_BYTES)
  check_same 8, a0, t0
  check_eq 9, a1, UPPER + 8
  addi s0, s0, -1
  bnez s0, next
  check_no_trap 10
  to_machine
  test_end

  mode_handlers

  .data
  pages root, middle, last
code:
  .skip 8
  auipc a1, 0
  ret
