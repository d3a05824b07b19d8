# SPDX-License-Identifier: Apache-2.0
"""Records, their schema, experiments that resume, and what a figure shows."""

import json
import math
import threading
from pathlib import Path

import jsonschema
import pytest
from pydantic import ValidationError

from nhg import benchmark, experiment, paths, plot, record, table
from nhg.counts import Counts
from nhg.errors import NhgError
from nhg.experiment import Experiment, Result

SCHEMA = Path(record.__file__).with_name("schema") / f"record-{record.SCHEMA_VERSION}.json"
PLAN = Experiment(name="trial", title="Trial", benchmarks=["gups"], variants=["serial", "bafin"], latency_ns=[800])


def test_published_schema_is_the_model_and_accepts_a_record(make_record):
    schema = json.loads(SCHEMA.read_text())
    assert schema == record.Record.model_json_schema(), "renew with python -m nhg schema"
    jsonschema.validate(json.loads(make_record().model_dump_json()), schema)


def test_an_unverified_record_cannot_exist(make_record):
    with pytest.raises(ValidationError):
        make_record(verified=False)


def test_writing_is_whole_or_not_at_all(tmp_path, make_record):
    place = tmp_path / "run.json"
    record.write_json(place, make_record().model_dump(mode="json"))
    assert record.read(place) == make_record()
    with pytest.raises(TypeError):
        record.write_json(place, {"bad": object()})
    assert record.read(place) == make_record() and list(tmp_path.iterdir()) == [place]
    with pytest.raises(NhgError, match="cannot write"):
        record.write_json(place / "below", {})


def test_speedup_is_time_of_the_baseline_over_time(make_record):
    assert table.speedup(make_record(emulated_ns=1000.0), make_record(emulated_ns=50.0)) == 20
    assert table.speedup(make_record(emulated_ns=None), make_record()) is None


def test_experiment_resumes_from_records(tmp_path, monkeypatch, make_record):
    monkeypatch.setattr(paths, "RESULTS", tmp_path)
    runs = []
    monkeypatch.setattr(experiment, "prepare", lambda point: point)
    monkeypatch.setattr(experiment, "key_of", lambda point, program: point.variant.name.ljust(64, "0"))

    monkeypatch.setattr(experiment, "count", lambda point: Counts(0, 0))

    def run(point, program, counted):
        runs.append(point.variant.name)
        if point.variant.name == "bafin" and len(runs) < 3:
            raise NhgError("gups/bafin: wrong answer")
        return make_record(variant=point.variant.name, key=point.variant.name.ljust(64, "0"))

    monkeypatch.setattr(experiment, "run", run)
    first = experiment.measure_all(PLAN)
    assert [bool(result.record) for result in first] == [True, False] and first[1].reason == "gups/bafin: wrong answer"
    second = experiment.measure_all(PLAN)
    assert all(result.record for result in second) and runs == ["serial", "bafin", "bafin"]
    assert experiment.measure_all(PLAN) and len(runs) == 3


def test_points_are_measured_side_by_side_in_order_and_one_that_fails_stops_no_other(tmp_path, monkeypatch, make_record, capsys):
    plan = PLAN.model_copy(update={"variants": ["serial", "coroutine", "static", "full"], "jobs": 2})
    together = threading.Barrier(2, timeout=30)  # broken unless two points run at the same time
    prepared = []

    def prepare(point):
        assert experiment.building.locked(), "programs that share a folder must not be built at the same time"
        prepared.append(point.variant.name)
        return point

    def run(point, program, counted):
        together.wait()
        if point.variant.name == "coroutine":
            raise NhgError("gups/coroutine: stuck")
        return make_record(variant=point.variant.name, key=point.variant.name.ljust(64, "0"))

    monkeypatch.setattr(paths, "RESULTS", tmp_path)
    monkeypatch.setattr(experiment, "prepare", prepare)
    monkeypatch.setattr(experiment, "key_of", lambda point, program: point.variant.name.ljust(64, "0"))
    monkeypatch.setattr(experiment, "count", lambda point: Counts(0, 0))
    monkeypatch.setattr(experiment, "run", run)
    found = experiment.measure_all(plan)
    assert [(r.variant, r.reason) for r in found] == [("serial", ""), ("coroutine", "gups/coroutine: stuck"), ("static", ""), ("full", "")]
    assert [r.record is None for r in found] == [False, True, False, False] and sorted(prepared) == sorted(plan.variants)
    said = capsys.readouterr().out
    assert "[4/4]" in said and "stuck; about" in said and "min left" in said


@pytest.mark.parametrize("text", ["target: x86\njobs: 2", "target: fpga\njobs: 2", "jobs: 0"])
def test_only_simulations_run_side_by_side(tmp_path, text):
    file = tmp_path / "x.yaml"
    file.write_text(f"name: x\ntitle: x\nbenchmarks: [gups]\nvariants: [serial]\n{text}\n")
    with pytest.raises(NhgError, match="jobs: "):
        experiment.load(file)


def results(make_record):
    return [
        Result("gups", "serial", 800, make_record(emulated_ns=1000.0)),
        Result("gups", "bafin", 800, make_record(variant="bafin", emulated_ns=100.0)),
        Result("bs", "serial", 800, make_record(bench="bs", emulated_ns=400.0)),
        Result("bs", "bafin", 800, None, "bs/bafin: wrong answer"),
    ]


def test_figure_normalises_to_serial_and_names_what_is_missing(tmp_path, make_record):
    points = results(make_record)
    data = plot.with_geomean(plot.speedups(points)).set_index(["bench", "variant"]).speedup
    assert data["gups", "bafin"] == pytest.approx(10) and data["gups", "serial"] == 1
    assert math.isnan(data["bs", "bafin"]) and math.isnan(data["geomean", "bafin"]) and data["geomean", "serial"] == 1
    assert experiment.missing_lines(points) == ["bs/bafin at 800 ns is missing: bs/bafin: wrong answer"]
    pictures = plot.speedup_figure(PLAN, points, tmp_path)
    assert all(picture.stat().st_size > 0 for picture in pictures)


def test_figure_without_any_record_is_an_error(tmp_path):
    with pytest.raises(NhgError, match="no point was verified"):
        plot.speedup_figure(PLAN, [Result("gups", "serial", 800, None, "stuck")], tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "name: x", "- a", "name: [", "unknown: 1"])
def test_bad_experiment_is_one_line(tmp_path, text):
    file = tmp_path / "x.yaml"
    file.write_text(text)
    with pytest.raises(NhgError) as error:
        experiment.load(file)
    assert "\n" not in str(error.value)


def test_quick_experiment_is_the_one_promised():
    plan = experiment.load(paths.ROOT / "experiments/quick.yaml")
    assert len(experiment.points(plan)) == 2 * 5 * 4


def test_longer_regions_have_more_operations_of_the_same_data():
    once, twice = (experiment.points(PLAN, times)[0] for times in (1, 2))
    small = benchmark.load("gups").scale("small")
    assert once.benchmark.scale("small") == small
    assert twice.benchmark.scale("small") == {**small, "BENCH_OPERATIONS": 2 * small["BENCH_OPERATIONS"]}


def test_every_integer_benchmark_is_in_the_complete_table():
    plan = experiment.load(paths.ROOT / "experiments/rtl-small.yaml")
    integer = [name for name in benchmark.available() if not benchmark.load(name).floating_point]
    assert sorted(plan.benchmarks) == integer and plan.variants == ["serial", "static", "full"] and plan.latency_ns == [100, 800]
