# SPDX-License-Identifier: Apache-2.0
"""Test benches of the clock crossing and of the HBM guard, compiled by Verilator."""

import subprocess

import pytest
from conftest import FPGA, ROOT

RTL = FPGA / "rtl"


def compiled(folder, bench: str, *files, bench_file: bool = True) -> str:
    """The program made of a bench, test/rtl/<bench>.sv unless it is among `files`, and of the files (or options) it needs."""
    command = ["verilator", "--binary", "--timing", "--assert", "-Wno-fatal", "-Wno-lint", "--x-initial", "unique", "-j", "1",
               "--top-module", bench, "--Mdir", str(folder), "-o", bench, *(str(file) for file in files),
               *([str(FPGA / "test" / "rtl" / f"{bench}.sv")] if bench_file else [])]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[-3000:]
    return str(folder / bench)


@pytest.fixture(scope="module")
def fifo(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("fifo"), "async_fifo_tb", RTL / "async_fifo.sv")


@pytest.mark.parametrize(("in_ps", "out_ps"), [(20_000, 10_000), (10_000, 20_000), (4_000, 20_000), (20_000, 4_000), (10_000, 10_002),
                                               (7_310, 9_950)])
@pytest.mark.parametrize("busy", [256, 128, 30])
def test_a_crossing_loses_nothing(fifo, in_ps, out_ps, busy):
    result = subprocess.run([fifo, f"+in_ps={in_ps}", f"+out_ps={out_ps}", "+words=5000", f"+busy={busy}"],
                            capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0 and "PASS 5000 words" in result.stdout, result.stdout + result.stderr
    if busy == 256:  # full speed of the slower clock, but for reset and filling
        cycles = int(result.stdout.split(" in ")[1].split()[0])
        assert cycles <= 5030 * max(in_ps, out_ps) / out_ps + 30


def test_the_guard(tmp_path):
    guard = compiled(tmp_path, "hbm_guard_tb", RTL / "board_types.sv", ROOT / "delayer-ip/rtl/forwarding_ram.sv",
                     ROOT / "delayer-ip/rtl/bypass_fifo.sv", RTL / "hbm_guard.sv")
    result = subprocess.run([guard], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr
