# SPDX-License-Identifier: Apache-2.0
"""Linux: boot to the shell and power-off on the golden model, and a benchmark as one of its programs."""

import sys

import pytest
from programs import ROOT

sys.path.append(str(ROOT / "tools"))
from nhg import benchmark, linux, run, variants
from nhg.measure import Setting
from nhg.point import Point

# What the console shows, in this order.
LINES = [
    "OpenSBI v1.6",
    "Linux version 6.12.",
    "Run /init as init process",
    "init: nothing to run, so this is a shell",
    "Linux 6.12.",
    "riscv64",
    "0-1",
    "reboot: Power down",
]


@pytest.fixture(scope="module", autouse=True)
def image() -> None:
    linux.build()


def test_boot(capfd: pytest.CaptureFixture[str]) -> None:
    linux.boot("iss", linux.TYPED)
    console, at = capfd.readouterr().out, 0
    for line in LINES:
        at = console.find(line, at)
        assert at >= 0, f"not there, or not in its place: {line}\n{console}"


def point(variant: str, target: str, os: str) -> Point:
    return Point(benchmark.load("hj"), variants.VARIANTS[variant], target, Setting(latency_ns=800, bandwidth_gbps=None), "tiny", os=os)


def test_the_region_of_a_benchmark_is_that_without_linux() -> None:
    """No page fault and no tick is in it, and its program is compiled alike."""
    counts = {os: (one := point("serial", "iss", os)) and run.run(one, run.prepare(one)).instret for os in variants.SYSTEMS}
    assert abs(counts["linux"] - counts["bare"]) < 50


def test_a_benchmark_on_rtl() -> None:
    one = point("serial", "sim", "linux")
    record = run.run(one, run.prepare(one))
    assert record.verified and record.cycles
