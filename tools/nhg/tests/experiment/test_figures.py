# SPDX-License-Identifier: Apache-2.0
"""What figures show: values over their baseline, means that are whole or missing, what is missing with its reason, and the paper beside ours."""

import itertools
import math
import re
import xml.etree.ElementTree as ET

import pytest
from matplotlib.colors import to_rgb
from matplotlib.transforms import Bbox
from plans import SPEEDUP, make_plan

from nhg import parts
from nhg.errors import NhgError
from nhg.experiment.execute import label
from nhg.figures import bars, breakdown, draw, published, style, tables
from nhg.figures.quantities import MEAN, values, with_mean
from nhg.figures.shares import CAUSES, shares
from nhg.table import show

TWO = {"benchmark": ["gups", "bs"], "latency_ns": [100, 800]}
TIMES = {("gups", "serial"): 1000.0, ("gups", "bafin"): 100.0, ("bs", "serial"): 400.0, ("bs", "bafin"): 50.0}


def timed(values, tasks):
    if (values["benchmark"], values["variant"], values["latency_ns"]) == ("bs", "bafin", 800):
        return "bs/bafin: wrong answer"
    return {"emulated_ns": TIMES[values["benchmark"], values["variant"]], "instret": 100 if values["variant"] == "serial" else 250}


def drawn(plan, results, folder):
    draw.draw(plan, results, folder, quiet=True)
    return (folder / f"{plan.name}.svg").read_text(), (folder / f"{plan.name}.md").read_text()


def test_speedups_and_a_mean_that_is_missing_where_a_benchmark_is(results_of, tmp_path):
    plan = make_plan(sweep=TWO)
    results = results_of(plan, timed)
    table = with_mean(plan, values(plan, results, "speedup"), "speedup").set_index(["benchmark", "latency_ns", "series"]).value
    assert table["gups", 800, "bafin"] == pytest.approx(10) and table["bs", 100, "bafin"] == pytest.approx(8)
    assert table[MEAN, 100, "bafin"] == pytest.approx(math.sqrt(80)) and table[MEAN, 800, "serial"] == 1
    assert math.isnan(table["bs", 800, "bafin"]) and math.isnan(table[MEAN, 800, "bafin"])
    picture, text = drawn(plan, results, tmp_path)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".md", ".pdf", ".png", ".svg"]
    ET.fromstring(picture)
    assert picture.count("bs/bafin: wrong answer") >= 1 and ">missing</text>" in picture and "without bs" in picture
    assert "- bs/bafin, scale tiny, latency_ns 800 is missing: bs/bafin: wrong answer" in text and "| bs 800 ns | 1.00 |  |" in text


def test_a_mean_over_other_benchmarks_than_its_neighbours_is_missing(results_of, tmp_path):
    """At 300 ns one benchmark is left out: the other alone is no mean to compare."""
    drop = [{"benchmark": "tree", "latency_ns": 300, "because": "tree is slow"}]
    zipped = [{"variant": ["serial", "full"], "coroutines": ["default", 128]}]
    figure = {"kind": "lines", "quantities": ["speedup"], "x": "latency_ns", "panels": "benchmark"}
    plan = make_plan(figure, sweep={"benchmark": ["hj", "tree"], "latency_ns": [100, 300, 1000], "variant": None}, zip=zipped, drop=drop)
    results = results_of(plan, lambda values, tasks: {"emulated_ns": 1000.0 if values["variant"] == "serial" else 250.0})
    means = with_mean(plan, values(plan, results, "speedup"), "speedup")
    means = means[(means.benchmark == MEAN) & (means.series == "full")].set_index("latency_ns")
    assert list(means.value.round(6).dropna()) == [4, 4] and math.isnan(means.value[300]) and means.reason[300] == "without tree (tree is slow)"
    picture, text = drawn(plan, results, tmp_path)
    line = "geomean/full, scale tiny, latency_ns 300, coroutines 128: without tree (tree is slow)"
    assert f"missing: {line}" in picture.replace("\n", " ") and f"- missing: {line}" in text and "| geomean 300 ns |  |  |" in text
    dots = re.findall(r'<g id="run:geometric mean over 2 benchmarks[^"]*">(.*?)</g>\n', picture, re.DOTALL)
    assert len(dots) == 4 and all("<use" in dot for dot in dots), "no line joins what stands alone: each has its mark"


