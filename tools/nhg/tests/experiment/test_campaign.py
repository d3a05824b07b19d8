# SPDX-License-Identifier: Apache-2.0
"""Experiments by their names: the command of each point, their order, and what redrawing prints."""

import shlex

import pytest
from plans import make_plan

from nhg import campaign, cli, paths
from nhg.experiment import dataset, named, sets
from nhg.experiment.execute import Result
from nhg.experiment.grid import cases
from nhg.experiment.named import EXPERIMENTS, Named


@pytest.fixture
def asked(monkeypatch):
    """The points that `make run` would measure."""
    found = []
    monkeypatch.setattr(cli, "prepare", lambda point: None)
    monkeypatch.setattr(cli, "run", lambda point, program: found.append(point))
    monkeypatch.setattr(cli, "write_records", lambda records, place: None)
    monkeypatch.setattr(cli, "show", lambda records: None)
    return found


@pytest.mark.parametrize("file", sorted(EXPERIMENTS.glob("*.yaml")), ids=lambda file: file.stem)
def test_the_command_of_a_point_measures_that_point(file, asked, monkeypatch):
    monkeypatch.chdir(paths.ROOT)
    one = named.read(file)
    for case in cases(one.plan):
        for point in case.points:
            words = shlex.split(named.run_command(one, Result(case, point, None)))
            if case.values["region_length"] != 1:
                assert words == ["make", "figures", f"EXP=experiments/{file.name}"], "make run has no longer regions"
                continue
            assert words[:2] == ["make", "run"]
            cli.run_command(**{name.lower(): value for name, value in (word.split("=", 1) for word in words[2:])})
            assert asked.pop().identity == point.identity and asked == []


@pytest.mark.parametrize(
    "sweep",
    [
        {"jitter": "two-point:50:5"},
        {"bandwidth_gbps": 6.5, "bandwidth_mode": "per-direction"},
        {"samples": 3, "warmup": 7},
        {"coroutines": {"best": [4, 8]}},
        {"os": ["bare", "linux"]},
    ],
)
def test_no_axis_is_left_out_of_the_command(sweep, asked):
    plan = make_plan(sweep=sweep, repetitions=2 if "jitter" in sweep else 1)
    points = [(case, point) for case in cases(plan) for point in case.points]
    assert len({point.identity for _, point in points}) == len(points) > 1
    for case, point in points:
        words = shlex.split(named.run_command(Named(paths.ROOT / "x.yaml", plan), Result(case, point, None)))
        cli.run_command(**{name.lower(): value for name, value in (word.split("=", 1) for word in words[2:])})
        assert asked.pop().identity == point.identity


def test_the_paper_s_figures_come_first_in_its_order():
    ones = [Named(paths.ROOT / "x.yaml", make_plan(name=name, paper=paper)) for name, paper in (("a", None), ("fig12", 12), ("b", None), ("z", 3))]
    assert [one.plan.name for one in sorted(ones, key=named.in_order)] == ["z", "fig12", "a", "b"]
    known = [one.plan.paper for one in named.captured() if one.plan.paper]
    assert known == sorted(known) and [one.plan.paper for one in named.captured()][: len(known)] == known


def test_redrawing_prints_a_line_a_figure(tmp_path, monkeypatch, results_of, capsys):
    monkeypatch.setattr(sets, "CAPTURED", tmp_path / "captured")
    monkeypatch.setattr(paths, "PLOTS", tmp_path / "plots")
    wanted = [Named(tmp_path / "x.yaml", make_plan(name=name)) for name in ("one", "two")]
    for one in wanted:
        dataset.capture(results_of(one.plan, lambda values, tasks: {}), one.plan.name)
    campaign.redraw(wanted)
    assert capsys.readouterr().out.splitlines() == [f"{name}: {tmp_path}/plots/{name}.{{pdf,png,svg,md,csv}}" for name in ("one", "two")]
    assert len(list((tmp_path / "plots").iterdir())) == 10
