# SPDX-License-Identifier: Apache-2.0
"""Contended code in M, S and U mode to which interrupts come: between accesses, requests, polls and while a bafin waits (generate.py --contended --modes).
With --pages S and U mode use each byte at two addresses.

The handlers of any_interrupt.h leave every register as it is, and the timer of M mode comes again within five ticks. Nothing else traps: memory protection
lets every mode access all, and the AMU is granted to S and U.
"""

from dataclasses import replace

import contended_blocks
import page_blocks
from blocks import Emitter
from mode_blocks import HANDLER_COST, MACHINE, MTIE, REGISTERS, STCE, SUPERVISOR, USER, interrupt, status_mask, write

HEADER = """  csrwi mstateen0, 1
  csrwi sstateen0, 1
"""
TICKS = 2


def from_clint(e: Emitter) -> None:
    """In any mode: a software interrupt, or the timer now or in a moment."""
    if e.rng.random() < 0.5:
        e.emit("li t6, NHG_CLINT_MSIP", 2)
        e.emit("li t5, 1")
        e.emit("sw t5, 0(t6)", 1 + HANDLER_COST)
    else:
        e.emit("li t6, NHG_CLINT_MTIME", 2)
        e.emit("ld t5, 0(t6)")
        e.emit(f"addi t5, t5, {e.rng.randint(0, TICKS)}")
        e.emit("li t6, NHG_CLINT_MTIMECMP", 2)
        e.emit("sd t5, 0(t6)", 1 + HANDLER_COST)


def batch(e: Emitter, shared: contended_blocks.Shared, pages: bool) -> None:
    """A batch of contended_blocks.py in a mode, with other interrupts delegated and enabled."""
    rng = e.rng
    mode = rng.choice([MACHINE, MACHINE, SUPERVISOR, USER])
    write(e, "mideleg", rng.getrandbits(64))
    write(e, "mie", rng.getrandbits(64) | MTIE)
    write(e, "menvcfg", rng.choice([STCE, 0]))
    write(e, "mip", rng.getrandbits(64) & REGISTERS["mip"].write_mask)
    e.emit(f"csrwi sstatus, {rng.choice(['STATUS_SIE', '0'])}")
    e.emit(f"li x31, {status_mask('fs'):#x}", 2)
    e.emit("csrs mstatus, x31")
    if mode == MACHINE:
        e.emit("csrsi mstatus, STATUS_MIE", 1 + HANDLER_COST)
        contended_blocks.batch(e, replace(shared, disturb=interrupt))
        return
    if pages:
        if mode == USER:
            page_blocks.keep_traps(e)
        page_blocks.translate(e, mode)
        e.alias_bit = page_blocks.ALIAS_BIT
    e.emit(f"enter {mode}", 9)
    contended_blocks.batch(e, replace(shared, disturb=from_clint, hands_back=False))
    e.alias_bit = None
    e.emit("to_machine", HANDLER_COST)
