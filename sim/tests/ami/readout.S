// SPDX-License-Identifier: Apache-2.0
// amuid and amustate: every state of an ID is read out and forgotten; what random programs of S mode left is saved, another owner uses every ID, and after it
// has been restored it is the same and comes to its end.
#include "test.h"
#include "ami.h"
#include "modes.h"

#define TABLE (NHG_LOCAL_BASE + 0x100000) // by ID; behind it the order of what had finished, 0 ends it
#define SECOND (NHG_LOCAL_BASE + 0x104000)
#define TAKEN (NHG_LOCAL_BASE + 0x108000)
#define ORDER 0x1000
#define IDS (NHG_AMU_MAX_ID + 1)
#define FAR_DATA (NHG_FAR_BASE + 0x200000)
#define OUTSTANDING (1 << NHG_AMI_AMUSTATE_OUTSTANDING_LSB)
#define WAITING (1 << NHG_AMI_AMUSTATE_WAITING_LSB)
#define SIGNALLED (1 << NHG_AMI_AMUSTATE_SIGNALLED_LSB)
#define REQUESTS(n) ((n) << NHG_AMI_AMUSTATE_REQUESTS_LSB)
#define TARGET(t) ((t) << NHG_AMI_AMUSTATE_TARGET_LSB)
#define TARGET_SHIFT (NHG_AMI_ADDRESS_WORD_TARGET_LSB - NHG_AMI_AMUSTATE_TARGET_LSB)
#define LAST NHG_AMU_MAX_ID

  // Checks `number` and `number` + 1: the first ID from `from` on that is not free, and its state.
  .macro check_selected number, from, id, state
  li a0, \from
  csrw NHG_CSR_AMUID, a0
  csrr a0, NHG_CSR_AMUID
  check_eq \number, a0, \id
  csrr a0, NHG_CSR_AMUSTATE
  check_eq \number + 1, a0, \state
  .endm

  .macro forget from
  li a0, \from
  csrw NHG_CSR_AMUID, a0
  csrw NHG_CSR_AMUSTATE, a0
  .endm

  .macro with_target name, id, target
  li x30, TARGET_FIELD(\target) | SIZE_FIELD(3) | FAR_DATA
  li x31, REQUEST(\id, 0)
  \name x30, x31
  .endm

  // A number of 31 bits.
  .macro rand rd
  mul a7, a7, a6
  addi a7, a7, 1013
  srli \rd, a7, 33
  .endm

  // The state of ID t1 in t2: of the table at a0.
  .macro state_of_id
  slli t2, t1, 3
  add t2, t2, a0
  ld t2, 0(t2)
  .endm

  .macro requests rd
  srli \rd, t2, NHG_AMI_AMUSTATE_REQUESTS_LSB
  andi \rd, \rd, (1 << NHG_AMI_AMUSTATE_REQUESTS_BITS) - 1
  .endm

  // The address word with the target of the state in t2.
  .macro target_word rd
  srli \rd, t2, NHG_AMI_AMUSTATE_TARGET_LSB
  slli \rd, \rd, NHG_AMI_ADDRESS_WORD_TARGET_LSB
  .endm

  test_begin
  modes_begin
  take_spm_way
  check_selected 1, 0, 0, 0
  li t0, 5
  li t1, 3
  aset t0, t1
  check_selected 3, 1, 5, REQUESTS(3)
  with_target aload, 5, -3
  with_target await, 7, 0x12345
  li t0, 9
  asignal t0
  with_target astore, LAST, 11
  li t0, LAST
  asignal t0
  check_selected 5, 0, 5, OUTSTANDING | REQUESTS(2) | TARGET(0x1ffffd)
  check_selected 7, 5, 5, OUTSTANDING | REQUESTS(2) | TARGET(0x1ffffd)
  check_selected 9, 6, 7, OUTSTANDING | WAITING | TARGET(0x12345)
  check_selected 11, 8, 9, SIGNALLED
  check_selected 13, 10, LAST, OUTSTANDING | SIGNALLED | TARGET(11)
  check_selected 15, LAST, LAST, OUTSTANDING | SIGNALLED | TARGET(11)
  check_selected 17, LAST + 1, 0, 0
  check_selected 19, -1, 0, 0
  // With none selected a write forgets none; the state is that of the selection until then
  csrw NHG_CSR_AMUSTATE, x0
  check_selected 21, 1, 5, OUTSTANDING | REQUESTS(2) | TARGET(0x1ffffd)
  with_target aload, 5, 0
  csrr a0, NHG_CSR_AMUSTATE
  check_eq 23, a0, OUTSTANDING | REQUESTS(2) | TARGET(0x1ffffd)
  csrw NHG_CSR_AMUSTATE, x0
  csrr a0, NHG_CSR_AMUSTATE
  check_eq 24, a0, 0
  forget 6
  check_selected 25, 0, 9, SIGNALLED
  forget 9
  forget LAST // but its group has finished
  check_selected 27, 0, LAST, OUTSTANDING | TARGET(11)
  csrr a0, NHG_CSR_AMUSTAT
  slli a0, a0, 48
  srli a0, a0, 48
  check_eq 29, a0, 1
  wait_any a0
  check_eq 30, a0, LAST
  check_selected 31, 1, 0, 0
  // What was forgotten can begin anew, and the signal has gone
  with_target aload, 5, 1
  wait_any a0
  check_eq 33, a0, 5
  .irp id, 7, 9, LAST
  with_target await, \id, 1
  check_selected 34, 1, \id, OUTSTANDING | WAITING | TARGET(1)
  li t0, \id
  asignal t0
  wait_any a0
  check_eq 36, a0, \id
  .endr
  getfin a0
  check_eq 37, a0, 0
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 38, a0, 0
  check_no_trap 39

  // Random states, in S mode
  csrwi mstateen0, 1
  enter SUPERVISOR
  li a6, 0x5851f42d4c957f2d
  li a7, 1
  li a0, TABLE
  call clear
  li a0, SECOND
  call clear
  li a0, TAKEN
  call clear
  call leave_states
  li a0, TABLE
  call save
  csrr a1, NHG_CSR_AMUSTAT
  check_eq 40, a1, 0
  check_selected 41, 1, 0, 0
  call other_owner
  li a0, TABLE
  call restore
  li a0, SECOND
  call save
  call compare
  li a0, SECOND
  call restore
  call finish
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 45, a0, 0
  check_selected 46, 1, 0, 0
  to_machine
  check_no_trap 48
  test_end

