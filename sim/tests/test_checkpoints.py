# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of random programs in M, S and U mode at random points: restored, the program ends in the state in which it would have ended.

On the golden model that state is the whole machine (--final), to the instruction: it has no caches and its cycle is an instruction. On the RTL a
restored program is compared in lock-step. NHG_TEST_LENGTH multiplies the number of programs.
"""

import random
import re
import subprocess
from pathlib import Path

import pytest
import rtl
from programs import LENGTH, OUT, TESTS, assemble, run_iss, run_selftest
from test_random import generate

from nhg.contention import conditions

PROGRAMS = 6 * LENGTH
RTL_PROGRAMS = 3 * LENGTH
INSTRUCTIONS = 8_000
POINTS = 3
FIRST_POINT = 1500  # behind the programs' set-up, of which one point is enough
HEADER_INSTRET = slice(32, 40)  # of the file: not part of the machine


def steps(program: Path) -> int:
    """Instructions and traps until the program ends."""
    return int(re.match(r"(\d+) commits match", run_selftest(program).stdout)[1])


def ends_well(result: subprocess.CompletedProcess) -> None:
    assert result.returncode == 0, f"exit {result.returncode}: {result.stderr}"


def machine(state: Path) -> bytes:
    """What a checkpoint says of the machine."""
    data = bytearray(state.read_bytes())
    data[HEADER_INSTRET] = bytes(8)
    return bytes(data)


def random_program(number: int, instructions: int) -> tuple[Path, random.Random]:
    program = generate(f"checkpoint_{number}", "--seed", str(9000 + number), "--instructions", str(instructions), "--modes", "--no-ami-errors")
    program.with_suffix(".uart").unlink()  # a checkpoint does not have what the UART is still to receive
    return program, random.Random(number)


@pytest.mark.parametrize("number", range(PROGRAMS))
def test_end_as_without(number: int, tmp_path: Path) -> None:
    program, rng = random_program(number, INSTRUCTIONS)
    end = steps(program)
    taken, unbroken, restored, again = (tmp_path / name for name in ("taken", "unbroken", "restored", "again"))
    for point in sorted(rng.randrange(FIRST_POINT, end * 9 // 10) for _ in range(POINTS)):
        ends_well(run_iss(program, "--checkpoint", str(taken), "--checkpoint-at", str(point), "--final", str(unbroken)))
        ends_well(run_iss(taken, "--final", str(restored)))
        assert machine(restored) == machine(unbroken), f"{program}: another end from a checkpoint at instruction {point}"
        # Restored and taken at once it is the same.
        ends_well(run_iss(taken, "--checkpoint", str(again), "--checkpoint-at", "0"))
        assert machine(again) == machine(taken), f"{program}: a checkpoint at instruction {point} is restored as another"


@pytest.mark.parametrize("number", range(RTL_PROGRAMS))
def test_restored_on_rtl(number: int, tmp_path: Path) -> None:
    program, rng = random_program(number, INSTRUCTIONS)
    taken = tmp_path / "taken"
    point = rng.randrange(FIRST_POINT, steps(program) // 2)
    ends_well(run_iss(program, "--checkpoint", str(taken), "--checkpoint-at", str(point)))
    ends_well(run_selftest(taken))
    result = rtl.run(taken, *conditions(number))
    assert result.returncode == 0, rtl.report(result)


@pytest.mark.parametrize("name", ["checkpoint_handler", "checkpoint_user", "checkpoint_triggers", "checkpoint_pmp"])
def test_directed_on_rtl(name: str, tmp_path: Path) -> None:
    """The checks of test_golden.py's round trip."""
    taken = tmp_path / "taken"
    ends_well(run_iss(assemble(TESTS / "golden" / f"{name}.S", OUT / f"{name}.elf"), "--checkpoint", str(taken)))
    result = rtl.run(taken)
    assert result.returncode == 0, rtl.report(result)
