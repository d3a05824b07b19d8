# SPDX-License-Identifier: Apache-2.0
"""Switches and context operations are counted apart from the measurement, once per program."""

import pytest

from nhg import benchmark, counts, measure, platform, variants
from nhg.build import Program
from nhg.counts import Counts, count
from nhg.errors import NhgError
from nhg.measure import Measurement, Setting
from nhg.point import Point
from nhg.run import switches

SETTING = Setting(latency_ns=800, bandwidth_gbps=None)


def point(variant: str, target: str = "x86") -> Point:
    return Point(benchmark.load("gups"), variants.VARIANTS[variant], target, SETTING, "tiny", 16)


def test_serial_switches_never():
    assert count(point("serial")) == Counts(0, 0)


def test_hand_written_coroutine_switches_once_an_update():
    assert count(point("coroutine")) == Counts(600, None)


@pytest.fixture
def counted_programs(tmp_path, monkeypatch):
    """Replaces builds and runs; holds the names of what was run."""
    ran = []
    metrics = [0] * 5
    metrics[platform.metric("switches")], metrics[platform.metric("context_ops")] = 7, 9
    metrics[platform.metric("verified")] = 1

    def build(benchmark, variant, scale, coroutines, target, counting=False):
        assert counting
        return Program(tmp_path / target, variant.name.ljust(64, "0"), "-O2")

    def on_iss(name, program, setting):
        ran.append(name)
        return Measurement(metrics)

    monkeypatch.setattr(counts, "build_models", lambda target, with_plugin: None)
    monkeypatch.setattr(counts, "build_program", build)
    monkeypatch.setitem(measure.TARGETS, "iss", on_iss)
    return ran


def test_a_program_is_counted_once_whatever_the_latency(counted_programs):
    for latency_ns in (100, 200, 400, 800):
        setting = Setting(latency_ns, None)
        one = Point(benchmark.load("gups"), variants.VARIANTS["bafin"], "sim", setting, "tiny")
        assert count(one) == Counts(7, 9)
    assert counted_programs == ["gups/bafin, counting"]
    assert count(point("static", "iss")) == Counts(7, 9)
    assert len(counted_programs) == 2


def test_what_the_core_counted_wins_over_what_was_counted_apart():
    assert switches(Measurement([], {"probes": {"amu_finished": 5}}), Counts(7, 9)) == 5
    assert switches(Measurement([], {"probes": {"amu_finished": 0}}), Counts(7, 9)) == 7
    assert switches(Measurement([]), Counts(7, 9)) == 7


def test_wrong_answer_of_a_counting_program_is_kept_nowhere(counted_programs, tmp_path, monkeypatch):
    def wrong(name, program, setting):
        raise NhgError(f"{name}: wrong answer")

    monkeypatch.setitem(measure.TARGETS, "iss", wrong)
    with pytest.raises(NhgError, match="gups/bafin, counting: wrong answer"):
        count(point("bafin", "sim"))
    assert list(tmp_path.iterdir()) == []
