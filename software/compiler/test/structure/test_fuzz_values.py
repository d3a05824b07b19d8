# SPDX-License-Identifier: Apache-2.0
"""The fuzzer's expressions have no undefined behaviour: what is int or narrower, whose products and shifts could overflow, is widened."""
# RUN: env PYTHONPATH=%compiler %pytest %s

import re

from fuzz.source import loop_from_seed

SEEDS = range(4_000)
NARROW = re.compile(r"(\(uint64_t\))?\b[a-z]\w*->(?:tag|flag|t\[|name\[)")


def test_narrow_fields_are_widened() -> None:
    found = 0
    for function in map(loop_from_seed, SEEDS):
        for line in function.lines:
            for match in NARROW.finditer(line):
                found += 1
                assert match[1], f"{function.name}: {line}"
    assert found > 1000


def test_int_counters_are_widened_where_they_are_shifted() -> None:
    shifted = 0
    for function in map(loop_from_seed, SEEDS):
        text = "\n".join(function.lines)
        for name in set(re.findall(r"for \(int ([a-z]+\d+)", text)):
            for match in re.finditer(rf"(\(uint64_t\))?\b{name} <<", text):
                shifted += 1
                assert match[1], f"{function.name}: {match[0]}"
    assert shifted > 0
