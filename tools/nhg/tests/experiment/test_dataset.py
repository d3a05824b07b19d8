# SPDX-License-Identifier: Apache-2.0
"""Sets keep whole records, refuse what is not verified, and are compared run by run."""

import subprocess

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plans import make_plan

from nhg import paths
from nhg.benchmark import Benchmark
from nhg.errors import NhgError
from nhg.experiment import compare, dataset, sets
from nhg.experiment.execute import Result
from nhg.experiment.grid import cases

PLAN = make_plan(sweep={"benchmark": ["gups", "bs"]})


def measured(values, tasks):
    if (values["benchmark"], values["variant"]) == ("bs", "bafin"):
        return 'bs/bafin: wrong, "answer"\nof two lines'
    return {
        "git_commit": "0123456",
        "git_dirty": False,
        "cycles": 3000,
        "instret": 7,
        "mlp_mean": 1 / 3,
        "cycle_breakdown": {"retiring": 1000, "far_load": 2000},
        "loops_left_serial": ["gups.c:9: why"],
        "samples": [{"first": 9, "operations": 10, "cycles": 3000, "program_sha256": "1" * 64}],
        "cycles_per_operation_interval": (1 / 3, 700.0),
    }


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_set_gives_back_the_same_records(tmp_path, results_of, kind):
    results = results_of(PLAN, measured)
    places = dataset.write(results, tmp_path / "trial")
    assert [place.name for place in places] == ["trial.parquet", "trial.csv"]
    again = dataset.fill(PLAN, tmp_path / f"trial.{kind}")
    assert [(result.record, result.reason) for result in again] == [(result.record, result.reason) for result in results]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])  # both are the same for every example; writes files
@given(st.floats(min_value=0, allow_infinity=False), st.text(), st.dictionaries(st.text(), st.integers()))
def test_any_number_and_text_survives(tmp_path, make_record, number, text, mapping):
    """As commands and tables come: quotes, commas, line ends, signs that JSON has."""
    flags = "-O2" + text.replace("\r", "").replace("\x00", "")
    record = make_record(variant="serial", tool_versions={"tool": text}, compiler_flags=flags, host_wall_seconds=number, probes=mapping)
    case = cases(make_plan(sweep={"variant": "serial"}))[0]
    for place in dataset.write([Result(case, case.points[0], record)], tmp_path / "x"):
        ((_, found),) = sets.read(place)
        assert found == record


def edited(tmp_path, results_of, **cells):
    _, csv = dataset.write(results_of(PLAN, measured), tmp_path / "trial")
    table = pd.read_csv(csv, dtype=str, keep_default_na=False)
    for name, value in cells.items():
        table.loc[0, name] = value
    table.to_csv(csv, index=False)
    return csv


@pytest.mark.parametrize(
    ("cells", "says"),
    [({"verified": "false"}, "no verified record .verified"), ({"cycles": "3001"}, "the causes count 3,000 cycles, the region has 3,001")],
)
def test_what_was_not_verified_is_not_drawn(tmp_path, results_of, cells, says):
    with pytest.raises(NhgError, match=says):
        dataset.fill(PLAN, edited(tmp_path, results_of, **cells))


def test_a_point_that_the_set_lacks_is_missing(tmp_path, results_of):
    dataset.write(results_of(PLAN, measured), tmp_path / "trial")
    more = make_plan(sweep={"benchmark": ["gups", "bs", "hj"]})
    found = dataset.fill(more, tmp_path / "trial.csv")
    assert [result.reason for result in found if result.case.values["benchmark"] == "hj"] == ["not in trial.csv"] * 2
    with pytest.raises(NhgError, match="no set of an experiment"):
        dataset.fill(PLAN, tmp_path / "absent.csv")


def test_a_benchmark_s_own_number_of_coroutines_is_that_of_the_set(tmp_path, results_of, monkeypatch):
    plan = make_plan(sweep={"coroutines": ["default", 16]})
    csv = dataset.write(results_of(plan, measured), tmp_path / "trial")[1]
    before = [result.point.tasks for result in dataset.fill(plan, csv)]
    monkeypatch.setattr(Benchmark, "tasks", lambda self, variant: 8)
    found = dataset.fill(plan, csv)
    assert all(result.record for result in found) and [result.point.tasks for result in found] == before


def test_a_set_that_is_older_than_an_axis_had_its_default(tmp_path, results_of):
    csv = dataset.write(results_of(PLAN, measured), tmp_path / "trial")[1]
    younger = ["case_samples", "case_warmup", "samples", "cycles_per_operation_interval"]
    pd.read_csv(csv, dtype=str, keep_default_na=False).drop(columns=younger).assign(schema_version=1).to_csv(csv, index=False)
    assert [result.record is not None for result in dataset.fill(PLAN, csv)] == [True, True, True, False]
    assert not any(result.record for result in dataset.fill(make_plan(sweep={"samples": 2}), csv))


def one_set(folder, results_of, plan=PLAN, **changes):
    def fields(values, tasks):
        found = measured(values, tasks)
        return found if isinstance(found, str) else {**found, **changes}

    return dataset.write(results_of(plan, fields), folder / "trial")[1]


