# SPDX-License-Identifier: Apache-2.0
"""Random programs on the RTL in lock-step until a number of instructions has been compared.

usage: campaign.py [--contended] [--modes [--pages]] [--instructions 5000000] [--first-seed 100000] [--jobs 2] [--record COMMAND]

Program, far-memory latency, jitter, bandwidth, back-pressure and the registers' start state follow from the seed. A program
that fails stays in build/tests/campaign with its source; the command that repeats it is printed. Ends with exit code 1 if any failed.
lab/campaigns.json gets the result as that of COMMAND (`make random`).
"""

import argparse
import shlex
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import rtl
from programs import OUT, ROOT
from test_random import generate

import campaigns
from nhg.contention import conditions

PROGRAM_INSTRUCTIONS = 25_000
PROGRESS_SECONDS = 10


@dataclass
class Totals:
    programs: int = 0
    failed: int = 0
    instructions: int = 0
    cycles: int = 0


def run_seed(seed: int, kind: list[str]) -> tuple[int, int, str]:
    """Instructions and cycles of a seed's program, and what went wrong (empty: nothing)."""
    program = generate(f"campaign/{seed}", "--seed", str(seed), "--instructions", str(PROGRAM_INSTRUCTIONS), *kind)
    options = conditions(seed)
    result = rtl.run(program, *options)
    if result.returncode != 0:
        again = shlex.join(map(str, rtl.command(program, *options)))
        return 0, 0, f"seed {seed}: {rtl.report(result)}repeat: {again}"
    instructions, cycles = rtl.measured(program)
    source = OUT / "src" / "campaign" / f"{seed}.S"
    for leftover in (program, program.with_suffix(".json"), program.with_suffix(".uart"), source, source.with_suffix(".uart")):
        leftover.unlink(missing_ok=True)
    return instructions, cycles, ""


def progress(totals: Totals, goal: int, seconds: float) -> None:
    left = seconds * (goal / max(totals.instructions, 1) - 1)
    print(
        f"{totals.instructions:,} of {goal:,} instructions, {totals.programs} programs, {totals.failed} failed, about {max(left, 0) / 60:.0f} min left",
        file=sys.stderr,
        flush=True,
    )


def campaign(kind: list[str], goal: int, first_seed: int, jobs: int) -> Totals:
    totals, seed = Totals(), first_seed
    began = shown = time.monotonic()
    running: set[Future] = set()
    with ThreadPoolExecutor(jobs) as pool:
        while totals.instructions < goal or running:
            while len(running) < jobs and totals.instructions + len(running) * PROGRAM_INSTRUCTIONS < goal:
                running.add(pool.submit(run_seed, seed, kind))
                seed += 1
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                instructions, cycles, failure = future.result()
                totals.programs += 1
                totals.instructions += instructions
                totals.cycles += cycles
                if failure:
                    totals.failed += 1
                    print(failure, flush=True)
            if totals.failed >= 20:
                goal = 0  # enough to look at
            if time.monotonic() - shown > PROGRESS_SECONDS:
                shown = time.monotonic()
                progress(totals, goal, shown - began)
    return totals


def main() -> int:
    parser = argparse.ArgumentParser(description="Random programs on the RTL in lock-step")
    for kind in ("--contended", "--modes", "--pages"):
        parser.add_argument(kind, dest="kind", action="append_const", const=kind, default=[])
    parser.add_argument("--instructions", type=int, default=5_000_000)
    parser.add_argument("--first-seed", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--record", metavar="COMMAND")
    args = parser.parse_args()
    if not rtl.SIM.exists():
        sys.exit(f"campaign.py: {rtl.SIM} is missing; build it with make -C sim/harness")
    began = time.monotonic()
    totals = campaign(args.kind, args.instructions, args.first_seed, args.jobs)
    result = f"{totals.programs - totals.failed} passed, {totals.failed} failed: {totals.instructions:,} instructions in {totals.cycles:,} cycles"
    minutes = (time.monotonic() - began) / 60
    print(f"{result}, {minutes:.1f} min")
    if args.record:
        campaigns.record(ROOT, args.record, result, minutes)
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
