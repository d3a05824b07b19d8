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