clear:
  li t1, IDS
1:sd x0, 0(a0)
  addi a0, a0, 8
  addi t1, t1, -1
  bnez t1, 1b
  ret

  // Half of the IDs stay free.
leave_states:
  li t1, 1
1:rand t3 // bits 0 to 2: which state, 3: whether any, 4 to 24: target
  andi t4, t3, 8
  beqz t4, 9f
  srli a1, t3, 4
  slli a1, a1, NHG_AMI_ADDRESS_WORD_TARGET_LSB + 64 - NHG_AMI_ADDRESS_WORD_SIZE_LSB
  srli a1, a1, 64 - NHG_AMI_ADDRESS_WORD_SIZE_LSB
  li t4, FAR_DATA | SIZE_FIELD(3)
  or a1, a1, t4
  slli t4, t1, 6
  add a1, a1, t4
  andi t3, t3, 7
  la t4, 2f
  slli t3, t3, 4 // of 16 bytes each
  add t4, t4, t3
  li t0, 5
  jr t4
  .balign 16
  .option push
  .option norvc
2:aset t1, t0
  j 9f
  .balign 16
  aset t1, t0
  aload a1, t1
  j 8f
  .balign 16
  await a1, t1
  j 9f
  .balign 16
  await a1, t1
  asignal t1
  j 9f
  .balign 16
  aload a1, t1
  j 9f
  .balign 16
  asignal t1
  j 9f
  .balign 16
  astore a1, t1
  asignal t1
  j 9f
  .balign 16
  aset t1, t0
  aload a1, t1
  asignal t1
  .option pop
8:aload a1, t1
9:addi t1, t1, 1
  li t4, IDS
  bne t1, t4, 1b
  ret

save:
  sfence.vma
  li t0, 0 // groups that had their last request
  li t1, 1
