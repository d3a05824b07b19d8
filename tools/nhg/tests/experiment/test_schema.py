# SPDX-License-Identifier: Apache-2.0
"""Experiment files: what they expand to, and that an error names file, line and the nearest legal value."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plans import make_plan

from nhg import benchmark, paths
from nhg.errors import NhgError
from nhg.experiment import named
from nhg.experiment.grid import cases, skipped
from nhg.experiment.load import load
from nhg.experiment.schema import Best

FILES = sorted((paths.ROOT / "experiments").glob("*.yaml"))
GOOD = """\
name: trial
title: Trial
figure: {kind: bars, x: latency_ns}
sweep:
  benchmark: [gups, bs]
  scale: tiny
  latency_ns: [100, 800]
zip:
  - variant: [serial, static, full]
    coroutines: [default, {best: [4, 8]}, 96]
drop:
  - {benchmark: bs, variant: full, because: a reason}
"""
TABLE_II = {"gups", "bs", "bfs", "stream", "hj", "mcf", "lbm", "is"}


def write(tmp_path, text):
    file = tmp_path / "trial.yaml"
    file.write_text(text)
    return file


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_experiment_of_the_repository_can_be_run(file):
    plan = load(file)
    assert plan.name == file.stem and cases(plan)


@pytest.mark.parametrize("number", [2, 3, 11, 12, 13, 14, 15, 16])
def test_each_figure_of_the_evaluation_has_a_file_with_every_benchmark(number):
    plan = load(paths.ROOT / f"experiments/fig{number:02}.yaml")
    assert plan.paper == number and set(plan.values("benchmark")) == TABLE_II


def test_the_grid_is_the_one_asked_for():
    plan = load(paths.ROOT / "experiments/grid.yaml")
    assert plan.values("scale") == ["small"] and set(plan.values("benchmark")) == TABLE_II and len(cases(plan)) == 5 * (8 * 8 - 3 - 5)


def test_the_paper_s_numbers_of_coroutines_are_had_and_our_own():
    plan = load(paths.ROOT / "experiments/fig12.yaml")
    asked = {(case.values["variant"], str(case.values["coroutines"])) for case in cases(plan)}
    assert {("getfin", "96"), ("paper", "96"), ("full", "default"), ("static", "best of 4 8 16 32")} <= asked


def test_sweeps_zips_and_filters(tmp_path):
    plan = load(write(tmp_path, GOOD))
    found = [(case.values["benchmark"], case.values["latency_ns"], case.values["variant"], [point.tasks for point in case.points]) for case in cases(plan)]
    assert ("gups", 100, "static", [4, 8]) in found and ("gups", 800, "full", [96]) in found and len(found) == 2 * 2 * 3 - 2
    assert not [row for row in found if row[0] == "bs" and row[2] == "full"] and skipped(plan) == ["2 points left out: a reason"]
    only = load(write(tmp_path, GOOD.replace("drop:", "keep:").replace("kind: bars", "kind: bars, quantities: [ns_per_operation]")))
    assert {(case.values["benchmark"], case.values["variant"]) for case in cases(only)} == {("bs", "full")}


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("gups, bs", "gusp, bs", 5, "gups"),
        ("kind: bars", "kind: bar", 3, "bars"),
        ("latency_ns: [100", "latency_ms: [100", 7, "latency_ns"),
        ("[100, 800]", "[100, 90000]", 7, "21845"),
        ("[100, 800]", "[-5, 800]", 7, "nearest legal value is 0"),
        ("serial, static, full", "serial, static, ful", 9, "full"),
        ("96]", "600]", 10, "511"),
        ("96]", "dfault]", 10, "default"),
        ("96]", "{best: [8, 600]}]", 10, "511"),
        ("full]", "full, getfin]", 9, "variant has 4, coroutines has 3"),
        ("scale: tiny", "scale: tny", 6, "tiny"),
        ("scale: tiny", "bandwidth_gbps: 97", 6, "96"),
        ("scale: tiny", "jitter: uniform", 6, "uniform:NS"),
        ("scale: tiny", "jitter: 'uniform:400'", 6, "-300 to 500 ns"),
        ("scale: tiny", "target: rtl", 6, "iss"),
        ("scale: tiny", "os: linus", 6, "linux"),
        ("scale: tiny", "target: x86\n  os: bare", 7, "target x86 do not run on bare; the nearest legal value is linux"),
        ("scale: tiny", "scale: tiny\n  coroutines: 8", 11, "coroutines is given twice"),
        ("scale: tiny", "samples: 0", 6, "nearest legal value is 1"),
        ("scale: tiny", "samples: 1000000", 6, "more than the whole run has, 8,388,608; give less; the nearest legal value is 1"),
        ("scale: tiny", "warmup: -1", 6, "nearest legal value is 0"),
        ("  latency_ns: [100, 800]\n", "", 4, "latency_ns is missing"),
        ("because: a reason", "reason: a", 12, "because"),
        ("title: Trial", "title: Trial\nrepetitions: 3", 3, "nearest legal value is 1"),
        ("title: Trial", "title: Trial\nrepetitions: 0", 3, "nearest legal value is 1"),
        ("title: Trial\n", "", 1, "title is missing"),
        ("title: Trial", "title: [", 4, "not YAML"),
        ("{benchmark: bs, variant: full,", "{benchmark: [bs, gups], variant: [serial, static, full],", 11, "no point is left"),
    ],
)
def test_an_error_names_file_line_and_nearest_legal_value(tmp_path, old, new, line, says):
    assert old in GOOD
    file = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(NhgError) as error:
        load(file)
    message = str(error.value)
    assert "\n" not in message and says in message
    found = re.match(rf"{re.escape(str(file))}:(\d+): ", message)
    assert found and int(found.group(1)) == line, message


@pytest.mark.parametrize("text", ["", "- a", "name: x", "1: 2"])
def test_what_is_no_experiment_is_one_line(tmp_path, text):
    with pytest.raises(NhgError) as error:
        load(write(tmp_path, text))
    assert "\n" not in str(error.value)
    with pytest.raises(NhgError, match="No such file"):
        load(tmp_path / "absent.yaml")


def test_own_variants_have_their_options_in_place_of_the_common_ones(tmp_path):
    own = "variants:\n  sets: {scheduler: bafin, options: [coalesce=sets]}\n"
    plan = load(write(tmp_path, GOOD.replace("static, full", "static, sets").replace("variant: full", "variant: sets") + own))
    (point,) = next(case.points for case in cases(plan) if case.values["variant"] == "sets")
    assert point.variant.scheduler == "bafin" and point.variant.options == ("coalesce=sets",) and point.tasks == 96


def test_samples_and_warmup_are_points_of_their_own():
    found = [case.points[0] for case in cases(make_plan(sweep={"samples": [1, 4], "warmup": [0, 100], "variant": ["serial"]}))]
    assert [(point.samples, point.dataset["BENCH_WARMUP_OPERATIONS"]) for point in found] == [(1, 0), (1, 100), (4, 0), (4, 100)]
    assert len({point.identity for point in found}) == 4
    (usual,) = cases(make_plan(sweep={"variant": ["serial"]}))
    assert usual.points[0].dataset == benchmark.load("gups").scale("tiny")


@pytest.mark.parametrize(("target", "system"), [("sim", "bare"), ("iss", "bare"), ("x86", "linux")])
def test_the_operating_system_is_the_target_s(target, system):
    sweep = {"target": target, "variant": ["serial"]}
    (usual,), (named,) = cases(make_plan(sweep=sweep)), cases(make_plan(sweep={**sweep, "os": system}))
    assert usual.points == named.points


def test_jitter_is_repeated_with_other_seeds():
    plan = make_plan(sweep={"jitter": ["constant", "uniform:100"]}, repetitions=3)
    seeds = {case.values["jitter"]: [point.setting.jitter.seed for point in case.points] for case in cases(plan)}
    assert seeds == {"constant": [0], "uniform:100": [0, 1, 2]}


def test_longer_regions_have_more_operations_of_the_same_data():
    points = [case.points[0] for case in cases(make_plan(sweep={"region_length": [1, 2], "variant": ["serial"]}))]
    tiny = benchmark.load("gups").scale("tiny")
    assert [point.benchmark.scale("tiny") for point in points] == [tiny, {**tiny, "BENCH_OPERATIONS": 2 * tiny["BENCH_OPERATIONS"]}]
    assert points[0].identity != points[1].identity


def test_another_scale_has_another_name(tmp_path):
    one = named.read(paths.ROOT / "experiments/fig12.yaml", "tiny")
    assert one.plan.name == "fig12-tiny" and {case.values["scale"] for case in cases(one.plan)} == {"tiny"}
    assert named.command(one) == "make figures EXP=experiments/fig12.yaml SCALE=tiny"
    with pytest.raises(NhgError, match="nearest legal value is tiny"):
        named.read(paths.ROOT / "experiments/fig12.yaml", "tny")


AXIS = {
    "benchmark": ["gups", "bs", "hj"],
    "latency_ns": [0, 100, 800, 1000],
    "variant": ["serial", "static", "getfin", "full"],
    "coroutines": [8, 16, "default", {"best": [4, 8]}],
    "bandwidth_gbps": [3, 96, "unlimited"],
}


@given(st.fixed_dictionaries({axis: st.lists(st.sampled_from(values), min_size=1, max_size=3, unique_by=str) for axis, values in AXIS.items()}))
def test_a_sweep_is_the_product_of_its_axes(axes):
    found = cases(make_plan(sweep=axes))
    assert len(found) == len(list(itertools.product(*axes.values())))
    for case in found:
        number = case.values["coroutines"]
        several = isinstance(number, Best) and case.values["variant"] != "serial"
        assert len(case.points) == (2 if several else 1)
        assert all(point.setting.latency_ns == case.values["latency_ns"] for point in case.points)
