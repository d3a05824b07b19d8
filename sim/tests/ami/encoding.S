// SPDX-License-Identifier: Apache-2.0
// Reserved encodings of custom-0 are illegal: every funct7 but 0, and a register that must be x0.
#include "test.h"
#include "ami.h"

  .macro illegal number, word
  .word \word
  check_trap \number, 2, \word
  .endm

  test_begin
  // funct7 = 1 and 64 for each funct3
  .irp f3, 0,1,2,3,4,5,6,7
  illegal 1 + \f3, 0x0200000b | \f3 << 12
  illegal 10 + \f3, 0x8000000b | \f3 << 12
  .endr
  // rd must be x0
  .irp f3, 0,1,4,5,6,7
  illegal 20 + \f3, 0x0000008b | \f3 << 12
  .endr
  // rs1 must be x0
  .irp f3, 2,3
  illegal 30 + \f3, 0x0000800b | \f3 << 12
  .endr
  // rs2 must be x0
  .irp f3, 2,3,7
  illegal 40 + \f3, 0x0010000b | \f3 << 12
  .endr
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 50, a0, 0
  test_end
