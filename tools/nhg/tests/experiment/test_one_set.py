# SPDX-License-Identifier: Apache-2.0
"""The captured sets are one set: what would mix is named or refused. A capture of real runs: tools/nhg/workloads/test_capture.py."""

from types import SimpleNamespace

import pytest
from plans import make_plan

from nhg import paths
from nhg.errors import NhgError
from nhg.experiment import dataset, one_set, sets

SOURCES = {"sources_sha256": "a" * 64, "compiler_sha256": "b" * 64, "runtime_sha256": "c" * 64}


@pytest.fixture
def kept(make_record):
    """A record of a clean commit, with changes."""
    return lambda **changes: make_record(**{"git_commit": "0123456789", "git_dirty": False, **SOURCES, **changes})


def test_runs_of_one_commit_and_of_commits_without_effect_are_one_set(kept):
    other = kept(latency_ns=100, key="1" * 64, git_commit="9876543210")
    assert one_set.faults([]) == [] and one_set.faults([("fig12", kept()), ("fig13", kept()), ("fig13", other)]) == []
    assert one_set.faults([("fig12", kept()), ("large", kept(core="large", model_sha256="9" * 64))]) == [], "another core is another model"
    times = {"target": "x86", "cycles": None, "emulated_ns": None, "wall_ns": 7}
    assert one_set.faults([("fig11", kept(**times)), ("fig11", kept(**times, variant="static", model_sha256="8" * 64, program_sha256="8" * 64))]) == []


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"git_dirty": True}, "1 runs are of no clean commit, as gups/serial sim tiny 100 ns in fig13"),
        ({"git_dirty": None}, "1 runs are of no clean commit"),
        ({"sources_sha256": "d" * 64, "git_commit": "fedcba9876"}, "2 commits that differ in more than results/captured, plots, docs (012345678 fedcba987)"),
        ({"compiler_sha256": "d" * 64}, "hashes of compiler differ or are unknown (bbbbbbbbb ddddddddd)"),
        ({"compiler_sha256": None}, "hashes of compiler differ or are unknown (bbbbbbbbb unknown)"),
        ({"runtime_sha256": "d" * 64}, "hashes of runtime differ or are unknown"),
        ({"model_sha256": "d" * 64}, "1 of 1 models have several hashes"),
        ({"program_sha256": "d" * 64}, "1 of 1 programs have several hashes, as that of gups/serial"),
        (
            {"latency_ns": 800, "cycles": 2999},
            "1 of 1 points that stand in several sets are several runs, 1 with different values (gups/serial sim tiny 800 ns: 3,000",
        ),
        ({"latency_ns": 800, "host_wall_seconds": 2}, "1 of 1 points that stand in several sets are several runs, 0 with different values"),
    ],
)
def test_what_mixes_is_named(kept, changes, says):
    (line,) = one_set.faults([("fig12", kept()), ("fig13", kept(**{"latency_ns": 100, **changes}))])
    assert line.startswith(says)


@pytest.fixture
def checkout(tmp_path, monkeypatch, kept):
    """A clean checkout of the sources that `kept` records have; its models and hashes can be set."""
    here = SimpleNamespace(state=("0123456789", False), model="2" * 64, **SOURCES)
    monkeypatch.setattr(sets, "CAPTURED", tmp_path / "captured")
    monkeypatch.setattr(paths, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(sets, "capturing", False)
    monkeypatch.setattr(one_set, "git_state", lambda: here.state)
    for name in SOURCES:
        monkeypatch.setattr(one_set, name, lambda name=name: getattr(here, name))
    monkeypatch.setattr(one_set, "build_models", lambda target, with_plugin: None)
    monkeypatch.setattr(one_set, "build_guided_simulator", lambda: None)
    monkeypatch.setattr(one_set, "design_of", lambda model: here.model)
    return here


def capture(results_of, kept, name="trial", **changes):
    return dataset.capture(
        results_of(make_plan(), lambda values, tasks: kept(**changes).model_dump(include={*SOURCES, "git_commit", "git_dirty", *changes})), name
    )


def test_a_capture_begins_at_a_commit_alone(checkout):
    checkout.state = ("0123456789", True)
    with pytest.raises(NhgError, match="this checkout is none .*: commit, then repeat"):
        one_set.begin(["sim"])
    assert not sets.capturing


def test_a_capture_goes_on_from_what_is_captured_of_the_same_sources(checkout, results_of, kept):
    capture(results_of, kept)
    checkout.state = ("another", False)
    one_set.begin(["sim", "x86"])
    assert sets.capturing and sets.records() == sets.CAPTURED / "runs"
    one_set.end()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"git_dirty": True}, "is not one set .2 runs are of no clean commit"),
        ({"sources_sha256": "d" * 64}, "CAPTURE=1 would mix: what is captured is of commit 012345678"),
        ({"compiler_sha256": "d" * 64}, "CAPTURE=1 would mix"),
        ({"runtime_sha256": "d" * 64}, "CAPTURE=1 would mix"),
        ({"model_sha256": "d" * 64}, "CAPTURE=1 would mix: TARGET=sim is model 222222222 here and ddddddddd in what is captured"),
    ],
)
def test_what_would_mix_is_refused_before_anything_runs(checkout, results_of, kept, changes, says):
    capture(results_of, kept, **changes)
    with pytest.raises(NhgError, match=says) as error:
        one_set.begin(["sim"])
    assert "\n" not in str(error.value) and not sets.capturing


def test_wall_times_of_another_machine_are_not_gone_on_with(checkout, results_of, kept, monkeypatch):
    monkeypatch.setattr(one_set, "processor", lambda: "a fast one")
    capture(results_of, kept, processor="a slow one")
    one_set.begin(["sim"])
    with pytest.raises(NhgError, match="CAPTURE=1 would mix: captured wall times are of a slow one, and this machine is a fast one"):
        one_set.begin(["x86"])
    one_set.end()
    capture(results_of, kept, "other", processor="a fast one", variant="serial", key="d" * 64)
    with pytest.raises(NhgError, match="is not one set: wall times are of 2 machines .a fast one, a slow one"):
        one_set.end()


def test_a_set_that_mixes_in_the_end_is_an_error(checkout, results_of, kept):
    capture(results_of, kept)
    capture(results_of, kept, "other", variant="serial", program_sha256="d" * 64, key="d" * 64)
    with pytest.raises(NhgError, match="is not one set: 1 of 2 programs have several hashes"):
        one_set.end()


def test_a_point_of_several_figures_is_kept_once(checkout, results_of, kept):
    for name in ("fig12", "fig13"):
        (place,) = capture(results_of, kept, name)
    assert len(list((sets.CAPTURED / "runs").iterdir())) == 2
    (sets.CAPTURED / "fig12.csv").unlink()
    assert [record.key for _, record in sets.read(place)] == [f"{number:012x}".ljust(64, "0") for number in range(2)]
    assert "cycles" not in place.read_text() and one_set.faults(sets.in_folder(sets.CAPTURED)) == []
    sets.runs(sets.CAPTURED)["000000000001"].unlink()
    with pytest.raises(NhgError, match="fig13.csv: run 000000000001 is not in runs"):
        sets.read(place)
