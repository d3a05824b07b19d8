# SPDX-License-Identifier: Apache-2.0
"""One annotated loop in its function: the loop's form around a generated body."""

from dataclasses import dataclass

from fuzz.callees import call_callee
from fuzz.choices import Choices
from fuzz.hazards import hazard
from fuzz.refusals import refusal
from fuzz.scope import C_TYPES, REMOTE, REMOTE_OWN, Scope
from fuzz.statements import indent, keep, statement

TASKS = (1, 2, 3, 4, 7, 8, 16, 31, 64, 100, 128, 255, 256, 300, 400, 500, 511, 512)
TRIPS = (3, 2, 1, 0, 5, 8, 17, 40, 64, 100, 130, 333)
MANY_TRIPS = (600, 1000)
# Of loops with rows, which write up to 200 elements each.
MOST_WITH_ROWS = 10
HAZARD_PERCENT = 9
REFUSAL_PERCENT = 9
MAX_STATEMENTS = 5
CALLEE_WEIGHT = 4


@dataclass(frozen=True)
class Form:
    """Text around the body."""

    before: tuple[str, ...]
    head: str
    start: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    tail: str = "}"
    skip: str = "continue;"
    affine: bool = True
    in_lambda: bool = False


# The end of these is not known where they start: another number than any before it.
LAST = ("uint64_t k = 1, last = 1;", "for (uint64_t j = 0; j < n; ++j)", "  last = last * 5 + 3;")

C_FORMS = (
    (14, Form((), "for (uint64_t i = 0; i < n; ++i) {")),
    (4, Form((), "for (int i = 0; i < (int)n; i++) {")),
    (3, Form((), "for (uint32_t i = 0; i != (uint32_t)n; ++i) {", affine=False)),
    (2, Form((), "for (uint16_t i = 0; i < n; ++i) {", affine=False)),
    (4, Form((), "for (uint64_t i = n; i > 0; --i) {")),
    # Indices computed from it in 32 bits are no linear functions any more: truncated, halved, extended.
    (3, Form((), "for (int i = (int)n - 1; i >= 0; --i) {", affine=False)),
    (2, Form((), "for (uint64_t i = n; i-- > 0;) {")),
    (3, Form((), "for (uint64_t i = 1; i < n; i += 3) {")),
    (4, Form(("uint64_t i = 0;",), "while (i < n) {", end=("++i;",), skip="{ ++i; continue; }")),
    (3, Form(("uint64_t k = 0;",), "while (k < n) {", start=("const uint64_t i = k++;",))),
    (3, Form(("uint64_t i = 0;",), "do {", tail="} while (++i < n);")),
    (2, Form(("uint64_t k = n;",), "while (k) {", start=("--k;", "const uint64_t i = k;"))),
    (3, Form((), "for (uint64_t i = 0, k = n; i < k; ++i, --k) {")),
    (3, Form((), "for (const uint32_t *q = permutation, *last = permutation + n; q != last; ++q) {", start=("const uint64_t i = *q;",), affine=False)),
    (2, Form(("uint64_t i = 0;",), "for (;;) {", start=("if (i >= n)", "  break;"), end=("++i;",), skip="goto next;")),
    (2, Form((), "for (uint64_t i = 0; i < n && l8[i] % 97 != 5; ++i) {")),
    # The branch that repeats these is replaced by others, where a flag or a sentinel is known.
    (2, Form(("uint64_t k = 0;",), "for (;;) {", start=("const uint64_t i = k++;", "if (i >= n)", "  break;"), affine=False)),
    (2, Form(("uint64_t k = 0;",), "for (;;) {", start=("const uint64_t i = k++;", "if (l8[i & 1023] % 97 == 5 || i >= n)", "  break;"), affine=False)),
    (2, Form(("uint64_t i = 0;", "int more = 1;"), "do {", end=("if (++i >= n)", "  more = 0;"), tail="} while (more);", skip="goto next;")),
    (
        2,
        Form(
            ("uint64_t k = n ? 0 : ~0ull;",),
            "while (k != ~0ull) {",
            start=("const uint64_t i = k;", "k = i + 1 < n ? i + 1 : ~0ull;"),
            affine=False,
        ),
    ),
    (3, Form(LAST, "for (uint64_t i = 0; k != last; k = k * 5 + 3, ++i) {")),
    (3, Form(LAST, "for (const uint32_t *q = permutation; k != last; k = k * 5 + 3, ++q) {", start=("const uint64_t i = *q;",), affine=False)),
)
CPP_FORMS = (
    *C_FORMS,
    (8, Form((), "for (uint32_t index : fuzz_range<uint32_t>{permutation, n}) {", start=("const uint64_t i = index;",), affine=False)),
    (4, Form((), "for (auto &index : fuzz_range<uint32_t>{permutation, n}) {", start=("const uint64_t i = index;",), affine=False)),
    (6, Form((), "for (uint64_t i = 0; i < n; ++i) {", start=("[&] {",), end=("}();",), skip="return;", in_lambda=True)),
)


@dataclass(frozen=True)
class Function:
    """One generated loop: its text, how often it runs, what in it may forbid tasks, what surely does, and its long inner loops."""

    name: str
    lines: tuple[str, ...]
    trips: tuple[int, int, int]
    hazards: tuple[str, ...]
    refused: str
    rows: int = 0
    longest: int = 0  # trips that its arrays have room for, if more than those above


