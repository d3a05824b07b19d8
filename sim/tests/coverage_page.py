# SPDX-License-Identifier: Apache-2.0
"""Writes one page of what random programs cover on the RTL, all of them in lock-step.

usage: coverage_page.py PAGE.md [--instructions 1000000] [--mode-instructions 500000] [--words 100000] [--first-seed 1] [--jobs 2]

Three campaigns: programs of M mode (instruction_coverage.py), programs in M, S and U mode (mode_coverage.py), half of them with page
tables, and words of reserved, custom and hint
encodings (random/encoding_words.py). Ends with an error at the first mismatch.
"""

import argparse
import shlex
import sys
import textwrap
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import instruction_coverage
import mode_coverage
import rtl
from instruction_coverage import PROGRAM_INSTRUCTIONS
from programs import OUT
from test_random import encodings, generate

from nhg.contention import conditions

PROGRAM_WORDS = 12_500
LINE = 158  # characters


def run(program: Path, seed: int) -> list[str]:
    """The commit log of a program, which must match."""
    log = program.with_suffix(".log")
    result = rtl.run(program, *conditions(seed), "--commit-log", str(log))
    if result.returncode:
        raise RuntimeError(f"seed {seed}: {rtl.report(result)}")
    lines = log.read_text().splitlines()
    log.unlink()
    return lines


def modes(seed: int) -> tuple[mode_coverage.Seen, instruction_coverage.Seen, int]:
    pages = ["--pages"] if seed % 2 else []
    lines = run(generate(f"coverage/modes_{seed}", "--seed", str(seed), "--instructions", str(PROGRAM_INSTRUCTIONS), "--modes", *pages), seed)
    return mode_coverage.read_log(lines), instruction_coverage.read_log(lines), len(lines)


def words(seed: int) -> tuple[Counter[str], int]:
    """How many of the words are illegal, by mode, and how many are not."""
    lines = run(encodings(f"coverage/encodings_{seed}", seed, PROGRAM_WORDS), seed)
    seen = mode_coverage.read_log(lines)
    return Counter({mode_coverage.MODES[mode]: count for (mode, cause), count in seen.causes.items() if cause == mode_coverage.ILLEGAL}), PROGRAM_WORDS


def main() -> int:
    parser = argparse.ArgumentParser(description="one page of what random programs cover")
    parser.add_argument("page", type=Path)
    parser.add_argument("--instructions", type=int, default=1_000_000)
    parser.add_argument("--mode-instructions", type=int, default=500_000)
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()

    def seeds(total: int, each: int) -> range:
        return range(args.first_seed, args.first_seed + max(1, total // each))

    plain, by_mode, illegal = instruction_coverage.Seen(), mode_coverage.Seen(), Counter[str]()
    executed = mode_executed = tried = 0
    with ProcessPoolExecutor(args.jobs) as pool:
        for part, count in pool.map(instruction_coverage.measure, seeds(args.instructions, PROGRAM_INSTRUCTIONS)):
            plain.add(part)
            executed += count
        for changes, part, count in pool.map(modes, seeds(args.mode_instructions, PROGRAM_INSTRUCTIONS)):
            by_mode.add(changes)
            plain.add(part)
            executed += count
            mode_executed += count
        for part_illegal, count in pool.map(words, seeds(args.words, PROGRAM_WORDS)):
            illegal += part_illegal
            tried += count
    instruction_coverage.write_csv(plain, OUT / "coverage.csv")
    by_modes = ", ".join(f"{count:,} in {mode}" for mode, count in sorted(illegal.items()))
    items = [
        *instruction_coverage.report(plain, executed).split("\n"),
        f"of these in M, S and U mode: {mode_executed:,} instructions",
        *mode_coverage.report(by_mode),
        f"reserved, custom and hint encodings: {tried:,} words; {illegal.total():,} are illegal ({by_modes}), {tried - illegal.total():,} do nothing",
    ]
    command = shlex.join(["python", "sim/tests/coverage_page.py", *sys.argv[1:]])
    lines = [textwrap.fill(f"- {item}", LINE, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) for item in items]
    args.page.write_text("\n".join(["# What random programs cover", "", "Every commit as the golden model's:", f"`{command}`", "", *lines, ""]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
