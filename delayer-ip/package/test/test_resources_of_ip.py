# SPDX-License-Identifier: Apache-2.0
"""The delayer's resources against the budget; Yosys itself takes minutes and is replaced by its result."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "checks" / "resources_of_ip.py"


@pytest.fixture
def run(monkeypatch, tmp_path):
    """run(used, *names) -> exit code; `used` are the LUTs that every configuration takes."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    spec = importlib.util.spec_from_file_location("resources_of_ip", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def call(used: int, *names: str) -> int:
        monkeypatch.setattr(module, "measure", lambda folder, parameters: module.yosys.Resources(used, 0, 0, 0, 0))
        monkeypatch.setattr(sys, "argv", ["resources_of_ip.py", "--build", str(tmp_path), *names])
        return module.main()

    return call


def test_what_is_within_its_budget_passes(run, capsys):
    assert run(1, "default", "board-local") == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_an_excess_is_told(run, capsys):
    assert run(10**6, "default") == 1
    assert capsys.readouterr().err.startswith("resources_of_ip: over budget: default: 1e+06 lut, budget ")


def test_an_unknown_configuration_is_refused(run, capsys):
    assert run(1, "board") == 2
    assert capsys.readouterr().err == "resources_of_ip: budget.toml has no configuration board; it has board-local, board-far, default\n"
