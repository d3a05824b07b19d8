# SPDX-License-Identifier: Apache-2.0
"""Tables of instruction counts and of native times, and how native experiments choose and resume."""

import math

import pytest

from nhg import benchmark, experiment, native, paths, tables
from nhg.counts import Counts
from nhg.errors import NhgError
from nhg.experiment import Experiment, Result

COUNTING = Experiment(name="count", title="Counts", kind="instructions", target="iss", benchmarks=["gups", "bs"], variants=["serial", "bafin"])
NATIVE = Experiment(
    name="native",
    title="Native",
    kind="native",
    target="x86",
    scale="tiny",
    benchmarks=["gups"],
    variants=["serial", "coroutine"],
    coroutines=[8, 16],
    repetitions=3,
)


def test_instructions_are_over_serial_of_the_same_benchmark(tmp_path, make_record):
    def result(bench, variant, instret, **changes):
        return Result(bench, variant, 0, make_record(bench=bench, variant=variant, target="iss", instret=instret, **changes))

    places = tables.instruction_tables(
        COUNTING,
        [
            result("gups", "serial", 100),
            result("gups", "bafin", 200, switches=20, context_ops=50),
            result("bs", "serial", 1000),
            result("bs", "bafin", 8000, switches=10, context_ops=10, loops_left_serial=["bs.c:9: why"]),
        ],
        tmp_path,
    )
    text = places[0].read_text()
    assert "| gups | 1.00 | 2.00 |" in text and "| bs | 1.00 | 8.00 |" in text and "| geometric mean | 1.00 | 4.00 |" in text
    assert "| gups |  | 2.50 |" in text and "bs/bafin: loop left serial: bs.c:9: why" in text
    assert places[1].stat().st_size > 0


def test_mean_is_over_the_benchmarks_that_have_the_variant(make_record):
    results = [
        Result("gups", "serial", 0, make_record(instret=10)),
        Result("gups", "bafin", 0, make_record(instret=30)),
        Result("bs", "serial", 0, make_record(instret=10)),
        Result("bs", "bafin", 0, None, "wrong answer"),
    ]
    table = tables.with_mean(tables.pivot(COUNTING, results, lambda own, base: tables.ratio(own.instret, base.instret)))
    assert math.isnan(table.loc["bs", "bafin"]) and table.loc[tables.MEAN, "bafin"] == pytest.approx(3)


def test_speedups_come_losses_first_and_what_is_missing_before_them(tmp_path, make_record):
    def result(bench, variant, latency, emulated_ns, **changes):
        return Result(bench, variant, latency, make_record(bench=bench, variant=variant, emulated_ns=emulated_ns, latency_ns=latency, **changes))

    plan = Experiment(name="all", title="All", benchmarks=["bs", "gups", "bfs"], variants=["serial", "full"], latency_ns=[100, 800])
    text = tables.speedup_table(
        plan,
        [
            result("bs", "serial", 800, 1000, cycles=3000, instret=100, mlp_mean=1.5),
            result("bs", "full", 800, 100, cycles=300, instret=250, mlp_mean=99.5, mlp_peak=120),
            result("gups", "serial", 100, 500),
            result("gups", "full", 100, 1000),
            result("bfs", "serial", 800, 10),
            Result("bfs", "full", 800, None, "bfs/full: stuck"),
        ],
        tmp_path,
    )[0].read_text()
    assert [line.split(" | ")[0:4] for line in text.splitlines() if line.startswith(("| b", "| g"))][1:] == [
        ["| bfs", "full", "800 ns", "**missing**: bfs/full: stuck"],
        ["| gups", "full", "100 ns", "**0.50** loses"],
        ["| bs", "full", "800 ns", "10.00"],
    ]
    assert "| 10.00 | 30.0 / 300.0 | 25.0 / 10.0 | 99.5 / 1.5 | 120.0 |" in text
    assert "`full` at 800 ns: 10.00 (1 of 3 benchmarks, 0 lose)" in text and "`full` at 100 ns: 0.50 (1 of 3 benchmarks, 1 lose)" in text


