# SPDX-License-Identifier: Apache-2.0
"""Far memory alone with the model of HBM: the latency that was set comes. The whole table: make -C sim/board/latency measure."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "sim/board/latency"))

from measure import RULES, TRAFFIC, run  # noqa: E402

from nhg import paths  # noqa: E402

BENCH = Path(os.environ.get("NHG_LATENCY_BENCH", paths.BUILD / "latency" / "latency-bench"))
DESIGN, ONE_ID = RULES["IDs as the design sends them"], RULES["one ID, to one pseudo channel at a time"]


@pytest.mark.parametrize("traffic", ["random reads", "random reads and writes", "random reads in 16 MiB"])
@pytest.mark.parametrize(("latency", "window"), [(300, 256), (600, 512), (2400, 512)])
def test_nothing_is_late(traffic, latency, window):
    result = run(BENCH, DESIGN, latency=latency, window=window, bursts=2000, **TRAFFIC[traffic])
    assert result["late"] == 0


def test_with_one_id_nearly_all_would_be():
    """What the reordering is for: the model knows how HBM treats one ID."""
    result = run(BENCH, ONE_ID, latency=2400, window=512, bursts=2000)
    assert result["late"] > 1500


def test_an_idle_memory_answers_in_time_and_refreshes():
    """24 + 7 cycles of 10 ns and 53 ns are 18 of the core's; guard, reordering and crossing have the rest. A refresh takes 13 more."""
    result = run(BENCH, DESIGN, latency=0, window=1, bursts=500)
    assert 25 < result["read_mean"] < 33 and result["read_max"] > result["read_mean"] + 8


def test_parameters_that_are_none_are_refused():
    with pytest.raises(subprocess.CalledProcessError):
        run(BENCH, "t_none=1", latency=300)
