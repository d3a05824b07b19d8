# SPDX-License-Identifier: Apache-2.0
"""Experiments by their names: what redrawing prints."""

from plans import make_plan

from nhg import paths
from nhg.experiment import campaign, dataset, sets
from nhg.experiment.campaign import Named


def test_redrawing_prints_a_line_a_figure(tmp_path, monkeypatch, results_of, capsys):
    monkeypatch.setattr(sets, "CAPTURED", tmp_path / "captured")
    monkeypatch.setattr(paths, "PLOTS", tmp_path / "plots")
    wanted = [Named(tmp_path / "x.yaml", make_plan(name=name)) for name in ("one", "two")]
    for one in wanted:
        dataset.capture(results_of(one.plan, lambda values, tasks: {}), one.plan.name)
    campaign.redraw(wanted)
    assert capsys.readouterr().out.splitlines() == [f"{name}: {tmp_path}/plots/{name}.{{pdf,png,svg,md,csv}}" for name in ("one", "two")]
    assert len(list((tmp_path / "plots").iterdir())) == 10
