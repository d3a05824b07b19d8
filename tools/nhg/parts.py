# SPDX-License-Identifier: Apache-2.0
"""Which part of a program a machine instruction belongs to, scheduler, context or compute, and which line of the source.

The compiler plugin gives what it generates, and the accesses of hand-written C++20 coroutines to their frames and of state machines to their records,
debug locations in artificial files of a part's name (SchedulerPart and ContextPart in software/compiler/lib/common/Names.h); the schedulers of what is
written by hand are files of their own. The linked program's line table then says it of every address. All other code computes.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from nhg import paths, platform
from nhg.errors import NhgError
from nhg.programs import call

COMPUTE = "compute"
PART_OF_FILE = {"coroamu.scheduler": "scheduler", "coroamu.context": "context", "coro_scheduler.hpp": "scheduler", "amac_scheduler.h": "scheduler"}
PARTS = ("scheduler", "context", COMPUTE)
UNKNOWN = "no line"
FAR_LOAD = "far_load"  # of the causes: the core waits for a line of far memory

KERNEL = 1 << 38  # Sv39: from here on
KERNEL_OFFSET = 2 << 20  # of where the firmware begins
DWARFDUMP = paths.TOOLCHAIN / "llvm/usr/lib/llvm-18/bin/llvm-dwarfdump"
TABLE = "debug_line["
FILE_NUMBER = re.compile(r"file_names\[\s*(\d+)\]:")
FILE_NAME = re.compile(r'\s+name: "(.*)"')
DIRECTORY = re.compile(r'include_directories\[\s*(\d+)\] = "(.*)"')
FILE_DIRECTORY = re.compile(r"\s+dir_index: (\d+)")
ROW = re.compile(r"0x([0-9a-f]{16})\s+(\d+)\s+\d+\s+(\d+)\s")


@dataclass(frozen=True)
class Range:
    """Instructions from `start` to before `end`, of a line of the source: "file:line", the innermost one of code that was inlined."""

    start: int
    end: int
    part: str
    line: str


@dataclass(frozen=True)
class Lines:
    """The ranges of a program in their order, and their starts. Code without a line table computes, of no line."""

    ranges: list[Range]
    starts: list[int]

    def of(self, address: int) -> Range:
        at = bisect_right(self.starts, address) - 1
        return self.ranges[at] if at >= 0 and address < self.ranges[at].end else Range(address, address, COMPUTE, UNKNOWN)


def ranges(rows: list[tuple[int, str, int]]) -> list[Range]:
    """From one sequence, (address, file, line) with the end last. An instruction without a line (0) goes with the next one that has one: spills and
    constants stand in front of what needs them."""
    found, part, place = [], COMPUTE, UNKNOWN
    for (start, file, line), (end, _, _) in reversed(list(pairwise(rows))):
        if line:
            part, place = PART_OF_FILE.get(Path(file).name, COMPUTE), f"{file.removeprefix('./')}:{line}"
        if start < end:
            found.append(Range(start, end, part, place))
    return found


def parse(text: str) -> Lines:
    """From the output of llvm-dwarfdump --debug-line."""
    directories: dict[str, str] = {}
    files: dict[str, str] = {}
    rows: list[tuple[int, str, int]] = []
    found: list[Range] = []
    number = ""
    for line in text.splitlines():
        if line.startswith(TABLE):
            directories, files = {}, {}
        elif match := DIRECTORY.match(line):
            directories[match[1]] = match[2]
        elif match := FILE_NUMBER.match(line):
            number = match[1]
        elif match := FILE_NAME.match(line):
            files[number] = match[1]
        elif match := FILE_DIRECTORY.match(line):
            files[number] = str(Path(directories.get(match[1], ".")) / files[number])
        elif match := ROW.match(line):
            address, source_line, file = match.groups()
            rows.append((int(address, 16), files[file], int(source_line)))
            if line.rstrip().endswith("end_sequence"):
                found += ranges(rows)
                rows = []
    found.sort(key=lambda one: one.start)
    return Lines(found, [one.start for one in found])


def of_program(file: Path) -> Lines:
    """The lines of a linked program."""
    return parse(call([DWARFDUMP, "--debug-line", file], what=f"line table of {file.name}"))


def stalls(name: str, lines: Lines, by_pc: list[list], by_cause: dict[str, int]) -> dict[str, dict[str, int]]:
    """The region's cycles by part of the program and cause; their sums over the parts are the core's counters, or it is an error."""
    table = {part: dict.fromkeys(by_cause, 0) for part in PARTS}
    for pc, cycles in by_pc:
        row = table[lines.of(pc).part]
        for cause, count in zip(by_cause, cycles, strict=True):
            row[cause] += count
    for cause, count in by_cause.items():
        attributed = sum(row[cause] for row in table.values())
        if attributed != count:
            raise NhgError(f"{name}: {attributed:,} cycles of {cause} by instruction, but {count:,} by counter; no record was written")
    return table


def by_line(lines: Lines, by_pc: Iterable[tuple[int, int]]) -> dict[str, int]:
    """Counts of addresses as those of lines of the source, the most first."""
    found: Counter[str] = Counter()
    for pc, count in by_pc:
        found[lines.of(pc).line] += count
    return {line: count for line, count in found.most_common() if count}


def kernel_cycles(by_pc: list[list]) -> int:
    """The region's cycles outside the program: the kernel has the upper half of the addresses, the firmware under it is not translated."""
    firmware = platform.description()["regions"]["local"]
    return sum(sum(cycles) for pc, cycles in by_pc if pc >= KERNEL or 0 <= pc - firmware["base"] < KERNEL_OFFSET)


def far_waits(lines: Lines, by_pc: list[list], causes: Iterable[str]) -> dict[str, int]:
    """Cycles of the region in which the ROB head was a load that waited for far memory, by line of the source."""
    column = list(causes).index(FAR_LOAD)
    return by_line(lines, ((pc, cycles[column]) for pc, cycles in by_pc))
