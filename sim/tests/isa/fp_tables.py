# SPDX-License-Identifier: Apache-2.0
"""Writes fp_ops.S: every F and D operation on special operands in every rounding mode. It checks nothing by itself: lock-step compares each
result, and the flags, which it reads after each operation.

usage: fp_tables.py OUT_DIR
"""

import sys
from pathlib import Path

MODES = ["rne", "rtz", "rdn", "rup", "rmm"]
BOX = 0xFFFFFFFF << 32
DOUBLES = [
    0,
    1 << 63,
    0x3FF0000000000000,  # 1
    0xBFF8000000000001,  # below -1.5
    1,  # smallest subnormal
    0x800FFFFFFFFFFFFF,  # largest subnormal, negative
    0x3FD5555555555555,  # 1/3
    0x43E0000000000000,  # 2^63
    0xC1E0000000200000,  # -2^31 - 1
    0x7FEFFFFFFFFFFFFF,
    0xFFF0000000000000,
    0x7FF8000000000123,
    0xFFF0000000000001,  # signalling
]
SINGLES = [
    BOX,
    BOX | 1 << 31,
    BOX | 0x3F800000,
    BOX | 0xBFC00001,
    BOX | 1,
    BOX | 0x807FFFFF,
    BOX | 0x3EAAAAAB,
    BOX | 0x5F000000,
    BOX | 0xCF000001,
    BOX | 0x7F7FFFFF,
    BOX | 0xFF800000,
    BOX | 0xFFC00123,
    BOX | 0x7F800001,
    0x00000000_3F800000,  # badly boxed
]
INTEGERS = [0, 1, -1, (1 << 31) - 1, 1 << 31, 0xFFFFFFFF, (1 << 53) + 1, (1 << 63) - 1, 1 << 63, 0x123456789ABCDEF0]
ROUNDED = ["fadd", "fsub", "fmul", "fdiv"]
FUSED = ["fmadd", "fmsub", "fnmsub", "fnmadd"]
SELECTIONS = ["fsgnj", "fsgnjn", "fsgnjx", "fmin", "fmax"]
RELATIONS = ["fle", "flt", "feq"]
CONVERTED = ["w", "wu", "l", "lu"]
READ_FLAGS = "csrrw a0, fflags, x0"


def binary(fmt: str) -> list[str]:
    """On fa1 and fa2, with fa3."""
    lines = []
    for mode in MODES:
        for name in ROUNDED:
            lines += [f"{name}.{fmt} fa0, fa1, fa2, {mode}", READ_FLAGS]
        for name in FUSED:
            lines += [f"{name}.{fmt} fa0, fa1, fa2, fa3, {mode}", READ_FLAGS]
    lines += [line for name in SELECTIONS for line in (f"{name}.{fmt} fa0, fa1, fa2", READ_FLAGS)]
    lines += [line for name in RELATIONS for line in (f"{name}.{fmt} a0, fa1, fa2", READ_FLAGS)]
    return lines


def unary(fmt: str) -> list[str]:
    """On fa1."""
    other = {"s": "d", "d": "s"}[fmt]
    lines = [f"fclass.{fmt} a0, fa1", f"fmv.x.{'w' if fmt == 's' else 'd'} a0, fa1"]
    for mode in MODES:
        lines += [f"fsqrt.{fmt} fa0, fa1, {mode}", READ_FLAGS]
        lines += [line for to in CONVERTED for line in (f"fcvt.{to}.{fmt} a0, fa1, {mode}", READ_FLAGS)]
        if fmt == "d":
            lines += [f"fcvt.{other}.{fmt} fa0, fa1, {mode}", READ_FLAGS]
    return lines + ([] if fmt == "d" else [f"fcvt.{other}.{fmt} fa0, fa1", READ_FLAGS])


def from_integers() -> list[str]:
    """On a1."""
    lines = ["fmv.w.x fa0, a1", "fmv.d.x fa0, a1"]
    for mode in MODES:
        for fmt in ("s", "d"):
            for source in CONVERTED:
                exact = fmt == "d" and source in ("w", "wu")
                lines += [f"fcvt.{fmt}.{source} fa0, a1" + ("" if exact else f", {mode}"), READ_FLAGS]
    return lines


def loop(label: str, pointer: str, table: str, load: str, body: list[str]) -> list[str]:
    return [
        f"la {pointer}, {table}",
        f"{label}:",
        f"{load}, 0({pointer})",
        *body,
        f"addi {pointer}, {pointer}, 8",
        f"la t0, {table}_end",
        f"bltu {pointer}, t0, {label}",
    ]


def program() -> str:
    lines = ["test_begin", "li t0, 1 << 13", "csrs mstatus, t0", "csrwi fcsr, 0"]
    for fmt, table in (("s", "singles"), ("d", "doubles")):
        # the third operand goes through the table at another pace
        third = ["fld fa3, 0(s2)", "addi s2, s2, 8", f"la t0, {table}_end", "bltu s2, t0, 1f", f"la s2, {table}", "1:"]
        inner = loop(f"{table}_inner", "s1", table, "fld fa2", [*third, *binary(fmt)])
        lines += [f"la s2, {table}", *loop(f"{table}_outer", "s0", table, "fld fa1", [*unary(fmt), *inner])]
    lines += loop("integers_loop", "s0", "integers", "ld a1", from_integers())
    lines += ["check_no_trap 1", "test_end", ".align 3"]
    for name, values in (("singles", SINGLES), ("doubles", DOUBLES), ("integers", INTEGERS)):
        lines += [f"{name}:", *(f".quad {value & (1 << 64) - 1:#x}" for value in values), f"{name}_end:"]
    text = "".join(line + "\n" if line.endswith(":") else f"  {line}\n" for line in lines)
    return '// SPDX-License-Identifier: Apache-2.0\n#include "test.h"\n' + text


def main() -> int:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    path, text = out / "fp_ops.S", program()
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
