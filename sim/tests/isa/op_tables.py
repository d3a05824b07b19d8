# SPDX-License-Identifier: Apache-2.0
"""Writes alu.S and muldiv.S: every RV64IM register and immediate operation on corner values.

usage: op_tables.py OUT_DIR

The expected values come from the definitions below (unbounded Python integers), not from a simulator.
The number of a check (the exit code of a failure) is the operation's position in its table.
"""

import sys
from collections.abc import Callable
from pathlib import Path

Operation = Callable[[int, int], int]

VALUES = [0, 1, -1, 2, -2, 0x7FFFFFFF, -0x80000000, 0x80000000, 0xFFFFFFFF, (1 << 63) - 1, -(1 << 63), 0x123456789ABCDEF0, -0x0123456789ABCDEF, 7, -7]
ALU_OPERANDS = [0, 1, -1, 31, 32, 63, 64, -(1 << 63), 0x123456789ABCDEF0]
MULDIV_OPERANDS = [0, 1, -1, 7, -7, 0x80000000, -(1 << 63), 0x123456789ABCDEF0]


def signed(value: int, bits: int = 64) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def unsigned(value: int, bits: int = 64) -> int:
    return value & ((1 << bits) - 1)


def divide(a: int, b: int) -> int:
    """Quotient rounded towards zero; -1 for a zero divisor, as RISC-V defines it."""
    if b == 0:
        return -1
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def remainder(a: int, b: int) -> int:
    if b == 0:
        return a
    result = abs(a) % abs(b)
    return -result if a < 0 else result


REGISTER_OPS: dict[str, Operation] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "sll": lambda a, b: a << (b & 63),
    "srl": lambda a, b: unsigned(a) >> (b & 63),
    "sra": lambda a, b: signed(a) >> (b & 63),
    "slt": lambda a, b: int(signed(a) < signed(b)),
    "sltu": lambda a, b: int(unsigned(a) < unsigned(b)),
    "xor": lambda a, b: a ^ b,
    "or": lambda a, b: a | b,
    "and": lambda a, b: a & b,
    "addw": lambda a, b: signed(a + b, 32),
    "subw": lambda a, b: signed(a - b, 32),
    "sllw": lambda a, b: signed(a << (b & 31), 32),
    "srlw": lambda a, b: signed(unsigned(a, 32) >> (b & 31), 32),
    "sraw": lambda a, b: signed(a, 32) >> (b & 31),
}

MULDIV_OPS: dict[str, Operation] = {
    "mul": lambda a, b: a * b,
    "mulh": lambda a, b: (signed(a) * signed(b)) >> 64,
    "mulhu": lambda a, b: (unsigned(a) * unsigned(b)) >> 64,
    "mulhsu": lambda a, b: (signed(a) * unsigned(b)) >> 64,
    "mulw": lambda a, b: signed(a * b, 32),
    "div": lambda a, b: divide(signed(a), signed(b)),
    "rem": lambda a, b: remainder(signed(a), signed(b)),
    "divu": lambda a, b: divide(unsigned(a), unsigned(b)),
    "remu": lambda a, b: remainder(unsigned(a), unsigned(b)),
    "divw": lambda a, b: signed(divide(signed(a, 32), signed(b, 32)), 32),
    "remw": lambda a, b: signed(remainder(signed(a, 32), signed(b, 32)), 32),
    "divuw": lambda a, b: signed(divide(unsigned(a, 32), unsigned(b, 32)), 32),
    "remuw": lambda a, b: signed(remainder(unsigned(a, 32), unsigned(b, 32)), 32),
}

LOGIC_IMMEDIATES = [0, -1, 1365]
ARITHMETIC_IMMEDIATES = [0, 1, -1, 2047, -2048]
IMMEDIATE_OPS: dict[str, tuple[Operation, list[int]]] = {
    "addi": (lambda a, b: a + b, ARITHMETIC_IMMEDIATES),
    "slti": (lambda a, b: int(signed(a) < b), ARITHMETIC_IMMEDIATES),
    "sltiu": (lambda a, b: int(unsigned(a) < unsigned(b)), ARITHMETIC_IMMEDIATES),
    "xori": (lambda a, b: a ^ b, LOGIC_IMMEDIATES),
    "ori": (lambda a, b: a | b, LOGIC_IMMEDIATES),
    "andi": (lambda a, b: a & b, LOGIC_IMMEDIATES),
    "slli": (lambda a, b: a << b, [0, 1, 31, 32, 63]),
    "srli": (lambda a, b: unsigned(a) >> b, [0, 1, 31, 32, 63]),
    "srai": (lambda a, b: signed(a) >> b, [0, 1, 31, 32, 63]),
    "addiw": (lambda a, b: signed(a + b, 32), ARITHMETIC_IMMEDIATES),
    "slliw": (lambda a, b: signed(a << b, 32), [0, 1, 31]),
    "srliw": (lambda a, b: signed(unsigned(a, 32) >> b, 32), [0, 1, 31]),
    "sraiw": (lambda a, b: signed(a, 32) >> b, [0, 1, 31]),
}

PROLOGUE = r"""// SPDX-License-Identifier: Apache-2.0
#include "test.h"

  // Result in another register, in the first, and in the second operand's register.
  .macro check_op number, op, a, b, expected
  li a1, \a
  li a2, \b
  \op a0, a1, a2
  check_eq \number, a0, \expected
  mv a3, a1
  \op a3, a3, a2
  check_eq \number, a3, \expected
  \op a2, a1, a2
  check_eq \number, a2, \expected
  \op x0, a1, a1
  check_eq \number, x0, 0
  .endm

  .macro check_imm number, op, a, immediate, expected
  li a1, \a
  \op a0, a1, \immediate
  check_eq \number, a0, \expected
  \op a1, a1, \immediate
  check_eq \number, a1, \expected
  .endm

  test_begin"""


def word(value: int) -> str:
    return f"{unsigned(value):#x}"


def register_checks(ops: dict[str, Operation], operands: list[int]) -> list[str]:
    return [
        f"  check_op {number}, {name}, {word(a)}, {word(b)}, {word(op(a, b))}"
        for number, (name, op) in enumerate(ops.items(), 1)
        for a in VALUES
        for b in operands
    ]


def immediate_checks(first: int) -> list[str]:
    return [
        f"  check_imm {number}, {name}, {word(a)}, {immediate}, {word(op(a, immediate))}"
        for number, (name, (op, immediates)) in enumerate(IMMEDIATE_OPS.items(), first)
        for a in VALUES
        for immediate in immediates
    ]


def write_program(path: Path, checks: list[str]) -> None:
    """Writes a self-checking program, unless it is there already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join([PROLOGUE, *checks, "  check_no_trap 100", "  test_end", ""])
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main() -> int:
    out = Path(sys.argv[1])
    write_program(out / "alu.S", register_checks(REGISTER_OPS, ALU_OPERANDS) + immediate_checks(len(REGISTER_OPS) + 1))
    write_program(out / "muldiv.S", register_checks(MULDIV_OPS, MULDIV_OPERANDS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