def test_the_paper_s_mean_is_not_compared_with_one_over_fewer(results_of):
    drop = [{"benchmark": "bs", "latency_ns": 800, "because": "slow"}]
    plan = make_plan(sweep={"benchmark": ["gups", "bs"], "latency_ns": [200, 800], "variant": ["serial", "full"]}, drop=drop, paper=12)
    results = results_of(plan, lambda values, tasks: {"emulated_ns": 1000.0 if values["variant"] == "serial" else 250.0})
    compared = {one.entry.says: one for one in published.compare(plan, results)}
    assert compared["average speedup of Full at 200 ns"].ours == pytest.approx(4)
    assert compared["average speedup of Full at 800 ns"].said == "missing: without bs"


def test_the_paper_s_number_stands_beside_what_is_like_it_and_what_is_more(results_of, tmp_path):
    """Its diamond stands on the bar that is like it, or on ours where there is no such bar."""
    own = {"paper": {"scheduler": "bafin", "options": ["adapt=off"]}}
    times = {"serial": 1000.0, "paper": 500.0, "full": 100.0}
    for series in (["serial", "paper", "full"], ["serial", "full"]):
        plan = make_plan(sweep={"benchmark": ["gups"], "latency_ns": [800], "variant": series}, variants=own, paper=12)
        results = results_of(plan, lambda values, tasks: {"emulated_ns": times[values["variant"]]})
        compared = [(one.series, one.ours) for one in published.compare(plan, results) if one.entry.says == "GUPS, Full at 800 ns"]
        assert compared == [(name, pytest.approx(1000 / times[name])) for name in series[1:]]
        rows = [row for _, row in values(plan, results, "speedup").iterrows()]
        assert [row.variant for row in rows if published.of_bar(plan, "speedup", row)] == series[1:2]


def test_a_broken_bound_of_the_paper_is_a_contradiction(results_of):
    """Its text has serial GUPS and BFS below 5 requests in flight, and prefetching below 20."""
    in_flight = {"gups": 5.0, "bfs": 4.9}
    plan = make_plan(sweep={"benchmark": ["gups", "bfs"], "variant": ["serial", "static"]}, paper=16)
    results = results_of(plan, lambda values, tasks: {"mlp_peak": in_flight[values["benchmark"]] if values["variant"] == "serial" else 21.0})
    verdicts = {one.entry.says: one.verdict for one in published.compare(plan, results)}
    assert verdicts["GUPS, serial: requests in flight in the peak phase"] == "contradicts"
    assert verdicts["BFS, serial: requests in flight in the peak phase"] == ""
    assert verdicts["prefetching stays below 20 requests in flight"] == "contradicts"


def test_serial_code_has_no_number_of_coroutines(results_of, tmp_path, capsys):
    plan = make_plan(sweep={"variant": ["serial", "coroutine"], "coroutines": {"best": [4, 8]}})
    results = results_of(plan, lambda values, tasks: {})
    rows = values(plan, results, "speedup").set_index("series")
    assert rows.chosen_coroutines.map(str).to_dict() == {"serial": "nan", "coroutine": "4.0"}
    picture, text = drawn(plan, results, tmp_path)
    assert "[4]</text>" in picture and "[511]" not in picture and "511 coroutines" not in picture + text and "gups/serial, 800 ns, scale tiny" in picture
    assert label(results[0].point) == "gups/serial sim tiny 800 ns"
    show([results[0].record])
    assert "coroutines" not in capsys.readouterr().out


