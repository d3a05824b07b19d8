// SPDX-License-Identifier: Apache-2.0
//
// AMI instructions (amu-ext/docs/ami.md) as assembler macros.
#ifndef NHG_TEST_AMI_H
#define NHG_TEST_AMI_H

#define AMU_CTL 0x7c0
#define AMU_CAP 0xcc0
#define AMU_STAT 0xcc1
#define AMU_CFG0 0xcc2

#define HANDLER_BASE 0
#define HANDLER_SIZE 1
#define SPM_BASE 2
#define SPM_SLOT 3
#define TARGET_BASE 4

// log2(size) field and resume target of an address word, and the request word.
#define SIZE_FIELD(log2) ((log2) << 60)
#define TARGET_FIELD(units) (((units) & 0x1fffff) << 39)
#define REQUEST(id, offset) ((offset) << 16 | (id))
#define AMU_TVAL(code, id) ((code) << 56 | (id))

  .macro aload address, request
  .insn r 0x0b, 0, 0, x0, \address, \request
  .endm
  .macro astore address, request
  .insn r 0x0b, 1, 0, x0, \address, \request
  .endm
  .macro getfin rd
  .insn r 0x0b, 2, 0, \rd, x0, x0
  .endm
  .macro bafin rd
  .insn r 0x0b, 3, 0, \rd, x0, x0
  .endm
  .macro aset id, n
  .insn r 0x0b, 4, 0, x0, \id, \n
  .endm
  .macro aconfig value, number
  .insn r 0x0b, 5, 0, x0, \value, \number
  .endm
  .macro await address, request
  .insn r 0x0b, 6, 0, x0, \address, \request
  .endm
  .macro asignal id
  .insn r 0x0b, 7, 0, x0, \id, x0
  .endm

  // Sets AMU register `number` to a constant; clobbers x30, x31.
  .macro configure number, value
  li x30, \value
  li x31, \number
  aconfig x30, x31
  .endm

  // Polls until a group is finished; its ID in rd.
  .macro wait_any rd
9990:
  getfin \rd
  beqz \rd, 9990b
  .endm

  // aload / astore with constants; clobbers x30, x31.
  .macro aload_at address, log2, id, offset
  li x30, (\address) | SIZE_FIELD(\log2)
  li x31, REQUEST(\id, \offset)
  aload x30, x31
  .endm
  .macro astore_at address, log2, id, offset
  li x30, (\address) | SIZE_FIELD(\log2)
  li x31, REQUEST(\id, \offset)
  astore x30, x31
  .endm

#endif
