// SPDX-License-Identifier: Apache-2.0
// Floating point as a program sees it: rounding modes, flags, NaN boxing, memory accesses, moves between the register files, and that flags
// and rounding modes follow the order of the program.
#include "test.h"

#define ONE 0x3ff0000000000000
#define MINUS_ONE 0xbff0000000000000
#define THREE 0x4008000000000000
#define TINY 0x0000000000000001
#define HUGE 0x7fefffffffffffff
#define INFINITE 0x7ff0000000000000
#define NAN 0x7ff8000000000000
#define SIGNALLING 0x7ff0000000000001
#define NAN_S 0xffffffff7fc00000
#define NX 1
#define UF 2
#define OF 4
#define DZ 8
#define NV 16

  .macro set register, value
  li x31, \value
  fmv.d.x \register, x31
  .endm
  .macro check_fp number, register, value
  fmv.x.d x30, \register
  check_eq \number, x30, \value
  .endm
  .macro check_flags number, flags
  csrrw x30, fflags, x0
  check_eq \number, x30, \flags
  .endm

  // 1/3 in each static mode and as frm says, of either sign
  .macro third number, mode, rm, positive, negative
  fdiv.d fa0, fs0, fs1, \mode
  check_fp \number, fa0, \positive
  fdiv.d fa0, fs2, fs1, \mode
  check_fp \number, fa0, \negative
  csrwi frm, \rm
  fdiv.d fa0, fs0, fs1
  check_fp \number, fa0, \positive
  fdiv.d fa0, fs2, fs1
  csrwi frm, 0
  check_fp \number, fa0, \negative
  .endm

  test_begin
  li a0, 3 << 13
  csrs mstatus, a0
  la s0, data
  li sp, NHG_LOCAL_BASE + 0x300000
  set fs0, ONE
  set fs1, THREE
  set fs2, MINUS_ONE
  set fs3, TINY
  set fs4, HUGE
  set fs5, INFINITE
  set fs6, SIGNALLING
  set fs7, 0

  third 1, rne, 0, 0x3fd5555555555555, 0xbfd5555555555555
  third 2, rtz, 1, 0x3fd5555555555555, 0xbfd5555555555555
  third 3, rdn, 2, 0x3fd5555555555555, 0xbfd5555555555556
  third 4, rup, 3, 0x3fd5555555555556, 0xbfd5555555555555
  third 5, rmm, 4, 0x3fd5555555555555, 0xbfd5555555555555

  // Each flag, and none
  csrwi fflags, 0
  fadd.d fa0, fs0, fs1
  check_flags 10, 0
  check_fp 10, fa0, 0x4010000000000000
  fdiv.d fa0, fs0, fs1
  check_flags 11, NX
  fmul.d fa0, fs3, fs3
  check_flags 12, UF | NX
  check_fp 12, fa0, 0
  fmul.d fa0, fs4, fs4
  check_flags 13, OF | NX
  check_fp 13, fa0, INFINITE
  fmul.d fa0, fs4, fs4, rtz
  check_fp 13, fa0, HUGE
  csrwi fflags, 0
  fdiv.d fa0, fs2, fs7
  check_flags 14, DZ
  check_fp 14, fa0, 0xfff0000000000000
  fsub.d fa0, fs5, fs5
  check_flags 15, NV
  check_fp 15, fa0, NAN
  fsqrt.d fa0, fs2
  check_flags 16, NV
  feq.d a0, fs6, fs0
  check_flags 17, NV
  feq.d x0, fa0, fs0 // quiet
  check_flags 18, 0
  flt.d x0, fa0, fs0 // no register, but a flag
  check_flags 19, NV
  fmadd.d fa0, fs1, fs1, fs2
  check_fp 20, fa0, 0x4020000000000000
  fnmadd.d fa0, fs1, fs1, fs2
  check_fp 21, fa0, 0xc020000000000000
  fmsub.d fa0, fs1, fs1, fs2
  check_fp 22, fa0, 0x4024000000000000
  fnmsub.d fa0, fs1, fs1, fs2
  check_fp 23, fa0, 0xc024000000000000
  // fused: the product is not rounded. (1 + 2^-52)^2 - (1 + 2^-51) = 2^-104
  set ft0, 0x3ff0000000000001
  set ft1, 0xbff0000000000002
  fmadd.d fa0, ft0, ft0, ft1
  check_fp 24, fa0, 0x3970000000000000
  check_flags 24, 0

  // NaN boxing: loads and results box; a badly boxed source is the canonical NaN; stores and moves take the low half as it is
  flw fa1, 0(s0)
  check_fp 30, fa1, 0xffffffff40400000
  flw fa2, 4(s0)
  check_fp 31, fa2, 0xffffffffbf800000
  fadd.s fa0, fa1, fa1
  check_fp 32, fa0, 0xffffffff40c00000
  set fa3, 0x0000000040400000
  fadd.s fa0, fa3, fa1
  check_fp 33, fa0, NAN_S
  fsgnj.s fa0, fa3, fa2
  check_fp 34, fa0, 0xffffffffffc00000
  fmv.x.w a0, fa3
  check_eq 35, a0, 0x40400000
  fmv.x.w a0, fa2
  check_eq 36, a0, 0xffffffffbf800000
  fsw fa3, 16(s0)
  lwu a0, 16(s0)
  check_eq 37, a0, 0x40400000
  li a0, 0x123456789abcdef0
  fmv.w.x fa0, a0
  check_fp 38, fa0, 0xffffffff9abcdef0
  fcvt.d.s fa0, fa3 // badly boxed
  check_fp 39, fa0, NAN
  fcvt.s.d fa0, fs1
  check_fp 40, fa0, 0xffffffff40400000
  fcvt.d.s fa0, fa2
  check_fp 41, fa0, MINUS_ONE
  fclass.s a0, fa3
  check_eq 42, a0, 0x200

  // Between the register files
  li a1, -5
  fcvt.d.w fa0, a1
  check_fp 50, fa0, 0xc014000000000000
  fcvt.d.lu fa0, a1
  check_fp 51, fa0, 0x43f0000000000000
  fcvt.l.d a0, fa0
  check_eq 52, a0, 0x7fffffffffffffff
  csrwi fflags, 0
  fcvt.w.d a0, fs5
  check_flags 53, NV
  check_eq 53, a0, 0x7fffffff
  fcvt.wu.d a0, fs2
  check_eq 54, a0, 0
  fcvt.lu.s a0, fa1
  check_eq 55, a0, 3
  csrwi fflags, 0

  // Accesses, compressed ones too; a store and the load behind it
  fsd fs0, 32(s0)
  fld fa0, 32(s0)
  check_fp 60, fa0, ONE
  fsw fs1, 36(s0)
  ld a0, 32(s0)
  check_eq 61, a0, 0
  c.fld fa4, 8(s0)
  check_fp 62, fa4, 0x400921fb54442d18
  c.fsd fa4, 40(s0)
  ld a0, 40(s0)
  check_eq 63, a0, 0x400921fb54442d18
  c.fsdsp fs4, 8(sp)
  c.fldsp ft11, 8(sp)
  check_fp 64, ft11, HUGE
  fsd fs4, 48(s0)
  flw fa0, 52(s0) // part of a store in flight
  check_fp 65, fa0, 0xffffffff7fefffff
  sw a0, 56(s0)
  sw a0, 60(s0)
  fld fa0, 56(s0) // two stores in flight
  check_fp 66, fa0, 0x54442d1854442d18
  li a1, NHG_LOCAL_BASE
  fld fa0, 1(a1)
  check_trap 67, 4, NHG_LOCAL_BASE + 1
  fsw fa0, 2(a1)
  check_trap 68, 6, NHG_LOCAL_BASE + 2
  fld fa0, 0(x0)
  check_trap 69, 5, 0
  fsd fa0, 0(x0)
  check_trap 70, 7, 0

  // fcsr in the order of the program
  csrwi fcsr, 0
  fdiv.d fa0, fs0, fs1
  csrr a0, fflags
  check_eq 80, a0, NX
  fdiv.d fa0, fs0, fs1
  csrwi fflags, 0
  csrr a0, fflags
  check_eq 81, a0, 0
  fdiv.d fa0, fs0, fs1 // before the mode changes
  csrwi frm, 3
  fdiv.d fa1, fs0, fs1
  csrwi frm, 1
  fdiv.d fa2, fs0, fs1
  check_fp 82, fa0, 0x3fd5555555555555
  check_fp 83, fa1, 0x3fd5555555555556
  check_fp 84, fa2, 0x3fd5555555555555
  csrwi fcsr, 0
  csrrsi a0, fflags, 2
  fdiv.d fa0, fs0, fs1
  csrrci a0, fflags, 1
  check_eq 85, a0, 3
  check_flags 86, 2

  // Dependent chains through both units, and every register of the file
  fmv.d fa0, fs0
  .rept 20
  fadd.d fa0, fa0, fs0
  fmul.d fa0, fa0, fs0
  fmax.d fa0, fa0, fs7
  .endr
  check_fp 90, fa0, 0x4035000000000000
  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  li a0, \n
  fcvt.d.w f\n, a0
  .endr
  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  fcvt.w.d a0, f\n
  check_eq 91, a0, \n
  .endr
  fsqrt.d fa0, f9
  check_fp 92, fa0, THREE
  fsqrt.s fa0, f9 // badly boxed
  check_fp 93, fa0, NAN_S
  test_end

  .section .data
  .align 6
data:
  .word 0x40400000, 0xbf800000
  .quad 0x400921fb54442d18
  .zero 48
