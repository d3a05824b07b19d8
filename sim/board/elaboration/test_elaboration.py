# SPDX-License-Identifier: Apache-2.0
"""All SystemVerilog elaborates in a second front end without an error, and no assignment depends on what it does not name."""

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import elaboration
import pytest

ROOT = Path(__file__).resolve().parents[3]
FPGA = ROOT / "fpga-vcu128"
STAND_IN = FPGA / "test/xstop/XSTop.v"
NO_DESIGN = ("sim/watch/watch.sv",)  # reaches into the core by name: compiled with the core itself (make run WATCH=)


@pytest.fixture(scope="module")
def build() -> Path:
    folder = Path(os.environ.get("NHG_BUILD", ROOT / "build")).resolve()
    assert (folder / "fpga/sources.txt").is_file(), "no list of sources: run make -C fpga-vcu128 sources"
    return folder


@pytest.fixture(scope="module")
def designs(build, tmp_path_factory) -> dict[str, elaboration.Design]:
    probes, xstop = tmp_path_factory.mktemp("probes"), tmp_path_factory.mktemp("xstop")
    subprocess.run([sys.executable, str(ROOT / "shell/probes.py"), str(elaboration.GENERATOR), str(probes)], check=True)
    subprocess.run([sys.executable, str(FPGA / "xstop/ports.py"), str(xstop), str(STAND_IN)], check=True, stdout=subprocess.DEVNULL)
    return elaboration.designs(build, probes, xstop)


def test_everything_elaborates(build, designs):
    for name, design in designs.items():
        slang, compilation = elaboration.elaborated(design, build)
        assert elaboration.errors(slang, compilation) == [], name
        assert elaboration.hidden_reads(slang, compilation) == [], name


def test_no_file_is_left_out(designs):
    read = {file for design in designs.values() for file in design.files}
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "*.sv"], capture_output=True, text=True, check=True)
    assert {name for name in listed.stdout.split() if ROOT / name not in read and (ROOT / name).is_file()} == set(NO_DESIGN)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("assign fill_start = host_writes &&", "assign fill_start = open_write() &&", "open_write() reads reg_valid"),
        ("assign fill_bytes = reg_wdata[35:0];", "assign fill_bytes = nothing;", "undeclared identifier"),
    ],
)
def test_mistakes_are_found(build, designs, tmp_path, old, new, reason):
    right = (FPGA / "rtl/board_control.sv").read_text()
    assert old in right
    function = "  function automatic logic open_write();\n    return reg_valid;\n  endfunction\n"
    wrong = tmp_path / "board_control.sv"
    wrong.write_text(right.replace(old, new).replace("  assign clear_far", function + "  assign clear_far"))
    design = designs["flow"]
    files = tuple(wrong if file.name == wrong.name else file for file in design.files)
    slang, compilation = elaboration.elaborated(dataclasses.replace(design, files=files), build)
    found = elaboration.errors(slang, compilation) + elaboration.hidden_reads(slang, compilation)
    assert any(reason in line for line in found), found
