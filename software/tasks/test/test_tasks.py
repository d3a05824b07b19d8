# SPDX-License-Identifier: Apache-2.0
"""The library of tasks: programs under contention, with a few IDs and with all, in many orders of completion; more tasks than IDs.

python -m pytest software/tasks/test -k "[iss"; also x86: natively, sim: RTL in lock-step with the golden model
"""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build"
LENGTH = int(os.environ.get("NHG_TEST_LENGTH", "1"))
LATENCY_CYCLES = 300
MAX_CYCLES = 20_000_000
# What a program says when all is right.
PROGRAMS = {
    "waits": "every rule holds\n",
    "server": "every request was served once\n",
    "traversal": "every vertex was walked once\n",
    "pipeline": "every item came through once\n",
    "server_cpp": "every request was served once\n",
    "traversal_cpp": "every vertex was walked once\n",
    "pipeline_cpp": "every item came through once\n",
    "stacks": "every stack was kept\n",
    "many": "all were alive at once\n",
}
SEEDS = {"small": 20 * LENGTH, "large": 4 * LENGTH, "million": 1}


def call(command: list[str | Path], seconds: int = 900) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def built(program: str, size: str, target: str) -> Path:
    file = BUILD / "tasks" / ("x86" if target == "x86" else "riscv") / f"{program}-{size}.elf"
    call(["make", "-s", "-C", ROOT / "software/tasks", f"BUILD={BUILD}", file])
    return file


def runs(file: Path, target: str, seeds: int) -> list[str]:
    if target == "x86":
        return [call([file])]
    if target == "iss":
        return [call([BUILD / "golden/nhg-iss", "--elf", file, "--adversarial", str(seed)]) for seed in range(1, seeds + 1)]
    far = ["--far-control", f"latency_cycles={LATENCY_CYCLES}", "--max-cycles", str(MAX_CYCLES)]
    return [call([BUILD / "sim/nhg-sim", "--elf", file, "--lockstep", *far])]


@pytest.fixture(params=["x86", "iss", "sim"])
def target(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize("program", PROGRAMS)
def test_with_few_ids(program: str, target: str) -> None:
    size = "tiny" if target == "sim" and LENGTH == 1 else "small"
    assert set(runs(built(program, size, target), target, SEEDS["small"])) == {PROGRAMS[program]}


@pytest.mark.parametrize("program", PROGRAMS)
def test_with_all_ids(program: str, target: str) -> None:
    if target == "sim":
        pytest.skip("many for RTL")
    assert set(runs(built(program, "large", target), target, SEEDS["large"])) == {PROGRAMS[program]}


@pytest.mark.parametrize("program", ["many", "stacks"])
def test_a_million_are_alive(program: str, target: str) -> None:
    """On RTL ten thousand."""
    if LENGTH == 1 and (target == "sim" or program == "stacks"):
        pytest.skip("half a minute and more: part of make test LENGTH=n")
    size = "tenthousand" if target == "sim" else "million"
    assert runs(built(program, size, target), target, SEEDS["million"]) == [PROGRAMS[program]]


@pytest.mark.parametrize(
    ("program", "message"),
    [("far_step", "is not in the first 2 MiB of the program"), ("small_store", "bytes of stack while it waits, its store has 512")],
)
def test_what_cannot_be_is_refused(program: str, message: str) -> None:
    done = subprocess.run([BUILD / "golden/nhg-iss", "--elf", built(program, "tiny", "iss")], capture_output=True, text=True, check=False)
    assert done.returncode != 0 and message in done.stdout
