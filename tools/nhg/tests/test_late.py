# SPDX-License-Identifier: Apache-2.0
"""A run whose far answers came late is marked wherever it is shown."""

from matplotlib.figure import Figure

from nhg import late, plot, table, tables
from nhg.experiment import Experiment, Result

PLAN = Experiment(name="late", title="Late", target="sim", benchmarks=["gups"], variants=["serial", "full"], latency_ns=[100])
LINE = "gups/full at 100 ns: * 3 of 50 far accesses were answered later than the 100 ns set; reads took 250 ns on average"


def results(make_record, far_late):
    serial = make_record(latency_ns=100)
    full = make_record(variant="full", latency_ns=100, far_late=far_late, far_reads=40, far_writes=10, far_read_latency_ns={"mean": 250.0})
    return [Result("gups", "serial", 100, serial), Result("gups", "full", 100, full)]


def test_only_a_late_run_is_noted(make_record):
    assert late.lines(r.record for r in results(make_record, 3)) == [LINE]
    assert late.lines([*(r.record for r in results(make_record, 0)), None]) == []


def test_the_table_of_a_run_says_so(make_record, capsys):
    table.show([r.record for r in results(make_record, 3)])
    assert LINE in capsys.readouterr().out


def test_figure_and_table_of_an_experiment_say_so(make_record, tmp_path, monkeypatch):
    texts = []
    write = Figure.text
    monkeypatch.setattr(Figure, "text", lambda figure, x, y, text, *rest, **more: (texts.append(text), write(figure, x, y, text, *rest, **more))[1])
    plot.speedup_figure(PLAN, results(make_record, 3), tmp_path)
    assert LINE in texts
    [place] = tables.speedup_table(PLAN, results(make_record, 3), tmp_path)
    assert LINE in place.read_text() and "| 1.00* |" in place.read_text()
    [place] = tables.speedup_table(PLAN, results(make_record, 0), tmp_path)
    assert "*" not in place.read_text()
