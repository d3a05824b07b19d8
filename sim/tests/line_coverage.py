# SPDX-License-Identifier: Apache-2.0
"""Lines and branches of the core's Verilog that the tests in lock-step and random programs reach.

usage: line_coverage.py [--instructions 500000] [--contended 500000] [--jobs 2]      (make -C sim/harness coverage first)

Runs the directed programs (test_rtl.py) and two campaigns on nhg-sim-coverage, adds up Verilator's counts of all instances of a module, and prints
the modules with most points that were never reached. build/tests/line_coverage.csv has each such point. Lines of assertions do not count.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

from programs import BUILD, OUT, TESTS

SIM = BUILD / "sim/nhg-sim-coverage"
POINT = re.compile(r"C '(.*)' (\d+)$")
SHOWN_MODULES = 25

Point = tuple[str, int, str, str]  # file, line, column, kind


def run(folder: Path, instructions: int, contended: int, jobs: int) -> None:
    environment = os.environ | {"NHG_SIM": str(SIM), "NHG_COVERAGE": str(folder)}
    campaign = [sys.executable, TESTS / "campaign.py", "--jobs", str(jobs), "--instructions"]
    for command in (
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", TESTS / "test_rtl.py"],
        [*campaign, str(instructions), "--first-seed", "3000000"],
        [*campaign, str(contended), "--first-seed", "3500000", "--contended"],
    ):
        if subprocess.run(command, env=environment).returncode:
            sys.exit(f"line_coverage.py: {' '.join(map(str, command))} failed, see above")


@cache
def assertion_lines(file: str) -> frozenset[int]:
    """Lines of the blocks that firtool writes for assertions."""
    inside, lines = False, set()
    for number, line in enumerate(Path(file).read_text().splitlines(), 1):
        inside = inside or "`ifndef SYNTHESIS" in line
        if inside:
            lines.add(number)
        inside = inside and "`endif" not in line
    return frozenset(lines)


def read(folder: Path) -> Counter[Point]:
    """Counts of every point of the core, instances added up."""
    counts: Counter[Point] = Counter()
    for file in folder.glob("*.dat"):
        for line in file.read_text(errors="replace").splitlines():
            if match := POINT.match(line):
                fields = dict(part.split("\2", 1) for part in match[1].split("\1")[1:])
                source, number = fields["f"], int(fields["l"])
                if Path(source).parent == BUILD / "rtl" and number not in assertion_lines(source):
                    counts[source, number, fields["n"], fields["o"]] += int(match[2])
    return counts


def report(counts: Counter[Point]) -> str:
    points, missed = Counter(), defaultdict(list)
    for point, count in counts.items():
        module = Path(point[0]).stem
        points[module] += 1
        if not count:
            missed[module].append(point)
    reached = sum(points.values()) - sum(map(len, missed.values()))
    worst = sorted(missed, key=lambda module: -len(missed[module]))[:SHOWN_MODULES]
    return "\n".join(
        [
            *(f"{module:32} {points[module] - len(missed[module]):6,} of {points[module]:6,}" for module in worst),
            f"all {len(points)} modules: {reached:,} of {points.total():,} lines and branches ({reached / max(points.total(), 1):.1%})",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="line coverage of the core's Verilog")
    parser.add_argument("--instructions", type=int, default=500_000)
    parser.add_argument("--contended", type=int, default=500_000)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if not SIM.exists():
        sys.exit(f"line_coverage.py: {SIM} is missing; build it with make -C sim/harness coverage")
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder), args.instructions, args.contended, args.jobs)
        counts = read(Path(folder))
    with (OUT / "line_coverage.csv").open("w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["file", "line", "column", "kind"])
        table.writerows([Path(file).name, *rest] for (file, *rest), count in sorted(counts.items()) if not count)
    print(report(counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