def test_marks_say_which_run_they_are(results_of, tmp_path):
    plan = make_plan()
    picture, _ = drawn(plan, results_of(plan, timed), tmp_path)
    assert 'id="run:gups/bafin, 800 ns, 511 coroutines, scale tiny, sim: 3,000 cycles, 10 operations; run 000000000001, commit no commit' in picture


def test_a_title_is_text(results_of, tmp_path):
    plan = make_plan(title="<b> $x^{2$")
    picture, text = drawn(plan, results_of(plan, timed), tmp_path)
    assert "&lt;b&gt; $x^{2$" in picture and "$x^{2$" in text


def test_samples_have_the_interval_of_their_mean(results_of, tmp_path):
    """Of a ratio the lowest and the highest that both intervals allow."""

    def sampled(values, tasks):
        cycles, low, high = (3000, 290.0, 310.0) if values["variant"] == "serial" else (300, 25.0, 35.0)
        return {"cycles": cycles, "emulated_ns": cycles / 3, "operations": 10, "cycles_per_operation_interval": (low, high), "instret": 5}

    plan = make_plan(figure=SPEEDUP | {"quantities": ["speedup", "cycles_per_operation", "instructions"]})
    results = results_of(plan, sampled)
    found = {name: values(plan, results, name).set_index("series").loc["bafin"] for name in plan.figure.quantities}
    assert found["speedup"].value == pytest.approx(10) and found["cycles_per_operation"].value == 30
    assert (found["speedup"].low, found["speedup"].high) == (pytest.approx(290 / 35), pytest.approx(310 / 25))
    assert (found["cycles_per_operation"].low, found["cycles_per_operation"].high) == (pytest.approx(25), pytest.approx(35))
    assert found["instructions"].low == found["instructions"].high == 1
    wide = results_of(plan, lambda values, tasks: sampled(values, tasks) | {"cycles_per_operation_interval": (-100.0, 160.0)})
    assert values(plan, wide, "speedup").set_index("series").loc["bafin"].low == 0, "where an end would be below zero it is zero"
    assert "25.0 to 35.0 cycles an operation (95 %)" in drawn(plan, results, tmp_path)[0]


