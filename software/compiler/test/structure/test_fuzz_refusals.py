# SPDX-License-Identifier: Apache-2.0
"""The fuzzer generates every clause with every reason to refuse a loop."""
# RUN: env PYTHONPATH=%compiler %pytest %s

import re

from fuzz.refusals import CLAUSES, REASONS
from fuzz.source import loop_from_seed

SEEDS = range(12_000)


def test_every_clause_meets_every_reason() -> None:
    missing = {(reason.__name__, clause) for reason in REASONS for clause in CLAUSES}
    for function in map(loop_from_seed, SEEDS):
        if function.refused:
            pragma = next(line for line in function.lines if "#pragma asyncmem" in line)
            missing -= {(function.refused, clause) for clause in re.findall(r"(\w+)\(", pragma)}
    assert not missing


def test_the_reason_is_used_at_once() -> None:
    """In seed 9559 nothing else used the block: the program continues behind it, always."""
    text = "\n".join(loop_from_seed(9559).lines)
    block = re.search(r"__builtin_memcpy\((bytes\d+), .*, v0 & 15\);\n *(.*)", text)
    assert block and block[2] == f"sink += (uint64_t){block[1]}[3];"
