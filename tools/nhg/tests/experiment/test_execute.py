# SPDX-License-Identifier: Apache-2.0
"""Experiments that resume, run side by side and the longest first, keep what failed, and say what they would do."""

import hashlib
import json
import signal
import threading
import time
from dataclasses import replace

import pytest
from plans import make_plan

from nhg import benchmark, paths, programs
from nhg.build import plugin_flags
from nhg.counts import Counts
from nhg.errors import NhgError
from nhg.experiment import dataset, estimate, native, sets
from nhg.experiment import execute as engine
from nhg.experiment.grid import cases
from nhg.programs import execute
from nhg.record import write_json

# What a record of the plain program says of its compiler
PLAIN = "-O2 -fplugin=build/compiler/asyncmem.so -fplugin-arg-asyncmem-sched=none"


def key_of(point):
    return hashlib.sha256(engine.slug(point).encode()).hexdigest()


@pytest.fixture
def stand_in(tmp_path, monkeypatch, make_record):
    """Runs that take no time; what happens in one can be set. Holds what was run, in order."""
    monkeypatch.setattr(paths, "RESULTS", tmp_path)
    monkeypatch.setattr(sets, "CAPTURED", tmp_path / "captured")

    class StandIn:
        def __init__(self):
            self.ran, self.act = [], lambda point: None
            self.time = lambda point: 100.0

        def prepare(self, point):
            assert engine.building.locked(), "programs that share a folder must not be built at the same time"
            return point

        def run(self, point, program, counted):
            self.ran.append((point.variant.name, point.setting.latency_ns, point.tasks))
            self.act(point)
            return make_record(
                variant=point.variant.name,
                latency_ns=point.setting.latency_ns,
                coroutines=point.tasks,
                emulated_ns=self.time(point),
                key=key_of(point),
            )

    made = StandIn()
    monkeypatch.setattr(engine, "prepare", made.prepare)
    monkeypatch.setattr(engine, "key_of", lambda point, program: key_of(point))
    monkeypatch.setattr(engine, "count", lambda point: Counts(0, 0))
    monkeypatch.setattr(engine, "models_of", lambda target: [])
    monkeypatch.setattr(engine, "run", made.run)
    return made


def test_what_was_measured_is_not_run_again_and_what_failed_is(stand_in, tmp_path, capsys):
    plan = make_plan()

    def fail(point):
        if point.variant.name == "bafin" and len(stand_in.ran) < 3:
            execute(["sh", "-c", "echo said >&2; exit 3"], what="a program")
            raise NhgError("gups/bafin: wrong answer")

    stand_in.act = fail
    first = engine.measure_all([plan])["trial"]
    assert [bool(result.record) for result in first] == [True, False] and first[1].reason == "gups/bafin: wrong answer"
    assert engine.missing_lines(first) == ["gups/bafin, scale tiny, latency_ns 800 is missing: gups/bafin: wrong answer"]
    (kept,) = (tmp_path / "failed").glob("*.json")
    failure = json.loads(kept.read_text())
    assert failure["reason"] == "gups/bafin: wrong answer" and "gups/bafin" in failure["point"]
    log = (tmp_path / "logs" / kept.with_suffix(".log").name).read_text()
    assert "$ sh -c" in log and "\nsaid\n" in log and "# exit code 3" in log and log.endswith("wrong answer")
    second = engine.measure_all([plan])["trial"]
    ran = [variant for variant, *_ in stand_in.ran]
    assert all(result.record for result in second) and sorted(ran) == ["bafin", "bafin", "serial"] and ran[-1] == "bafin"
    assert not kept.exists(), "a point that was verified has not failed"
    assert engine.measure_all([plan]) and len(stand_in.ran) == 3
    assert capsys.readouterr().out.count("already measured") == 3


def test_two_at_a_time_and_an_error_of_ours_stops_no_other(stand_in, capsys):
    plan = make_plan(sweep={"variant": ["serial", "coroutine", "static", "full"]})
    together = threading.Barrier(2, timeout=30)  # broken unless two points run at the same time

    def act(point):
        together.wait()
        if point.variant.name == "coroutine":
            raise ZeroDivisionError("by zero")

    stand_in.act = act
    found = engine.measure_all([plan], jobs=2)["trial"]
    assert [bool(result.record) for result in found] == [True, False, True, True] and "ZeroDivisionError: by zero" in found[1].reason
    said = capsys.readouterr().out
    assert "[4/4]" in said and said.count("about 10 s left") == 3, "of the last nothing is left"


