# SPDX-License-Identifier: Apache-2.0
"""Tasks in Rust: the three programs under contention natively, on the golden model in many orders of completion, one on RTL in lock-step; what is refused.

make -C software/tasks/rust test; needs the part `rust` of the toolchain
"""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
BUILD = ROOT / "build"
LENGTH = int(os.environ.get("NHG_TEST_LENGTH", "1"))
LATENCY_CYCLES = 300
MAX_CYCLES = 20_000_000
# What a program says when all is right.
PROGRAMS = {
    "server": "every request was served once\n",
    "traversal": "every vertex was walked once\n",
    "pipeline": "every item came through once\n",
    "waits": "every rule holds\n",
}
SEEDS = {"small": 20 * LENGTH, "large": 4 * LENGTH}


def call(command: list[str | Path], seconds: int = 900) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def built(program: str, size: str, machine: str) -> Path:
    file = BUILD / "tasks" / machine / "rust" / f"{program}-{size}.elf"
    call(["make", "-s", "-C", ROOT / "software/tasks/rust", f"BUILD={BUILD}", file])
    return file


@pytest.mark.parametrize("size", SEEDS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_natively(program: str, size: str) -> None:
    assert call([built(program, size, "x86")]) == PROGRAMS[program]


@pytest.mark.parametrize("size", SEEDS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_in_many_orders_of_completion(program: str, size: str) -> None:
    """small: with three IDs."""
    file = built(program, size, "riscv")
    said = {call([BUILD / "golden/nhg-iss", "--elf", file, "--adversarial", str(seed)]) for seed in range(1, SEEDS[size] + 1)}
    assert said == {PROGRAMS[program]}


@pytest.mark.parametrize("program", PROGRAMS if LENGTH > 1 else ["server"])
def test_on_rtl(program: str) -> None:
    far = ["--far-control", f"latency_cycles={LATENCY_CYCLES}", "--max-cycles", str(MAX_CYCLES)]
    assert call([BUILD / "sim/nhg-sim", "--elf", built(program, "tiny", "riscv"), "--lockstep", *far]) == PROGRAMS[program]


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
    done = subprocess.run([BUILD / "golden/nhg-iss", "--elf", built("refused", case, "riscv")], capture_output=True, text=True, check=False)
    assert done.returncode != 0 and message in done.stdout