def test_no_record_no_figure(results_of, tmp_path):
    plan = make_plan()
    with pytest.raises(NhgError, match="no point was verified, no figure: gups/serial.* is missing: stuck"):
        draw.draw(plan, results_of(plan, lambda values, tasks: "stuck"), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_baseline_is_the_reason(results_of):
    plan = make_plan()
    results = results_of(plan, lambda values, tasks: "stuck" if values["variant"] == "serial" else {})
    rows = values(plan, results, "speedup").set_index("series")
    assert math.isnan(rows.value["bafin"]) and rows.reason["bafin"] == "its baseline is missing" and rows.reason["serial"] == "stuck"
    assert values(plan, results, "ns_per_operation").set_index("series").value["bafin"] == pytest.approx(100)


def test_the_fastest_software_is_a_baseline_too(results_of):
    """Each software variant at its best number of coroutines, at the same latency; the AMU's variants are none."""
    times = {"serial": 900.0, "coroutine": 400.0, "static": 600.0, "bafin": 100.0, "own": 50.0}
    zipped = [{"variant": list(times), "coroutines": ["default", {"best": [4, 8]}, 8, "default", "default"]}]
    own = {"own": {"scheduler": "bafin", "options": ["adapt=off"]}}
    figure = SPEEDUP | {"quantities": ["over_software"]}
    plan = make_plan(figure, sweep={"latency_ns": [100, 800], "variant": None}, zip=zipped, variants=own)

    def timed(values, tasks):
        return {"emulated_ns": times[values["variant"]] * values["latency_ns"] / (2 if values["variant"] == "coroutine" and tasks == 8 else 1)}

    rows = values(plan, results_of(plan, timed), "over_software").set_index(["variant", "latency_ns"]).value
    assert {name: rows[name, 800] for name in times} == pytest.approx({"serial": 2 / 9, "coroutine": 1, "static": 1 / 3, "bafin": 2, "own": 4})
    assert rows["bafin", 100] == pytest.approx(2)


def test_another_baseline_than_serial(results_of):
    figure = {**SPEEDUP, "baseline": {"variant": "bafin", "latency_ns": 100}}
    plan = make_plan(figure, sweep={"latency_ns": [100, 800]})
    rows = values(plan, results_of(plan, lambda values, tasks: {"emulated_ns": values["latency_ns"] * (1 if values["variant"] == "bafin" else 4)}), "speedup")
    assert rows.set_index(["series", "latency_ns"]).value.to_dict() == {
        ("serial", 100): 0.25,
        ("bafin", 100): 1,
        ("serial", 800): 1 / 32,
        ("bafin", 800): 1 / 8,
    }


def test_series_say_their_number_of_coroutines_where_a_variant_has_several(results_of, tmp_path):
    zipped = [{"variant": ["serial", "static", "full", "full"], "coroutines": ["default", {"best": [4, 8]}, 96, "default"]}]
    plan = make_plan(sweep={"variant": None}, zip=zipped)
    results = results_of(plan, lambda values, tasks: {"emulated_ns": 100.0 * (tasks if values["variant"] == "static" else 1)})
    rows = values(plan, results, "speedup")
    assert list(rows.series) == ["serial", "static, best number", "full, 96 coroutines", "full, own number"]
    assert rows.set_index("series").chosen_coroutines["static, best number"] == 4
    picture, _ = drawn(plan, results, tmp_path)
    assert "[4]</text>" in picture, "the chosen number stands at the bar"


def test_a_number_of_coroutines_that_all_have_is_said_once(results_of, tmp_path):
    zipped = [{"variant": ["serial", "getfin", "full"], "coroutines": ["default", 96, 96]}]
    plan = make_plan(sweep={"variant": None}, zip=zipped)
    results = results_of(plan, lambda values, tasks: {})
    assert list(values(plan, results, "ns_per_operation").series) == ["serial", "getfin", "full"]
    assert "scale tiny, 96 coroutines, NH-G on RTL" in draw.subtitle(results)


def test_seeds_are_a_mean_with_its_ends(results_of, tmp_path):
    plan = make_plan({**SPEEDUP, "x": "jitter"}, sweep={"jitter": ["uniform:100"]}, repetitions=3)
    times = iter([400.0, 400.0, 800.0, 100.0, 200.0, 800.0])
    results = results_of(plan, lambda values, tasks: {"emulated_ns": next(times), "jitter": "uniform:100"})
    row = values(plan, results, "speedup").set_index("series").loc["bafin"]
    assert (row.value, row.low, row.high, row.runs) == (pytest.approx(7 / 3), 1, 4, 3), "each over serial with the same seed"
    picture, text = drawn(plan, results, tmp_path)
    assert "n = 3 seeds" in picture
    assert text.count("| gups | bafin |") == 3 and "| gups | serial |" not in text, "no run of serial is beside another seed's"


def test_lines_over_coroutines_with_serial_as_a_level(results_of, tmp_path):
    plan = make_plan({"kind": "lines", "x": "coroutines", "panels": "benchmark"}, sweep={"variant": ["serial", "full"], "coroutines": [8, 16, 32, 511]})

    def fields(values, tasks):
        if values["variant"] == "serial":
            return {"emulated_ns": 1000.0}
        return "stuck" if tasks == 32 else {"emulated_ns": 1000.0 / tasks}

    results = results_of(plan, fields)
    rows = values(plan, results, "speedup").set_index(["series", "coroutines"]).value
    assert rows["full", 511] == pytest.approx(511) and rows["serial", 8] == rows["serial", 511] == 1 and math.isnan(rows["full", 32])
    picture, _ = drawn(plan, results, tmp_path)
    assert "missing: gups/full, scale tiny, latency_ns 800, coroutines 32: stuck" in picture


BREAKDOWN = {"kind": "breakdown", "panels": "latency_ns"}


def test_a_breakdown_is_in_percent_of_the_region_and_sums_to_all(results_of, tmp_path):
    plan = make_plan(BREAKDOWN, sweep={**TWO, "variant": ["serial", "static", "coroutine", "amac"]})

    def fields(values, tasks):
        if values["benchmark"] == "bs" and values["latency_ns"] == 800:
            return "bs: wrong answer"
        whole = "scheduler" if values["variant"] == "coroutine" else parts.COMPUTE
        stalls = {part: dict.fromkeys(CAUSES, 1 if part == whole else 0) for part in parts.PARTS}
        return {"cycles": len(CAUSES), "cycle_breakdown": dict.fromkeys(CAUSES, 1), "stalls": stalls}

    results = results_of(plan, fields)
    table = shares(plan, results)
    whole = table[table.cycles.notna()]
    assert len(whole) == 12 and (abs(whole[list(CAUSES)].sum(axis=1) - 100) < 1e-9).all()
    by_series = whole.set_index("series")
    assert by_series.loc["amac", "compute"].isna().all(), "nothing marks the parts of hand-written state machines"
    assert (by_series.loc["coroutine", "scheduler"] == 100).all()
    assert (by_series.loc[["serial", "static"], "scheduler"] == 0).all(), "a loop that stayed plain has no scheduler"
    picture, text = drawn(plan, results, tmp_path)
    assert picture.count(">missing</text>") == 4 and "bs: wrong answer" in text and text.count("bs: wrong answer") == 4


def test_polls_that_find_nothing_are_apart_from_work(results_of, tmp_path):
    plan = make_plan({"kind": "bars", "quantities": ["instructions"]}, sweep={"benchmark": ["gups", "bs"], "variant": ["serial", "full"]})

    def fields(values, tasks):
        return {"instret": 100, "work_instret": 100} if values["variant"] == "serial" else {"instret": 350, "work_instret": 200}

    results = results_of(plan, fields)
    table = with_mean(plan, values(plan, results, "instructions"), "instructions").set_index(["benchmark", "series"])
    assert table.value["gups", "full"] == 3.5 and table.inner["gups", "full"] == 2 and table.inner[MEAN, "full"] == pytest.approx(2)
    picture, text = drawn(plan, results, tmp_path)
    assert "of these, polls that find nothing" in picture and "instructions without polls that find nothing (×) 2.00" in picture
    assert "instructions without polls that find nothing (×)\n\n| | serial | full |" in text


def test_work_is_no_more_than_all_instructions(results_of):
    plan = make_plan({"kind": "bars", "quantities": ["instructions"]}, sweep={"benchmark": ["lbm"], "variant": ["serial", "full"]})
    counted = {"serial": {"instret": 100, "work_instret": 100}, "full": {"instret": 101, "work_instret": 140}}
    results = results_of(plan, lambda values, tasks: counted[values["variant"]])
    table = values(plan, results, "instructions").set_index("series")
    assert table.value["full"] == table.inner["full"] == 1.01, "the golden model took tasks, this run the plain loop"


def test_a_paper_s_number_beside_ours_with_the_ratio(results_of, tmp_path):
    benches = ["gups", "hj", "bs", "stream", "bfs", "is", "mcf", "lbm"]
    plan = make_plan(sweep={"benchmark": benches, "latency_ns": [200, 400], "variant": ["serial", "full"]}, paper=12)
    results = results_of(plan, lambda values, tasks: {"emulated_ns": 1000.0 if values["variant"] == "serial" else 250.0})
    compared = {one.entry.says: one for one in published.compare(plan, results)}
    mean, absent = compared["average speedup of Full at 200 ns"], compared["average speedup of Full at 800 ns"]
    assert mean.ours == pytest.approx(4) and mean.ratio == pytest.approx(4 / 3.39)
    assert math.isnan(absent.ours) and absent.reason == "not in this experiment"
    picture, text = drawn(plan, results, tmp_path)
    assert "the paper, section VI.A: average speedup of Full at 200 ns" in picture and "| 3.39 | full, over 8 benchmarks | 4.00 | 1.18 |" in text
    assert "missing: not in this experiment" in text
    other = make_plan(sweep={"benchmark": benches, "latency_ns": [200, 400], "variant": ["serial", "full"]}, paper=2)
    assert published.lines(other, results) == ["The paper's text gives no number of its figure 2."]


def test_bounds_of_the_text_have_no_ratio(results_of):
    plan = make_plan({"kind": "bars", "quantities": ["in_flight_busiest"]}, sweep={"variant": ["serial", "full"]}, paper=16)
    results = results_of(plan, lambda values, tasks: {"mlp_peak": 3.9})
    compared = {(one.entry.benchmark, one.entry.variant): one for one in published.compare(plan, results)}
    assert compared["gups", "serial"].ours == 3.9 and math.isnan(compared["gups", "serial"].ratio)
    assert compared["greatest", "full"].ratio == pytest.approx(3.9 / 64) and math.isnan(compared["bfs", "serial"].ours)


def test_a_bound_is_drawn_as_a_bound(results_of, tmp_path):
    plan = make_plan({"kind": "bars", "quantities": ["in_flight_busiest"]}, sweep={"variant": ["serial", "full"]}, paper=16)
    picture, _ = drawn(plan, results_of(plan, lambda values, tasks: {"mlp_peak": 3.9}), tmp_path)
    assert "the paper&apos;s text: less than" in picture or "the paper's text: less than" in picture
    assert picture.count("GUPS, serial: requests in flight in the peak phase, less than 5") == 2, "a line and where the value is"


def test_numbers_of_another_socket_are_not_compared(results_of):
    sweep = {"variant": ["serial", "coroutine", "static"], "target": "x86", "coroutines": [8, 16]}
    plan = make_plan({"kind": "lines", "x": "coroutines", "panels": "benchmark"}, sweep=sweep, paper=11)
    results = results_of(plan, lambda values, tasks: {"emulated_ns": None, "wall_ns": 100, "wall_ns_samples": [100]})
    found = {one.entry.value: (math.isnan(one.ratio), one.said) for one in published.compare(plan, results)}
    assert found[1.40] == (False, "1.00") and found[2.01] == (True, "not compared: memory of another socket was not measured here")
    assert found[2.78][0] and not found[2.11][0]


def test_every_number_of_the_paper_belongs_to_a_figure_that_has_it():
    from nhg import paths
    from nhg.experiment.load import load

    plans = {plan.paper: plan for plan in (load(file) for file in (paths.ROOT / "experiments").glob("fig*.yaml"))}
    for entry in published.entries():
        plan = plans[entry.paper]
        assert entry.variant in plan.values("variant") and (entry.latency_ns is None or entry.latency_ns in plan.values("latency_ns"))
        assert entry.benchmark in published.OVER_ALL or entry.benchmark in plan.values("benchmark")
        assert "." in entry.quantity or entry.quantity in plan.figure.quantities


def test_runs_come_losses_first(results_of, tmp_path):
    plan = make_plan(sweep={"benchmark": ["bs", "gups"]})
    times = {("gups", "bafin"): 2000.0, ("bs", "bafin"): 100.0}
    results = results_of(plan, lambda values, tasks: {"emulated_ns": times.get((values["benchmark"], values["variant"]), 1000.0), "instret": 250})
    lines = [line for line in drawn(plan, results, tmp_path)[1].splitlines() if line.startswith(("| gups | bafin", "| bs | bafin"))]
    assert lines[0].startswith("| gups | bafin | 800 ns | constant | none |  | 511 | **0.50** loses | 300.0 / 300.0 | 25.0 / 25.0 |")
    assert "| 10.00 |" in lines[1]


def test_runs_say_how_their_far_memory_was(results_of):
    plan = make_plan(sweep={"jitter": "uniform:50", "bandwidth_gbps": 6.0}, repetitions=2)
    far = {"bandwidth_gbps": 6.0, "jitter": "uniform:50", "jitter_seed": 1, "far_bytes": 2500, "emulated_ns": 1000.0}
    lines = tables.runs(plan, results_of(plan, lambda values, tasks: far)).splitlines()
    assert "| latency | jitter | limit, GB/s | far traffic, GB/s |" in lines[2]
    assert len(lines) == 6 and all("| 800 ns | uniform:50, seed 1 | 6 | 2.50 |" in line for line in lines[4:])


def test_edges_are_what_twice_the_operations_do_not_cost_twice(results_of, tmp_path):
    plan = make_plan({"kind": "edges"}, sweep={"benchmark": ["gups", "bs"], "region_length": [1, 2], "variant": "full", "coroutines": 5})

    def fields(values, tasks):
        if values["benchmark"] == "bs" and values["region_length"] == 1:
            return "stuck"
        return {"cycles": 1200, "operations": 10} if values["region_length"] == 1 else {"cycles": 2200, "operations": 20}

    results = results_of(plan, fields)
    text = tables.edges(plan, results, tmp_path, quiet=True)[0].read_text()
    assert "| gups full 800 ns | 10 | 2.0 | 120.0 | 100.0 | 16.7% |" in text and "| bs" not in text and "is missing: stuck" in text
    with pytest.raises(NhgError, match="no point was verified in both lengths"):
        tables.edges(plan, [result for result in results if result.case.values["benchmark"] == "bs"], tmp_path)


def test_warmups_are_compared_sample_by_sample(results_of, tmp_path):
    plan = make_plan({"kind": "warmup"}, sweep={"samples": 2, "warmup": [0, 100, 400], "variant": ["serial", "full"]})
    # The samples differ much, their ratio to the longest warm-up hardly; full starts elsewhere after it.
    cycles = {0: (1500, 3100), 100: (1100, 2200), 400: (1000, 2000)}

    def fields(values, tasks):
        first = 7 if values["variant"] == "full" and values["warmup"] == 400 else 5
        taken = [{"first": first, "operations": 10, "cycles": each, "program_sha256": "1" * 64} for each in cycles[values["warmup"]]]
        return {"samples": taken, "operations": 20, "cycles": sum(cycles[values["warmup"]])}

    results = results_of(plan, fields)
    text = draw.draw(plan, results, tmp_path, quiet=True)[0].read_text()
    assert "| gups serial 800 ns | 400 | 150.0 | +52.5% (+20.7 to +84.3) | +10.0% (+10.0 to +10.0) |" in text
    assert "| gups full 800 ns | 400 | 150.0 | other samples | other samples |" in text and len(list(tmp_path.iterdir())) == 2
    with pytest.raises(NhgError, match="no samples were verified with two warm-ups"):
        draw.draw(plan, [result for result in results if result.case.values["warmup"] == 0], tmp_path)


def test_loops_that_stayed_serial_are_named(results_of, tmp_path):
    plan = make_plan()
    text = drawn(plan, results_of(plan, lambda values, tasks: {"loops_left_serial": ["bs.c:9: why"]}), tmp_path)[1]
    assert text.count("gups/bafin: loop left serial: bs.c:9: why") == 1


def lightness(colour):
    """L* of CIELAB: what is left of a colour in grey."""
    parts = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in to_rgb(colour)]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance


