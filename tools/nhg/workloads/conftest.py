# SPDX-License-Identifier: Apache-2.0
"""`--target sim|iss|x86`: where the workloads run. Every variant the target has of every benchmark is one test; so is every seed of shared rows,
`--seeds` from `--first-seed` on."""

import pytest

from nhg import benchmark, variants


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--target", default="iss", choices=variants.TARGETS)
    parser.addoption("--seeds", type=int, default=5)
    parser.addoption("--first-seed", type=int, default=13)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    target = metafunc.config.getoption("--target")
    if "rows_seed" in metafunc.fixturenames:
        first = metafunc.config.getoption("--first-seed")
        metafunc.parametrize("rows_seed", range(first, first + metafunc.config.getoption("--seeds")))
    if "bench" not in metafunc.fixturenames:
        metafunc.parametrize("target", [target])
        return
    cases = [(bench, variant, target) for bench in benchmark.available() for variant in variants.valid(benchmark.load(bench), target)]
    metafunc.parametrize(("bench", "variant", "target"), cases)
