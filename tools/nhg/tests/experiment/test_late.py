# SPDX-License-Identifier: Apache-2.0
"""A run whose far answers came late is marked wherever it is shown."""

import pytest
from plans import make_plan

from nhg import late, table
from nhg.figures import draw

LINE = "gups/bafin at 800 ns: * 3 of 50 far accesses were answered later than the 800 ns set; reads took 950 ns on average"


def fields(far_late):
    def make(values, tasks):
        if values["variant"] == "serial":
            return {"far_late": 0}
        return {"far_late": far_late, "far_reads": 40, "far_writes": 10, "far_read_latency_ns": {"mean": 950.0}}

    return make


def test_only_a_late_run_is_noted(results_of):
    assert late.lines(r.record for r in results_of(make_plan(), fields(3))) == [LINE]
    assert late.lines([*(r.record for r in results_of(make_plan(), fields(0))), None]) == []


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
