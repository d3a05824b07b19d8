# SPDX-License-Identifier: Apache-2.0
"""Cycle counts on RTL that core, memory system and compiler must keep exactly (cycles.toml), scale tiny.

A change that is meant to alter them writes the file anew, `NHG_UPDATE_CYCLES=1 make test SUITE=cycles`, and its commit says why.
"""

import os
import tomllib

import pytest
from programs import TESTS
from test_latency import LATENCIES_NS, NODES, STREAM_LINES, cycles_per_access, region_cycles

from nhg import benchmark, measure, variants
from nhg.measure import Setting
from nhg.point import Point
from nhg.run import prepare

EXPECTED = TESTS / "cycles.toml"
UPDATE = os.environ.get("NHG_UPDATE_CYCLES") == "1"
HEADER = f"""# SPDX-License-Identifier: Apache-2.0
#
# Cycles of the region of interest on RTL, exact; written by NHG_UPDATE_CYCLES=1 make test SUITE=cycles. Workloads: scale tiny, by
# benchmark, variant and far latency in ns; chase: {NODES} accesses of far memory, each after the one before; stream: {STREAM_LINES:,} lines of it, every word.
"""


def keep(name: str, cycles: int) -> None:
    """The count is the expected one, or becomes it."""
    expected = tomllib.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    if UPDATE:
        lines = [f"{key} = {value}\n" for key, value in sorted({**expected, name: cycles}.items())]
        EXPECTED.write_text(HEADER + "".join(lines))
        return
    assert name in expected, f"{EXPECTED.name} has no {name}; NHG_UPDATE_CYCLES=1 make test SUITE=cycles writes it"
    assert cycles == expected[name], f"{name}: {cycles} cycles, {expected[name]} expected ({cycles / expected[name] - 1:+.2%})"


@pytest.mark.parametrize("latency_ns", LATENCIES_NS)
def test_chase(latency_ns: int) -> None:
    keep(f"chase-{latency_ns}", round(cycles_per_access(latency_ns) * NODES))


def test_stream() -> None:
    keep("stream-100", region_cycles("stream", 100))


@pytest.mark.parametrize("latency_ns", [100, 800])
@pytest.mark.parametrize("variant", ["serial", "static", "full"])
@pytest.mark.parametrize("bench", ["gups", "bs", "hj", "mcf"])
def test_workload(bench: str, variant: str, latency_ns: int) -> None:
    point = Point(benchmark.load(bench), variants.VARIANTS[variant], "sim", Setting(latency_ns, None), "tiny")
    measured = measure.TARGETS["sim"](point.name, prepare(point), point.setting)
    keep(f"{bench}-{variant}-{latency_ns}", measured.fields["cycles"])
