# SPDX-License-Identifier: Apache-2.0
"""The core's branch predictors on RTL against a software model of the same sizes on the same trace (branch_model.py)."""

import subprocess

import pytest
from branch_model import Frontend, control_flow, load_parameters
from programs import BUILD
from rtl import SIM

from nhg import benchmark, platform, variants
from nhg.measure import Setting
from nhg.point import Point
from nhg.result import compute, read
from nhg.run import prepare

# What training late, out of order and on wrong paths costs the core. In the first thousand mispredictions a few lie by chance on either side.
TOLERANCE = 0.05
CHANCE = 30


def region() -> tuple[int, int]:
    """Addresses of the stores that begin and end the region of interest."""
    description = platform.description()
    base, registers = description["regions"]["host"]["base"], description["registers"]["host"]
    return base + registers["roi_begin"]["offset"], base + registers["roi_end"]["offset"]


@pytest.mark.parametrize("bench", ["bs", "hj", "mcf", pytest.param("is", marks=pytest.mark.long)])
def test_mispredictions_are_those_of_the_model(bench: str, tmp_path) -> None:
    point = Point(benchmark.load(bench), variants.VARIANTS["serial"], "sim", Setting(100, None), "tiny")
    program = prepare(point).file
    log, result = tmp_path / "commit.log", tmp_path / "result.json"
    subprocess.run(
        [SIM, "--elf", program, "--result", result, "--commit-log", log, *point.setting.far_memory.simulator_options], check=True, capture_output=True
    )
    expected = Frontend(load_parameters(BUILD)).run(control_flow(log, region()))
    measured = compute(read(bench, result)).probes["branch_mispredicts"]
    print(f"{bench}: {measured} mispredictions on RTL, {expected} in the model")
    assert abs(measured - expected) <= TOLERANCE * expected + CHANCE
