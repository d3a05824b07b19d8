# SPDX-License-Identifier: Apache-2.0
"""Inner loops over rows of 0 ... 200 elements. Their iterations write elements of a place of their own, or update by one commutative
operation a sum of the row, an accumulator of the marked loop, a shared word or an element of the iteration around them.
"""

from collections.abc import Callable

from fuzz.expressions import expression
from fuzz.scope import BEHIND_ROW, READ_MASK, REMOTE_OWN, REMOTE_READ, ROW_STRIDE, Scope

# operation -> first value of the sum; what the operand needs so that the sum does not become one value for good
SUMS = {"+": ("1", ""), "-": ("5", ""), "^": ("7", ""), "|": ("0", " & 0x1111111111111111u"), "&": ("~0u", " | 0xfffffffffffffff0u"), "*": ("3", " | 1")}
TYPES = ("uint64_t", "uint64_t", "int64_t", "uint32_t", "int32_t", "uint8_t")
LENGTHS = ("200", "199", "{e} % 201", "{e} % 201", "{e} % 70", "i * 37 % 201", "(i & 3 ? 3 : 200)", "31 + (i & 7)", "127 + (i & 3)", "(i + 2) * 16")
Statement = Callable[[Scope], list[str]]


def row_sum(s: Scope) -> list[str]:
    """Updates a sum of the row."""
    if not s.row_sums:
        return row_update(s)
    name = s.choices.pick(sorted(s.row_sums))
    kind, operation = s.row_sums[name]
    text = expression(s, 2)
    if operation in ("min", "max"):
        candidate = s.fresh("c")
        compare = "<" if operation == "min" else ">"
        return [f"const {kind} {candidate} = ({kind})({text});", f"{name} = {candidate} {compare} {name} ? {candidate} : {name};"]
    # Signed overflow is undefined: small operands.
    if kind.startswith("int"):
        return [f"{name} {operation}= ({kind})({text}) & 0x3f;"]
    return [f"{name} {operation}= ({kind})(({text}){SUMS[operation][1]});"]


def row_update(s: Scope) -> list[str]:
    """Updates a word that other iterations of the row, and maybe of the marked loop, update."""
    if s.row_updates and s.choices.chance(50):
        return [f"{s.choices.pick(sorted(s.row_updates.values()))} += {expression(s, 2)};"]
    element = f"{s.array('atoms')}[{expression(s, 2)} & 63]"
    return word_update(s, element, atomic=s.choices.chance(30))


def word_update(s: Scope, element: str, atomic: bool) -> list[str]:
    """Of a remote word that iterations share; others may update it the other way."""
    if atomic:
        return [f"__atomic_fetch_add(&{element}, {expression(s, 2)}, __ATOMIC_RELAXED);"]
    return [f"{element} += {expression(s, 2)};"]


def row_store(s: Scope) -> list[str]:
    """Writes what belongs to this iteration of the row."""
    if not s.row_place:
        return row_sum(s)
    return [f"{s.row_place} {s.choices.pick(('=', '+=', '^=', '*='))} {expression(s, 2)};"]


def declare_sums(s: Scope) -> list[str]:
    lines = []
    for _ in range(s.choices.below(3)):
        name, kind = s.fresh("sum"), s.choices.pick(TYPES)
        operation = s.choices.pick(("+", "min", "max", "-", "^") if kind.startswith("int") else (*SUMS, "min", "max"))
        first = expression(s, 1) if s.choices.chance(30) and operation in ("+", "min", "max", "^") else SUMS.get(operation, ("40",))[0]
        # Far from overflow.
        lines.append(f"{kind} {name} = ({kind})({first}){' & 0xff' if kind.startswith('int') else ''};")
        s.row_sums[name] = (kind, operation)
    return lines


def head_of(s: Scope, name: str) -> list[str]:
    """Lines in front of the row, and its head: 0 to 200 iterations."""
    count = s.choices.pick(LENGTHS).format(e=f"({expression(s, 2)})")
    length, first = s.fresh("n"), s.fresh("f")
    lines = [f"const uint64_t {length} = {count} < 200 ? {count} : 200;"]
    form = s.choices.weighted([(4, "up"), (3, "row"), (2, "step"), (2, "down"), (1, "int"), (1, "while")])
    if form in ("row", "step"):
        step = s.choices.pick((2, 3, 4)) if form == "step" else 1
        lines.append(f"const uint64_t {first} = {expression(s, 1)} & {READ_MASK // 8};")
        s.row_counter = f"({name} - {first}) / {step}" if step > 1 else f"({name} - {first})"
        return [*lines, f"for (uint64_t {name} = {first}; {name} < {first} + {step} * {length}; {name} += {step}) {{"]
    s.row_counter = name
    if form == "down":
        return [*lines, f"for (int {name} = (int){length} - 1; {name} >= 0; --{name}) {{"]
    if form == "int":
        return [*lines, f"for (uint32_t {name} = 0; {name} < (uint32_t){length}; ++{name}) {{"]
    if form == "while":
        return [*lines, f"uint64_t {name} = {length};", f"while ({name}-- > 0) {{"]
    return [*lines, f"for (uint64_t {name} = 0; {name} < {length}; ++{name}) {{"]


def row_loop(s: Scope, block: Callable[[Scope, int], list[str]]) -> list[str]:
    """An inner loop; `block` makes its body."""
    mark = s.mark()
    name = s.fresh("j")
    lines = declare_sums(s)
    *before, head = head_of(s, name)
    element = s.array(s.choices.pick(REMOTE_READ))
    place = s.choices.pick(REMOTE_OWN)
    if place not in s.own_index and s.choices.chance(60) and not s.any_index:
        s.array(place)
        s.own_index[place] = BEHIND_ROW
        s.row_place = f"{place}[i * {ROW_STRIDE} + {s.row_counter}]"
    updated = s.choices.pick((*REMOTE_OWN, "o8"))
    if updated != place and s.choices.chance(40):
        s.row_updates[updated] = s.own_element(updated)
    s.in_row = True
    s.rows += 1
    s.inner_loops += 1
    outside = s.hide_variables()
    value = s.fresh("e")
    s.values.append(f"(uint64_t){name}")
    index = s.choices.pick((f"(uint64_t){name}", f"(uint64_t){name} * 37", expression(s, 2)))
    s.values += [value] * 2
    body = [f"  const uint64_t {value} = (uint64_t){element}[({index}) & {READ_MASK}];", *(f"  {line}" for line in row_sum(s)), *block(s, 3)]
    s.inner_loops -= 1
    s.in_row = False
    s.row_place = ""
    s.row_updates.clear()
    s.leave(mark)
    s.show_variables(outside)
    s.values += [f"(uint64_t){variable}" for variable in s.row_sums]
    s.row_sums.clear()
    return [*lines, *before, head, *body, "}"]
