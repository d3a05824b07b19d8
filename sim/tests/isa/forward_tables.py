# SPDX-License-Identifier: Apache-2.0
"""Writes forward.S: every pair of aligned stores of 1 to 8 bytes inside a doubleword, then every load from it.

usage: forward_tables.py OUT_DIR

Three stores are in flight at a load: a whole doubleword, then two partial ones, so its bytes come from memory, from one store or
from several. In turn nothing is late, the second store's data, or its address (loads overtake it). The program runs in local
memory, far memory and the SPM window. The expected checksum comes from the bytes below, not from a simulator.
The number of a check (the exit code of a failure) is 1 + the first store's position in STORES.
"""

import sys
from pathlib import Path

SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}
STORES = [(letter, offset) for letter, size in SIZES.items() for offset in range(0, 8, size)]
# Code before the three stores: nothing late, the second store's data late, its address late. s3 depends on the load before.
LATE = [[], ["  mul t1, s3, x0", "  add a5, a3, t1"], ["  mul t1, s3, x0", "  add a4, a0, t1"]]
BACKGROUND = bytes(range(0xF0, 0xF8))
FIRST = bytes(range(0x81, 0x89))
SECOND = bytes(range(0x11, 0x19))
MULTIPLIER = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1

HEADER = """// SPDX-License-Identifier: Apache-2.0
// Written by forward_tables.py.
#include "test.h"
  test_begin
  take_spm_way
  li a1, {background}
  li a2, {first}
  li a3, {second}
  li s4, {multiplier}
"""

# a0 the address, a4 and a5 the second store's address and data, s3 the checksum. The first round finds cold caches.
ROUNDS = """
  la s5, bases
round:
  ld a0, 0(s5)
  beqz a0, finish
  call pairs
  addi s5, s5, 8
  j round
pairs:
"""

FOOTER = """  ret
finish:
  check_no_trap 100
  test_end
  .section .rodata
  .align 3
bases: .dword NHG_LOCAL_BASE + 0x200040, NHG_FAR_BASE + 0x2040, NHG_SPM_BASE + 0x1040, 0
"""


def value_of(memory: bytes, load: tuple[str, int]) -> int:
    letter, offset = load
    size = SIZES[letter[0]]
    return int.from_bytes(memory[offset : offset + size], "little", signed=not letter.endswith("u")) & MASK


def stored(memory: bytes, store: tuple[str, int], data: bytes) -> bytes:
    letter, offset = store
    size = SIZES[letter]
    return memory[:offset] + data[:size] + memory[offset + size :]


def block(number: int, first: tuple[str, int]) -> list[str]:
    """All second stores and all loads after one first store; checks a checksum of the loaded values."""
    lines = ["  li s3, 0"]
    checksum = 0
    for position, second in enumerate(STORES):
        memory = stored(stored(BACKGROUND, first, FIRST), second, SECOND)
        for turn, (letter, offset) in enumerate(STORES, position + number):
            load = (letter + "u" * (letter != "d" and turn % 2), offset)
            lines += [
                "  mv a4, a0",
                "  mv a5, a3",
                *LATE[turn % 3],
                "  sd a1, 0(a0)",
                f"  s{first[0]} a2, {first[1]}(a0)",
                f"  s{second[0]} a5, {second[1]}(a4)",
                f"  l{load[0]} t2, {load[1]}(a0)",
                "  add s3, s3, t2",
                "  mul s3, s3, s4",
            ]
            checksum = (checksum + value_of(memory, load)) * MULTIPLIER & MASK
    return [*lines, f"  check_eq {number}, s3, {checksum:#x}"]


def main() -> None:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    numbers = {"background": BACKGROUND, "first": FIRST, "second": SECOND}
    text = HEADER.format(multiplier=f"{MULTIPLIER:#x}", **{name: f"{int.from_bytes(data, 'little'):#x}" for name, data in numbers.items()})
    lines = [line for number, first in enumerate(STORES, 1) for line in block(number, first)]
    (out / "forward.S").write_text(text + ROUNDS + "\n".join(lines) + "\n" + FOOTER)


if __name__ == "__main__":
    main()
