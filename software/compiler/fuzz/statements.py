# SPDX-License-Identifier: Apache-2.0
"""Statements of a loop body: assignments, stores, updates, control flow. Each function returns lines of text."""

from fuzz.blocks import library, loaded_pointer
from fuzz.expressions import CELL_FIELDS, ROW_FIELDS, condition, expression, hash_element, row
from fuzz.ranges import by_value, moved_update, search, updated_twice, walk
from fuzz.rows import row_loop, row_store, row_sum, row_update, word_update
from fuzz.scope import LOCAL_OWN, NODE_MASK, READ_MASK, REMOTE_OWN, REMOTE_READ, TABLE_MASK, Scope

MAX_DEPTH = 3
STORE_OPERATORS = ("=", "+=", "^=", "-=", "*=")
# operation -> first value of the accumulator
REDUCTIONS = {"+": "0", "^": "7", "-": "0", "|": "0", "&": "0xffffffffffffffffu", "*": "1", "max": "0", "min": "0xffffffffffffffffu", "double": "0"}


def indent(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def block(s: Scope, most: int) -> list[str]:
    """Statements of an inner block; what they declare ends with it."""
    mark = s.mark()
    s.depth += 1
    lines = [line for _ in range(1 + s.choices.below(most)) for line in statement(s)]
    if s.choices.chance(60):
        lines += keep(s, mark)
    s.depth -= 1
    s.leave(mark)
    return indent(lines)


def keep(s: Scope, mark: tuple[int, int, int]) -> list[str]:
    """Makes what was declared since `mark` count: without a use it would be removed."""
    values = s.values[mark[0] :] + [f"{name}[{index % count}]" for index, (name, count) in enumerate(s.local_arrays[mark[2] :])]
    if not values:
        return []
    text = " + ".join(f"{value} * {2 * index + 1}" for index, value in enumerate(values))
    if not s.in_row and s.choices.chance(40):
        return [f"{s.own_element('w8')} ^= {text};"]
    return [s.add_to_sink(text)]


def declare(s: Scope) -> list[str]:
    text = expression(s, 3)
    name = s.fresh("v")
    s.values.append(name)
    s.assignable.append(name)
    return [f"uint64_t {name} = {text};"]


def assign(s: Scope) -> list[str]:
    if not s.assignable:
        return declare(s)
    name = s.choices.pick(s.assignable)
    return [f"{name} {s.choices.pick(STORE_OPERATORS)} {expression(s, 3)};"]


def store(s: Scope) -> list[str]:
    kind = s.choices.weighted([(6, "remote"), (2, "local"), (2, "cell"), (1, "row")])
    if kind == "row":
        place = f"{s.own_element('rows')}.{s.choices.pick(ROW_FIELDS)}"
    elif kind == "cell":
        place = f"{s.own_element('cells')}.{s.choices.pick(CELL_FIELDS)}"
    else:
        place = s.own_element(s.choices.pick(REMOTE_OWN if kind == "remote" else LOCAL_OWN))
    return [f"{place} {s.choices.pick(STORE_OPERATORS)} {expression(s, 2)};"]


def reduce(s: Scope) -> list[str]:
    """Update an accumulator by its one commutative operation."""
    if s.accumulators and s.choices.chance(40):
        name = s.choices.pick(sorted(s.accumulators))
        operation = s.accumulators[name][2]
    else:
        operation = s.choices.pick(list(REDUCTIONS))
        name = s.fresh("acc")
        width = "double" if operation == "double" else s.choices.pick(("uint64_t", "uint32_t"))
        s.accumulators[name] = (width, f"({width}){REDUCTIONS[operation]}", operation)
    kind = s.accumulators[name][0]
    if operation == "double":
        return [f"{name} += {s.array('rd')}[{expression(s, 2)} & 1023];"]
    if operation in ("min", "max"):
        candidate = s.fresh("c")
        compare = "<" if operation == "min" else ">"
        text = f"{kind} {candidate} = ({kind}){expression(s, 2)};"
        if s.choices.chance(50):
            return [text, f"{name} = {candidate} {compare} {name} ? {candidate} : {name};"]
        return [text, f"if ({candidate} {compare} {name})", f"  {name} = {candidate};"]
    factor = " | 1" if operation == "*" else ""
    return [f"{name} {operation}= ({kind})({expression(s, 3)}{factor});"]


def histogram(s: Scope) -> list[str]:
    """Commutative update of a shared local element; one operation for all, so that any order gives the same."""
    element = hash_element(s, "hash", 2)
    return [f"{element} += {expression(s, 2)};"]


def atomic(s: Scope) -> list[str]:
    return word_update(s, hash_element(s, "atoms", 2), atomic=True)


def plain_update(s: Scope) -> list[str]:
    return word_update(s, hash_element(s, "atoms", 2), atomic=False)


def branch(s: Scope) -> list[str]:
    lines = [f"if ({condition(s, 2)}) {{", *block(s, 3)]
    if s.choices.chance(45):
        lines += ["} else {", *block(s, 3)]
    return [*lines, "}"]


def switch(s: Scope) -> list[str]:
    lines = [f"switch ({expression(s, 2)} & 3) {{"]
    for case in range(1 + s.choices.below(3)):
        lines += [f"case {case}: {{", *block(s, 2), "}"]
        if not s.choices.chance(25):
            lines.append("  break;")
        else:
            lines.append("  /* falls through */")
    if s.choices.chance(60):
        lines += ["default: {", *block(s, 2), "}", "  break;"]
    else:
        lines += ["default:", "  break;"]
    return [*lines, "}"]


def inner_loop(s: Scope) -> list[str]:
    mark = s.mark()
    kind = s.choices.weighted([(4, "for"), (4, "row"), (4, "gather"), (3, "list"), (2, "while"), (2, "do")])
    bound = f"({expression(s, 2)} & {s.choices.pick((3, 7))})"
    start = f"&{s.array('nodes')}[{expression(s, 1)} & {NODE_MASK}]" if kind == "list" else ""
    name = s.fresh("j")
    s.inner_loops += 1
    if kind == "list":
        s.values += [f"(uint64_t){name}->{field}" for field in ("key", "count", "tag")]
        lines = [f"for (struct node *{name} = {start}; {name}; {name} = {name}->next) {{"]
        if "nodes" not in s.unmarked and s.choices.chance(50):
            lines.append(f"  __builtin_is_remote({name});")
        lines += [*block(s, 3), "}"]
    elif kind == "gather":
        lines = gathering_loop(s, name)
    elif kind == "row":
        # Up to 63 elements in sequence, from anywhere in a line.
        element, first = s.array(s.choices.pick(REMOTE_READ)), s.fresh("f")
        step = s.choices.pick((1, 1, 2, 5))
        start = f"{expression(s, 1)} & {READ_MASK // 8}"
        bound = f"{first} + {step} * ({expression(s, 1)} & {s.choices.pick((3, 15, 63))})"
        s.values += [name, *[f"(uint64_t){element}[{name}]"] * 2]
        lines = [f"uint64_t {first} = {start};", f"for (uint64_t {name} = {first}; {name} < {bound}; {name} += {step}) {{", *block(s, 3), "}"]
    else:
        s.values.append(name)
        body = block(s, 3)
        if kind == "for":
            lines = [f"for (uint64_t {name} = 0; {name} < {bound}; ++{name}) {{", *body, "}"]
        else:
            # Counted down before the body, so that `continue` in it counts too.
            opening = [f"uint64_t {name} = {bound} + 1;"]
            if kind == "while":
                lines = [*opening, f"while ({name}-- > 1) {{", *body, "}"]
            else:
                lines = [*opening, "do {", *body, f"}} while (--{name} > 1 && {name} < 9);"]
    s.inner_loops -= 1
    s.leave(mark)
    return lines


def gathering_loop(s: Scope, name: str) -> list[str]:
    """Its iterations begin with loads whose addresses come from a row or the counter, some of words that others of them write."""
    row, first, value = s.array(s.choices.pick(REMOTE_READ)), s.fresh("f"), s.fresh("g")
    index = s.choices.pick((f"{row}[{name}]", f"{row}[{name}]", f"{name} * {s.choices.pick((3, 16, 37))}"))
    if s.choices.chance(50):
        own = s.array(s.choices.pick(REMOTE_OWN))
        s.own_index.setdefault(own, "2 * @ + {slot}")
        pair = s.own_index[own] == "2 * @ + {slot}"
        load = f"{own}[2 * i + (({index}) & 1)]" if pair else f"{s.array('r8')}[({index}) & {READ_MASK}]"
    else:
        load = f"{s.array(s.choices.pick(REMOTE_READ))}[({index} + {expression(s, 1)}) & {READ_MASK}]"
    start, count = f"{expression(s, 1)} & {READ_MASK // 8}", f"({expression(s, 1)} & {s.choices.pick((3, 15, 63))})"
    up = s.choices.chance(75)
    s.values += [name if up else f"(uint64_t){name}", *[value] * 2]
    body = [f"  const uint64_t {value} = {load};", *block(s, 3), "}"]
    if up:
        head = f"for (uint64_t {name} = {first}; {name} < {first} + {count}; ++{name}) {{"
    else:
        head = f"for (int {name} = (int)({first} + {count}); {name} > (int){first}; --{name}) {{"
    return [f"const uint64_t {first} = {start};", head, *body]


def jump(s: Scope) -> list[str]:
    """Ends an iteration of this or of the marked loop early."""
    test = condition(s, 2)
    if s.inner_loops and s.choices.chance(60):
        return [f"if ({test})", f"  {s.choices.pick(('break;', 'continue;'))}"]
    if s.in_row:
        return [f"if ({test})", f"  {'break;' if s.choices.chance(5) else 'continue;'}"]
    action = "goto next;" if s.inner_loops else s.skip_iteration
    s.jumps_to_end |= action == "goto next;"
    return [f"if ({test})", f"  {action}"]


def local_array(s: Scope) -> list[str]:
    count = s.choices.pick((2, 4, 8))
    name = s.fresh("t")
    first = expression(s, 2)
    lines = [f"uint64_t {name}[{count}] = {{{first}}};"]
    if s.choices.chance(50):
        index = s.fresh("k")
        s.values.append(index)
        fill = expression(s, 2)
        s.values.pop()
        lines += [f"for (uint64_t {index} = 0; {index} < {count}; ++{index})", f"  {name}[{index}] = {fill};"]
    s.local_arrays.append((name, count))
    return lines


def local_element(s: Scope) -> list[str]:
    if not s.local_arrays:
        return local_array(s)
    name, count = s.choices.pick(s.local_arrays)
    return [f"{name}[{expression(s, 2)} & {count - 1}] {s.choices.pick(STORE_OPERATORS)} {expression(s, 2)};"]


def private_array(s: Scope) -> list[str]:
    """Scratch memory declared before the loop and named in private()."""
    name, count = s.fresh("p"), 4
    s.outside.append(f"uint64_t {name}[{count}];")
    s.clauses.append(f"private({name})")
    index = s.fresh("k")
    s.values.append(index)
    fill = expression(s, 2)
    s.values.pop()
    s.local_arrays.append((name, count))
    return [f"for (uint64_t {index} = 0; {index} < {count}; ++{index})", f"  {name}[{index}] = {fill};"]


def copies_of_scalars(s: Scope) -> list[str]:
    """A variable that each iteration only reads, and one whose last value counts: copies for each iteration change nothing."""
    first, last = s.fresh("f"), s.fresh("last")
    s.outside.append(f"uint64_t {first} = 21, {last} = 22;")
    s.clauses.append(f"firstprivate({first}) lastprivate({last})")
    s.results.append(last)
    text = expression(s, 2)
    s.values += [first, last]
    return [f"{last} = {text} + {first};"]


def call_with_effects(s: Scope) -> list[str]:
    return [f"fuzz_put(&{s.own_element('w8')}, {expression(s, 2)});"]


def copy_struct(s: Scope) -> list[str]:
    name = s.fresh("cell")
    s.values.append(f"{name}.x")
    return [f"struct cell {name} = {s.own_element('cells')};"]


def record(s: Scope) -> list[str]:
    """A record whose fields later statements read and write, one by one and on some ways only."""
    name, array, text = s.fresh("q"), s.choices.pick(("nodes", "table", "nodes" if s.in_row else "cells")), expression(s, 1)
    if array == "nodes":
        s.values += [f"(uint64_t){name}->{field}" for field in ("key", "count", "tag", "flag")]
        return [f"const struct node *{name} = &{s.array('nodes')}[{text} & {NODE_MASK}];"]
    element = expression(s, 1)
    if array == "table":
        s.values += [f"(uint64_t){name}->{field}" for field in ("p.where", "p.size", f"name[{element} & 15]", "wide")]
        return [f"const struct row *{name} = &{s.array('table')}[{text} & {TABLE_MASK}];"]
    lines = [f"struct cell *{name} = &{s.own_element('cells')};"]
    if s.choices.chance(50):
        lines.append(f"{name}->{s.choices.pick(('x', 'y', 'z'))} += {text};")
    s.values += [f"(uint64_t){name}->{field}" for field in ("x", "y", f"t[{element} & 1]")]
    return lines


def copy_row(s: Scope) -> list[str]:
    name = s.fresh("row")
    source = row(s, 2)
    s.values += [f"(uint64_t){name}.wide", f"{name}.p.where", f"(uint64_t){name}.name[{s.choices.below(19)}]"]
    return [f"struct row {name} = {source};"]


def change_row(s: Scope) -> list[str]:
    """A row copied, filled or moved within itself, as a whole or in part."""
    place, first, count = s.own_element("rows"), s.choices.below(8), 1 + s.choices.below(11)
    return [
        s.choices.pick(
            (
                f"{place} = {row(s, 2)};",
                f"__builtin_memcpy({place}.name, {s.array('table')}[{expression(s, 1)} & {TABLE_MASK}].name, {count});",
                f"__builtin_memset({place}.name, {expression(s, 1)}, {count});",
                f"__builtin_memmove(&{place}.name[{first}], {place}.name, {count});",
            )
        )
    ]


def statement(s: Scope) -> list[str]:
    """One statement; the deeper, the fewer of them nest."""
    flat = [(12, declare), (6, record), (8, assign), (10, reduce), (4, local_element), (4, histogram)]
    flat += [(2, by_value), (2, moved_update), (2, updated_twice)]
    flat += [] if s.in_row else [(4, library), (3, loaded_pointer)]
    flat += [(10, row_store), (10, row_sum), (6, row_update)] if s.in_row else [(10, store)]
    rare = (
        [(1, private_array), (1, copies_of_scalars), (1, copy_struct), (1, copy_row), (1, change_row), (1, atomic), (2, plain_update), (1, call_with_effects)]
        if s.depth == 0
        else []
    )
    nested = [(10, branch), (4, switch), (8, inner_loop), (2, search), (3, walk)] if s.depth < MAX_DEPTH and s.inner_loops < 2 else []
    rows = [(12, long_row)] if s.depth == 0 and not s.inner_loops else []
    more = () if s.in_row else s.more
    return s.choices.weighted([*flat, *nested, (4, jump), *rare, *rows, *more])(s)


def long_row(s: Scope) -> list[str]:
    return row_loop(s, block)
