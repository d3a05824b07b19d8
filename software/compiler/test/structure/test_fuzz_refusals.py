# SPDX-License-Identifier: Apache-2.0
"""The fuzzer generates every clause with every reason to refuse a loop."""
# RUN: env PYTHONPATH=%compiler %pytest %s

import re

from fuzz.refusals import CLAUSES, REASONS
from fuzz.source import loop_from_seed

LOOPS = [loop_from_seed(seed) for seed in range(12_000)]


def test_every_clause_meets_every_reason() -> None:
    missing = {(reason.__name__, clause) for reason in REASONS for clause in CLAUSES}
    for function in LOOPS:
        if function.refused:
            pragma = next(line for line in function.lines if "#pragma asyncmem" in line)
            missing -= {(function.refused, clause) for clause in re.findall(r"(\w+)\(", pragma)}
    assert not missing


def test_a_moved_block_stays_a_move() -> None:
    """Of two places that cannot overlap the optimizer makes a copy, which is split (seed 23)."""
    blocks = [f for f in LOOPS if f.refused == "block_of_unknown_size"]
    assert blocks
    for function in blocks:
        assert re.search(r"__builtin_memmove\(&(\w+)\[v0 & 511\], &\1\[", "\n".join(function.lines)), function.name


def test_recursions_have_no_constant_depth() -> None:
    """Seed 8494: v0 ^ v0. With a constant depth they are no recursions once they are inlined."""
    calls = [line for f in LOOPS for line in f.lines if re.search(r"\bfuzz_(sized|variadic)\(", line)]
    assert calls
    assert all("v0 & 7)" in line for line in calls)


def test_the_source_of_a_block_is_marked() -> None:
    """Seed 19848: a callee took the mark away again."""
    blocks = [loop_from_seed(19848), *(f for f in LOOPS if f.refused == "block_of_unknown_size")]
    for function in blocks:
        assert any("__builtin_is_remote(r1);" in line for line in function.lines), function.name
