# SPDX-License-Identifier: Apache-2.0
"""What must keep a loop serial, or be handled so that nothing shows: visible dependences between iterations, effects
in program order, exits from the middle. Each function returns lines of the loop body."""

from fuzz.expressions import condition, expression
from fuzz.scope import Scope


def memory_flow(s: Scope) -> list[str]:
    """An element written here and read by a later or an earlier iteration."""
    name = s.choices.pick(("w8", "w4", "o8"))
    if not s.affine or s.own_index.get(name, "@") != "@":
        return order_of_updates(s)
    s.array(name)
    s.own_index[name] = "@"
    distance = s.choices.pick((1, 2, 5, 40))
    return [
        s.choices.pick(
            (
                f"{name}[i + {distance}] = {expression(s, 2)} + {name}[i];",
                f"{name}[i] += {expression(s, 1)} + {name}[i + {distance}];",
                f"{name}[2 * i] = {expression(s, 1)} + {name}[i];",
            )
        )
    ]


def order_of_updates(s: Scope) -> list[str]:
    """A scalar whose updates do not commute."""
    name = s.fresh("x")
    s.outside.append(f"uint64_t {name} = 5;")
    s.results.append(name)
    update = s.choices.pick(
        (
            "{x} = {x} * 3 + {e};",
            "{x} = {e} - {x};",
            "{x} = {e};",
            "{x} = ({x} << 1) ^ {e};",
            "{x} += {e}, {x} ^= {e};",
            "if ({c}) {x} = {e};",
            "if ({x} & 1) {x} += {e}; else {x} -= {e};",
        )
    )
    return [update.format(x=name, e=expression(s, 2), c=condition(s, 1))]


def prefix(s: Scope) -> list[str]:
    """Each iteration sees the accumulator of those before it."""
    name = s.fresh("sum")
    s.outside.append(f"uint64_t {name} = 1;")
    s.results.append(name)
    s.values.append(name)
    return [f"{name} += {expression(s, 2)};", f"{s.own_element('o8')} = {name};"]


def compaction(s: Scope) -> list[str]:
    """The place of a result depends on the iterations before."""
    name = s.fresh("count")
    s.outside.append(f"uint64_t {name} = 0;")
    s.results.append(name)
    return [f"if ({condition(s, 2)})", f"  {s.array('packed')}[{name}++] = {expression(s, 2)};"]


def chase(s: Scope) -> list[str]:
    """The next address comes from this iteration's data."""
    name = s.fresh("at")
    s.outside.append(f"uint64_t {name} = 1;")
    s.results.append(name)
    return [f"{name} = {s.array('r8')}[{name} & 1023] + {expression(s, 1)};"]


def global_order(s: Scope) -> list[str]:
    update = s.choices.pick(("*global = *global * 5 + {e};", "*global = {e};", "*global += {e};"))
    s.array("global")
    return [update.format(e=expression(s, 2))]


def scratch(s: Scope) -> list[str]:
    """Memory declared before the loop, used by every iteration across suspensions, without private()."""
    name = s.fresh("q")
    s.outside.append(f"uint64_t {name}[4] = {{1, 2, 3, 4}};")
    index = s.fresh("k")
    s.values.append(index)
    fill = expression(s, 2)
    s.values.pop()
    s.local_arrays.append((name, 4))
    return [f"for (uint64_t {index} = 0; {index} < 4; ++{index})", f"  {name}[{index}] = {fill};"]


def leave(s: Scope) -> list[str]:
    """An exit from the middle; in a lambda it only ends the iteration."""
    action = "return;" if s.in_lambda else s.choices.pick(("break;", "return 77;", "goto out;"))
    s.jumps_out |= action == "goto out;"
    return [f"if (({expression(s, 2)} & 63) == 5)", f"  {action}"]


def order_of_effects(s: Scope) -> list[str]:
    return [f"fuzz_effect({expression(s, 2)});"]


def is_volatile(s: Scope) -> list[str]:
    return [f"fuzz_volatile = fuzz_volatile * 3 + {expression(s, 2)};"]


def assembly(s: Scope) -> list[str]:
    name = s.fresh("opaque")
    text = expression(s, 2)
    s.values.append(name)
    return [f"uint64_t {name} = {text};", f'__asm__ volatile("" : "+r"({name}) : : "memory");']


HAZARDS = (memory_flow, order_of_updates, prefix, compaction, chase, global_order, scratch, leave, order_of_effects, is_volatile, assembly)


def hazard(s: Scope) -> list[str]:
    make = s.choices.pick(HAZARDS)
    s.hazards.append(make.__name__)
    return make(s)