def test_any_cycle_on_rtl_is_a_change(tmp_path, results_of):
    same, other = one_set(tmp_path / "a", results_of), one_set(tmp_path / "b", results_of, host_wall_seconds=9.0)
    changed, lines = compare.compare(str(same), str(other))
    assert not changed and lines[-1].startswith("0 of 3 runs changed")
    slower = {"cycles": 3001, "emulated_ns": 1000.4, "cycle_breakdown": {"retiring": 1001, "far_load": 2000}}
    changed, lines = compare.compare(str(same), str(one_set(tmp_path / "c", results_of, **slower)))
    assert changed and len(lines) == 4 and "cycles 3,000 -> 3,001 (+0.04% time)" in lines[0]
    changed, lines = compare.compare(str(same), str(one_set(tmp_path / "d", results_of, instret=8)))
    assert changed and "instret 7 -> 8" in lines[0]


X86 = {"target": "x86", "latency_ns": 0, "variant": ["serial"]}


@pytest.mark.parametrize(
    ("samples", "other", "changed", "says"),
    [
        (range(100, 111), range(105, 116), False, "0 of 1 runs changed"),  # medians 105 and 110, intervals 101 to 109 and 106 to 114
        (range(100, 111), range(120, 131), True, "-> "),
        (range(100, 105), range(200, 205), False, "1 wall times have fewer than 6 samples in A or B"),
        (range(100, 106), range(200, 206), True, "-> "),
        (range(100, 103), range(100, 103), False, "0 of 1 runs changed"),
    ],
)
def test_wall_times_change_where_their_intervals_are_apart(tmp_path, results_of, samples, other, changed, says):
    plan = make_plan(sweep=X86)
    sets = []
    for number, taken in enumerate((samples, other)):
        times = [1_000_000 * time for time in taken]
        own = {"wall_ns_samples": times, "wall_ns": min(times), "cycles": None, "emulated_ns": None, "cycle_breakdown": {}}
        sets.append(one_set(tmp_path / str(number), results_of, plan, **own))
    found, lines = compare.compare(str(sets[0]), str(sets[1]))
    assert found == changed and says in lines[0]


def two_sets(folder, results_of, cycles, names=("fig12", "fig13")):
    """A folder in which each point stands in two sets."""
    for name, own in zip(names, cycles, strict=True):
        changes = {"cycles": own, "emulated_ns": own / 3, "cycle_breakdown": {}, "key": f"{own:064x}"}
        dataset.write(results_of(make_plan(sweep={"variant": "bafin"}), lambda values, tasks, changes=changes: changes), folder / name)
    return str(folder)


@pytest.mark.parametrize(
    ("ours", "theirs", "names", "counts", "said"),
    [
        ((37_350, 42_350), (37_350, 42_350), ("fig12", "fig13"), "0 of 2", []),
        ((37_350, 42_350), (42_350, 42_350), ("fig12", "fig13"), "1 of 2", ["37,350 -> 42,350"]),
        ((42_350, 37_350), (42_350, 42_350), ("fig12", "fig13"), "1 of 2", ["37,350 -> 42,350"]),
        ((42_350, 42_350), (42_350, 42_350), ("fig12", "fig13"), "0 of 1", []),
        ((37_350, 42_350), (37_350, 37_350), ("grid", "mlp"), "1 of 2", ["42,350 -> 37,350"]),
    ],
)
def test_a_point_of_several_sets_is_compared_in_each(tmp_path, results_of, ours, theirs, names, counts, said):
    one, other = two_sets(tmp_path / "a", results_of, ours), two_sets(tmp_path / "b", results_of, theirs, names)
    changed, lines = compare.compare(one, other)
    assert changed == bool(said) and len(lines) == len(said) + 1 and lines[-1].startswith(f"{counts} runs changed")
    assert all(text in line for text, line in zip(said, lines, strict=False))


def test_wall_times_of_few_samples_are_said_in_one_line(tmp_path, results_of):
    plan = make_plan(sweep=X86 | {"benchmark": ["gups", "bs", "hj"]})
    places = []
    for taken in ([1, 2, 3], [4, 5, 6]):
        own = {"wall_ns_samples": taken, "wall_ns": taken[0], "cycles": None, "emulated_ns": None, "cycle_breakdown": {}}
        places.append(str(one_set(tmp_path / str(taken[0]), results_of, plan, **own)))
    changed, lines = compare.compare(*places)
    assert not changed and len(lines) == 2 and lines[0].startswith("3 wall times have fewer than 6 samples")


def test_the_interval_of_eleven_samples_leaves_out_the_ends():
    assert compare.interval(list(range(11))) == (1, 9) and compare.interval([1] * 5) is None and compare.interval(list(range(6))) == (0, 5)


def test_what_can_be_compared(tmp_path, results_of, monkeypatch):
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setattr(sets, "CAPTURED", tmp_path / "results/captured")
    (csv,) = dataset.capture(results_of(PLAN, measured), "trial")
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@y", "-c", "core.hooksPath=/dev/null", "-c", "commit.gpgsign=false", "-C", str(tmp_path)]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *words], check=True)
    assert compare.compare("HEAD", str(csv.parent))[1][-1].startswith("0 of 3 runs changed")
    for text, says in (("nowhere", "neither a file, a folder nor a commit"), ("", "B is missing"), (str(tmp_path), "no verified run")):
        with pytest.raises(NhgError, match=says):
            compare.compare(str(csv), text)
    other = one_set(tmp_path / "other", results_of, make_plan(sweep={"latency_ns": 100}))
    with pytest.raises(NhgError, match="no run in common"):
        compare.compare(str(csv), str(other))
