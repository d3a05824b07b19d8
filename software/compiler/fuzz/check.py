# SPDX-License-Identifier: Apache-2.0
"""Checks one kept program: plain and transformed in every way must agree."""

import os
from pathlib import Path

from fuzz.oracle import results
from fuzz.toolchain import PLAIN, Fault, Harness, configs, run

# Each unit adds levels of optimisation and forms: with all four every one of them is there.
UNITS = 4 if int(os.environ.get("NHG_TEST_LENGTH", "1")) > 1 else 2
SEEDS = (1, 2)


def check_file(source: Path, directory: Path) -> list[str]:
    """\\returns a line for each difference."""
    directory.mkdir(parents=True, exist_ok=True)
    harness = Harness(directory)
    program = directory / "plain"
    harness.build(source, program, PLAIN)
    expected = results(run(program, PLAIN, 0))
    if not expected:
        return [f"{source}: the plain program prints no results"]
    wrong = []
    ways = {config.name: config for unit in range(UNITS) for config in configs(unit, sanitize=unit == 0, every_scheduler=True)}
    for config in ways.values():
        program = directory / config.name
        try:
            harness.build(source, program, config)
            for seed in SEEDS if config.target == "riscv" else (0,):
                got = results(run(program, config, seed))
                if got != expected:
                    wrong.append(f"{source}: {config.name}, seed {seed}: {got} instead of {expected}")
        except Fault as fault:
            wrong.append(f"{source}: {config.name}: {fault.what}\n{fault.output}")
    return wrong
