// SPDX-License-Identifier: Apache-2.0
// State of floating point: mstatus.FS off makes every instruction and CSR of it illegal, FS becomes dirty with the state and not before,
// fcsr and its parts, reserved rounding modes.
#include "test.h"

#define FS_INITIAL (1 << 13)
#define FS_DIRTY (3 << 13)
#define SD (1 << 63)
#define DYNAMIC_S 0x00c5f553 // fadd.s fa0, fa1, fa2: rounding mode as fcsr says

  // mstatus has this FS; SD repeats that it is dirty.
  .macro check_fs number, fs
  csrr a0, mstatus
  li a1, SD | FS_DIRTY
  and a0, a0, a1
  .ifc \fs, FS_DIRTY
  check_eq \number, a0, SD | FS_DIRTY
  .else
  check_eq \number, a0, \fs
  .endif
  .endm

  .macro set_fs fs
  li a0, FS_DIRTY
  csrc mstatus, a0
  li a0, \fs
  csrs mstatus, a0
  .endm

  // Illegal with FS off, then legal: `raw` is what mtval says.
  .macro off number, raw, instruction:vararg
1:\instruction
  li s10, \number
  li a0, 1
  bne s11, a0, test_fail
  li s11, 0
  li a0, 2
  bne s7, a0, test_fail
  la a0, 1b
  bne s9, a0, test_fail
  li a0, \raw
  bne s8, a0, test_fail
  .endm

  // From an initial state: the instruction leaves FS as it is, or makes it dirty.
  .macro clean number, instruction:vararg
  set_fs FS_INITIAL
  \instruction
  check_fs \number, FS_INITIAL
  .endm
  .macro dirty number, instruction:vararg
  set_fs FS_INITIAL
  \instruction
  check_fs \number, FS_DIRTY
  .endm

  .option norvc
  test_begin
  la s0, data
  check_fs 1, 0

  off 2, 0x00043507, fld fa0, 0(s0)
  off 3, 0x00042507, flw fa0, 0(s0)
  off 4, 0x00a43027, fsd fa0, 0(s0)
  off 5, 0x00a42027, fsw fa0, 0(s0)
  off 6, 0x02c5f553, fadd.d fa0, fa1, fa2
  off 7, 0x18c5f553, fdiv.s fa0, fa1, fa2
  off 8, 0x6ac5f543, fmadd.d fa0, fa1, fa2, fa3
  off 9, 0xf2058553, fmv.d.x fa0, a1
  off 10, 0xe2058553, fmv.x.d a0, fa1
  off 11, 0xa2c5a553, feq.d a0, fa1, fa2
  off 12, 0xd225f553, fcvt.d.l fa0, a1
  off 13, 0xc205f553, fcvt.w.d a0, fa1
  off 14, 0x42058553, fcvt.d.s fa0, fa1
  off 15, 0x00102573, frflags a0
  off 16, 0x00202573, frrm a0
  off 17, 0x00302573, frcsr a0
  off 18, 0x00305073, csrwi fcsr, 0
  .option push
  .option rvc
  off 19, 0x2008, c.fld fa0, 0(s0)
  off 20, 0xa008, c.fsd fa0, 0(s0)
  off 21, 0x2502, c.fldsp fa0, 0(sp)
  off 22, 0xa02a, c.fsdsp fa0, 0(sp)
  .option pop
  check_fs 23, 0

  // Dirty: a write of a register or of a flag; comparisons and stores without a flag leave the state alone.
  set_fs FS_INITIAL
  li a1, 0x3ff0000000000000
  fmv.d.x fa1, a1
  fmv.d.x fa2, a1
  dirty 30, fmv.d.x fa0, x0
  dirty 31, fld fa0, 0(s0)
  dirty 32, flw fa0, 0(s0)
  dirty 33, fadd.d fa0, fa1, fa2
  dirty 34, fsgnj.d fa0, fa1, fa2
  clean 35, feq.d a0, fa1, fa2
  clean 36, fmv.x.d a0, fa1
  clean 37, fclass.d a0, fa1
  clean 38, fsd fa1, 0(s0)
  clean 39, frflags a0
  clean 40, frrm a0
  clean 41, fcvt.l.d a0, fa1
  csrwi fflags, 0
  la a2, third
  fld fa3, 0(a2)
  dirty 42, fcvt.l.d x0, fa3
  csrr a0, fflags
  check_eq 43, a0, 1
  dirty 44, csrwi fflags, 0
  dirty 45, csrwi frm, 0
  dirty 46, csrwi fcsr, 0
  dirty 47, fdiv.d fa0, fa1, fa3

  // fcsr is frm above fflags; other bits read zero.
  set_fs FS_INITIAL
  li a0, -1
  csrw fcsr, a0
  csrr a0, fcsr
  check_eq 50, a0, 0xff
  csrr a0, frm
  check_eq 51, a0, 7
  csrr a0, fflags
  check_eq 52, a0, 31
  csrwi frm, 2
  csrci fflags, 10
  csrr a0, fcsr
  check_eq 53, a0, 0x55
  csrrw a0, frm, x0
  check_eq 54, a0, 2
  csrrwi a0, fflags, 0
  check_eq 55, a0, 21
  csrr a0, fcsr
  check_eq 56, a0, 0

  // Rounding modes 5 and 6, and 7 while frm is not a mode; encodings without a mode do not mind.
  .macro reserved number, mode
  .word 0x02c58553 | \mode << 12 // fadd.d
  check_trap \number, 2, 0x02c58553 | \mode << 12
  .word 0x42058553 | \mode << 12 // fcvt.d.s, exact
  check_trap \number, 2, 0x42058553 | \mode << 12
  .word 0x6ac58543 | \mode << 12 // fmadd.d
  check_trap \number, 2, 0x6ac58543 | \mode << 12
  .endm
  reserved 60, 5
  reserved 61, 6
  .irp mode, 5, 6, 7
  csrwi frm, \mode
  reserved 62, 7
  fadd.d fa0, fa1, fa2, rne
  fsgnj.d fa0, fa1, fa2
  flt.d a0, fa1, fa2
  check_no_trap 63
  .endr
  .irp mode, 0, 1, 2, 3, 4
  csrwi frm, \mode
  fadd.d fa0, fa1, fa2, dyn
  check_no_trap 64
  .endr

  // Off again, at once for what follows
  set_fs 0
  off 70, 0x02c5f553, fadd.d fa0, fa1, fa2
  set_fs FS_INITIAL
  csrwi frm, 0
  fadd.d fa0, fa1, fa2
  fmv.x.d a0, fa0
  check_eq 71, a0, 0x4000000000000000
  test_end

  .align 3
third:
  .quad 0x3fd5555555555555
data:
  .quad 0x3ff0000000000000
