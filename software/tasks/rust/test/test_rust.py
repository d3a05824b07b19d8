# SPDX-License-Identifier: Apache-2.0
"""Tasks in Rust: the three programs under contention natively, on the golden model in many orders of completion, one on RTL in lock-step; what is refused.

make -C software/tasks/rust test; needs the part `rust` of the toolchain
"""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "test"))
from machines import BUILD, LENGTH, built, call, in_orders_of_completion, on_rtl, refusal_of

# What a program says when all is right.
PROGRAMS = {
    "server": "every request was served once\n",
    "traversal": "every vertex was walked once\n",
    "pipeline": "every item came through once\n",
    "waits": "every rule holds\n",
}
SEEDS = {"small": 20 * LENGTH, "large": 4 * LENGTH}


def program_of(program: str, size: str, machine: str) -> Path:
    return built(BUILD / "tasks" / machine / "rust" / f"{program}-{size}.elf", "software/tasks/rust")


@pytest.mark.parametrize("size", SEEDS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_natively(program: str, size: str) -> None:
    assert call([program_of(program, size, "x86")]) == PROGRAMS[program]


@pytest.mark.parametrize("size", SEEDS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_in_many_orders_of_completion(program: str, size: str) -> None:
    """small: with three IDs."""
    assert set(in_orders_of_completion(program_of(program, size, "riscv"), SEEDS[size])) == {PROGRAMS[program]}


@pytest.mark.parametrize("program", PROGRAMS if LENGTH > 1 else ["server"])
def test_on_rtl(program: str) -> None:
    assert on_rtl(program_of(program, "tiny", "riscv")) == PROGRAMS[program]


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("two_at_once", "a task waits for one thing at a time"),
        ("dropped", "dropped while the AMU or another task has its request"),
        ("left", "1 tasks wait for what nobody gives"),
        ("kept_waker", "1 wakers are kept beyond run()"),
    ],
)
def test_what_cannot_be_is_refused(case: str, message: str) -> None:
    assert message in refusal_of(program_of("refused", case, "riscv"))
