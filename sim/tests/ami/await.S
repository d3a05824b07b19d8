// SPDX-License-Identifier: Apache-2.0
// await and asignal: signal after, before (remembered one deep), and as resume target of bafin.
#include "test.h"
#include "ami.h"

  test_begin
  take_spm_way
  li s0, 3
  await x0, s0
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 1, a0, 1
  getfin a0
  check_eq 2, a0, 0
  asignal s0
  wait_any a0
  check_eq 3, a0, 3

  // Remembered once: the second signal changes nothing.
  asignal s0
  asignal s0
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 4, a0, 0
  await x0, s0
  wait_any a0
  check_eq 5, a0, 3
  await x0, s0
  getfin a0
  check_eq 6, a0, 0
  asignal s0
  wait_any a0
  check_eq 7, a0, 3

  // A signal during a request belongs to the next await.
  aload_at NHG_FAR_BASE, 6, 3, 0
  asignal s0
  wait_any a0
  check_eq 8, a0, 3
  await x0, s0
  wait_any a0
  check_eq 9, a0, 3

  la x30, resumed
  li x31, NHG_AMU_CONFIG_TARGET_BASE
  aconfig x30, x31
  await x0, s0
  asignal s0
1:bafin a0
  beqz a0, 1b
  check_eq 10, x0, 1
resumed:
  srli a0, a0, 39
  check_eq 11, a0, 3 * 64
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 12, a0, 0
  check_no_trap 13
  test_end
