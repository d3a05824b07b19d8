# SPDX-License-Identifier: Apache-2.0
"""Samples of a whole run: where they lie, what they add up to, what is refused."""

import math
from dataclasses import replace

import pytest
from simulated_result import COUNTS, result

from nhg import benchmark, measure, run, sampling, variants
from nhg import result as results
from nhg.benchmark import FIRST, OPERATIONS, PLACEMENT, WARMUP
from nhg.build import Program
from nhg.counts import Counts
from nhg.errors import NhgError
from nhg.measure import Measurement, Setting
from nhg.point import Point


def point(name="gups", samples=4, scale="tiny", target="sim", warmup=None):
    chosen = benchmark.load(name)
    if warmup is not None:
        chosen = chosen.warmed(warmup)
    return Point(chosen, variants.VARIANTS["serial"], target, Setting(800, None), scale, samples=samples)


@pytest.mark.parametrize("samples", [2, 3, 8])
def test_each_part_of_the_run_has_one_sample_whatever_the_warmup(samples):
    whole, length = 10_007, 100
    found = sampling.places(whole, samples, length, 0)
    assert all(whole * part // samples <= first <= whole * (part + 1) // samples - length for part, first in enumerate(found))
    assert sampling.places(whole, samples, length, 20) == [max(first, 20) for first in found]
    assert len({first - whole * part // samples for part, first in enumerate(found)}) > 1, "not at regular distances, which the data may have, too"


def test_each_sample_has_the_regions_operations_behind_its_warmup_and_a_placement_of_its_own():
    one = point("mcf", 4, "small", warmup=1000)
    assert one.dataset["MCF_FIRST_ARC"] == 0, "the whole run, not the region"
    for number, sample in enumerate(sampling.points(one)):
        macros = sample.benchmark.scale("small")
        assert macros[OPERATIONS] == 2048 and macros[WARMUP] == 1000 and macros[PLACEMENT] == number and sample.samples == 1
        assert number * 65536 <= macros[FIRST] + 1000 < (number + 1) * 65536


def test_where_operations_cannot_begin_anywhere_samples_differ_in_their_placement_alone():
    asked = point("bfs", 3, "small")
    region = asked.benchmark.scale("small")
    assert [sample.benchmark.scale("small") for sample in sampling.points(asked)] == [{**region, PLACEMENT: number} for number in range(3)]


def density(t, freedom):
    gammas = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    return math.exp(gammas) / math.sqrt(freedom * math.pi) * (1 + t * t / freedom) ** (-(freedom + 1) / 2)


@pytest.mark.parametrize("freedom", range(1, len(sampling.STUDENT) + 1))
def test_the_table_is_students_t(freedom):
    limit, steps = sampling.STUDENT[freedom - 1], 2000
    width = limit / steps
    integral = sum(density((step + 0.5) * width, freedom) for step in range(steps)) * width
    assert integral == pytest.approx(0.475, abs=3e-5)


def test_interval_of_a_mean():
    low, high = sampling.interval([10.0, 12.0, 14.0])
    assert (low + high) / 2 == 12 and high - 12 == pytest.approx(4.303 * 2 / math.sqrt(3))
    assert sampling.interval([3.0] * 40) == (3.0, 3.0)


def snapshots(**changes):
    return results.parse(result({**COUNTS, **changes}))


def test_what_samples_add_up_to():
    one = snapshots()
    other = snapshots(cycles=1000, cycles_far_load=500, far_inflight_max=9, far_read_latency_min=300, far_reads=4)
    whole = results.compute(sampling.added([one, replace(other, peak_integral=90)]))
    assert whole.cycles == 4000 == sum(whole.cycle_breakdown.values()) and whole.far["reads"] == 5
    assert whole.far["inflight_max"] == 9 and whole.far["read_latency_min"] == 300 and whole.far["read_latency_max"] == 2400
    assert whole.mlp_mean == 2 and whole.mlp_busiest == 9 and whole.metrics[:2] == [20, 0] and whole.host_seconds == 0.6


def test_a_sampled_run_is_one_record(tmp_path, monkeypatch):
    """Each sample is measured with its own program; the key depends on all of them."""
    asked = point(samples=2)
    programs = tuple(Program(tmp_path / name, name * 64, "-O2") for name in "ab")
    ran = []

    def on_sim(name, program, setting):
        ran.append((name, program.sha256[0]))
        own = snapshots() if len(ran) == 1 else snapshots(cycles=1000, cycles_far_load=500)
        stalls = {"compute": results.compute(own).cycle_breakdown}
        return Measurement(own.metrics, {**results.record_fields(name, results.compute(own)), "work_instret": 5, "stalls": stalls}, 1.0, "m" * 64, {}, own)

    monkeypatch.setitem(measure.TARGETS, "sim", on_sim)
    monkeypatch.setattr(run, "design_of", lambda model: "d" * 64)
    record = run.run(asked, replace(programs[0], samples=programs), Counts(0, 0))
    assert ran == [("gups/serial, sample 1 of 2", "a"), ("gups/serial, sample 2 of 2", "b")]
    assert record.cycles == 4000 and record.operations == 20 and record.work_instret == 10 and record.host_wall_seconds == 2
    assert [(sample.cycles, sample.program_sha256[0]) for sample in record.samples] == [(3000, "a"), (1000, "b")]
    assert sum(cycles for part in record.stalls.values() for cycles in part.values()) == 4000
    low, high = record.cycles_per_operation_interval
    assert low < 0 < 4000 / 600 < high, "two samples that differ so much say little"
    others = {run.key_of(asked, replace(programs[0], samples=chosen)) for chosen in (programs, programs[::-1], programs[:1], ())}
    assert len(others) == 4 and record.key in others


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (point(target="iss"), "SAMPLES=4: TARGET=iss measures no cycles; give one of sim fpga"),
        (point(scale="paper"), r"does not say what the whole run is \(whole_run.paper\)"),
        (point(samples=601), "601 times 600 operations, or a warm-up of .*, are more than the whole run has"),
        (point("bs", warmup=65_530), "4 times 64 operations, or a warm-up of 65,530, are more than the whole run has, 65,536"),
    ],
)
def test_what_cannot_be_sampled_is_refused(asked, said):
    with pytest.raises(NhgError, match=said):
        sampling.points(asked)
