# SPDX-License-Identifier: Apache-2.0
"""Statements that come back to a place: ranges of elements of an iteration that it writes ahead of reading them, words that it updates
twice, values of many words that live in memory for one expression."""

from fuzz.expressions import condition, expression, hash_element
from fuzz.scope import BEHIND_ROW, HASH_MASK, READ_MASK, REMOTE_READ, ROW_STRIDE, Scope

RANGES = ("w8", "w4", "o8", "o4")
DISTANCES = (1, 2, 5, 8)


def own_range(s: Scope) -> str:
    """An array of which this iteration owns ROW_STRIDE elements, or nothing."""
    free = [] if s.any_index or s.in_row else [name for name in RANGES if s.own_index.get(name, BEHIND_ROW) == BEHIND_ROW]
    if not free:
        return ""
    place = s.array(s.choices.pick(free))
    s.own_index[place] = BEHIND_ROW
    s.has_ranges = True
    return place


def walk(s: Scope) -> list[str]:
    """An inner loop that writes elements which later iterations of it read."""
    place = own_range(s)
    if not place:
        return search(s)
    j, chain, distance = s.fresh("j"), s.fresh("h"), s.choices.pick(DISTANCES)
    count = f"({expression(s, 1)} & {s.choices.pick((7, 15, 63))})"
    near, far = f"{place}[i * {ROW_STRIDE} + {j}]", f"{place}[i * {ROW_STRIDE} + {j} + {distance}]"
    up = s.choices.chance(75)
    source, target = (near, far) if up else (far, near)
    head = f"for (uint64_t {j} = 0; {j} < {count}; ++{j}) {{" if up else f"for (uint64_t {j} = {count}; {j}-- > 0;) {{"
    form = s.choices.pick(("direct", "looked up", "restrict"))
    if form == "restrict" and place in ("w8", "o8"):
        body = [f"  {chain} += fuzz_step(&{target}, &{source});"]
    elif form == "looked up":
        value = s.fresh("g")
        read = f"{s.array(s.choices.pick(REMOTE_READ))}[{value} & {READ_MASK}]"
        body = [f"  const uint64_t {value} = {source};", f"  {chain} = {chain} * 3 + (uint64_t){read};", f"  {target} = {value} * 5 + {j};"]
    else:
        body = [f"  {chain} += {source};", f"  {target} = {source} * 5 + {expression(s, 1)};"]
    lines = [f"uint64_t {chain} = {expression(s, 1)};", head, *body, "}"]
    if s.depth == 0 and not s.in_lambda and s.choices.chance(30):
        # What launch would read ahead is written on the way.
        lines += [f"if ({chain} % 5 == 3)", "  break;"]
    s.values.append(chain)
    return lines


def search(s: Scope) -> list[str]:
    """An inner loop without end in sight whose address comes from two variables."""
    a, array = s.fresh("a"), s.array(s.choices.pick(REMOTE_READ))
    first = s.choices.pick(("0", "0", "1", f"{expression(s, 1)} & 3"))
    operation, factor = s.choices.pick(("+", "+", "^", "|", "-")), s.choices.pick((1, 8))
    other = s.choices.pick(("(uint64_t)i", expression(s, 1)))
    place = f"({a} {operation} {other}) * {factor} & {READ_MASK}"
    lines = [f"uint64_t {a} = {first};", f"while ({a} < {s.choices.pick((3, 30))} && {array}[{place}] % 11)", f"  ++{a};"]
    s.values.append(a)
    return lines


def moved_update(s: Scope) -> list[str]:
    """Updates of shared words, whose index may change from one to the next."""
    array = s.array("atoms" if s.in_row else s.choices.pick(("hash", "atoms")))
    k, value = s.fresh("k"), s.fresh("y")
    again = [f"  {k} = {expression(s, 1)} & {HASH_MASK};"]
    if s.choices.chance(30):
        again.append(f"  {hash_element(s, array, 1)} += {expression(s, 1)};")
    return [
        f"uint64_t {k} = {expression(s, 2)} & {HASH_MASK};",
        f"{array}[{k}] += {expression(s, 1)};",
        f"if ({condition(s, 1)}) {{",
        *again,
        "}",
        f"const uint64_t {value} = {s.array(s.choices.pick(REMOTE_READ))}[{expression(s, 1)} & {READ_MASK}];",
        f"{array}[{k}] += {value};",
    ]


def updated_twice(s: Scope) -> list[str]:
    """An element of the iteration, written before a remote access and behind it from what was read before."""
    if s.in_row:
        return moved_update(s)
    place, old, value = s.own_element(s.choices.pick(("o8", "o4", "w8"))), s.fresh("t"), s.fresh("y")
    lines = [f"const uint64_t {old} = {place};", f"{place} = {old} + {expression(s, 1)};"]
    lines.append(f"const uint64_t {value} = {s.array(s.choices.pick(REMOTE_READ))}[{expression(s, 1)} & {READ_MASK}];")
    if s.choices.chance(50):
        return [*lines, f"if ({place} < {value})", f"  {place} = {value};"]
    return [*lines, f"{place} = {old} + {value};"]


def by_value(s: Scope) -> list[str]:
    """A value of eight words that is made, handed over and read behind a remote access."""
    name, array = s.fresh("v"), s.array(s.choices.pick(REMOTE_READ))
    made, index = f"fuzz_make({expression(s, 1)})", f"{array}[{expression(s, 1)} & {READ_MASK}]"
    s.values.append(name)
    return [f"const uint64_t {name} = {s.choices.pick((f'{made}.words[{index} & 7]', f'fuzz_pick({made}, {index})'))};"]
