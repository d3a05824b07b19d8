# SPDX-License-Identifier: Apache-2.0
"""What `make compare` says of two runs and of two sets, to the letter and the number."""

import math

import pytest

from nhg.experiment import compare

MILLISECOND = 1_000_000


@pytest.fixture
def timed(make_record):
    """A run on x86 with these samples, ms."""

    def make(samples):
        times = [round(MILLISECOND * sample) for sample in samples]
        return make_record(target="x86", cycles=None, emulated_ns=None, wall_ns=min(times), wall_ns_samples=times)

    return make


def test_a_run_is_named_by_what_it_differs_in(make_record):
    assert compare.name(make_record()) == "gups/serial sim tiny 800 ns"
    sample = {"first": 5, "operations": 10, "cycles": 7, "program_sha256": "1" * 64}
    other = {"variant": "full", "core": "large", "jitter": "uniform:50", "jitter_seed": 3, "bandwidth_gbps": 6.5, "samples": [sample, sample]}
    assert compare.name(make_record(**other)) == "gups/full sim large tiny 800 ns, jitter uniform:50 seed 3, 6.5 GB/s, 96 coroutines, 2 samples"


def test_what_two_runs_on_a_model_differ_in(make_record):
    one = make_record(instret=7)
    slower = compare.difference(one, make_record(instret=9, cycles=6000, emulated_ns=2000.0))
    assert (slower.ratio, slower.changed) == (2, True)
    assert slower.line == "gups/serial sim tiny 800 ns: cycles 3,000 -> 6,000, instret 7 -> 9 (+100.00% time)"
    assert compare.difference(one, one).line == "gups/serial sim tiny 800 ns: equal (+0.00% time)"


@pytest.mark.parametrize("turned", [False, True])
def test_what_only_one_of_them_counts_is_a_change(make_record, turned):
    pair = [make_record(instret=7), make_record(instret=None)]
    found = compare.difference(*(reversed(pair) if turned else pair))
    assert found.changed and found.said == "counted in one only"
    pair = [make_record(), make_record(cycles=None, emulated_ns=None)]
    assert math.isnan(compare.difference(*(reversed(pair) if turned else pair)).ratio)


def test_wall_times_are_given_with_both_intervals(timed):
    found = compare.difference(timed(range(100, 111)), timed(range(220, 231)))
    assert found.changed and found.line == "gups/serial x86 tiny 800 ns: median 101.00 to 109.00 ms -> 221.00 to 229.00 ms (+120.00% time)"


@pytest.mark.parametrize(("shift", "changed"), [(8, False), (8.001, True), (-8, False), (-8.001, True)])
def test_intervals_that_touch_are_no_change(timed, shift, changed):
    """Both are eight wide."""
    assert compare.difference(timed(range(100, 111)), timed(sample + shift for sample in range(100, 111))).changed is changed


@pytest.mark.parametrize(
    ("count", "ends"), [(5, None), (6, (1, 6)), (8, (1, 8)), (9, (2, 8)), (12, (3, 10)), (15, (4, 12)), (20, (6, 15)), (25, (8, 18)), (30, (10, 21))]
)
def test_intervals_of_a_median_are_those_of_the_tables(count, ends):
    """Of the sign test at 95 %: ranks of the samples."""
    assert compare.interval(list(range(count, 0, -1))) == ends


def test_two_sets_are_summed_up(monkeypatch, make_record):
    """The slowest first, what has no time last; the mean is of the times both have."""

    def runs(**cycles):
        records = {name: make_record(bench=name, cycles=count, emulated_ns=count and count / 3) for name, count in cycles.items()}
        return {compare.identity(record): {"trial": record} for record in records.values()}

    found = {"A": runs(gups=300, bs=300, hj=300, mcf=None, lbm=3), "B": runs(gups=450, bs=900, hj=300, mcf=5, list=3, bfs=3)}
    monkeypatch.setattr(compare, "records", lambda option, text: found[option])
    changed, lines = compare.compare("one", "other")
    assert changed and lines == [
        "bs/serial sim tiny 800 ns: cycles 300 -> 900 (+200.00% time)",
        "gups/serial sim tiny 800 ns: cycles 300 -> 450 (+50.00% time)",
        "mcf/serial sim tiny 800 ns: counted in one only",
        "3 of 4 runs changed; geometric mean of time B over A 1.6510; only in A 1, only in B 2",
    ]
    assert math.exp((math.log(3) + math.log(1.5)) / 3) == pytest.approx(1.6510, abs=5e-5)


def test_without_a_time_in_common_there_is_no_mean(monkeypatch, make_record):
    one = {compare.identity(make_record()): {"trial": make_record(cycles=None, emulated_ns=None)}}
    monkeypatch.setattr(compare, "records", lambda option, text: one)
    assert compare.compare("one", "other") == (False, ["0 of 1 runs changed; only in A 0, only in B 0"])
