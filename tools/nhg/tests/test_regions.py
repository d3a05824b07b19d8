# SPDX-License-Identifier: Apache-2.0
"""The measured regions of scale small behave like the whole runs (docs/design/method.md)."""

import pytest

from nhg import benchmark, regions
from nhg.errors import NhgError

# The largest differences there are, rounded up: bfs has them, which leaves long rows out, and is, whose buckets warm up.
MISSES, TARGETS, QUANTILE = 0.065, 0.04, 0.1


@pytest.mark.parametrize("name", regions.profiled())
def test_region_behaves_like_the_whole_run(name):
    region, whole = regions.profiles(benchmark.load(name), "small")
    assert region.operations < whole.operations
    assert region.misses / region.accesses == pytest.approx(whole.misses / whole.accesses, rel=MISSES)
    assert regions.difference(region.targets, whole.targets) < TARGETS
    for quantile in ("p10", "p50", "p90"):
        assert region.each[quantile] == pytest.approx(whole.each[quantile], rel=QUANTILE)


def test_every_integer_benchmark_says_what_its_whole_run_is():
    assert regions.profiled() == [name for name in benchmark.available() if not benchmark.load(name).floating_point]


def test_difference_is_the_share_that_is_elsewhere():
    assert regions.difference([2, 2], [50, 50]) == 0 and regions.difference([1, 0], [0, 9]) == 1
    assert regions.difference([1, 1], [3, 1]) == pytest.approx(0.25)


def test_scale_without_a_whole_run_is_one_line():
    with pytest.raises(NhgError, match=r"whole_run.paper is missing"):
        regions.compare(["gups"], "paper")
