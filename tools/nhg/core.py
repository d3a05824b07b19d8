# SPDX-License-Identifier: Apache-2.0
"""`make core`: how strong the baseline core is, as one table beside what is asked of it (docs/design/core.md). Programs: software/runtime/test, CoreMark."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from nhg import coremark, options, paths
from nhg.build import build_models, make
from nhg.elf import run_elf
from nhg.errors import NhgError
from nhg.measure import Setting
from nhg.progress import step

FAR_NS = 100
FIRST_SECONDS = 20.0  # of a program, about
NUMBER = r"\s+([\d.]+)"
CHASES = "far memory, 16 independent chases"


@dataclass(frozen=True)
class Row:
    """One number: where a program prints it, and the bound it is held to."""

    program: str
    what: str
    pattern: str  # its group is the number
    asked: float | None = None
    at_least: bool = False  # or at most
    divides: str = ""  # pattern of the number that is divided by it

    def holds(self, value: float) -> bool:
        return self.asked is None or (value >= self.asked if self.at_least else value <= self.asked)


def line(name: str, column: int) -> str:
    """The number in a column of a program's table, from 1 on."""
    return rf"(?m)^{re.escape(name)}(?:\s+[\d.]+){{{column - 1}}}{NUMBER}"


ROWS = [
    Row("loops", "integer loop in L1D, instructions a cycle", line("integer loop, instructions a cycle", 1), 3, at_least=True),
    Row("loops", "dot product, FMA a cycle", line("dot product, FMA a cycle", 1), 0.95, at_least=True),
    Row("cache_latency", "load that L1D has, cycles", line("L1D: 8 KiB of lines", 1), 4),
    Row("cache_latency", "load that L2 has, cycles", line("L2: 128 KiB of lines", 1)),
    Row("cache_latency", "load that L3 has, cycles", line("L3: 768 KiB of lines", 1), 40),
    Row("cache_latency", "independent far misses in flight, of 16", line(CHASES, 1), 14, at_least=True, divides=line("far memory", 1)),
    Row("sequential_reads", "every word of local memory, cycles a line", line("every word", 1), 50),
    Row("sequential_reads", f"every word of far memory at {FAR_NS} ns, cycles a line", line("every word", 3), 50),
    Row("sequential_writes", "every word of lines that L1D has, cycles a line", line("every word", 1), 4.2),
    Row("sequential_writes", f"every word of far memory at {FAR_NS} ns written, cycles a line", line("every word", 4)),
    Row("mode_changes", "ecall in U mode to its handler, cycles", line("ecall in U mode to the handler", 1)),
    Row("mode_changes", "mret to U mode, cycles", line("mret to U mode", 1)),
    Row("mode_changes", "software interrupt, from the store to its handler, cycles", line("store to msip to the handler", 1)),
    Row("mode_changes", "read of a CSR, cycles", line("read of a CSR", 1)),
    Row("mode_changes", "write of a CSR, cycles", line("write of a CSR", 1)),
    Row("mode_changes", "write of a CSR that decoding depends on, cycles", line("write of a CSR that decoding depends on", 1)),
    Row("page_walks", "load of a page that its TLB has, cycles", line("a page that the TLB has", 1), 4.1),
    Row("page_walks", "load of a page that the L2 TLB has, cycles", line("a page that the L2 TLB has", 1)),
    Row("page_walks", "load with a walk, its table written before, cycles", line("a walk, table in L1D", 1)),
    Row("page_walks", "load with a walk, its table in L2, cycles", line("a walk, table in L2", 1)),
    Row("page_walks", "load with a walk, its table in L3, cycles", line("a walk, table in L3", 1)),
    Row("page_walks", f"load with a walk, its table in far memory at {FAR_NS} ns, cycles", line("a walk, table in far memory", 1)),
    Row("page_walks", "sfence.vma, cycles", line("sfence.vma", 1)),
]


def read(row: Row, console: str) -> float:
    numbers = []
    for pattern in filter(None, [row.divides, row.pattern]):
        found = re.search(pattern, console)
        if not found:
            raise NhgError(f"{row.program}.elf did not print the number for '{row.what}'; its output: {console.strip() or 'nothing'}")
        numbers.append(float(found.group(1)))
    return round(numbers[0] / numbers[1], 1) if row.divides else numbers[0]


def run_program(name: str) -> str:
    """What a program of software/runtime/test prints on RTL."""
    file = paths.BUILD / "runtime/test" / f"{name}.elf"
    make(["-C", str(paths.ROOT / "software/runtime"), str(file)], f"building {name}.elf")
    ended = run_elf(file, Setting(latency_ns=FAR_NS, bandwidth_gbps=None), show_console=False)
    if ended.exit_code:
        raise NhgError(f"{name}.elf ended with exit code {ended.exit_code}: its results are wrong; make test SUITE=rtl-lockstep compares the core")
    return ended.console


def stream_table(console: str) -> str:
    """STREAM's kernels, as stream_kernels.elf prints them: counted GB/s (and those at the memory) by bandwidth."""
    rows: dict[str, dict[str, str]] = {}
    for bandwidth, kernel, counted, at_memory in re.findall(r"(?m)^ *([\d-]+) (\w+) +([\d.]+) +([\d.]+) +\d+$", console):
        rows.setdefault("unlimited" if bandwidth == "-" else bandwidth, {})[kernel] = f"{counted} ({at_memory})"
    kernels = list(next(iter(rows.values()), {}))
    if not kernels or any(list(row) != kernels for row in rows.values()):
        raise NhgError(f"stream_kernels.elf did not print every kernel at every bandwidth; its output: {console.strip() or 'nothing'}")
    lines = [f"| far memory, GB/s | {' | '.join(kernels)} |", "|---" * (1 + len(kernels)) + "|"]
    return "\n".join([*lines, *(f"| {bandwidth} | {' | '.join(row.values())} |" for bandwidth, row in rows.items())])


def markdown(values: list[tuple[Row, float]], score: str) -> str:
    lines = ["| what | measured | asked | |", "|---|---|---|---|"]
    for row, value in values:
        asked = "" if row.asked is None else f"{'≥' if row.at_least else '≤'} {row.asked:g}"
        lines.append(f"| {row.what} | {value:g} | {asked} | {'' if row.holds(value) else 'missed'} |")
    return "\n".join([*lines, "", score])


def measure(run: Callable[[str], str] = run_program) -> str:
    """The table. A bound that is missed is marked, and no error."""
    build_models("elf", with_plugin=False)
    programs = [*dict.fromkeys(row.program for row in ROWS), "stream_kernels"]
    consoles = {}
    for number, name in enumerate(programs, 1):
        with step(f"[{number}/{len(programs) + 1}] {name}", FIRST_SECONDS):
            consoles[name] = run(name)
    values = [(row, read(row, consoles[row.program])) for row in ROWS]
    streams = stream_table(consoles["stream_kernels"])
    score = coremark.measure(int(options.filled("coremark", {}).iterations))
    return f"{markdown(values, score)}\n\nSTREAM, serial, GB/s counted (at the memory):\n{streams}"
