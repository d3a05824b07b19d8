# SPDX-License-Identifier: Apache-2.0
"""Runs programs on the RTL simulator in lock-step with the golden model.

The environment variable NHG_SIM names another simulator than build/sim/nhg-sim.
"""

import os
import subprocess
from pathlib import Path

from programs import BUILD, uart_options

from nhg.measure import SIMULATOR_EXIT
from nhg.result import compute, read

SIM = Path(os.environ.get("NHG_SIM", BUILD / "sim" / "nhg-sim"))
MAX_CYCLES = 3_000_000  # directed and random programs take up to 400,000
WATCHDOG_CYCLES = 200_000


def command(program: Path, *options: str) -> list[str | Path]:
    """The simulator's command line; the result lies beside the program."""
    return [
        SIM,
        "--elf",
        program,
        "--lockstep",
        "--golden-lib",
        BUILD / "golden" / "libgolden.so",
        "--max-cycles",
        str(MAX_CYCLES),
        "--watchdog-cycles",
        str(WATCHDOG_CYCLES),
        "--result",
        program.with_suffix(".json"),
        *uart_options(program),
        *options,
    ]


def run(program: Path, *options: str) -> subprocess.CompletedProcess:
    program.with_suffix(".json").unlink(missing_ok=True)
    return subprocess.run(command(program, *options), capture_output=True, text=True)


def measured(program: Path) -> tuple[int, int]:
    """Instructions and cycles of the last run, which ended well."""
    result = compute(read(program.name, program.with_suffix(".json")))
    return result.instret, result.cycles


def far_accesses(program: Path) -> int:
    """Reads and writes of far memory in the whole last run, which ended well."""
    run = read(program.name, program.with_suffix(".json"))
    counts = dict(zip(run.counters, run.now, strict=True))
    return counts["far_reads"] + counts["far_writes"]


def report(result: subprocess.CompletedProcess) -> str:
    return f"exit {result.returncode} (below {SIMULATOR_EXIT['first_own']}: number of the failed check)\n{result.stderr[-4000:]}"