1:csrw NHG_CSR_AMUID, t1
  csrr t1, NHG_CSR_AMUID
  beqz t1, 2f
  csrr t2, NHG_CSR_AMUSTATE
  csrw NHG_CSR_AMUSTATE, x0
  slli t3, t1, 3
  add t3, t3, a0
  sd t2, 0(t3)
  addi t1, t1, 1
  li t4, OUTSTANDING | WAITING | REQUESTS(63)
  and t4, t4, t2
  addi t4, t4, -OUTSTANDING
  seqz t4, t4
  add t0, t0, t4
  j 1b
2:li t3, ORDER
  add t3, t3, a0
3:beqz t0, 4f
  wait_any t4
  sd t4, 0(t3)
  addi t3, t3, 8
  addi t0, t0, -1
  j 3b
4:sd x0, 0(t3)
  ret

  // Each ID once, with slots of its own size.
other_owner:
  configure NHG_AMU_CONFIG_SPM_SLOT, 8
  li t1, 1
  li t2, FAR_DATA | SIZE_FIELD(3)
1:aload t2, t1
  addi t1, t1, 1
  li t4, IDS
  bne t1, t4, 1b
2:wait_any t4
  addi t1, t1, -1
  li t4, 1
  bne t1, t4, 2b
  configure NHG_AMU_CONFIG_SPM_SLOT, 64
  ret

restore:
  li t1, 1
1:state_of_id
  requests t4
  beqz t4, 2f
  aset t1, t4
2:andi t4, t2, WAITING
  beqz t4, 3f
  target_word t4
  await t4, t1
3:addi t1, t1, 1
  li t4, IDS
  bne t1, t4, 1b
  li a1, ORDER
  add a1, a1, a0
4:ld t1, 0(a1)
  beqz t1, 5f
  state_of_id
  target_word t4
  await t4, t1
  asignal t1
  addi a1, a1, 8
  j 4b
5:li t1, 1
6:state_of_id
  andi t4, t2, SIGNALLED
  beqz t4, 7f
  asignal t1
7:addi t1, t1, 1
  li t4, IDS
  bne t1, t4, 6b
  ret

  // Both saved states, of which an open group that had requests has none any more.
compare:
  li a0, TABLE
  li a1, SECOND
  li t1, 1
1:state_of_id
  slli t3, t1, 3
  add t3, t3, a1
  ld t3, 0(t3)
  requests t4
  beqz t4, 2f
  andi t2, t2, SIGNALLED | REQUESTS(7)
2:check_same 42, t2, t3
  addi t1, t1, 1
  li t4, IDS
  bne t1, t4, 1b
  li t1, ORDER
  add a0, a0, t1
  add a1, a1, t1
3:ld t2, 0(a0)
  ld t3, 0(a1)
  check_same 43, t2, t3
  addi a0, a0, 8
  addi a1, a1, 8
  bnez t2, 3b
  ret

  // The last requests, signals for those that wait, then awaits for the signals: each group is taken once.
finish:
  li t1, 1
  li a1, FAR_DATA | SIZE_FIELD(3)
1:state_of_id
  requests t3
2:beqz t3, 3f
  aload a1, t1
  addi t3, t3, -1
  j 2b
3:andi t4, t2, WAITING
  beqz t4, 4f
  asignal t1
4:addi t1, t1, 1
  li t4, IDS
  bne t1, t4, 1b
  li a2, TAKEN
  mv a5, ra
  call take_all
  li t1, 1
5:state_of_id
  andi t4, t2, SIGNALLED
  beqz t4, 6f
  await a1, t1
6:addi t1, t1, 1
  li t4, IDS
  bne t1, t4, 5b
  call take_all
  li t1, 1
7:state_of_id
  andi t3, t2, SIGNALLED
  snez t3, t3
  li t4, OUTSTANDING | REQUESTS(63)
  and t4, t4, t2
  snez t4, t4
  add t3, t3, t4
  slli t4, t1, 3
  add t4, t4, a2
  ld t4, 0(t4)
  check_same 44, t3, t4
  addi t1, t1, 1
  li t4, IDS
  bne t1, t4, 7b
  jr a5

take_all:
  csrr t4, NHG_CSR_AMUSTAT
  slli t4, t4, 48
  beqz t4, 2f
1:wait_any t3
  slli t3, t3, 3
  add t3, t3, a2
  ld t4, 0(t3)
  addi t4, t4, 1
  sd t4, 0(t3)
  j take_all
2:ret

  mode_handlers
