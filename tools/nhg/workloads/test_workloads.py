# SPDX-License-Identifier: Apache-2.0
"""Each workload in each variant at scale tiny: the answer is right and the record is complete. RTL runs in lock-step."""

from nhg import benchmark, variants
from nhg.measure import Setting
from nhg.run import Point, prepare, run

LATENCY_NS = 800


def test_workload(bench: str, variant: str, target: str) -> None:
    setting = Setting(LATENCY_NS, None, lockstep=target == "sim")
    point = Point(benchmark.load(bench), variants.VARIANTS[variant], target, setting, "tiny")
    record = run(point, prepare(point))
    assert record.operations == record.dataset["BENCH_OPERATIONS"]
    if target == "sim":
        assert record.cycles > 0 and record.far_reads > 0 and record.far_late == 0
