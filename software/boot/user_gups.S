// SPDX-License-Identifier: Apache-2.0
//
// void gups(uint64_t *table), in user mode: random updates of far memory by tasks on the AMU. A task loads a word, changes it in its slot, stores it and
// begins its next update; bafin jumps to what a finished request goes on with.
#include "ami_instructions.h"
#include "boot.h"

#define SLOT_BYTES 64
#define SLOT_LOG2 6
#define WORD_LOG2 3
#define CONTEXT_LOG2 4 // of a task: state of its generator, updates left
#define STATE 0
#define LEFT 8

#define TABLE s0
#define CONTEXTS s1
#define LIVE s2       // tasks that are not done
#define LOADED s3     // size and resume target of an address word
#define STORED s4
#define MULTIPLIER s5
#define SPM s6
#define MASK s7       // of the address in a task word
#define CONTEXT t1
#define SLOT t2
#define ID t3

  .macro configure number, value
  li t0, \number
  aconfig \value, t0
  .endm

  // Size of a word and the resume target `label`, for an address word.
  .macro word_and_target rd, label
  la \rd, \label
  la t0, gups
  sub \rd, \rd, t0
  srli \rd, \rd, 1
  slli \rd, \rd, NHG_AMI_ADDRESS_WORD_TARGET_LSB
  li t0, WORD_LOG2 << NHG_AMI_ADDRESS_WORD_SIZE_LSB
  or \rd, \rd, t0
  .endm

  // The address of the word that task ID updates now, from its generator's state t4; in t5.
  .macro word_address
  srli t5, t4, 16
  andi t5, t5, GUPS_TASK_WORDS - 1
  addi t6, ID, -1
  slli t6, t6, 5
  add t5, t5, t6
  sh3add t5, t5, TABLE
  .endm

  .text
  .globl gups
  .balign 4
gups:
  mv TABLE, a0
  la CONTEXTS, contexts
  configure NHG_AMU_CONFIG_HANDLER_BASE, CONTEXTS
  li t1, 1 << CONTEXT_LOG2
  configure NHG_AMU_CONFIG_HANDLER_SIZE, t1
  li SPM, NHG_SPM_BASE
  configure NHG_AMU_CONFIG_SPM_BASE, SPM
  li t1, SLOT_BYTES
  configure NHG_AMU_CONFIG_SPM_SLOT, t1
  la t1, gups
  configure NHG_AMU_CONFIG_TARGET_BASE, t1
  word_and_target LOADED, loaded
  word_and_target STORED, stored
  li MULTIPLIER, GUPS_MULTIPLIER
  li MASK, -1
  srli MASK, MASK, 64 - NHG_AMI_TASK_WORD_SLOT_LSB
  li LIVE, GUPS_TASKS

  li ID, 1
  addi CONTEXT, CONTEXTS, 1 << CONTEXT_LOG2
begin:
  mul t4, ID, MULTIPLIER
  sd t4, STATE(CONTEXT)
  li t0, GUPS_TASK_UPDATES
  sd t0, LEFT(CONTEXT)
  word_address
  or t5, t5, LOADED
  aload t5, ID
  addi CONTEXT, CONTEXT, 1 << CONTEXT_LOG2
  addi ID, ID, 1
  li t0, GUPS_TASKS
  bleu ID, t0, begin

poll:
  bafin t0
  bnez LIVE, poll
  ret

  // Context, slot and ID of the task word t0, and the state of its generator.
  .macro resume
  and CONTEXT, t0, MASK
  srli SLOT, t0, NHG_AMI_TASK_WORD_SLOT_LSB
  srli ID, SLOT, SLOT_LOG2
  ld t4, STATE(CONTEXT)
  .endm

loaded:
  resume
  add SLOT, SLOT, SPM
  ld t5, 0(SLOT)
  xor t5, t5, t4
  sd t5, 0(SLOT)
  word_address
  or t5, t5, STORED
  astore t5, ID
  j poll

stored:
  resume
  ld t0, LEFT(CONTEXT)
  addi t0, t0, -1
  sd t0, LEFT(CONTEXT)
  beqz t0, done
  mul t4, t4, MULTIPLIER
  addi t4, t4, 1
  sd t4, STATE(CONTEXT)
  word_address
  or t5, t5, LOADED
  aload t5, ID
  j poll
done:
  addi LIVE, LIVE, -1
  j poll

  .bss
  .balign 16
contexts:
  .skip (GUPS_TASKS + 1) << CONTEXT_LOG2
