# SPDX-License-Identifier: Apache-2.0
"""`--target sim|iss|x86`: where the workloads run. Every variant the target has of every benchmark is one test;
on RTL some of them are left to `make test LENGTH=n`.
"""

import pytest

from nhg import benchmark, variants

# On RTL, where a run takes half a minute, this benchmark runs in every variant, the others in the best.
OF_EVERY_VARIANT = "hj"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--target", default="iss", choices=variants.TARGETS)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long_on_rtl: with --target sim the same as `long`")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--target") == "sim":
        for item in items:
            if item.get_closest_marker("long_on_rtl"):
                item.add_marker("long")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    target = metafunc.config.getoption("--target")
    if "bench" not in metafunc.fixturenames:
        metafunc.parametrize("target", [target])
        return
    cases = [
        pytest.param(bench, variant, target, marks=[] if bench == OF_EVERY_VARIANT or variant == names[-1] else [pytest.mark.long_on_rtl])
        for bench, names in ((bench, variants.valid(benchmark.load(bench), target)) for bench in benchmark.available())
        for variant in names
    ]
    metafunc.parametrize(("bench", "variant", "target"), cases)
