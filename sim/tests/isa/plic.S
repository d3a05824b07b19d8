// SPDX-License-Identifier: Apache-2.0
// PLIC: registers in each size; priority, enable and threshold of both contexts; claim and completion; the bits of mip; interrupts to M and S.
// The UART's transmit interrupt is the source.
#include "test.h"
#include "modes.h"
#include "interrupts.h"
#include "devices.h"

#define PRIORITY (NHG_PLIC_PRIORITY + 4 * NHG_PLIC_UART_SOURCE)
#define LAST (NHG_PLIC_PRIORITY + 4 * NHG_PLIC_SOURCES)
#define ALL_SOURCES ((2 << NHG_PLIC_SOURCES) - 2)

  test_begin
  // Registers: only bits that are there, each size, and what is next to them
  put sw, LAST, -1
  check_get 1, lw, LAST, NHG_PLIC_PRIORITY_MAX
  put sb, LAST, 2
  check_get 2, lbu, LAST, 2
  put sh, LAST + 2, -1
  check_get 3, lw, LAST, 2
  check_get 4, ld, LAST - 4, 2 << 32
  put sd, LAST - 4, (5 << 32) | 6
  check_get 5, lhu, LAST - 4, 6
  check_get 6, lwu, LAST, 5
  put sd, NHG_PLIC_PRIORITY, -1 // source 0 is none
  check_get 7, lw, NHG_PLIC_PRIORITY, 0
  check_get 8, lw, PRIORITY, NHG_PLIC_PRIORITY_MAX
  put sw, NHG_PLIC_ENABLE_MACHINE, -1
  check_get 9, lw, NHG_PLIC_ENABLE_MACHINE, ALL_SOURCES
  check_get 10, ld, NHG_PLIC_ENABLE_MACHINE, ALL_SOURCES
  put sb, NHG_PLIC_ENABLE_MACHINE, 0
  check_get 11, lw, NHG_PLIC_ENABLE_MACHINE, 0
  put sw, NHG_PLIC_THRESHOLD_SUPERVISOR, -1
  check_get 12, ld, NHG_PLIC_THRESHOLD_SUPERVISOR, NHG_PLIC_PRIORITY_MAX
  put sw, NHG_PLIC_PENDING, -1
  check_get 13, lw, NHG_PLIC_PENDING, 0
  check_no_trap 14
  check_device_refuses 20, lw, sw, LAST + 4
  check_device_refuses 22, lb, sb, NHG_PLIC_ENABLE_MACHINE + 4
  check_device_refuses 24, ld, sd, NHG_PLIC_ENABLE_SUPERVISOR + 0x80
  check_device_refuses 26, lhu, sh, NHG_PLIC_CLAIM_SUPERVISOR + 0xffc
  li t0, NHG_PLIC_PENDING
  amoor.w a0, x0, (t0)
  check_trap 28, 7, NHG_PLIC_PENDING

  // Pending, and let through by enable, priority and threshold
  put sw, PRIORITY, 0
  put sb, NHG_UART_INTERRUPT_ENABLE, UART_TRANSMIT
  check_get 30, lw, NHG_PLIC_PENDING, UART_LINE
  check_pending 31, 0
  put sw, NHG_PLIC_ENABLE_MACHINE, UART_LINE
  check_pending 32, 0
  check_get 33, lw, NHG_PLIC_CLAIM_MACHINE, 0 // priority 0
  put sw, PRIORITY, 3
  check_pending 34, 1 << MEI
  put sw, NHG_PLIC_THRESHOLD_MACHINE, 3
  check_pending 35, 0
  put sw, NHG_PLIC_THRESHOLD_MACHINE, 2
  check_pending 36, 1 << MEI
  put sw, NHG_PLIC_THRESHOLD_MACHINE, NHG_PLIC_PRIORITY_MAX
  check_pending 37, 0

  // A claim knows no threshold. The line is on, and pending again only behind a completion by a context that has the source
  check_get 40, lw, NHG_PLIC_CLAIM_MACHINE, NHG_PLIC_UART_SOURCE
  check_get 41, lw, NHG_PLIC_PENDING, 0
  check_get 42, lw, NHG_PLIC_CLAIM_MACHINE, 0
  put sw, NHG_PLIC_CLAIM_SUPERVISOR, NHG_PLIC_UART_SOURCE
  put sw, NHG_PLIC_CLAIM_MACHINE, NHG_PLIC_UART_SOURCE + 1
  put sb, NHG_PLIC_CLAIM_MACHINE + 1, NHG_PLIC_UART_SOURCE
  put sw, NHG_PLIC_CLAIM_MACHINE, NHG_PLIC_UART_SOURCE + 16
  check_get 43, lw, NHG_PLIC_PENDING, 0
  put sb, NHG_PLIC_CLAIM_MACHINE, NHG_PLIC_UART_SOURCE
  check_get 44, lw, NHG_PLIC_PENDING, UART_LINE
  check_get 45, ld, NHG_PLIC_THRESHOLD_MACHINE, (NHG_PLIC_UART_SOURCE << 32) | NHG_PLIC_PRIORITY_MAX // claims
  check_get 46, lw, NHG_PLIC_PENDING, 0
  put sd, NHG_PLIC_THRESHOLD_MACHINE, NHG_PLIC_UART_SOURCE << 32 // completes
  check_pending 47, 1 << MEI
  check_get 48, lb, NHG_PLIC_CLAIM_MACHINE + 3, 0 // claims
  check_pending 49, 0
  put sh, NHG_PLIC_CLAIM_MACHINE, NHG_PLIC_UART_SOURCE

  // The line of S mode in mip, beside the bit that software sets
  put sw, NHG_PLIC_ENABLE_SUPERVISOR, UART_LINE
  check_pending 50, 1 << MEI
  put sw, NHG_PLIC_THRESHOLD_SUPERVISOR, 0
  check_pending 51, 1 << MEI | 1 << SEI
  put sw, NHG_PLIC_ENABLE_MACHINE, 0
  check_pending 52, 1 << SEI
  set_bits mip, 1 << SSI
  clear_bits mip, 1 << SEI
  check_pending 53, 1 << SEI | 1 << SSI
  csrsi mip, 0
  csrci mip, 1 << SSI
  check_get 54, lw, NHG_PLIC_CLAIM_SUPERVISOR, NHG_PLIC_UART_SOURCE
  check_pending 55, 0 // what was read was not written
  set_bits mip, 1 << SEI
  put sw, NHG_PLIC_CLAIM_SUPERVISOR, NHG_PLIC_UART_SOURCE
  check_get 56, lw, NHG_PLIC_CLAIM_SUPERVISOR, NHG_PLIC_UART_SOURCE
  check_pending 57, 1 << SEI
  csrw mip, x0
  check_pending 58, 0

  // A source whose line goes while it is claimed is done
  check_get 60, lw, NHG_UART_INTERRUPT_ID, UART_ID_TRANSMIT
  put sw, NHG_PLIC_CLAIM_SUPERVISOR, NHG_PLIC_UART_SOURCE
  check_get 61, lw, NHG_PLIC_PENDING, 0
  // ... and one whose line goes before that is pending for good
  put sb, NHG_UART_INTERRUPT_ENABLE, 0
  put sb, NHG_UART_INTERRUPT_ENABLE, UART_TRANSMIT
  put sb, NHG_UART_INTERRUPT_ENABLE, 0
  check_get 62, lw, NHG_PLIC_CLAIM_SUPERVISOR, NHG_PLIC_UART_SOURCE
  put sw, NHG_PLIC_CLAIM_SUPERVISOR, NHG_PLIC_UART_SOURCE
  check_get 63, lw, NHG_PLIC_PENDING, 0

  // Taken in M
  la x31, machine_external
  csrw mtvec, x31
  la x31, supervisor_external
  csrw stvec, x31
  li a0, 1 << MEI | 1 << SEI
  csrw mie, a0
  put sw, NHG_PLIC_ENABLE_MACHINE, UART_LINE
  csrsi mstatus, STATUS_MIE
  li s11, 0
  csrr s0, mcycle
  put sb, NHG_UART_INTERRUPT_ENABLE, UART_TRANSMIT
