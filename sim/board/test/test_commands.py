# SPDX-License-Identifier: Apache-2.0
"""What a user types, on the simulated board: a run and an experiment to their ends, and a bitstream that is not the expected one."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from nhg.record import Record

ROOT = Path(__file__).resolve().parents[3]
EXPERIMENT = """
name: board-test
title: GUPS on the simulated board
figure: {{kind: bars}}
sweep:
  benchmark: gups
  target: {target}
  scale: tiny
  latency_ns: 800
  variant: [serial, full]
"""


def make(folder: Path, *words: str) -> subprocess.CompletedProcess:
    """`make` as in a user's shell, with records and figures in `folder`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", "--no-print-directory", "-C", ROOT, *words],
        capture_output=True,
        text=True,
        check=False,
        env=environment | {"NHG_RESULTS": str(folder / "results"), "NHG_PLOTS": str(folder / "plots")},
    )


def test_a_run_to_its_end(tmp_path):
    out = tmp_path / "run.json"
    done = make(tmp_path, "run", "TARGET=fpga", "BOARD=sim", "LAT=800", "SCALE=tiny", f"OUT={out}")
    assert done.returncode == 0, done.stderr
    content = json.loads(out.read_text())
    serial, full = (Record.model_validate(run) for run in content["runs"])
    assert serial.target == full.target == "fpga-sim" and serial.variant == "serial" and full.variant == "full"
    assert content["speedup"] == pytest.approx(serial.time / full.time) and content["speedup"] > 2
    assert len(list((tmp_path / "results").glob("gups-*-fpga-sim-800ns-*.json"))) == 2


def test_the_self_test_to_its_end(tmp_path):
    """Every access of the region comes at the latency set."""
    done = make(tmp_path, "run", "TARGET=fpga", "BOARD=sim", "BENCH=selftest", "VARIANT=full", "LAT=400", "SCALE=tiny", f"OUT={tmp_path / 'run.json'}")
    assert done.returncode == 0, done.stderr
    record = Record.model_validate_json((tmp_path / "run.json").read_text())
    assert record.far_late == 0 and record.far_reads == 600 and record.far_writes == 400 and record.inflight_max >= 200
    assert re.search(r"far reads, by latency:\n +as set +600 #{40}\nfar writes, by latency:\n +as set +400 #{40}\n", done.stdout), done.stdout


def test_an_experiment_to_its_end(tmp_path):
    """On the board and on the simulator: the same figure's numbers; a second call measures nothing."""
    spoken = {}
    for target in ("fpga", "sim"):
        plan = tmp_path / f"{target}.yaml"
        plan.write_text(EXPERIMENT.format(target=target))
        done = make(tmp_path, "figures", f"EXP={plan}", "BOARD=sim")
        assert done.returncode == 0, done.stderr
        spoken[target] = done.stdout
        assert done.stdout.count("verified in") == 2
    times = {}
    for path in (tmp_path / "results").glob("*.json"):
        record = Record.model_validate_json(path.read_text())
        times[record.target, record.variant] = record.time
    for variant in ("serial", "full"):
        assert times["fpga-sim", variant] == pytest.approx(times["sim", variant], rel=0.002)
    again = make(tmp_path, "figures", f"EXP={tmp_path / 'fpga.yaml'}", "BOARD=sim")
    assert again.returncode == 0 and again.stdout.count("already measured") == 2


def test_a_bitstream_that_is_not_the_manifests(tmp_path):
    manifest = tmp_path / "manifest.json"
    manifest.write_text(
        json.dumps({"commit": "01234567", "core_khz": 50_000, "counters": [], "violations": [], "outputs_sha256": {"vcu128_top.bit": "0" * 64}})
    )
    done = make(tmp_path, "run", "TARGET=fpga", "BOARD=sim", "SCALE=tiny", f"BITSTREAM={manifest}")
    assert done.returncode == 2 and "Error 4" in done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("nhg: ")]
    assert len(lines) == 1 and "wrong bitstream for this host program: its commit is 51170000" in lines[0]
    assert not (tmp_path / "results").exists()
