# SPDX-License-Identifier: Apache-2.0
"""Expressions of type uint64_t without undefined behaviour; those with loads reach remote and local memory."""

from fuzz.scope import HASH_MASK, LOCAL_OWN, NODE_MASK, READ_MASK, REMOTE_OWN, REMOTE_READ, TABLE_MASK, Scope

CONSTANTS = ("1", "3", "0x9e3779b97f4a7c15u", "0", "17", "255", "0xffffffffffffffffu", "1000003")
FIELDS = ("key", "count", "tag", "flag")
CELL_FIELDS = ("x", "y", "z", "t[0]", "t[1]")
ROW_FIELDS = ("wide", "p.kind", "p.size", "p.where", "name[18]")


def constant(s: Scope) -> str:
    return f"(uint64_t){s.choices.pick(CONSTANTS)}"


def value(s: Scope) -> str:
    """A variable, the newest ones more often."""
    newest = s.values[-3:]
    return s.choices.pick(newest if s.choices.chance(60) else s.values)


def remote_load(s: Scope, depth: int) -> str:
    kind = s.choices.weighted([(6, "read"), (2, "node"), (3, "own"), (1, "cell"), (1, "double"), (1, "row")])
    if kind == "read":
        return f"(uint64_t){s.array(s.choices.pick(REMOTE_READ))}[{expression(s, depth - 1)} & {READ_MASK}]"
    if kind == "node":
        return f"(uint64_t){s.array('nodes')}[{expression(s, depth - 1)} & {NODE_MASK}].{s.choices.pick(FIELDS)}"
    if kind == "own":
        return f"(uint64_t){s.own_element(s.choices.pick(REMOTE_OWN))}"
    if kind == "row":
        return f"(uint64_t)({row(s, depth)}.{s.choices.pick((*ROW_FIELDS, 'wide >> 40'))})"
    if kind == "cell":
        return f"(uint64_t){s.own_element('cells')}.{s.choices.pick(CELL_FIELDS)}"
    return f"(uint64_t)(int64_t){s.array('rd')}[{expression(s, depth - 1)} & {READ_MASK}]"


def row(s: Scope, depth: int) -> str:
    """A row to read."""
    return s.own_element("rows") if s.choices.chance(30) else f"{s.array('table')}[{expression(s, depth - 1)} & {TABLE_MASK}]"


def local_load(s: Scope, depth: int) -> str:
    if s.local_arrays and s.choices.chance(60):
        name, count = s.choices.pick(s.local_arrays)
        return f"{name}[{expression(s, depth - 1)} & {count - 1}]"
    if s.choices.chance(40):
        return f"(uint64_t){s.own_element(s.choices.pick(LOCAL_OWN))}"
    return f"{s.array('l8')}[{expression(s, depth - 1)} & {READ_MASK}]"


def call(s: Scope, depth: int) -> str:
    kind = s.choices.weighted([(3, "mix"), (3, "at"), (1, "pure"), (1, "twice"), (1, "list")])
    if kind == "list":
        return f"fuzz_list_sum(&{s.array('nodes')}[{expression(s, depth - 1)} & {NODE_MASK}])"
    if kind in ("at", "twice"):
        return f"fuzz_{kind}({s.array('r8')}, {expression(s, depth - 1)})"
    return f"fuzz_{kind}({expression(s, depth - 1)})"


def condition(s: Scope, depth: int) -> str:
    """Truth value; sometimes with short circuits."""
    kind = s.choices.weighted([(4, "bit"), (4, "compare"), (2, "and"), (2, "or")])
    if kind == "bit":
        return f"({expression(s, depth - 1)} & {s.choices.pick((1, 3, 4, 7))})"
    if kind == "compare":
        operator = s.choices.pick(("<", "!=", ">=", "=="))
        return f"({expression(s, depth - 1)} {operator} {expression(s, depth - 1)})"
    operator = "&&" if kind == "and" else "||"
    return f"({condition(s, depth - 1)} {operator} {condition(s, depth - 1)})" if depth > 0 else f"({value(s)} & 1)"


def expression(s: Scope, depth: int) -> str:
    """An operand-safe expression; depth bounds its nesting."""
    if depth <= 0:
        return s.choices.weighted([(5, value), (2, constant)])(s)
    kind = s.choices.weighted(
        [
            (4, "value"),
            (1, "constant"),
            (6, "arithmetic"),
            (9, "remote"),
            (3, "local"),
            (2, "shift"),
            (1, "division"),
            (1, "compare"),
            (2, "select"),
            (2, "cast"),
            (2, "call"),
        ]
    )
    if kind == "value":
        return value(s)
    if kind == "constant":
        return constant(s)
    if kind == "remote":
        return remote_load(s, depth)
    if kind == "local":
        return local_load(s, depth)
    if kind == "call":
        return call(s, depth)
    left = expression(s, depth - 1)
    if kind == "compare":
        return f"(uint64_t)({left} {s.choices.pick(('<', '=='))} {expression(s, depth - 1)})"
    if kind == "cast":
        return f"(uint64_t)({s.choices.pick(('uint32_t', 'uint8_t', 'int16_t', 'int32_t'))}){left}"
    if kind == "select":
        return f"({condition(s, depth - 1)} ? {left} : {expression(s, depth - 1)})"
    if kind == "shift":
        return f"({left} {s.choices.pick(('>>', '<<'))} ({expression(s, depth - 1)} & 31))"
    if kind == "division":
        return f"({left} {s.choices.pick(('/', '%'))} ({expression(s, depth - 1)} | 1))"
    return f"({left} {s.choices.pick(('+', '^', '-', '*', '&', '|'))} {expression(s, depth - 1)})"


def hash_element(s: Scope, name: str, depth: int) -> str:
    """An element that iterations share."""
    return f"{s.array(name)}[{expression(s, depth)} & {HASH_MASK}]"
