# SPDX-License-Identifier: Apache-2.0
"""`make program` with the mock in Vivado's place: what it writes, what it refuses, and how each failure ends."""

import hashlib
import json
import os
import subprocess
import sys

import pytest

from conftest import FPGA


@pytest.fixture
def manifest(tmp_path):
    """A bitstream of commit 0123abcd with its manifest."""
    files = {"vcu128_top.bit": "mock bitstream, USR_ACCESS 0x0123abcd\n", "vcu128_top.ltx": "mock debug probes\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    path = tmp_path / "manifest.json"
    path.write_text(
        json.dumps(
            {
                "commit": "0123abcd",
                "part": "xcvu37p-fsvh2892-2L-e",
                "violations": [],
                "core_khz": 50_000,
                "outputs_sha256": {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()},
            }
        )
    )
    return path


def program(manifest, faults: str = "", vivado: bool = True) -> subprocess.CompletedProcess:
    environment = os.environ | {"PATH": f"{FPGA / 'mock'}:{os.environ['PATH']}" if vivado else "/usr/bin:/bin"}
    environment |= {"NHG_MOCK_FAULT": faults} if faults else {}
    return subprocess.run(
        [sys.executable, str(FPGA / "host" / "program.py"), str(manifest)], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def changed(manifest, **values):
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | values))


def test_a_good_run(manifest):
    result = program(manifest)
    assert result.returncode == 0, result.stderr
    assert "writing the bitstream into xcvu37p_0" in result.stdout
    assert result.stdout.splitlines()[-1] == "program: the board runs commit 0123abcd, as its manifest says"


@pytest.mark.parametrize(
    ("faults", "code", "reason"),
    [
        ("no_server", 20, "no hw_server at localhost:3121"),
        ("no_cable", 20, "no JTAG cable"),
        ("chain=xcvu9p_0+arm_dap_1", 20, "no xcvu37p behind the cable, only xcvu9p_0, arm_dap_1"),
        ("fail=program_hw_devices", 21, "programming failed"),
        ("usr_access=89ABCDEF", 22, "reports commit '89ABCDEF' in USR_ACCESS, the bitstream is of 0123abcd"),
        ("usr_access=N/A", 22, "reports commit 'N/A'"),
    ],
)
def test_every_failure_has_its_code_and_line(manifest, faults, code, reason):
    result = program(manifest, faults)
    assert result.returncode == code and len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("program: ") and reason in result.stderr and "as its manifest says" not in result.stdout


def test_jtag_is_slow_enough_for_a_slow_core(manifest):
    changed(manifest, core_khz=25_000)
    assert program(manifest, "hub_khz=25000").returncode == 0
    changed(manifest, core_khz=50_000)
    assert program(manifest, "hub_khz=25000").returncode == 20


def test_a_device_behind_others_is_found(manifest):
    assert program(manifest, "chain=arm_dap_0+xcvu37p_1").returncode == 0


def test_no_vivado(manifest):
    result = program(manifest, vivado=False)
    assert result.returncode == 10 and "neither vivado_lab nor vivado" in result.stderr


def test_a_bitstream_that_missed_timing_is_refused(manifest):
    changed(manifest, violations=["worst setup path: slack -0.1 ns"])
    result = program(manifest)
    assert result.returncode == 16 and "missed timing (worst setup path" in result.stderr


def test_files_that_are_not_the_manifests_are_refused(manifest):
    bit = manifest.with_name("vcu128_top.bit")
    bit.write_text("mock bitstream, USR_ACCESS 0x0123abcd, changed\n")
    result = program(manifest)
    assert result.returncode == 18 and "vcu128_top.bit is not the one of manifest.json" in result.stderr
    bit.unlink()
    assert "vcu128_top.bit is missing" in program(manifest).stderr
    manifest.write_text("{}")
    assert "is no manifest" in program(manifest).stderr


def test_make_says_what_is_missing(tmp_path):
    result = subprocess.run(["make", "-C", str(FPGA), "program", f"BITSTREAM={tmp_path}/manifest.json"], capture_output=True, text=True, check=False)
    assert result.returncode == 2 and "is no manifest" in result.stderr and "Error 18" in result.stderr


def test_the_guide_begins_with_what_has_fewest_obstacles():
    """In this order: the design without DDR4, the cable's server, the bitstream; and nothing that needs a PATH runs under sudo."""
    guide = (FPGA.parent / "docs/guide/board.md").read_text()
    first = [guide.index(words) for words in ("make bitstream LOCAL=hbm", "hw_server -d", "`make program` loads")]
    assert first == sorted(first) and "sudo fpga-vcu128/host/pcie_link.py" not in guide
