# SPDX-License-Identifier: Apache-2.0
"""Random accesses of the simulators' UART 16550, against a model in the bench."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BENCH = Path(__file__).with_name("uart_16550_tb.sv")


def test_random_accesses(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "tools/platform/generate.py", "--only", "platform_pkg.sv", tmp_path], check=True)
    options = ["--binary", "--timing", "--assert", "-Wno-fatal", "-Wno-lint", f"-I{ROOT / 'shell/rtl'}", "--x-initial", "unique", "-j", "1"]
    sources = [tmp_path / "platform_pkg.sv", ROOT / "shell/rtl/bus_types.sv", ROOT / "sim/rtl/uart_16550.sv", BENCH]
    built = subprocess.run(
        ["verilator", *options, "--top-module", "uart_16550_tb", "--Mdir", tmp_path, "-o", "bench", *sources], capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr[-3000:]
    for seed in range(1, 4):
        result = subprocess.run([tmp_path / "bench", "+accesses=20000", f"+verilator+seed+{seed}"], capture_output=True, text=True, timeout=60)
        assert result.returncode == 0 and "PASS 20000" in result.stdout, result.stdout + result.stderr