1:beqz s11, 1b
  csrr s1, mcycle
  check_taken 70, TRAP_TO_M, INTERRUPT | MEI, NHG_PLIC_UART_SOURCE
  check_get 71, lw, NHG_PLIC_PENDING, 0

  // Taken in S, where M has it not enabled; that of M comes first
  put sb, NHG_UART_INTERRUPT_ENABLE, 0
  put sw, NHG_PLIC_ENABLE_MACHINE, 0
  li a0, 1 << SEI
  csrw mideleg, a0
  put sb, NHG_UART_INTERRUPT_ENABLE, UART_TRANSMIT
  csrci mstatus, STATUS_SIE
  enter SUPERVISOR
  check_no_trap 72
  csrsi sstatus, STATUS_SIE
1:beqz s11, 1b
  check_taken 73, TRAP_TO_S, INTERRUPT | SEI, NHG_PLIC_UART_SOURCE
  check_get 74, lw, NHG_PLIC_PENDING, 0
  put sw, NHG_PLIC_ENABLE_MACHINE, UART_LINE
  put sb, NHG_UART_INTERRUPT_ENABLE, 0
  put sb, NHG_UART_INTERRUPT_ENABLE, UART_TRANSMIT
1:beqz s11, 1b
  check_taken 75, TRAP_TO_M, INTERRUPT | MEI, NHG_PLIC_UART_SOURCE
  test_end

  .macro external_handler mode, claim, count
  csrw \mode\()scratch, x31
  csrr s7, \mode\()cause
  get lw, s8, \claim
  addi s11, s11, \count
  get lw, x30, NHG_UART_INTERRUPT_ID
  li x31, \claim
  sw s8, 0(x31)
  csrr x31, \mode\()scratch
  \mode\()ret
  .endm
  .align 2
machine_external:
  external_handler m, NHG_PLIC_CLAIM_MACHINE, TRAP_TO_M
  .align 2
supervisor_external:
  external_handler s, NHG_PLIC_CLAIM_SUPERVISOR, TRAP_TO_S
