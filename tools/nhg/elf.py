# SPDX-License-Identifier: Apache-2.0
"""`make run ELF=file`: any bare program for NH-G on the RTL simulator, measured as a whole or in its region of interest.

The program ends by the host interface or by its symbol `tohost` (HTIF: 1 is exit code 0, 2n + 1 is n).
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from nhg import paths
from nhg.build import build_models, build_trace_simulator
from nhg.errors import NhgError
from nhg.measure import PROGRESS, SIMULATOR_EXIT, Setting, advice, simulator_cause
from nhg.programs import execute
from nhg.result import Result, compute, read

# A limit for programs of which nothing is known: some minutes.
MAX_CYCLES = 20_000_000


@dataclass(frozen=True)
class Ended:
    """How the program ended, and what was counted."""

    exit_code: int
    result: Result
    console: str = ""  # when it was not shown


def run_elf(file: Path, setting: Setting, show_console: bool = True, options: Sequence[str] = ()) -> Ended:
    """Run the program to its end, its console on stdout; `options`: more of the simulator. Raises when it has none, or when the file is not such a program."""
    if not file.is_file():
        raise NhgError(f"ELF={file}: no such file; give a program for NH-G")
    build_models("elf", with_plugin=False)
    if setting.watch:
        build_trace_simulator()
    with tempfile.TemporaryDirectory() as scratch:
        written = Path(scratch) / "result.json"
        outcome = execute(
            [
                paths.TRACE_SIMULATOR if setting.watch else paths.SIMULATOR,
                "--elf",
                file,
                "--result",
                written,
                *setting.far_memory.simulator_options,
                "--max-cycles",
                str(setting.max_cycles or MAX_CYCLES),
                *setting.lockstep_options,
                *options,
                *(setting.watch.options(Path(scratch)) if setting.watch else []),
            ],
            what=f"{file.name} on RTL",
            show=PROGRESS,
            show_output=show_console,
        )
        if outcome.code < 0 or outcome.code >= SIMULATOR_EXIT["first_own"]:
            raise NhgError(f"{file.name}: {simulator_cause(outcome)}; {advice(outcome.code, setting)}")
        if setting.watch:
            setting.watch.keep(Path(scratch), paths.BUILD / "watch" / file.stem)
        return Ended(outcome.code, compute(read(file.name, written)), outcome.stdout)


def rows(result: Result) -> list[tuple[str, str]]:
    """The table's rows: label and value. Stalls are cycles, with their part of all cycles."""
    cycles, instructions, probes = result.cycles, result.instret or 0, result.probes

    def share(count: int) -> str:
        return f"{count:,} ({count / max(cycles, 1):.1%})"

    mispredicts, branches = probes["branch_mispredicts"], probes["branches"]
    table = [
        ("measured", "region of interest" if result.has_region else "whole program"),
        ("cycles", f"{cycles:,}"),
        ("instructions", f"{instructions:,}"),
        ("instructions per cycle (IPC)", f"{instructions / max(cycles, 1):.3f}"),
        ("branches", f"{branches:,}"),
        ("branch mispredicts", f"{mispredicts:,} ({mispredicts / max(branches, 1):.2%} of branches)"),
    ]
    table += [(f"cycles: {name.replace('_', ' ')}", share(count)) for name, count in result.cycle_breakdown.items()]
    table += [(f"rename stalled: {name.removeprefix('stall_').replace('_', ' ')}", share(count)) for name, count in probes.items() if name.startswith("stall_")]
    far = result.far
    table += [
        ("far reads", f"{far['reads']:,}"),
        ("far writes", f"{far['writes']:,}"),
        ("far in flight, mean", f"{result.mlp_mean:.1f}"),
        ("exit code", f"{result.exit_code:,}"),
    ]
    return table


def show(file: Path, ended: Ended, setting: Setting) -> None:
    """Print the table of a run."""
    print(f"{file.name}, target sim, far latency {setting.latency_ns:g} ns" + (", in lock-step" if setting.lockstep else ""))
    table = Table(show_header=False)
    table.add_column("")
    table.add_column("", justify="right")
    for label, value in rows(ended.result):
        table.add_row(label, value)
    Console(highlight=False).print(table)
