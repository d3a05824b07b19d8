# SPDX-License-Identifier: Apache-2.0
"""What the code generated so far has declared, and what the arrays of harness.h may be used for.

The generated loops keep the pragma's promise: an iteration writes elements that belong to it alone, or updates
shared ones by one commutative operation. What breaks the promise in a way the compiler can see (`hazards`) is
generated too; such a loop must stay serial or give the same results anyway.
"""

from dataclasses import dataclass, field
from typing import Any

from fuzz.choices import Choices

READ_MASK, NODE_MASK, TABLE_MASK, HASH_MASK = 1023, 255, 255, 63
REMOTE_READ = ("r8", "r4", "r2", "r1", "s4")
REMOTE_OWN = ("w8", "w4", "w2", "w1")
LOCAL_OWN = ("o8", "o4")
C_TYPES = {
    "r8": "uint64_t",
    "r4": "uint32_t",
    "r2": "uint16_t",
    "r1": "uint8_t",
    "s4": "int32_t",
    "rd": "double",
    "nodes": "struct node",
    "l8": "uint64_t",
    "permutation": "uint32_t",
    "w8": "uint64_t",
    "w4": "uint32_t",
    "w2": "uint16_t",
    "w1": "uint8_t",
    "cells": "struct cell",
    "table": "struct row",
    "rows": "struct row",
    "o8": "uint64_t",
    "o4": "uint32_t",
    "hash": "uint64_t",
    "atoms": "uint64_t",
    "global": "uint64_t",
    "packed": "uint64_t",
}
REMOTE = (*REMOTE_READ, *REMOTE_OWN, "rd", "nodes", "cells", "table", "rows", "atoms")
# Distinct iterations get distinct elements: "@" is the loop variable, below 1000.
OWN_INDEX = ("@", "2047 - @", "2 * @ + {slot}", "permutation[@]", "(@ ^ 1)")
# Elements of an iteration whose row writes some: those, and one more. It is below 10 there.
ROW_STRIDE = 201
BEHIND_ROW = f"@ * {ROW_STRIDE} + {ROW_STRIDE - 1}"


@dataclass
class Scope:
    """State of one function under construction."""

    choices: Choices
    values: list[str] = field(default_factory=lambda: ["(uint64_t)i"])
    assignable: list[str] = field(default_factory=list)
    local_arrays: list[tuple[str, int]] = field(default_factory=list)
    arrays: dict[str, None] = field(default_factory=dict)
    unmarked: set[str] = field(default_factory=set)
    # Which a refusal needs to be marked, in callees, too.
    always_marked: set[str] = field(default_factory=set)
    own_index: dict[str, str] = field(default_factory=dict)
    # Declared before the loop: name -> (type, first value, operation).
    accumulators: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    outside: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    # Of the pragma, beside those of accumulators.
    clauses: list[str] = field(default_factory=list)
    hazards: list[str] = field(default_factory=list)
    # Why the loop must be refused, or nothing.
    refused: str = ""
    skip_iteration: str = "continue;"
    inner_loops: int = 0
    depth: int = 0
    in_lambda: bool = False
    # The loop variable is visibly first + step * iteration.
    affine: bool = True
    # It may be any below 1000, however few iterations there are.
    any_index: bool = False
    # An iteration owns ROW_STRIDE elements of an array.
    has_ranges: bool = False
    jumps_to_end: bool = False
    jumps_out: bool = False
    names: int = 0
    # Rows (rows.py) so far; of the one under construction: its sums as name -> (type, operation), what counts from 0 in it, the
    # element it writes, and elements by array that it only updates.
    rows: int = 0
    in_row: bool = False
    row_sums: dict[str, tuple[str, str]] = field(default_factory=dict)
    row_counter: str = ""
    row_place: str = ""
    row_updates: dict[str, str] = field(default_factory=dict)
    # The function under construction, what its body may contain besides the usual statements, and its callees.
    function: str = ""
    cpp: bool = False
    more: tuple[tuple[int, Any], ...] = ()
    callees: list[Any] = field(default_factory=list)

    def fresh(self, prefix: str) -> str:
        """A name not used yet in this function."""
        self.names += 1
        return f"{prefix}{self.names}"

    def array(self, name: str) -> str:
        """Declare an array of the harness on its first use; most remote ones get their mark."""
        if name not in self.arrays:
            self.arrays[name] = None
            if name in REMOTE and name != "r8" and self.choices.chance(8) and name not in self.always_marked:
                self.unmarked.add(name)
        return name

    def own_element(self, name: str) -> str:
        """An element of `name` that belongs to this iteration. In a row it is only read, and not where the row updates it."""
        if name in self.row_updates:
            return f"{self.array('l8')}[5]"
        self.array(name)
        if name not in self.own_index:
            self.own_index[name] = self.choices.pick(OWN_INDEX)
        index = self.own_index[name]
        if "permutation" in index:
            self.array("permutation")
        if "slot" in index:
            index = index.format(slot=self.choices.below(2))
        return f"{name}[{index.replace('@', 'i')}]"

    def add_to_sink(self, text: str) -> str:
        """A statement that makes a value count."""
        self.accumulators.setdefault("sink", ("uint64_t", "1", "+"))
        return f"sink += {text};"

    def leave(self, mark: tuple[int, int, int]) -> None:
        """Forget the variables of an inner block."""
        values, assignable, local_arrays = mark
        del self.values[values:], self.assignable[assignable:], self.local_arrays[local_arrays:]

    def mark(self) -> tuple[int, int, int]:
        """What `leave` goes back to."""
        return len(self.values), len(self.assignable), len(self.local_arrays)

    def hide_variables(self) -> tuple[list[str], list[tuple[str, int]]]:
        """Iterations of a row may not change what is declared around it."""
        hidden = self.assignable[:], self.local_arrays[:]
        self.assignable.clear()
        self.local_arrays.clear()
        return hidden

    def show_variables(self, hidden: tuple[list[str], list[tuple[str, int]]]) -> None:
        self.assignable[:], self.local_arrays[:] = hidden