@pytest.mark.parametrize("colours", [style.VARIANT_COLOURS, breakdown.COLOURS], ids=["variants", "causes"])
def test_colours_tell_apart_in_grey(colours):
    ordered = sorted(map(lightness, colours.values()))
    assert min(more - less for less, more in itertools.pairwise(ordered)) > 5
    neighbours = list(map(lightness, colours.values()))
    assert colours is style.VARIANT_COLOURS or min(abs(one - other) for one, other in itertools.pairwise(neighbours)) > 9


def test_no_mark_of_the_paper_covers_a_number(results_of):
    """Ours somewhat below, at, and above what the text says of figure 12."""
    plan = make_plan(sweep={"benchmark": "gups", "latency_ns": [200, 800], "variant": ["serial", "static", "full"]}, paper=12)
    for ours in (17, 25, 28, 29, 30, 55, 59, 60, 65):
        results = results_of(plan, lambda values, tasks, ours=ours: {"emulated_ns": 1000.0 / ours if values["variant"] == "full" else 1000.0})
        (axes,) = draw.picture(plan, results, "", draw.WIDE).axes
        marks = [mark for mark in axes.lines if str(mark.get_gid()).startswith("run:the paper")]
        assert len(marks) == 2
        around = [Bbox.from_bounds(*(axes.transData.transform((mark.get_xdata()[0], mark.get_ydata()[0])) - 4.5), 9, 9) for mark in marks]
        numbers = [label for label in axes.texts if label.get_text() == bars.short(ours)]
        assert len(numbers) == 2 and not any(label.get_window_extent().overlaps(box) for label in numbers for box in around), ours


