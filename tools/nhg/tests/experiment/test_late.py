# SPDX-License-Identifier: Apache-2.0
"""A run whose far answers came late is marked wherever it is shown."""

import pytest
from plans import make_plan

from nhg import late, table
from nhg.figures import draw

LINE = "gups/bafin at 800 ns: * 3 of 50 far accesses were answered later than the 800 ns set; far reads took 950 ns on average, 800 ns are set"


def fields(far_late):
    def make(values, tasks):
        if values["variant"] == "serial":
            return {"far_late": 0}
        return {"far_late": far_late, "far_reads": 40, "far_writes": 10, "far_read_latency_ns": {"mean": 950.0}}

    return make


def test_only_a_late_run_is_noted(results_of):
    assert late.lines(r.record for r in results_of(make_plan(), fields(3))) == [LINE]
    assert late.lines([*(r.record for r in results_of(make_plan(), fields(0))), None]) == []


# 512 reads of 64 bytes in flight at 600 cycles: the port carries 32 bytes a cycle, so each takes 979 cycles though none is late.
FULL = {"latency_ns": 200.0, "far_late": 0, "far_read_latency_ns": {"mean": 326.3}, "far_port_use": {"read": 0.99, "write": 0.1}}


@pytest.mark.parametrize(
    ("changes", "limit"),
    [
        ({}, "port"),
        ({"far_port_use": {"read": 0.3}, "far_stalls": {"read_bandwidth": 900, "read_slots": 40, "write_memory": 9000}}, "bandwidth"),
        ({"far_port_use": {"read": 0.3}, "far_stalls": {"read_slots": 40}}, "slots"),
        ({"far_read_latency_ns": {"mean": 201.0}}, ""),
        ({"far_read_latency_ns": {"mean": 290.0}, "jitter_ns": 100.0}, ""),
        ({"far_read_latency_ns": {}}, ""),
    ],
)
def test_what_the_limit_was(make_record, changes, limit):
    assert late.limit(make_record(**FULL | changes)) == limit


def test_the_table_shows_the_mean_beside_the_setting_and_the_limit(make_record, capsys):
    table.show([make_record(**FULL, far_limit="port")])
    said = capsys.readouterr().out
    assert "far latency 200 ns" in said and "far reads took, mean" in said and "326 ns" in said
    assert "serial: far reads took 326 ns on average, 200 ns are set; the limit was the 32-byte port, which was full" in said.replace("\n", " ")


def test_the_table_of_a_run_says_so(results_of, capsys):
    table.show([r.record for r in results_of(make_plan(), fields(3))])
    assert LINE in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["bars", "lines"])
def test_figure_and_table_of_an_experiment_say_so(results_of, tmp_path, kind):
    plan = make_plan(figure={"kind": kind, **({"x": "latency_ns"} if kind == "lines" else {})})
    for far_late in (3, 0):
        draw.draw(plan, results_of(plan, fields(far_late)), tmp_path, quiet=True)
        picture, text = ((tmp_path / f"{plan.name}.{form}").read_text() for form in ("svg", "md"))
        said = "later than the 800 ns set"
        assert (said in text, "* |" in text, said in picture.replace("\n", " ")) == (bool(far_late),) * 3