def test_points_that_are_interrupted_have_not_failed(stand_in, tmp_path, capsys, monkeypatch):
    fresh = programs.Children()
    monkeypatch.setattr(programs, "children", fresh)
    monkeypatch.setattr(engine, "children", fresh)
    stand_in.act = lambda point: execute(["sleep", "60"], what="a run")

    def interrupt():
        while len(fresh.running) < 2:
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        engine.measure_all([make_plan(sweep={"variant": ["serial", "static", "bafin", "full"]})], jobs=2)
    assert capsys.readouterr().out == "" and not (tmp_path / "failed").exists() and len(stand_in.ran) == 2


def test_a_point_that_two_experiments_want_is_run_once(stand_in):
    one, other = make_plan(), make_plan(name="other", sweep={"variant": ["serial", "full"]})
    found = engine.measure_all([one, other])
    assert len(stand_in.ran) == 3 and found["trial"][0].record == found["other"][0].record


def test_the_longest_come_first_by_what_is_known_of_them(stand_in, tmp_path, make_record):
    tiny = benchmark.load("gups").scale("tiny")
    known = make_record(host_wall_seconds=20, latency_ns=100, dataset=tiny, operations=600, cycles=15_000_000, simulated_khz=1000)
    write_json(tmp_path / "known.json", known.model_dump(mode="json"))
    point = cases(make_plan(sweep={"latency_ns": [250], "scale": "small"}))[0].points[0]
    assert estimate.Estimate(tmp_path).seconds(point) == pytest.approx(15 * 4096 / 600 * 300 / 150), "its region, longer"
    plan = make_plan(sweep={"variant": ["full", "serial"], "latency_ns": [100, 400, 800]})
    engine.measure_all([plan], jobs=1)
    assert [ran[:2] for ran in stand_in.ran][:2] == [("serial", 800), ("full", 100)], "113 s by the record at 100 ns; 60 s where nothing is known"


def test_options_that_a_benchmark_asks_for_tell_its_records_apart(tmp_path, make_record):
    """`always_tasks` of bench.toml: the record of a program that could choose the plain loop is none of it."""
    point = cases(make_plan())[0].points[0]
    always = replace(point, benchmark=point.benchmark.model_copy(update={"always_tasks": True}))
    said = {one.benchmark.always_tasks: " ".join(["-O2", *plugin_flags(one.benchmark, one.variant)]) for one in (point, always)}
    assert said[True] == said[False] + " -fplugin-arg-asyncmem-adapt=off"
    for recorded, other in ((point, always), (always, point)):
        record = make_record(
            latency_ns=point.setting.latency_ns, coroutines=point.tasks, dataset=point.dataset, compiler_flags=said[recorded.benchmark.always_tasks]
        )
        write_json(tmp_path / "one.json", record.model_dump(mode="json"))
        known = estimate.Estimate(tmp_path)
        assert known.has_record(recorded) and not known.has_record(other)


def test_captured_sets_tell_how_long_a_point_takes_but_are_no_record_of_it(stand_in, results_of):
    plan = make_plan()
    dataset.capture(results_of(plan, lambda values, tasks: {"host_wall_seconds": 500.0, "dataset": benchmark.load("gups").scale("tiny")}), "trial")
    expected, point = estimate.Estimate(paths.RESULTS), cases(plan)[0].points[0]
    assert expected.seconds(point) == pytest.approx(500) and not expected.has_record(point)


def test_a_clone_of_the_same_sources_runs_nothing_that_is_captured(stand_in, tmp_path, monkeypatch, results_of):
    """A captured run is found by its key; one of another program or model has another, one of another schema and a wall time count for nothing."""
    plan = make_plan(sweep={"variant": ["serial", "static", "bafin", "full"]})
    keys = {case.values["variant"]: key_of(case.points[0]) for case in cases(plan)}
    changes = {"serial": {}, "static": {"schema_version": 1}, "bafin": {"key": "f" * 64}, "full": {"target": "x86", "emulated_ns": None, "wall_ns": 1}}
    dataset.capture(results_of(plan, lambda values, tasks: {"key": keys[values["variant"]], "git_commit": "captured"} | changes[values["variant"]]), "other")
    found = engine.measure_all([plan])["trial"]
    assert sorted(ran[0] for ran in stand_in.ran) == ["bafin", "full", "static"] and found[0].record.git_commit == "captured"
    assert not list(tmp_path.glob("gups-serial-*.json"))


