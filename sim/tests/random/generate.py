# SPDX-License-Identifier: Apache-2.0
"""Writes a random terminating program (assembler; all instructions of NH-G) for lock-step runs.

usage: generate.py --seed N [--instructions 50000] [--no-ami] [--no-ami-errors] [--contended] [--modes] [--pages [--fenced]] [--fp SHARE] OUT.S

The program initialises registers and data, runs a random body in an outer loop until about --instructions
instructions are executed, and ends with EXIT 0. The same seed and options give the same program. Programs with AMI
errors end early in the golden model's adversarial mode: use --no-ami-errors there. With --contended every kind of
access meets on a few lines (contended_blocks.py); such a program has no AMI errors. With --modes a part of the
program runs in S and U mode, and interrupts come to all of it (mode_blocks.py), OUT.uart is what the UART receives
meanwhile; with both, interrupts come to contended code of each mode (interrupted_blocks.py). With --pages S and U mode have page tables that change
(page_blocks.py), contended code two addresses of each byte; it needs --modes. With --fenced no translation is used that memory does not
have any more. SHARE of the blocks
compute with floating point; without --fp it follows from the seed.
"""

import argparse
import random
import sys
from pathlib import Path

import ami_blocks
import contended_blocks
import fp_blocks
import interrupted_blocks
import mode_blocks
import operand_blocks
import page_blocks
import pmp_blocks
from blocks import BODY, FREE, Emitter, alu, bit_manipulation, forward_branch, forwarding, memory, muldiv, pick, stack

AREA_ADDRESSES = {"s0": "NHG_LOCAL_BASE + 0x800000", "s1": "NHG_FAR_BASE", "s2": "NHG_FAR_BASE + (1 << 31)", "tp": "NHG_LOCAL_BASE + 0x900000"}
HANDLER_BASE = "NHG_LOCAL_BASE + 0xa00000"
FUNCTIONS = 8
INITIALISED_BYTES = 512  # at the start of each area
FP_SHARES = [0.02, 0.1, 0.3, 0.6]
POLL_WAITS = [0, 1, 7, 40, 300, 1024, 65535]

HEADER = """// SPDX-License-Identifier: Apache-2.0
// {arguments}
#include "test.h"
#include "ami.h"

  .option arch, +zicond
  test_begin
"""
# A software interrupt of S mode, which M mode does not take: no wfi sleeps.
ONE_PENDING = """  csrsi mideleg, 1 << 1
  csrsi mie, 1 << 1
  csrsi mip, 1 << 1
"""
MODES_INCLUDES = '#include "ami.h"\n#include "modes.h"\n#include "any_interrupt.h"\n#include "pmp.h"'
INTERRUPTS_HEADER = HEADER.replace('#include "ami.h"', MODES_INCLUDES) + "  interrupts_begin\n"
EXCURSION_SHARE, PAGES_EXCURSION_SHARE = 0.15, 0.4  # of the blocks
PAGED_SHARE = 0.9  # of the excursions, if there are pages
OPERAND_SHARE = 0.06
BLOCKS, PAGES_BLOCKS = [40, 100, 200, 400], [15, 30, 60]

CONFIGURE_AMU = """  take_spm_way
  configure NHG_AMU_CONFIG_HANDLER_BASE, {handler_base}
  configure NHG_AMU_CONFIG_HANDLER_SIZE, 64
  configure NHG_AMU_CONFIG_SPM_BASE, NHG_SPM_BASE
  configure NHG_AMU_CONFIG_SPM_SLOT, {slot}
  configure NHG_AMU_CONFIG_POLL_WAIT, {poll_wait}
  la x30, ami_base
  li x31, NHG_AMU_CONFIG_TARGET_BASE
  aconfig x30, x31
"""


def function(e: Emitter, index: int) -> None:
    """A function that calls only later ones; ra is kept on the stack."""
    e.place(f"function_{index}")
    e.functions = [f"function_{i}" for i in range(index + 1, FUNCTIONS)]
    nested = bool(e.functions) and e.rng.random() < 0.5
    e.emit("addi sp, sp, -272")
    e.emit("sd ra, 264(sp)")
    for _ in range(e.rng.randint(2, 5)):
        e.rng.choice([alu, bit_manipulation, memory, forwarding, muldiv, stack, forward_branch])(e)
    if nested:
        e.emit(f"call {e.rng.choice(e.functions)}")
    e.emit("ld ra, 264(sp)")
    e.emit("addi sp, sp, 272")
    e.emit("ret")


def prologue(e: Emitter) -> None:
    e.emit("addi sp, sp, -272")
    for register, address in AREA_ADDRESSES.items():
        e.emit(f"li {register}, {address}")
    for register in FREE:
        e.emit(f"li {register}, {e.rng.getrandbits(64):#x}", 8)
    for area in AREA_ADDRESSES:
        for offset in range(0, INITIALISED_BYTES, 8):
            register = e.register()
            e.emit(f"sd {register}, {offset}({area})")
            e.emit(f"add {register}, {register}, {e.register()}")