def test_edges_are_what_twice_the_operations_do_not_cost_twice(tmp_path, make_record):
    plan = Experiment(name="edges", title="Edges", kind="edges", benchmarks=["gups", "bs"], variants=["full"], latency_ns=[800])
    once = [Result("gups", "full", 800, make_record(cycles=1200, operations=10, coroutines=5)), Result("bs", "full", 800, None, "stuck")]
    twice = [Result("gups", "full", 800, make_record(cycles=2200, operations=20)), Result("bs", "full", 800, make_record())]
    text = tables.edge_table(plan, once, twice, tmp_path)[0].read_text()
    assert "| gups full 800 ns | 10 | 2.0 | 120.0 | 100.0 | 16.7% |" in text and "bs" not in text
    with pytest.raises(NhgError, match="no point was verified in both sizes"):
        tables.edge_table(plan, once[1:], twice[1:], tmp_path)


def test_no_record_no_table(tmp_path):
    with pytest.raises(NhgError, match="no point was verified"):
        tables.instruction_tables(COUNTING, [Result("gups", "serial", 0, None, "stuck")], tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def timed(tmp_path, monkeypatch, make_record):
    """Native runs of known length; holds what was run, in order."""
    ran = []
    times = {("serial", 8): 1000, ("coroutine", 8): 500, ("coroutine", 16): 400}
    monkeypatch.setattr(paths, "RESULTS", tmp_path)
    monkeypatch.setattr(native, "prepare", lambda point: None)
    monkeypatch.setattr(native, "key_of", lambda point, program: f"{point.variant.name}{point.tasks}".ljust(64, "0"))
    monkeypatch.setattr(native, "count", lambda point: Counts(7, None))

    def run(point, program, counted):
        ran.append((point.variant.name, point.tasks))
        wall_ns = times[ran[-1]] + 10 * len(ran)
        return make_record(
            variant=point.variant.name,
            target="x86",
            coroutines=point.tasks,
            emulated_ns=None,
            wall_ns=wall_ns,
            key=native.key_of(point, program),
            switches=counted.switches,
        )

    monkeypatch.setattr(native, "run", run)
    return ran


def test_best_number_is_chosen_and_repeated_in_turn(timed, tmp_path):
    results = native.measure_benchmark(NATIVE, "gups")
    assert timed == [("serial", 8), ("coroutine", 8), ("coroutine", 16), ("serial", 8), ("coroutine", 16), ("serial", 8), ("coroutine", 16)]
    coroutine = results[1].record
    assert coroutine.coroutines == 16 and coroutine.wall_ns_samples == [430, 450, 470] and coroutine.wall_ns == 430
    assert coroutine.switches == 7
    text = tables.native_tables(NATIVE, results, tmp_path / "plots")[0].read_text()
    assert f"{results[0].record.wall_ns / 430:.2f}" in text and "16 (+9%)" in text


def test_interrupted_native_experiment_goes_on(timed):
    native.measure_benchmark(NATIVE.model_copy(update={"repetitions": 2}), "gups")
    del timed[:]
    results = native.measure_benchmark(NATIVE, "gups")
    assert timed == [("serial", 8), ("coroutine", 16)] and len(results[1].record.wall_ns_samples) == 3


def test_records_with_another_statistic_count_by_their_fastest_sample(timed, monkeypatch):
    native.measure_benchmark(NATIVE, "gups")
    read = native.stored
    monkeypatch.setattr(native, "stored", lambda key: (found := read(key)) and found.model_copy(update={"wall_ns": max(found.wall_ns_samples)}))
    assert all(result.record.wall_ns == min(result.record.wall_ns_samples) for result in native.measure_benchmark(NATIVE, "gups"))


def test_variants_of_an_experiment_are_compiler_flags():
    plan = experiment.load(paths.ROOT / "experiments/instructions.yaml")
    own = experiment.variant_of(plan, benchmark.load("gups"), "sets")
    assert own.scheduler == "bafin" and own.options == ("coalesce=sets",)


@pytest.mark.parametrize("text", ["kind: native\ntarget: x86", "kind: native\ncoroutines: [8]", "target: x86\ncoroutines: [8]"])
def test_candidates_belong_to_native_experiments(tmp_path, text):
    file = tmp_path / "x.yaml"
    file.write_text(f"name: x\ntitle: x\nbenchmarks: [gups]\nvariants: [serial]\n{text}\n")
    with pytest.raises(NhgError, match="belongs to kind native"):
        experiment.load(file)
