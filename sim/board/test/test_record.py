# SPDX-License-Identifier: Apache-2.0
"""A workload on the simulated board gives a record of the same form as on the simulator, and the same numbers."""

import pytest

from nhg import benchmark, measure, variants
from nhg.board import link
from nhg.jitter import CONSTANT, parse
from nhg.point import Point
from nhg.record import Record
from nhg.run import prepare, run

LATENCY_NS = 800
# The core's device port has an AXI port more on the board, so the marks take a few cycles longer; a mark's wait is seen by
# the instructions around it. Everything else agrees.
CYCLES_APART = 0.002


@pytest.fixture
def simulated_board(request, monkeypatch):
    monkeypatch.setenv("NHG_BOARD", request.param)
    link.connected.cache_clear()
    yield
    link.connected().access.close()
    link.connected.cache_clear()


@pytest.mark.parametrize(
    ("simulated_board", "variant", "bandwidth_gbps", "bandwidth_mode", "jitter"),
    [
        ("sim:jtag", "bafin", 12.0, "per-direction", CONSTANT),
        pytest.param("sim:pcie", "serial", None, "shared", CONSTANT, marks=pytest.mark.long),  # a minute and a half
        pytest.param("sim:pcie", "full", 30.0, "shared", parse("uniform:300", "7"), marks=pytest.mark.long),  # three minutes
    ],
    indirect=["simulated_board"],
)
def test_record_equals_the_simulators(simulated_board, variant, bandwidth_gbps, bandwidth_mode, jitter):
    setting = measure.Setting(LATENCY_NS, bandwidth_gbps, bandwidth_mode, jitter)
    records = []
    for target in ("fpga", "sim"):
        point = Point(benchmark.load("gups"), variants.VARIANTS[variant], target, setting, "tiny")
        records.append(run(point, prepare(point)).model_dump())
    board, simulator = records
    assert board["target"] == "fpga-sim" and board["tool_versions"]["bitstream"] == "51170000"
    assert Record.model_validate(board).verified
    assert {name for name, value in board.items() if value is not None} == {name for name, value in simulator.items() if value is not None}
    assert board["probes"].keys() == simulator["probes"].keys()
    assert board["cycle_breakdown"].keys() == simulator["cycle_breakdown"].keys()
    for name in (
        "instret",
        "operations",
        "far_reads",
        "far_writes",
        "far_bytes",
        "far_late",
        "dataset",
        "program_sha256",
        "latency_ns",
        "bandwidth_gbps",
        "bandwidth_mode",
        "jitter",
        "jitter_ns",
        "jitter_seed",
    ):
        assert board[name] == simulator[name], name
    for name in ("cycles", "emulated_ns", "mlp_mean", "mlp_peak"):
        assert board[name] == pytest.approx(simulator[name], rel=CYCLES_APART), name


def test_two_runs_in_one_command_do_not_see_each_other(monkeypatch):
    """The second run finds memory as the first one did, although both use the same board."""
    monkeypatch.setenv("NHG_BOARD", "sim")
    link.connected.cache_clear()
    point = Point(benchmark.load("gups"), variants.VARIANTS["bafin"], "fpga", measure.Setting(100, None), "tiny")
    program = prepare(point)
    first, second = (measure.on_fpga(point.name, program, point.setting) for _ in range(2))
    link.connected().access.close()
    link.connected.cache_clear()
    unlike = {"simulated_khz"}
    assert {k: v for k, v in first.fields.items() if k not in unlike} == {k: v for k, v in second.fields.items() if k not in unlike}
