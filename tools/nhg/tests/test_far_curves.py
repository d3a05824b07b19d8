# SPDX-License-Identifier: Apache-2.0
"""The curves of `make far-curves` from what its program prints. The run itself: `make far-curves`."""

import csv
from pathlib import Path

import pytest

from nhg import far_curves
from nhg.errors import NhgError

# 800 ns and 6 GB/s: 32 cycles a line.
CONSOLE = """way of a read 49, of a write 55 cycles; at most 150 requests under way
100 0 64 0 153600 0 163200
100 50 768 0 1843200 0 49088
100 999 768 0 3686400 0 24544
0 0 0 64 0 153600 163200
0 50 0 768 0 1880064 49088
0 999 0 768 0 3686400 25525
"""


def test_points_stand_against_the_setting() -> None:
    found = far_curves.points(CONSOLE, 800, 6)
    assert [each.load for each in found[:3]] == ["idle", "50 %", "saturated"]
    assert [round(each.delay_ns, 1) for each in found[:3]] == [800, 800, 1600]
    assert found[0].bandwidth_error is None and found[2].delay_error is None
    assert found[1].bandwidth_error == pytest.approx(0, abs=1e-3) and found[2].bandwidth_error == pytest.approx(0, abs=1e-3)
    assert found[4].delay_error == pytest.approx(0.02) and found[5].bandwidth_error == pytest.approx(-0.04, abs=2e-3)
    table = far_curves.table(found)
    assert "| 0 % | 50 % | 816.0 | +2.00% |" in table and "| 100 % | saturated | 1600.0 |  |" in table
    verdict = far_curves.verdict(found)
    assert "delay within 2.00% of the setting (asked: 1%, missed)" in verdict and "(asked: 3%, missed)" in verdict
    assert "missed" not in far_curves.verdict(found[:3])


def test_curves_are_drawn_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(far_curves.paths, "PLOTS", tmp_path)
    said = far_curves.measure(800, 6, lambda setting: CONSOLE)
    assert said.startswith("| reads |") and str(tmp_path / "far-curves.svg") in said
    assert {path.suffix for path in tmp_path.iterdir()} == {".pdf", ".png", ".svg", ".md", ".csv"}
    rows = list(csv.DictReader((tmp_path / "far-curves.csv").open()))
    assert len(rows) == 6 and rows[2]["load"] == "saturated" and float(rows[2]["gbps"]) == pytest.approx(6, abs=0.01)


def test_a_program_that_prints_nothing_is_named() -> None:
    with pytest.raises(NhgError, match="printed no point"):
        far_curves.points("", 800, 6)
