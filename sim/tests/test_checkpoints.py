# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of random programs in M, S and U mode, some under page tables, at random points: restored, the program ends in the state in which it would
have ended.

On the golden model that state is the whole machine (--final), to the instruction: it has no caches and its cycle is an instruction. On the RTL a
restored program is compared in lock-step. NHG_TEST_LENGTH multiplies the number of programs.
"""

import random
import re
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import mode_coverage
import pytest
import rtl
from programs import LENGTH, OUT, TESTS, assemble, run_iss, run_selftest
from test_random import generate

from nhg.contention import conditions

PROGRAMS = 6 * LENGTH
PAGE_PROGRAMS = 2 * LENGTH
RTL_PROGRAMS = 3 * LENGTH
RTL_PAGE_PROGRAMS = 1 * LENGTH
INSTRUCTIONS = 8_000
POINTS = 3
FIRST_POINT = 1500  # behind the programs' set-up, of which one point is enough
TRIES = 40  # of points, until one is in each mode
HEADER_INSTRET = slice(32, 40)  # of the file: not part of the machine
# checkpoint_format.h: the first segment is that of the boot ROM, with the state page
FIRST_SEGMENT, STATE_PAGE, MODE, CSRS = struct.Struct("<40xQQQ"), 0x1000, 0x100, 0x300
SATP = list(mode_coverage.REGISTERS).index("satp")


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


def random_program(number: int, instructions: int, *kind: str) -> tuple[Path, random.Random]:
    options = ["--seed", str(9000 + number), "--instructions", str(instructions), "--modes", "--no-ami-errors", *kind]
    program = generate(f"checkpoint_{number}{''.join(kind)}", *options)
    program.with_suffix(".uart").unlink()  # a checkpoint does not have what the UART is still to receive
    return program, random.Random(number)


def translated_points(program: Path, rng: random.Random, taken: Path) -> Iterator[int]:
    """Points under translation, one in S and one in U mode, if the program is there for long enough; their checkpoint is `taken`."""
    wanted, end = {mode_coverage.USER, mode_coverage.SUPERVISOR}, steps(program)
    for _ in range(TRIES):
        if not wanted:
            return
        point = rng.randrange(FIRST_POINT, end * 9 // 10)
        ends_well(run_iss(program, "--checkpoint", str(taken), "--checkpoint-at", str(point)))
        data = taken.read_bytes()
        state = FIRST_SEGMENT.unpack_from(data)[2] + STATE_PAGE
        mode, satp = (struct.unpack_from("<Q", data, state + place)[0] for place in (MODE, CSRS + 8 * SATP))
        if satp and mode in wanted:
            wanted.remove(mode)
            yield point
    assert len(wanted) < 2, f"{program}: no point under translation"


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


@pytest.mark.parametrize("number", range(PAGE_PROGRAMS))
def test_end_as_without_under_translation(number: int, tmp_path: Path) -> None:
    program, rng = random_program(number, INSTRUCTIONS, "--pages", "--fenced")
    taken, unbroken, restored = (tmp_path / name for name in ("taken", "unbroken", "restored"))
    ends_well(run_iss(program, "--final", str(unbroken)))
    for point in translated_points(program, rng, taken):
        ends_well(run_iss(taken, "--final", str(restored)))
        assert machine(restored) == machine(unbroken), f"{program}: another end from a checkpoint at instruction {point}"


@pytest.mark.parametrize("number", range(RTL_PAGE_PROGRAMS))
def test_restored_on_rtl_under_translation(number: int, tmp_path: Path) -> None:
    program, rng = random_program(number, INSTRUCTIONS, "--pages")
    taken = tmp_path / "taken"
    for _ in translated_points(program, rng, taken):
        result = rtl.run(taken, *conditions(number))
        assert result.returncode == 0, rtl.report(result)


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


def test_stopped_on_rtl_and_gone_on(tmp_path: Path) -> None:
    """The golden model that has followed the core is written where the run stops; the program ends well from there, on the golden model and on RTL."""
    program, rng = random_program(0, INSTRUCTIONS)
    taken, again = tmp_path / "taken", tmp_path / "again"
    stopped = rtl.run(program, *conditions(0), "--stop-after", str(rng.randrange(FIRST_POINT, steps(program) // 2)), "--final", str(taken))
    assert stopped.returncode == 0, rtl.report(stopped)
    ends_well(run_iss(taken, "--checkpoint", str(again), "--checkpoint-at", "0"))
    assert machine(again) == machine(taken)
    ends_well(run_selftest(taken))
    result = rtl.run(taken, *conditions(0))
    assert result.returncode == 0, rtl.report(result)
