# SPDX-License-Identifier: Apache-2.0
"""`--target sim|iss|x86`: where the workloads run. Every variant the target has of every benchmark is one test."""

import pytest

from nhg import benchmark, variants


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--target", default="iss", choices=variants.TARGETS)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    target = metafunc.config.getoption("--target")
    if "bench" not in metafunc.fixturenames:
        metafunc.parametrize("target", [target])
        return
    cases = [(bench, variant, target) for bench in benchmark.available() for variant in variants.valid(benchmark.load(bench), target)]
    metafunc.parametrize(("bench", "variant", "target"), cases)
