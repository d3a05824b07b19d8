# SPDX-License-Identifier: Apache-2.0
"""Resource numbers: the quick modules against their budget, and that an excess is found."""

import subprocess
import sys

import resources
from conftest import FPGA


def test_quick_modules_are_within_their_budget(build):
    command = [sys.executable, str(FPGA / "checks" / "resources.py"), "--build", str(build), "--only-quick"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("\n") >= 4


def test_cells_are_counted():
    used = resources.Resources.of({"LUT6": 10, "LUT2": 5, "RAM64M8": 2, "FDRE": 7, "FDPE": 1, "RAMB36E2": 1, "RAMB18E2": 3, "URAM288": 4, "DSP48E2": 6})
    assert used == resources.Resources(lut=31, ff=8, bram36=2.5, uram=4, dsp=6)


def test_an_excess_is_found():
    used = resources.Resources(lut=101, ff=10, bram36=0, uram=0, dsp=0)
    budget = {"lut": 100, "ff": 10, "bram36": 0, "uram": 0, "dsp": 0}
    assert resources.over_budget("x", used, budget) == ["x: 101 lut, budget 100"]
    assert resources.over_budget("x", used, {"part": "core"}) == []
    device = {"lut": 1000, "ff": 1000, "bram36": 10, "uram": 10, "dsp": 10}
    assert resources.over_device({"lut": 710, "ff": 1, "bram36": 0, "uram": 0, "dsp": 0}, device, 0.7) \
        == ["design: 710 lut, 70% of the device are 700"]