def body(e: Emitter, blocks: int, ami: bool, ami_errors: bool, fp_share: float, modes: bool, pages: bool) -> None:
    for _ in range(blocks):
        if modes and e.rng.random() < (PAGES_EXCURSION_SHARE if pages else EXCURSION_SHARE):
            (page_blocks if pages and e.rng.random() < PAGED_SHARE else mode_blocks).excursion(e, ami and ami_errors)
            continue
        if not modes and e.rng.random() < OPERAND_SHARE:
            operand_blocks.block(e, ami_errors)
            continue
        if e.rng.random() < 0.15:
            e.lines.append(f"  .option {e.rng.choice(['rvc', 'norvc'])}")
        kind = e.rng.random()
        if ami and kind < 0.04:
            e.rng.choice([ami_blocks.getfin_sequence, ami_blocks.bafin_sequence])(e)
        elif ami and ami_errors and kind < 0.05:
            ami_blocks.error(e)
        elif e.rng.random() < fp_share:
            fp_blocks.block(e)
        else:
            pick(e.rng, BODY)(e)


def contended_body(e: Emitter, batches: int, modes: bool, pages: bool) -> int:
    """Returns the size of a slot in bytes."""
    shared = contended_blocks.Shared.draw(e.rng)
    for _ in range(batches):
        if modes:
            interrupted_blocks.batch(e, shared, pages)
        else:
            contended_blocks.batch(e, shared)
    return shared.slot_bytes


def end(seed: int, contended: bool, modes: bool) -> list[str]:
    """The last lines: with regions of memory protection, these get locked first."""
    e = Emitter(random.Random(f"end {seed}"))
    if modes and not contended:
        pmp_blocks.configure(e, pmp_blocks.READ, lock=True)
    return [*e.lines, "  test_end"]


def header(contended: bool, modes: bool, pages: bool) -> str:
    if not modes:
        return HEADER + ONE_PENDING
    text = INTERRUPTS_HEADER + (interrupted_blocks if contended else pmp_blocks).HEADER
    return text + page_blocks.header() if pages else text


def program(seed: int, instructions: int, ami: bool, ami_errors: bool, contended: bool, fp_share: float | None, modes: bool, pages: bool, fenced: bool) -> str:
    rng = random.Random(seed)
    if fp_share is None:
        fp_share = random.Random(f"fp {seed}").choice(FP_SHARES)
    poll_wait = random.Random(f"poll {seed}").choice(POLL_WAITS)
    e = Emitter(rng, functions=[f"function_{i}" for i in range(FUNCTIONS)])
    prologue(e)
    if not contended:
        fp_blocks.prologue(e)
    start = Emitter(rng, functions=e.functions, prefix="b", fenced=fenced)
    slot_bytes = ami_blocks.SLOT_BYTES
    if contended:
        slot_bytes = contended_body(start, rng.choice([10, 30, 60]), modes, pages)
    else:
        body(start, rng.choice(PAGES_BLOCKS if pages else BLOCKS), ami, ami_errors, fp_share, modes, pages)
    turns = max(1, round((instructions - e.cost) / start.cost))
    functions = Emitter(rng, prefix="f")
    for index in range(FUNCTIONS):
        function(functions, index)
    arguments = f"generate.py --seed {seed} --instructions {instructions}"
    arguments += "" if ami else " --no-ami"
    arguments += "" if ami_errors else " --no-ami-errors"
    arguments += " --contended" if contended else f" --fp {fp_share}"
    arguments += " --modes" if modes else ""
    arguments += " --pages" if pages else ""
    arguments += " --fenced" if fenced else ""
    parts = [
        header(contended, modes, pages).format(arguments=arguments),
        CONFIGURE_AMU.format(handler_base=HANDLER_BASE, slot=slot_bytes, poll_wait=poll_wait) if ami else "",
        *[line + "\n" for line in e.lines],
        f"  li s3, {turns}\n  j outer\n",
        *[line + "\n" for line in functions.lines],
        "ami_base:\nouter:\n",
        *[line + "\n" for line in start.lines],
        "  .option rvc\n  addi s3, s3, -1\n  beqz s3, finish\n  j outer\nfinish:\n",
        *[line + "\n" for line in end(seed, contended, modes)],
        operand_blocks.tables(random.Random(f"operands {seed}")),
        "  mode_handlers\n  interrupt_vectors\n" if modes else "",
    ]
    return "".join(parts)


def uart_input(seed: int, instructions: int) -> str:
    """Bytes alone and in bursts that the FIFO has no room for, over more cycles than the program takes."""
    rng = random.Random(f"uart {seed}")
    lines, cycle = [], 0
    while cycle < 6 * instructions:
        cycle += rng.choice([1, 100, 1000, 3000, 9000])
        text = "".join(f"\\x{rng.getrandbits(8):02x}" for _ in range(rng.choice([1, 1, 1, 2, 5, 25])))
        lines.append(f"{cycle} {text}\n")
    return "".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Generate a random lock-step program")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--instructions", type=int, default=50000)
    parser.add_argument("--no-ami", dest="ami", action="store_false")
    parser.add_argument("--no-ami-errors", dest="ami_errors", action="store_false")
    parser.add_argument("--contended", action="store_true")
    parser.add_argument("--modes", action="store_true")
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--fenced", action="store_true")
    parser.add_argument("--fp", type=float, metavar="SHARE")
    args = parser.parse_args()
    if args.pages and not args.modes:
        parser.error("--pages needs --modes")
    text = program(args.seed, args.instructions, args.ami, args.ami and args.ami_errors, args.contended, args.fp, args.modes, args.pages, args.fenced)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(text)
    if args.modes:
        args.out.with_suffix(".uart").write_text(uart_input(args.seed, args.instructions))
    return 0


if __name__ == "__main__":
    sys.exit(main())