def sequential_value(s: Scope) -> tuple[list[str], list[str]]:
    """A value that each iteration hands to the next by pure operations: (start of the body, end of the body)."""
    name = s.fresh("seq")
    s.outside.append(f"uint64_t {name} = {s.choices.pick((1, 12345))};")
    s.results.append(name)
    s.values.append(name)
    update = s.choices.pick(
        (
            f"{name} += 5;",
            f"{name} = {name} * 6364136223846793005u + 1;",
            f"{name} ^= {name} << 7, {name} ^= {name} >> 9;",
            f"if (i & 1) {name} += 3;",
        )
    )
    return ([], [update]) if s.choices.chance(50) else ([update], [])


def body(s: Scope, form: Form) -> list[str]:
    """The lines between the loop's braces."""
    before, behind = sequential_value(s) if s.choices.chance(12) else ([], [])
    s.skip_iteration = "goto next;" if behind else form.skip
    lines = [f"uint64_t v0 = {s.array('r8')}[{s.choices.pick(('i', 'i * 7 + 1', 'i * i'))} & 1023];"]
    mark = s.mark()
    s.values.append("v0")
    count = 1 + s.choices.below(MAX_STATEMENTS)
    dangerous = s.choices.below(count) if s.choices.chance(HAZARD_PERCENT) else -1
    if s.choices.chance(REFUSAL_PERCENT):
        lines += refusal(s)
    for position in range(count):
        lines += hazard(s) if position == dangerous else statement(s)
    lines += keep(s, mark)
    label = ["next:;"] if s.jumps_to_end else []
    return [*form.start, *before, "{", *indent(lines), "}", *label, *behind, *form.end]


def clauses(s: Scope, tasks: int) -> str:
    """The pragma: doubles must be named, integers may be."""
    shared: list[tuple[str, str]] = []
    reduced: list[tuple[str, str]] = []
    for name, (kind, _, operation) in s.accumulators.items():
        choice = s.choices.weighted([(5, None), (3, shared), (2, reduced)])
        if choice is not None or kind == "double":
            word = "+" if operation == "double" else operation
            (shared if choice is None else choice).append((word, name))
    text = f"#pragma asyncmem num_task({tasks})"
    if shared:
        text += f" shared_var({', '.join(name for _, name in shared)})"
    text += "".join(f" reduction({word}:{name})" for word, name in reduced)
    own = [array for array in s.arrays if array in (*REMOTE_OWN, "cells", "rows")]
    if own and s.choices.chance(50):
        s.clauses.append(f"distinct_update({', '.join(own)})")
    return " ".join([text, *s.clauses])


def result(s: Scope, form: Form) -> list[str]:
    """Folds everything the loop leaves in variables."""
    names = [*s.results, *s.accumulators]
    if form.before and s.choices.chance(40):
        names.append(form.before[0].split()[1])
    terms = [f"(uint64_t){'(int64_t)' if s.accumulators.get(name, ('',))[0] == 'double' else ''}{name}" for name in names]
    return ["uint64_t result = 1;", *(f"result = result * 31 + {term};" for term in terms), "return result;"]


def without_marks(lines: list[str]) -> list[str]:
    return [line for line in lines if "__builtin_is_remote" not in line]


def loop(choices: Choices, name: str, cpp: bool) -> Function:
    """A function with one annotated loop."""
    s = Scope(choices, function=name, cpp=cpp, more=((CALLEE_WEIGHT, call_callee),))
    tasks = choices.pick(TASKS)
    trips = (choices.pick(TRIPS), choices.pick(TRIPS), choices.pick(MANY_TRIPS) if choices.chance(10) else choices.below(200))
    form = choices.weighted(CPP_FORMS if cpp else C_FORMS)
    s.affine, s.in_lambda = form.affine, form.in_lambda
    for used in ("permutation", "l8"):
        if used in " ".join((form.head, *form.start)):
            s.array(used)
            s.any_index |= used == "permutation"
    inside = body(s, form)
    if s.rows or s.has_ranges:
        # RTL has the first of them only (harness.c), with few iterations.
        trips = (1 + trips[0] % 3, trips[1] % MOST_WITH_ROWS, trips[2] % MOST_WITH_ROWS)
    longest = 0 if s.rows or s.has_ranges else max(MANY_TRIPS)
    marks = [f"__builtin_is_remote({array});" for array in s.arrays if array in REMOTE and array not in s.unmarked]
    marks += [f"__builtin_is_near({array});" for array in s.arrays if (array not in REMOTE or array in s.unmarked) and choices.chance(10)]
    callees = [line for group in s.callees for line in group.lines]
    if not s.refused and not s.hazards and choices.chance(10):
        marks, inside, callees = without_marks(marks), without_marks(inside), without_marks(callees)
    marked_loop = [*form.before, clauses(s, tasks), form.head, *indent([*marks, *inside]), form.tail]
    if choices.chance(6):
        marked_loop = ["for (int repeat = 0; repeat < 2; ++repeat) {", *indent(marked_loop), "}"]
        form = Form((), "")
    qualifier = "__restrict " if choices.chance(40) else ""
    lines = callees
    lines.append(f"uint64_t {name}(struct env *e, uint64_t n) {{")
    lines += [f"  {C_TYPES[array]} *{qualifier}{array} = e->{array};" for array in s.arrays]
    lines += [f"  {text}" for text in s.outside]
    lines += [f"  {kind} {variable} = {first};" for variable, (kind, first, _) in s.accumulators.items()]
    lines += [*indent(marked_loop), *(["out:;"] if s.jumps_out else []), *indent(result(s, form)), "}"]
    return Function(name, tuple(lines), trips, tuple(s.hazards), s.refused, s.rows, longest)
