# SPDX-License-Identifier: Apache-2.0
"""The fuzzer's expressions have no undefined behaviour: fields narrower than int, whose products and shifts could overflow, are widened."""
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
