# SPDX-License-Identifier: Apache-2.0
"""Writes bitmanip.S: every operation of Zba, Zbb, Zbs and Zicond on corner values, in the form of op_tables.py.

usage: bit_tables.py OUT_DIR
"""

import sys
from collections.abc import Callable
from pathlib import Path

from op_tables import VALUES, Operation, register_checks, signed, unsigned, word, write_program

OPERANDS = [0, 1, -1, 31, 32, 63, 64, -(1 << 63), 0x123456789ABCDEF0]


def rotate_right(value: int, amount: int, bits: int) -> int:
    value, amount = unsigned(value, bits), amount % bits
    return signed(value >> amount | value << (bits - amount), bits)


def leading_zeros(value: int, bits: int) -> int:
    return bits - unsigned(value, bits).bit_length()


def trailing_zeros(value: int, bits: int) -> int:
    value = unsigned(value, bits)
    return (value & -value).bit_length() - 1 if value else bits


def shift_add(amount: int) -> Operation:
    return lambda a, b: (a << amount) + b


def shift_add_word(amount: int) -> Operation:
    return lambda a, b: (unsigned(a, 32) << amount) + b


REGISTER_OPS: dict[str, Operation] = {
    "sh1add": shift_add(1),
    "sh2add": shift_add(2),
    "sh3add": shift_add(3),
    "add.uw": shift_add_word(0),
    "sh1add.uw": shift_add_word(1),
    "sh2add.uw": shift_add_word(2),
    "sh3add.uw": shift_add_word(3),
    "andn": lambda a, b: a & ~b,
    "orn": lambda a, b: a | ~b,
    "xnor": lambda a, b: ~(a ^ b),
    "min": lambda a, b: min(signed(a), signed(b)),
    "max": lambda a, b: max(signed(a), signed(b)),
    "minu": lambda a, b: min(unsigned(a), unsigned(b)),
    "maxu": lambda a, b: max(unsigned(a), unsigned(b)),
    "rol": lambda a, b: rotate_right(a, -(b & 63), 64),
    "ror": lambda a, b: rotate_right(a, b & 63, 64),
    "rolw": lambda a, b: rotate_right(a, -(b & 31), 32),
    "rorw": lambda a, b: rotate_right(a, b & 31, 32),
    "bclr": lambda a, b: a & ~(1 << (b & 63)),
    "bext": lambda a, b: a >> (b & 63) & 1,
    "binv": lambda a, b: a ^ 1 << (b & 63),
    "bset": lambda a, b: a | 1 << (b & 63),
    "czero.eqz": lambda a, b: 0 if unsigned(b) == 0 else a,
    "czero.nez": lambda a, b: a if unsigned(b) == 0 else 0,
}
IMMEDIATE_OPS: dict[str, tuple[Operation, int]] = {
    "slli.uw": (lambda a, b: unsigned(a, 32) << b, 64),
    "rori": (REGISTER_OPS["ror"], 64),
    "roriw": (REGISTER_OPS["rorw"], 32),
    "bclri": (REGISTER_OPS["bclr"], 64),
    "bexti": (REGISTER_OPS["bext"], 64),
    "binvi": (REGISTER_OPS["binv"], 64),
    "bseti": (REGISTER_OPS["bset"], 64),
}
UNARY_OPS: dict[str, Callable[[int], int]] = {
    "clz": lambda a: leading_zeros(a, 64),
    "clzw": lambda a: leading_zeros(a, 32),
    "ctz": lambda a: trailing_zeros(a, 64),
    "ctzw": lambda a: trailing_zeros(a, 32),
    "cpop": lambda a: unsigned(a).bit_count(),
    "cpopw": lambda a: unsigned(a, 32).bit_count(),
    "sext.b": lambda a: signed(a, 8),
    "sext.h": lambda a: signed(a, 16),
    "zext.h": lambda a: unsigned(a, 16),
    "orc.b": lambda a: int.from_bytes(bytes(255 if byte else 0 for byte in unsigned(a).to_bytes(8, "little")), "little"),
    "rev8": lambda a: int.from_bytes(unsigned(a).to_bytes(8, "little"), "big"),
}

PROLOGUE = "  .option arch, +zicond"
UNARY_MACRO = """
  .macro check_unary number, op, a, expected
  li a1, \\a
  \\op a0, a1
  check_eq \\number, a0, \\expected
  \\op a1, a1
  check_eq \\number, a1, \\expected
  .endm
"""


def immediate_checks(first: int) -> list[str]:
    return [
        f"  check_imm {number}, {name}, {word(a)}, {immediate}, {word(op(a, immediate))}"
        for number, (name, (op, bits)) in enumerate(IMMEDIATE_OPS.items(), first)
        for a in VALUES
        for immediate in (0, 1, bits // 2 - 1, bits // 2, bits - 1)
    ]


def unary_checks(first: int) -> list[str]:
    values = [*VALUES, 0x80, 0x8000, 0x00FF010080007F00]
    return [f"  check_unary {number}, {name}, {word(a)}, {word(op(a))}" for number, (name, op) in enumerate(UNARY_OPS.items(), first) for a in values]


def main() -> int:
    registers = register_checks(REGISTER_OPS, OPERANDS)
    immediates = immediate_checks(len(REGISTER_OPS) + 1)
    unaries = unary_checks(len(REGISTER_OPS) + len(IMMEDIATE_OPS) + 1)
    write_program(Path(sys.argv[1]) / "bitmanip.S", [PROLOGUE, *registers, *immediates, UNARY_MACRO, *unaries])
    return 0


if __name__ == "__main__":
    sys.exit(main())
