# SPDX-License-Identifier: Apache-2.0
"""Statements with calls of the C library on remote blocks, and with pointers that come out of remote memory.

Blocks begin at any byte. r1 ends with a zero, so that a text in it ends.
"""

from fuzz.expressions import expression
from fuzz.scope import NODE_MASK, Scope

LENGTHS = (8, 16, 1, 3, 4, 13, 32, 33, 63, 64)
SIGNS = ("== 0", "< 0", "> 0")
BLOCK_BYTES = 64


def place(s: Scope) -> str:
    """Some byte of r1, behind which a block has room."""
    return f"&{s.array('r1')}[{expression(s, 1)} & 511]"


def text(s: Scope) -> str:
    return f"(const char *)&{s.array('r1')}[{expression(s, 1)} & 1023]"


def length(s: Scope) -> str:
    """A constant or not, at most BLOCK_BYTES."""
    return str(s.choices.pick(LENGTHS)) if s.choices.chance(50) else f"{expression(s, 1)} & {BLOCK_BYTES - 1}"


def library(s: Scope) -> list[str]:
    """One call of a function of string.h. What it is told is the sign only."""
    kind, name = s.choices.weighted([(4, "memcmp"), (3, "memcpy"), (2, "memchr"), (1, "strlen"), (2, "strcmp"), (2, "strncmp")]), s.fresh("b")
    sign, before = s.choices.pick(SIGNS), []
    if kind == "memcmp":
        block = s.fresh("t")
        other = s.choices.weighted([(2, block), (2, place(s)), (2, f"(const uint8_t *)&{s.array('l8')}[{expression(s, 1)} & 511]")])
        if other == block:
            before = [f"uint8_t {block}[{BLOCK_BYTES}] = {{(uint8_t)({expression(s, 1)})}};"]
            before += [f"__builtin_memcpy({block}, {place(s)}, {s.choices.pick(LENGTHS)});"] if s.choices.chance(50) else []
        sides = [place(s), other]
        if s.choices.chance(50):
            sides.reverse()
        called = f"__builtin_memcmp({', '.join(sides)}, {length(s)}) {sign}"
    elif kind == "memcpy":
        block, first = s.fresh("t"), s.choices.below(8)
        before = [f"uint8_t {block}[{BLOCK_BYTES + 8}] = {{7}};", f"__builtin_memcpy({block} + {first}, {place(s)}, {length(s)});"]
        called = f"{block}[{first}] * 3 + {block}[{expression(s, 1)} & {BLOCK_BYTES - 1}]"
    elif kind == "memchr":
        found = s.fresh("q")
        called = f"{found} ? *{found} + 1 : 0"
        before = [f"const uint8_t *{found} = (const uint8_t *)__builtin_memchr({place(s)}, (int)({expression(s, 1)} & 255), {length(s)});"]
    elif kind == "strlen":
        called = f"__builtin_strlen({text(s)})"
    elif kind == "strcmp":
        called = f"__builtin_strcmp({text(s)}, {text(s)}) {sign}"
    else:
        called = f"__builtin_strncmp({text(s)}, {text(s)}, {length(s)}) {sign}"
    s.values.append(name)
    return [*before, f"const uint64_t {name} = (uint64_t)({called});"]


def loaded_pointer(s: Scope) -> list[str]:
    """A pointer that comes out of remote memory through others, without a mark of its own; some are said to be near."""
    first, second, value = s.fresh("q"), s.fresh("q"), s.fresh("y")
    lines = [f"const struct node *{first} = {s.array('nodes')}[{expression(s, 1)} & {NODE_MASK}].next;"]
    lines += [f"__builtin_is_near({first});"] if s.choices.chance(20) else []
    lines += [f"const struct node *{second} = {first} ? {first}->next : &{s.array('nodes')}[{expression(s, 1)} & {NODE_MASK}];"]
    lines += [f"__builtin_is_near({second});"] if s.choices.chance(20) else []
    field = s.choices.pick(("key", "count", "tag", "flag"))
    s.values.append(value)
    return [*lines, f"const uint64_t {value} = ({first} ? (uint64_t){first}->{field} : 3) + ({second} ? (uint64_t){second}->{field} * 5 : 7);"]
