# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the board's tests: the build folder with the generated files and the list of sources."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FPGA = Path(__file__).resolve().parent.parent
ROOT = FPGA.parent
sys.path[:0] = [
    str(FPGA),
    *(str(FPGA / folder) for folder in ("mock", "checks", "xstop", "host")),
    str(ROOT / "shell"),
    *(str(ROOT / "tools" / folder) for folder in ("platform", "synthesis")),
]


def pytest_addoption(parser):
    parser.addoption("--build", type=Path, default=ROOT / "build", help="build folder, after `make -C fpga-vcu128 sources`")


@pytest.fixture(scope="session")
def build(request) -> Path:
    folder = request.config.getoption("--build").resolve()
    assert (folder / "fpga" / "sources.txt").is_file(), "no list of sources: run make -C fpga-vcu128 sources"
    return folder


@pytest.fixture
def flow(build, tmp_path):
    """Runs build.tcl in the mock: flow(faults="", pcie="0", **changed arguments) -> CompletedProcess; output in tmp_path."""

    def run(faults: str = "", script: Path = FPGA / "scripts" / "build.tcl", **changes: str) -> subprocess.CompletedProcess:
        gen = build / "gen"
        arguments = {
            "out": tmp_path,
            "sources": build / "fpga" / "sources.txt",
            "platform": gen / "platform.tcl",
            "pins": gen / "pins.xdc",
            "ddr4_pins": gen / "ddr4_pins.xdc",
            "pcie_pins": gen / "pcie_pins_AR15.xdc",
            "include": f"{build / 'fpga'} {ROOT / 'shell/rtl'}",
            "commit": "0123abcd",
            **changes,
        }
        command = [str(FPGA / "mock" / "vivado"), "-mode", "batch", "-source", str(script), "-tclargs"]
        command += [f"{key}={value}" for key, value in arguments.items() if value is not None]
        environment = os.environ | ({"NHG_MOCK_FAULT": faults} if faults else {})
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False)

    return run


def with_mistake(source: Path, folder: Path, old: str, new: str) -> Path:
    """A copy of `source` in `folder` with `old`, which must be there, replaced."""
    text = source.read_text()
    assert old in text
    wrong = folder / source.name
    wrong.write_text(text.replace(old, new))
    return wrong


@pytest.fixture
def ips_of(flow, tmp_path):
    """IP modules as the flow configures them, read from what the mock was told; by where local memory lies."""
    import netlist  # from checks/, which is on the path only now

    def configured(local: str) -> dict[str, tuple[str, dict[str, str]]]:
        assert flow(pcie="1", local=local, stop_after="ip").returncode == 0
        files = (tmp_path / "ip").glob("*/configuration.txt")
        return {file.parent.name: netlist.read_configuration(file.read_text()) for file in files}

    return configured


@pytest.fixture
def ips(ips_of) -> dict[str, tuple[str, dict[str, str]]]:
    return ips_of("hbm")


DDR4 = ["-DNHG_XDMA", "-DNHG_DDR4"]
# Options of the reader for the designs that are checked: with nothing that can be left out, and with everything
DESIGNS = pytest.mark.parametrize("options", [[], DDR4], ids=["jtag", "pcie and ddr4"])


def local_of(options: list[str]) -> str:
    return "ddr4" if "-DNHG_DDR4" in options else "hbm"
