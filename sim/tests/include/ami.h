// SPDX-License-Identifier: Apache-2.0
//
// What programs need beside the AMI instructions themselves (amu-ext/docs/ami.md), which are macros of ami_instructions.h.
#ifndef NHG_TEST_AMI_H
#define NHG_TEST_AMI_H

#include "ami_instructions.h"
#include "platform.h"

// Address, log2(size) field and resume target of an address word, and the request word.
#define ADDRESS_FIELD(address) ((address) & ((1 << NHG_AMI_ADDRESS_WORD_ADDRESS_BITS) - 1))
#define SIZE_FIELD(log2) ((log2) << NHG_AMI_ADDRESS_WORD_SIZE_LSB)
#define TARGET_FIELD(units) (((units) & ((1 << NHG_AMI_ADDRESS_WORD_TARGET_BITS) - 1)) << NHG_AMI_ADDRESS_WORD_TARGET_LSB)
#define REQUEST(id, offset) ((offset) << NHG_AMI_REQUEST_WORD_OFFSET_LSB | (id))
#define AMU_TVAL(code, id) ((code) << NHG_AMI_TVAL_CODE_LSB | (id))

  // Sets AMU register `number` to a constant; clobbers x30, x31.
  .macro configure number, value
  li x30, \value
  li x31, \number
  aconfig x30, x31
  .endm

  // rd = 1 where there are caches: the golden model has none, and its clock counts instructions; clobbers x30, x31.
  .macro has_caches rd
  rdcycle x30
  rdcycle x31
  sub x31, x31, x30
  li x30, 1
  sltu \rd, x30, x31
  .endm

  // Polls until a group is finished; its ID in rd.
  .macro wait_any rd
9990:
  getfin \rd
  beqz \rd, 9990b
  .endm

  // aload / astore with constants, of a virtual address its lower bits; clobbers x30, x31.
  .macro aload_at address, log2, id, offset
  li x30, ADDRESS_FIELD(\address) | SIZE_FIELD(\log2)
  li x31, REQUEST(\id, \offset)
  aload x30, x31
  .endm
  .macro astore_at address, log2, id, offset
  li x30, ADDRESS_FIELD(\address) | SIZE_FIELD(\log2)
  li x31, REQUEST(\id, \offset)
  astore x30, x31
  .endm

#endif
