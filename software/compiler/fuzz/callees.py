# SPDX-License-Identifier: Apache-2.0
"""Callees that are not inlined by themselves: recursive ones, alone or in pairs that call each other, and plain ones.

A callee has the arrays it uses, the iteration `i`, a depth `d` that each call lowers, and a value `x`. What it writes
belongs to the iteration, as in the loop's body.
"""

from dataclasses import dataclass, field

from fuzz.expressions import condition, expression
from fuzz.scope import C_TYPES, REMOTE, Scope
from fuzz.statements import indent, keep, statement

MAX_GROUPS = 2
# Deeper than the levels of a task where the configuration has few; trees stay small.
DEPTH_MASK = {"one": 15, "tail": 15, "none": 1}
TREE_DEPTH_MASK = 3
ARGUMENTS = "@arguments@"


@dataclass
class Group:
    """Functions with one signature that may call one another."""

    names: tuple[str, ...]
    depth_mask: int = 15
    arrays: dict[str, None] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)


def call(s: Scope, group: Group) -> str:
    """A call from a member of the group, one level deeper."""
    name = s.choices.pick(group.names)
    return f"{name}({ARGUMENTS}i, d - 1, {expression(s, 2)})"


def calls(s: Scope, group: Group, kind: str) -> list[str]:
    """The recursive calls of one function; their results are values of what follows."""
    name = s.fresh("below")
    if kind == "none":
        return []
    if kind == "tail":
        return [f"if ({condition(s, 1)})", f"  return {call(s, group)};"]
    lines = [f"uint64_t {name} = 1;"]
    if kind == "one":
        lines.append(f"{name} = {call(s, group)};")
    elif kind == "two":
        lines.append(f"{name} = {call(s, group)};")
        s.values.append(name)
        s.assignable.append(name)
        lines += [*statement(s), f"{name} ^= {call(s, group)};"]
        return lines
    elif kind == "branch":
        lines += [f"if ({condition(s, 2)})", f"  {name} += {call(s, group)};", "else", f"  {name} ^= {call(s, group)};"]
    else:
        index = s.fresh("k")
        s.values.append(index)
        again = call(s, group)
        s.values.pop()
        lines += [f"for (uint64_t {index} = 0; {index} < 2; ++{index})", f"  {name} = {name} * 3 + {again};"]
    s.values.append(name)
    s.assignable.append(name)
    return lines


def function(outer: Scope, group: Group) -> list[str]:
    """Lines of one member, with a placeholder for the arrays it hands on."""
    s = Scope(
        outer.choices,
        values=["i", "x", "d"],
        assignable=["x"],
        unmarked=outer.unmarked,
        always_marked=outer.always_marked,
        own_index=outer.own_index,
        skip_iteration="return x;",
        depth=1,
        affine=False,
        any_index=True,
        names=outer.names,
    )
    s.arrays = group.arrays
    kind = s.choices.weighted([(4, "one"), (4, "two"), (3, "branch"), (2, "loop"), (1, "tail"), (2, "none")])
    group.depth_mask = min(group.depth_mask, DEPTH_MASK.get(kind, TREE_DEPTH_MASK))
    mark = s.mark()
    inside = [line for _ in range(s.choices.below(3)) for line in statement(s)]
    inside += calls(s, group, kind)
    inside += [line for _ in range(s.choices.below(3)) for line in statement(s)]
    inside += keep(s, mark)
    outer.names = s.names
    marks = [f"__builtin_is_remote({array});" for array in group.arrays if array in REMOTE and array not in s.unmarked]
    variables = [f"{width} {variable} = {first};" for variable, (width, first, _) in s.accumulators.items()]
    fold = [f"x = x * 31 + (uint64_t){'(int64_t)' if width == 'double' else ''}{variable};" for variable, (width, _, _) in s.accumulators.items()]
    return [
        *indent(
            [
                "if (!d)",
                "  return x * 3 + 1;",
                *variables,
                "{",
                *indent([*marks, *inside]),
                "}",
                *(["next:;"] if s.jumps_to_end else []),
                *fold,
                "return x + 5;",
            ]
        ),
        "}",
    ]


def make_group(s: Scope, loop: str) -> Group:
    number = len(s.callees)
    count = 2 if s.choices.chance(25) else 1
    group = Group(tuple(f"{loop}_callee{number}{'ab'[member]}" for member in range(count)))
    bodies = [function(s, group) for _ in group.names]
    arguments = "".join(f"{array}, " for array in group.arrays)
    parameters = "".join(f"{C_TYPES[array]} *{array}, " for array in group.arrays) + "uint64_t i, uint64_t d, uint64_t x"
    heads = [f"__attribute__((noinline, unused)) static uint64_t {name}({parameters})" for name in group.names]
    group.lines = [f"{head};" for head in heads] if count > 1 else []
    for head, body in zip(heads, bodies, strict=True):
        group.lines += [f"{head} {{", *(line.replace(ARGUMENTS, arguments) for line in body)]
    return group


def call_callee(s: Scope) -> list[str]:
    """A call from the loop's body."""
    if len(s.callees) < MAX_GROUPS and (not s.callees or s.choices.chance(30)):
        s.callees.append(make_group(s, s.function))
    group = s.choices.pick(s.callees)
    s.arrays.update(group.arrays)
    arguments = "".join(f"{array}, " for array in group.arrays)
    depth = f"({expression(s, 1)} & {group.depth_mask})"
    text = f"{s.choices.pick(group.names)}({arguments}(uint64_t)i, {depth}, {expression(s, 2)})"
    name = s.fresh("v")
    s.values.append(name)
    s.assignable.append(name)
    return [f"uint64_t {name} = {text};"]
