# SPDX-License-Identifier: Apache-2.0
"""Writes warl.S: every CSR of tools/platform/csrs.toml takes what the table says, and nothing else.

usage: warl_tables.py OUT_DIR
"""

import random
import sys
from pathlib import Path

PLATFORM = Path(__file__).resolve().parents[3] / "tools/platform"
sys.path.append(str(PLATFORM))
import csrs  # noqa: E402
import description  # noqa: E402

HEADER = """// SPDX-License-Identifier: Apache-2.0
// Written by isa/warl_tables.py
#include "test.h"

  test_begin
  csrr s1, mtvec
  li a0, -1
  csrw mideleg, a0   // sie shows what is delegated
  csrw mstateen0, a0 // sstateen0 shows what mstateen0 has
  csrw pmpcfg0, x0   // regions that are off
"""
DIRTY = 3
QUIET_LINES = ["msi", "mti", "mei"]  # nothing is pending in this program but by software
KEPT_WHOLE = "satp"  # a write with a value that a field does not take changes nothing
READ_ONLY = 3  # bits 11:10 of a number


def legal(register: csrs.Register, value: int, before: int = 0) -> int:
    """What the register holds when `value` has been written."""
    for field in register.fields:
        if field.legal and (value & field.mask) >> field.lsb not in field.legal:
            if register.name == KEPT_WHOLE:
                return before
            value = value & ~field.mask | field.legal[0] << field.lsb
    return value & register.write_mask


def read(register: csrs.Register, value: int) -> int:
    """What a read gives of written bits."""
    derived = 0
    for name, mask in register.derived.items():
        assert name in ("sd", "grain", *QUIET_LINES), f"{register.name}.{name} is not known here"
        if name == "sd" and value >> 13 & DIRTY == DIRTY:
            derived |= mask
        if name == "grain":  # the regions are off
            value &= ~(mask + 1)
    return value | register.fixed_value | derived


def patterns(rng: random.Random, register: csrs.Register) -> list[int]:
    """Not the bits that stay."""
    sticky = sum(field.mask for field in register.fields if field.name.rstrip("0123456789") in register.sticky)
    every = [(1 << csrs.XLEN) - 1, 0, *(rng.getrandbits(csrs.XLEN) for _ in range(6)), *(1 << bit for bit in range(csrs.XLEN))]
    return [value & ~sticky for value in every]


def program() -> str:
    rng = random.Random(1)
    table = description.load(PLATFORM / "platform.toml")["csrs"]
    lines, number = [], 0

    def check(csr: int, value: int, expected: int, what: str) -> None:
        lines.append(f"  li a0, {value:#x} // {what}\n  csrw {csr:#x}, a0\n  csrr a0, {csr:#x}\n  check_eq {number}, a0, {expected:#x}\n")

    for register in csrs.registers(table):
        number += 1
        lines.append(f"  csrr s2, {register.number:#x}\n")
        held = 0
        for value in patterns(rng, register):
            held = legal(register, value, held)
            check(register.number, value, read(register, held), register.name)
        lines.append(f"  csrw {register.number:#x}, s2\n")
    for view in csrs.views(table):
        number += 1
        for hidden in (0, (1 << csrs.XLEN) - 1):
            lines.append(f"  li a0, {hidden:#x}\n  csrw {view.of.number:#x}, a0\n")
            for value in patterns(rng, view.of):
                mask = view.mask(True)
                whole = legal(view.of, hidden) & ~mask | legal(view.of, value & mask)
                check(view.number, value, read(view.of, whole) & view.mask(False), view.name)
                lines.append(f"  csrr a0, {view.of.number:#x}\n  check_eq {number}, a0, {read(view.of, whole):#x}\n")
    for first, last in csrs.zero_ranges(table).values():
        number += 1
        for csr in sorted({first, last}):
            if csr >> 10 != READ_ONLY:
                check(csr, (1 << csrs.XLEN) - 1, 0, "zero")
    return HEADER + "".join(lines) + "  csrw mtvec, s1\n  check_no_trap 100\n  test_end\n"


def main() -> int:
    if len(sys.argv) != 2:
        print(f"usage: {sys.argv[0]} OUT_DIR", file=sys.stderr)
        return 1
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    (out / "warl.S").write_text(program())
    return 0


if __name__ == "__main__":
    sys.exit(main())
