# SPDX-License-Identifier: Apache-2.0
"""The breakdown of the cycles: what is drawn sums to 100 %, and what is missing is named."""

import pytest

from nhg import breakdown
from nhg.errors import NhgError
from nhg.experiment import Experiment, Result
from nhg.parts import PARTS

PLAN = Experiment(name="parts", title="Cycles", kind="breakdown", scale="tiny", benchmarks=["gups", "bs"], variants=["serial", "full"], latency_ns=[100])


def test_shares_sum_to_all_cycles(make_record, tmp_path, capsys):
    causes = dict.fromkeys(breakdown.COLOURS, 0)
    serial = make_record(cycle_breakdown={**causes, "retiring": 30, "far_load": 2970}, stalls={"compute": {"retiring": 30, "far_load": 2970}})
    full = make_record(variant="full", cycle_breakdown={**causes, "finish": 1000, "retiring": 2000}, stalls={"scheduler": {"finish": 1000, "retiring": 500}})
    results = [Result("gups", "serial", 100, serial), Result("gups", "full", 100, full), Result("bs", "full", 100, None, "wrong answer")]
    table = breakdown.shares(results)
    assert [round(total) for total in table[list(breakdown.COLOURS)].sum(axis=1)] == [100, 100]
    assert table.far_load[0] == 99 and table.scheduler[1] == 50
    assert set(PARTS) <= set(table.columns)

    written = breakdown.breakdown_figure(PLAN, results, tmp_path)
    assert all(place.stat().st_size for place in written) and len(written) == 4
    assert "wrong answer" in written[3].read_text() and "| gups 100 ns full | 66.7 |" in capsys.readouterr().out


def test_nothing_to_draw(tmp_path):
    with pytest.raises(NhgError, match="no point was verified"):
        breakdown.breakdown_figure(PLAN, [Result("gups", "serial", 100, None, "stuck")], tmp_path)
