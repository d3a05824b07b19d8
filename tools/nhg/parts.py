# SPDX-License-Identifier: Apache-2.0
"""Which part of a program a machine instruction belongs to: scheduler, context or compute.

The compiler plugin gives what it generates, and the accesses of hand-written C++20 coroutines to their frames and of state machines to their records,
debug locations in artificial files of a part's name (SchedulerPart and ContextPart in software/compiler/lib/common/Names.h); the schedulers of what is
written by hand are files of their own. The linked program's line table then says it of every address. All other code computes.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from nhg import paths
from nhg.errors import NhgError
from nhg.programs import call

COMPUTE = "compute"
PART_OF_FILE = {"coroamu.scheduler": "scheduler", "coroamu.context": "context", "coro_scheduler.hpp": "scheduler", "amac_scheduler.h": "scheduler"}
PARTS = ("scheduler", "context", COMPUTE)

DWARFDUMP = paths.TOOLCHAIN / "llvm/usr/lib/llvm-18/bin/llvm-dwarfdump"
TABLE = "debug_line["
FILE_NUMBER = re.compile(r"file_names\[\s*(\d+)\]:")
FILE_NAME = re.compile(r'\s+name: "(.*)"')
ROW = re.compile(r"0x([0-9a-f]{16})\s+(\d+)\s+\d+\s+(\d+)\s")


@dataclass(frozen=True)
class Parts:
    """Address ranges that are not `compute`, in their order."""

    starts: list[int]
    ends: list[int]
    names: list[str]

    def of(self, address: int) -> str:
        """The part of the instruction at an address."""
        at = bisect_right(self.starts, address) - 1
        return self.names[at] if at >= 0 and address < self.ends[at] else COMPUTE


def ranges(rows: list[tuple[int, str | None]]) -> list[tuple[int, int, str]]:
    """From one sequence, (address, part) with the end last. An instruction without a line (None) goes with the next one that has one: spills and
    constants stand in front of what needs them."""
    found, part = [], COMPUTE
    for (start, named), (end, _) in reversed(list(pairwise(rows))):
        part = named or part
        if part != COMPUTE and start < end:
            found.append((start, end, part))
    return found


def parse(text: str) -> Parts:
    """From the output of llvm-dwarfdump --debug-line."""
    files: dict[str, str] = {}
    rows: list[tuple[int, str | None]] = []
    found: list[tuple[int, int, str]] = []
    number = ""
    for line in text.splitlines():
        if line.startswith(TABLE):
            files = {}
        elif match := FILE_NUMBER.match(line):
            number = match.group(1)
        elif match := FILE_NAME.match(line):
            files[number] = match.group(1)
        elif match := ROW.match(line):
            address, source_line, file = match.groups()
            rows.append((int(address, 16), PART_OF_FILE.get(Path(files[file]).name, COMPUTE) if source_line != "0" else None))
            if line.rstrip().endswith("end_sequence"):
                found += ranges(rows)
                rows = []
    found.sort()
    return Parts([start for start, _, _ in found], [end for _, end, _ in found], [part for _, _, part in found])


def of_program(file: Path) -> Parts:
    """The parts of a linked program; one without a line table computes only."""
    return parse(call([DWARFDUMP, "--debug-line", file], what=f"line table of {file.name}"))


def stalls(name: str, parts: Parts, by_pc: list[list], by_cause: dict[str, int]) -> dict[str, dict[str, int]]:
    """The region's cycles by part of the program and cause; their sums over the parts are the core's counters, or it is an error."""
    table = {part: dict.fromkeys(by_cause, 0) for part in PARTS}
    for pc, cycles in by_pc:
        row = table[parts.of(pc)]
        for cause, count in zip(by_cause, cycles, strict=True):
            row[cause] += count
    for cause, count in by_cause.items():
        attributed = sum(row[cause] for row in table.values())
        if attributed != count:
            raise NhgError(f"{name}: {attributed:,} cycles of {cause} by instruction, but {count:,} by counter; no record was written")
    return table
