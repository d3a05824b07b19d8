# SPDX-License-Identifier: Apache-2.0
"""Writes a program of random words from reserved, custom and hint encodings, for lock-step runs: each does nothing or is illegal, in the three modes.

usage: encoding_words.py --seed N [--words 100000] OUT.S

With the AMU off its opcode is one of custom encodings. Words are in blocks of four and of two bytes, as the handler goes on behind one that traps. Some
prefetch what is unmapped, a device, or the last bytes of a region. All registers hold addresses of nothing, so that what is legal after all changes only
registers. The same seed and number give the same program.
"""

import argparse
import random
import sys
from pathlib import Path

HEADER = """// SPDX-License-Identifier: Apache-2.0
#include "test.h"

#define STATUS_MPP (3 << 11)

  .macro enter mode
  li x31, STATUS_MPP
  csrc mstatus, x31
  li x31, \\mode << 11
  csrs mstatus, x31
  la x31, 9f
  csrw mepc, x31
  mret
9:
  .endm

  test_begin
  csrci NHG_CSR_AMUCTL, 1 << NHG_AMI_AMUCTL_ON_LSB
  li x31, -1
  csrw pmpaddr0, x31
  csrwi pmpcfg0, 0x1f
  li x31, 1 << 13
  csrs mstatus, x31
  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  fmv.d.x f\\n, x0
  .endr
"""
FOOTER = """  li s10, 0
  li x31, NHG_HOST_EXIT
  sd s10, 0(x31)
test_fail:
  j test_fail

  // Goes on behind the word, whose bytes are in s11; behind an ecall in machine mode.
  .align 2
test_trap:
  csrr x30, mepc
  csrr x31, mcause
  addi x31, x31, -2
  bnez x31, 1f
  add x30, x30, s11
  csrw mepc, x30
  mret
1:jr 4(x30)
"""
MODES = (0, 1, 3)
BLOCK_WORDS = 64
ADDRESSES = [
    *("0", "8", "NHG_HOST_BASE", "NHG_CLINT_MSIP", "NHG_FAR_CONTROL_BASE", "NHG_LOCAL_BASE", "NHG_LOCAL_BASE - 8", "NHG_LOCAL_BASE + NHG_LOCAL_SIZE - 8"),
    *("NHG_FAR_BASE + NHG_FAR_SIZE - 8", "NHG_FAR_BASE + NHG_FAR_SIZE", "NHG_SPM_BASE", "NHG_SPM_BASE + NHG_SPM_SIZE - 8", "NHG_BOOT_ROM_BASE"),
    *("-8", "1 << 36", "1 << 38", "1 << 63", "-(1 << 38)"),
]
REGISTERS = range(8, 18)  # that the words may name: s0, s1, a0 to a7
OP, OP_32, OP_IMM, OP_IMM_32 = 0x33, 0x3B, 0x13, 0x1B
CUSTOM = [0b00_010_11, 0b01_010_11, 0b10_110_11, 0b11_110_11]  # bits 6:5, 4:2, 1:0 as the table of opcodes has them
RESERVED_OPCODES = [0x57, 0x6B, 0x77, 0x1F, 0x3F, 0x5F, 0x7F]
# opcode: values of funct3 that no instruction has
RESERVED_FUNCT3 = {0x03: [7], 0x07: [0, 1, 4, 5, 6, 7], 0x0F: [3, 4, 5, 6, 7], 0x23: [4, 5, 6, 7], 0x27: [0, 1, 4, 5, 6, 7], 0x2F: [0, 1, 4, 5, 6, 7]}
RESERVED_FUNCT3 |= {0x63: [2, 3], 0x67: [1, 2, 3, 4, 5, 6, 7], 0x73: [4]}
FLOATING = [0x43, 0x47, 0x4B, 0x4F, 0x53]
# quadrant and funct3 of compressed instructions, in hexadecimal: reserved, or hints if rd or the immediate is zero
COMPRESSED_HINTS = {"nop": 0x0001, "li": 0x4001, "lui": 0x6001, "slli": 0x0002, "mv": 0x8002, "add": 0x9002}
COMPRESSED_RESERVED = {"zero": 0x0000, "addiw": 0x2001, "lwsp": 0x4002, "ldsp": 0x6002, "quadrant 0": 0x8000, "addi16sp": 0x6101, "jr": 0x8002}


