# SPDX-License-Identifier: Apache-2.0
"""The tables that probes.py writes from the core's port list."""

import subprocess
import sys
from pathlib import Path

import pytest

PROBES = Path(__file__).resolve().parents[3] / "shell/probes.py"
FIELDS = {"valid": 1, "trap": 1, "rdValue": 64}


def write(tmp_path: Path, ports: list[str]) -> subprocess.CompletedProcess[str]:
    core = tmp_path / "NhgSoc.sv"
    core.write_text("module NhgSoc(\n  input clock,\n" + ",\n".join(f"  output {port}" for port in ports) + "\n);\nendmodule\n")
    return subprocess.run([sys.executable, PROBES, core, tmp_path], capture_output=True, text=True)


def commit_ports(width: int) -> list[str]:
    return [f"[{bits - 1}:0] commit_{i}_{field}" for i in range(width) for field, bits in FIELDS.items()]


@pytest.mark.parametrize("width", [1, 2, 4, 6])
def test_commit_trace_of_any_width(tmp_path: Path, width: int) -> None:
    assert write(tmp_path, ["[63:0] probe_loads", *commit_ports(width)]).returncode == 0
    lines = (tmp_path / "nhg_probes.svh").read_text().splitlines()
    macros = {name: value for _, name, value in (line.split(" ", 2) for line in lines if line.startswith("`define"))}
    assert macros["NHG_COMMIT_WIDTH"] == str(width)
    assert [f".commit_{i}_rdValue(commit_rd_value[{i}])," in macros["NHG_COMMIT_PORTS"] for i in range(width + 1)] == [True] * width + [False]
    last = width - 1
    for connection in (f".commit_{last}_valid(commit_valid[{last}]),", f".commit_{last}_trap(commit_trap[{last}]),", f".commit_{last}_rdValue(),"):
        assert connection in macros["NHG_RETIRED_PORTS"]


def test_privileged_state(tmp_path: Path) -> None:
    ports = ["[1:0] privileged_mode", "[63:0] privileged_csrs_0", "[63:0] privileged_csrs_1", "[63:0] privileged_time"]
    assert write(tmp_path, ["[63:0] probe_loads", *commit_ports(1), *ports]).returncode == 0
    text = (tmp_path / "nhg_probes.svh").read_text()
    csrs = ".privileged_csrs_0(privileged_csrs[0]), .privileged_csrs_1(privileged_csrs[1])"
    assert f".privileged_mode(privileged_mode), {csrs}, .privileged_time(privileged_time),\n" in text
    assert ".privileged_mode(), .privileged_csrs_0(), .privileged_csrs_1(), .privileged_time(),\n" in text


@pytest.mark.parametrize("ports", [[], commit_ports(3)[3:], commit_ports(2)[:-1]])
def test_commit_trace_with_a_gap(tmp_path: Path, ports: list[str]) -> None:
    result = write(tmp_path, ["[63:0] probe_loads", *ports])
    assert result.returncode == 1 and len(result.stderr.splitlines()) == 1 and "commit trace" in result.stderr
