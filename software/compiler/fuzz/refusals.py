# SPDX-License-Identifier: Apache-2.0
"""What the compiler always refuses, whatever else the loop does, together with clauses that would change what the loop computes if it
were not refused: a refused loop must compute what the plain one does. Each reason returns lines of the loop body."""

from fuzz.expressions import expression
from fuzz.hazards import assembly, is_volatile, order_of_effects
from fuzz.scope import Scope


def use_at_once(s: Scope, value: str) -> str:
    """What only a path that never runs uses would be optimized away, and the reason with it."""
    s.values.append(value)
    return s.add_to_sink(value)


def call_through_pointer(s: Scope) -> list[str]:
    return [f"fuzz_pointer({expression(s, 2)});"]


def variable_size(s: Scope) -> list[str]:
    name, index = s.fresh("vla"), s.fresh("k")
    text = expression(s, 2)
    s.values.append(f"{name}[0]")
    return [
        f"uint64_t {name}[1 + ({text} & 7)];",
        f"for (uint64_t {index} = 0; {index} < sizeof {name} / 8; ++{index})",
        f"  {name}[{index}] = v0 * {index} + 1;",
        f"fuzz_keep({name});",
    ]


def large_frame(s: Scope) -> list[str]:
    name = s.fresh("big")
    index = expression(s, 2)
    # Another element than what is stored, else the array is optimized away.
    use = use_at_once(s, f"{name}[(v0 ^ 21) & 1023]")
    return [f"uint64_t {name}[1024] = {{1}};", f"{name}[{index} & 1023] = v0;", use]


def block_of_unknown_size(s: Scope) -> list[str]:
    array = s.array("r1")
    s.unmarked.discard(array)
    s.always_marked.add(array)
    # From an array to itself: of two places that cannot overlap the optimizer makes memcpy, which is no reason.
    return [f"__builtin_memmove(&{array}[v0 & 511], &{array}[v0 >> 9 & 511], v0 & 15);"]


def spin_on_local_flag(s: Scope) -> list[str]:
    return [f"while (__atomic_exchange_n({s.array('global')}, 4, __ATOMIC_RELAXED) == 5)", "  ;"]


def returns_twice(s: Scope) -> list[str]:
    s.outside.append("fuzz_returns_twice();")
    return []


def pointer_chase(s: Scope) -> list[str]:
    name = s.fresh("at")
    s.outside.append(f"uint64_t {name} = 1;")
    s.results.append(name)
    r8 = s.array("r8")  # also written, else the chase may run ahead of tasks that do the rest
    return [f"{name} = {r8}[({name} + v0) & 1023];", f"{r8}[{name} & 1023] ^= 2;"]


def not_on_every_path(s: Scope) -> list[str]:
    name = s.fresh("last")
    s.outside.append(f"uint64_t {name} = 5;")
    s.results.append(name)
    s.clauses.append(f"lastprivate({name})")
    return ["if (v0 & 1)", f"  {name} = {expression(s, 2)};"]


def last_of_array(s: Scope) -> list[str]:
    name = s.fresh("lasts")
    s.outside.append(f"uint64_t {name}[2] = {{5, 6}};")
    s.results.append(f"{name}[1]")
    s.clauses.append(f"lastprivate({name})")
    return [f"{name}[v0 & 1] += {expression(s, 2)};"]


def copy_of_global(s: Scope) -> list[str]:
    s.clauses.append(s.choices.pick(("private", "firstprivate", "lastprivate")) + "(fuzz_global)")
    return [f"fuzz_global = fuzz_global * 3 + {expression(s, 2)};"]


def convergent_call(s: Scope) -> list[str]:
    name = s.fresh("met")
    text = expression(s, 2)
    s.values.append(name)
    return [f"uint64_t {name} = fuzz_convergent({text});"]


def recursive_variadic(s: Scope) -> list[str]:
    return [f"fuzz_variadic({s.array('global')}, (uint64_t)(v0 & 7));"]


def recursive_with_variable_size(s: Scope) -> list[str]:
    # Of a constant depth (v0 ^ v0) it would not be recursive, nor its size variable.
    return [f"fuzz_sized({s.array('global')}, v0 & 7);"]


def order_of_atomics(s: Scope) -> list[str]:
    name = s.fresh("ticket")
    s.outside.append(f"uint64_t {name} = 1;")
    s.results.append(name)
    return [f"{name} = __atomic_fetch_add({s.array('global')}, {name} ^ {expression(s, 1)}, __ATOMIC_RELAXED);"]


def overwritten_double(s: Scope) -> list[str]:
    name = s.fresh("seen")
    s.outside.append(f"double {name} = 1;")
    s.results.append(f"(int64_t)({name} * 64)")
    return ["if (v0 & 1)", f"  {name} = (double)(v0 & 1023);"]


def end_in_written_memory(s: Scope) -> list[str]:
    if s.in_lambda:
        return order_of_effects(s)
    place = s.array("global")
    return [f"*{place} += 1;", f"if (*{place} % 64 == 5)", "  break;"]


def entered_twice(s: Scope) -> list[str]:
    if s.cpp:  # which forbids to jump past a variable's initial value
        return order_of_effects(s)
    label = s.fresh("inside")
    s.outside += ["if (n > 5000)", f"  goto {label};"]
    return [f"{label}:;"]


def promise_of_no_variable(s: Scope) -> list[str]:
    s.clauses.append(f"{s.choices.pick(('lossy_update', 'distinct_update'))}({s.array('r8')}[1])")
    return []


REASONS = (
    order_of_effects,
    call_through_pointer,
    is_volatile,
    assembly,
    variable_size,
    large_frame,
    block_of_unknown_size,
    spin_on_local_flag,
    returns_twice,
    pointer_chase,
    not_on_every_path,
    last_of_array,
    copy_of_global,
    convergent_call,
    recursive_variadic,
    recursive_with_variable_size,
    order_of_atomics,
    overwritten_double,
    end_in_written_memory,
    entered_twice,
    promise_of_no_variable,
)
CLAUSES = ("private", "firstprivate", "lastprivate", "shared_var", "reduction", "lossy_update", "distinct_update")
ADDITION = "{x} += {e};"
UPDATES = ("{x} = {x} * 3 + {e};", ADDITION, "{x} ^= {e};", "if (v0 & 2) {x} = {e};", "{x} = {e} - {x};")


def carried_in_clause(s: Scope, clause: str) -> list[str]:
    """A variable whose value goes from iteration to iteration, and a clause, most of which would end that, or its order."""
    name = s.fresh("c")
    kind = s.choices.pick(("uint64_t", "uint32_t", "double"))
    s.outside.append(f"{kind} {name} = 3;")
    s.clauses.append(f"{clause}({'+ : ' if clause == 'reduction' else ''}{name})")
    if kind == "double":
        s.results.append(f"(int64_t)({name} * 64)")
        return [f"{name} += (double)(v0 & 1023) / 3;"]
    s.results.append(name)
    update = ADDITION if clause == "reduction" else s.choices.pick(UPDATES)  # another operator than the clause's is an error
    return [update.format(x=name, e=expression(s, 2))]


def refusal(s: Scope) -> list[str]:
    """A reason and up to four clauses."""
    make = s.choices.pick(REASONS)
    s.refused = make.__name__
    lines = make(s)
    for _ in range(s.choices.below(5)):
        lines += carried_in_clause(s, s.choices.pick(CLAUSES))
    return lines