def word(rng: random.Random) -> int:
    """Four bytes."""
    rs1, rs2, rd = (rng.choice(REGISTERS) for _ in range(3))
    high, funct3 = rng.getrandbits(7), rng.getrandbits(3)
    kind = rng.random()
    if kind < 0.2:  # hints, and what is reserved beside them
        opcode, rd = rng.choice([OP, OP_32, OP_IMM, OP_IMM_32, 0x37, 0x17]), 0
    elif kind < 0.3:
        opcode = rng.choice([OP, OP_32, OP_IMM, OP_IMM_32])
    elif kind < 0.36:
        opcode, funct3, rd = 0x0F, 0, rng.choice([0, rd])  # fences of any kind
    elif kind < 0.5:
        opcode = rng.choice(CUSTOM)
    elif kind < 0.62:
        opcode = rng.choice(RESERVED_OPCODES)
    elif kind < 0.85:
        opcode = rng.choice(list(RESERVED_FUNCT3))
        funct3 = rng.choice(RESERVED_FUNCT3[opcode])
    elif kind < 0.95:
        opcode = rng.choice(FLOATING)
    else:  # SYSTEM, but for ecall, ebreak, returns, wfi and sfence.vma
        opcode, funct3, high = 0x73, 0, rng.choice([value for value in range(128) if value not in (0, 0x08, 0x09, 0x18)])
    return high << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode


def half(rng: random.Random) -> int:
    """Two bytes."""
    if rng.random() < 0.5:
        name, base = rng.choice(list(COMPRESSED_HINTS.items()))
        rs2 = rng.choice(REGISTERS)
        return base | rs2 << 2 | (rng.getrandbits(1) << 12 if name in ("nop", "li", "slli") else 0)
    name, base = rng.choice(list(COMPRESSED_RESERVED.items()))
    if name == "quadrant 0":
        return base | rng.getrandbits(11) << 2
    if name in ("zero", "addi16sp", "jr"):
        return base
    return base | rng.getrandbits(5) << 2 | rng.getrandbits(1) << 12


def prefetches(rng: random.Random) -> list[str]:
    register = f"x{rng.choice(REGISTERS)}"
    return [f"  li {register}, {rng.choice(ADDRESSES)}\n", *[f"  prefetch.{kind} {rng.choice([0, 32, -32])}({register})\n" for kind in "irw"]]


def program(seed: int, words: int) -> str:
    rng = random.Random(seed)
    lines = [HEADER]
    for number in range(0, words, BLOCK_WORDS):
        count = min(BLOCK_WORDS, words - number)
        is_short = rng.random() < 0.25
        lines += [f"  li x{register}, {1 << 62 | rng.getrandbits(61):#x}\n" for register in rng.sample(REGISTERS, 2)]
        lines += [f"  enter {rng.choice(MODES)}\n", f"  li s11, {2 if is_short else 4}\n", *prefetches(rng)]
        lines += [f"  .half {half(rng):#x}\n" if is_short else f"  .word {word(rng):#x}\n" for _ in range(count)]
        lines += ["  .balign 4\n  .word 0x73 // ecall\n"]
    return "".join([*lines, FOOTER])


def main() -> int:
    parser = argparse.ArgumentParser(description="Generate a lock-step program of reserved, custom and hint encodings")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--words", type=int, default=100_000)
    args = parser.parse_args()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(program(args.seed, args.words))
    return 0


if __name__ == "__main__":
    sys.exit(main())