def test_a_dry_run_counts_what_is_captured_of_the_models_that_are_built(stand_in, tmp_path, monkeypatch, results_of):
    plan = make_plan(sweep={"variant": "serial"})
    dataset.capture(results_of(plan, lambda values, tasks: {"dataset": benchmark.load("gups").scale("tiny"), "compiler_flags": PLAIN}), "trial")
    simulator = tmp_path / "sim/nhg-sim"
    monkeypatch.setattr(paths, "SIMULATOR", simulator)
    assert engine.dry_run([plan])[-1].startswith("1 of 1 points to measure"), "nothing is built"
    simulator.parent.mkdir()
    simulator.with_name(paths.DESIGN).write_text("3" * 64 + "\n")
    assert engine.dry_run([plan])[-1].startswith("1 of 1 points to measure"), "another model"
    simulator.with_name(paths.DESIGN).write_text("2" * 64 + "\n")
    assert engine.dry_run([plan])[-1].startswith("0 of 1 points to measure")


def test_of_several_numbers_of_coroutines_the_fastest_counts(stand_in):
    stand_in.time = lambda point: {4: 300.0, 8: 200.0, 16: 200.0}.get(point.tasks, 1000.0)
    plan = make_plan(sweep={"variant": ["serial", "static"], "coroutines": {"best": [4, 8, 16]}})
    found = engine.measure_all([plan])["trial"]
    chosen = [result.point.tasks for result in found if result.chosen and result.point.variant.name == "static"]
    assert chosen == [8] and len(stand_in.ran) == 4, "the smaller of equal ones, and serial once"


def test_what_was_measured_so_far_is_recalled_without_running_more(stand_in, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "prepare", lambda point: point)
    engine.measure_all([make_plan(sweep={"variant": "serial"})])
    found = engine.measure_all([make_plan()], only_recall=True)["trial"]
    assert [bool(result.record) for result in found] == [True, False] and found[1].reason == "not measured yet" and len(stand_in.ran) == 1
    assert not (tmp_path / "failed").exists()


def test_a_dry_run_builds_and_runs_nothing(stand_in, tmp_path, make_record):
    plan = make_plan(sweep={"variant": ["serial", "full"], "latency_ns": [100, 800]})
    engine.measure_points([case.points[0] for case in cases(plan) if case.values["variant"] == "full"], 1)
    stand_in.ran.clear()
    lines = engine.dry_run([plan], 2)
    assert stand_in.ran == [] and lines[-1].startswith("4 of 4 points to measure"), "the records of these stand-ins are of no scale of gups"
    for path in tmp_path.glob("*.json"):
        changed = json.loads(path.read_text()) | {"dataset": cases(plan)[0].points[0].benchmark.scale("tiny")}
        path.write_text(json.dumps(changed | {"compiler_flags": "-fplugin-arg-asyncmem-sched=bafin -fplugin-arg-asyncmem-near=none"}))
    assert engine.dry_run([plan], 2)[-1].startswith("4 of 4 points"), "of that name, but otherwise compiled"
    for path in tmp_path.glob("*.json"):
        path.write_text(path.read_text().replace(" -fplugin-arg-asyncmem-near=none", ""))
    lines = engine.dry_run([plan], 2)
    assert lines[0].startswith("gups/serial sim tiny 800 ns") and lines[-1].startswith("2 of 4 points to measure")


@pytest.mark.parametrize(("target", "jobs"), [("sim", 3), ("iss", 3), ("fpga", 1)])
def test_only_models_run_side_by_side(target, jobs):
    points = [case.points[0] for case in cases(make_plan(sweep={"target": target}))]
    assert engine.jobs_of(points, 3) == jobs


@pytest.fixture
def timed(tmp_path, monkeypatch, make_record):
    """Native runs of known length; holds what was run, in order."""
    ran = []
    times = {("serial", 511): 1000, ("coroutine", 8): 500, ("coroutine", 16): 400}
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
            cycles=None,
            wall_ns=wall_ns,
            wall_ns_samples=[wall_ns],
            switches=None,
            key=f"{point.variant.name}{point.tasks}".ljust(64, "0"),
        )

    monkeypatch.setattr(native, "run", run)
    return ran


def wall_times(**changes):
    return make_plan(sweep={"target": "x86", "latency_ns": 0, "variant": ["serial", "coroutine"], "coroutines": {"best": [8, 16]}}, **changes)


def test_wall_times_repeat_only_the_best_number_and_resume(timed):
    found = native.measure_all(wall_times(repetitions=3))
    assert timed == [("serial", 511), ("coroutine", 8), ("coroutine", 16), *[("serial", 511), ("coroutine", 16)] * 2]
    chosen = {result.point.variant.name: result.record for result in found if result.chosen and result.point.tasks != 8}
    assert chosen["coroutine"].wall_ns_samples == [430, 450, 470] and chosen["coroutine"].wall_ns == 430
    assert chosen["serial"].switches == 7, "counted apart, once"
    timed.clear()
    native.measure_all(wall_times(repetitions=4))
    assert timed == [("serial", 511), ("coroutine", 16)], "three samples of each were kept"