@pytest.mark.parametrize("kind", ["bars", "lines"])
@pytest.mark.parametrize("limit", [draw.WIDE, draw.NARROW], ids=["wide", "narrow"])
def test_a_row_of_panels_has_one_quantity(kind, limit, results_of):
    figure = {"kind": kind, "x": "latency_ns", "panels": "benchmark", "quantities": ["speedup", "ns_per_operation"]}
    plan = make_plan(figure, sweep={"benchmark": ["gups", "bs"], "latency_ns": [100, 200]})
    drawn = draw.picture(plan, results_of(plan, lambda values, tasks: {}), "", limit)
    rows = {}
    for axes in drawn.axes:
        if axes.axison:
            rows.setdefault(axes.get_subplotspec().rowspan.start, []).append(axes.get_ylabel())
    assert [next(label for label in labels if label) for labels in rows.values() if len(set(labels) - {""}) == 1] == (
        ["speedup (×)", "ns an operation"] if limit == draw.WIDE else ["speedup (×)"] * 3 + ["ns an operation"] * 2
    ), "two benchmarks and, of the speedup, their mean"


@pytest.mark.parametrize("kind", ["bars", "breakdown"])
def test_what_a_narrow_picture_has_no_room_for_goes_on_in_the_next_row(kind, results_of):
    benches = ["gups", "hj", "bs", "stream", "bfs", "is", "mcf", "lbm"]
    plan = make_plan({"kind": kind, "x": "benchmark", "mean": False}, sweep={"benchmark": benches, "variant": ["serial", "static", "full"]})
    times = dict(zip(benches, (1, 2, 4, 8, 16, 32, 64, 128), strict=True))

    def fields(values, tasks):
        cycles = 1024 // (times[values["benchmark"]] if values["variant"] == "full" else 1)
        causes = {**dict.fromkeys(CAUSES, 0), "retiring": cycles}
        return {"cycles": cycles, "emulated_ns": cycles / 3, "cycle_breakdown": causes, "stalls": {parts.COMPUTE: causes}}

    results = results_of(plan, fields)
    (whole,) = draw.picture(plan, results, "", draw.WIDE).axes
    drawn = draw.picture(plan, results, "", draw.NARROW)
    assert drawn.get_size_inches()[0] == draw.NARROW and len(drawn.axes) > 1
    assert len({axes.get_ylim() for axes in drawn.axes}) == len({axes.get_xlim() for axes in drawn.axes}) == 1, "bars of all rows can be compared"

    def named(axes):
        return [text.get_text() for text in (axes.get_xticklabels() if kind == "bars" else axes.texts)]

    assert [name for axes in drawn.axes for name in named(axes)] == named(whole) == benches
    assert sum(len(axes.patches) for axes in drawn.axes) == len(whole.patches) == 24
