// SPDX-License-Identifier: Apache-2.0
//
// The operations of the floating-point units: their codes (nhg.fpu.FpuOp), sources, and the RISC-V instructions they are.
#ifndef FPU_OPERATIONS_H
#define FPU_OPERATIONS_H

#include <cstdint>

// X(unit, name, code, sources, kind of the sources, single instruction, double instruction)
#define FPU_OPERATIONS(X)                                                                                              \
  X(fma, fmadd, 0, 3, Same, fmadd_s, fmadd_d)                                                                          \
  X(fma, fmsub, 1, 3, Same, fmsub_s, fmsub_d)                                                                          \
  X(fma, fnmsub, 2, 3, Same, fnmsub_s, fnmsub_d)                                                                       \
  X(fma, fnmadd, 3, 3, Same, fnmadd_s, fnmadd_d)                                                                       \
  X(fma, fadd, 4, 2, Same, fadd_s, fadd_d)                                                                             \
  X(fma, fsub, 5, 2, Same, fsub_s, fsub_d)                                                                             \
  X(fma, fmul, 6, 2, Same, fmul_s, fmul_d)                                                                             \
  X(divsqrt, fdiv, 8, 2, Same, fdiv_s, fdiv_d)                                                                         \
  X(divsqrt, fsqrt, 9, 1, Same, fsqrt_s, fsqrt_d)                                                                      \
  X(misc, fsgnj, 10, 2, Same, fsgnj_s, fsgnj_d)                                                                        \
  X(misc, fsgnjn, 11, 2, Same, fsgnjn_s, fsgnjn_d)                                                                     \
  X(misc, fsgnjx, 12, 2, Same, fsgnjx_s, fsgnjx_d)                                                                     \
  X(misc, fmin, 13, 2, Same, fmin_s, fmin_d)                                                                           \
  X(misc, fmax, 14, 2, Same, fmax_s, fmax_d)                                                                           \
  X(misc, fle, 15, 2, Same, fle_s, fle_d)                                                                              \
  X(misc, flt, 16, 2, Same, flt_s, flt_d)                                                                              \
  X(misc, feq, 17, 2, Same, feq_s, feq_d)                                                                              \
  X(misc, fclass, 18, 1, Same, fclass_s, fclass_d)                                                                     \
  X(misc, fmv_to_int, 19, 1, Same, fmv_x_w, fmv_x_d)                                                                   \
  X(misc, fmv_from_int, 20, 1, Integer, fmv_w_x, fmv_d_x)                                                              \
  X(misc, fcvt_float, 21, 1, Other, fcvt_s_d, fcvt_d_s)                                                                \
  X(misc, fcvt_to_w, 24, 1, Same, fcvt_w_s, fcvt_w_d)                                                                  \
  X(misc, fcvt_to_wu, 25, 1, Same, fcvt_wu_s, fcvt_wu_d)                                                               \
  X(misc, fcvt_to_l, 26, 1, Same, fcvt_l_s, fcvt_l_d)                                                                  \
  X(misc, fcvt_to_lu, 27, 1, Same, fcvt_lu_s, fcvt_lu_d)                                                               \
  X(misc, fcvt_from_w, 28, 1, Integer, fcvt_s_w, fcvt_d_w)                                                             \
  X(misc, fcvt_from_wu, 29, 1, Integer, fcvt_s_wu, fcvt_d_wu)                                                          \
  X(misc, fcvt_from_l, 30, 1, Integer, fcvt_s_l, fcvt_d_l)                                                             \
  X(misc, fcvt_from_lu, 31, 1, Integer, fcvt_s_lu, fcvt_d_lu)

enum class Unit { fma, divsqrt, misc };
enum class Sources { Same, Other, Integer }; // of the operation's format, of the other one, integer

struct Operation {
  Unit unit;
  const char *name;
  unsigned code;
  unsigned sources;
  Sources kind;
  bool sourceIsDouble(bool isDouble) const { return isDouble != (kind == Sources::Other); }
};

#define FPU_ENTRY(unit, name, code, sources, kind, s, d) {Unit::unit, #name, code, sources, Sources::kind},
inline constexpr Operation kOperations[] = {FPU_OPERATIONS(FPU_ENTRY)};
#undef FPU_ENTRY
inline constexpr unsigned kRoundingModes = 5; // RNE RTZ RDN RUP RMM

struct Vector {
  unsigned operation; // index of kOperations
  bool isDouble;
  unsigned rm;
  uint64_t source[3];
};

struct Result {
  uint64_t data;
  unsigned flags;
  bool operator==(const Result &other) const { return data == other.data && flags == other.flags; }
};

#endif
