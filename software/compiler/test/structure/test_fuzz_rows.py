# SPDX-License-Identifier: Apache-2.0
"""The fuzzer's rows write elements that exist: an iteration has 201 of 2,048, so its number must be below 10."""
# RUN: env PYTHONPATH=%compiler %pytest %s

from fuzz.loops import MOST_WITH_ROWS
from fuzz.scope import ROW_STRIDE
from fuzz.source import loop_from_seed

SEEDS = range(4_000)
OWN_COUNT = 2048  # harness.h


def test_iterations_in_any_order_own_no_rows() -> None:
    assert MOST_WITH_ROWS * ROW_STRIDE <= OWN_COUNT
    found = 0
    for function in map(loop_from_seed, SEEDS):
        text = "\n".join(function.lines)
        any_order = "permutation + n" in text or "{permutation, n}" in text
        found += any_order
        assert not (any_order and f"i * {ROW_STRIDE}" in text), function.name
    assert found > 100
