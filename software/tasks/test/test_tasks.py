# SPDX-License-Identifier: Apache-2.0
"""The library of tasks: programs under contention, with a few IDs and with all, in many orders of completion; more tasks than IDs.

python -m pytest software/tasks/test -k "[iss"; also x86: natively, sim: RTL in lock-step with the golden model
"""

from pathlib import Path

import pytest
from machines import BUILD, LENGTH, built, call, in_orders_of_completion, on_rtl, refusal_of

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


def program_of(program: str, size: str, target: str) -> Path:
    return built(BUILD / "tasks" / ("x86" if target == "x86" else "riscv") / f"{program}-{size}.elf", "software/tasks")


def runs(file: Path, target: str, seeds: int) -> list[str]:
    if target == "x86":
        return [call([file])]
    return in_orders_of_completion(file, seeds) if target == "iss" else [on_rtl(file)]


@pytest.fixture(params=["x86", "iss", "sim"])
def target(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize("program", PROGRAMS)
def test_with_few_ids(program: str, target: str) -> None:
    size = "tiny" if target == "sim" and LENGTH == 1 else "small"
    assert set(runs(program_of(program, size, target), target, SEEDS["small"])) == {PROGRAMS[program]}


@pytest.mark.parametrize("program", PROGRAMS)
def test_with_all_ids(program: str, target: str) -> None:
    if target == "sim":
        pytest.skip("many for RTL")
    assert set(runs(program_of(program, "large", target), target, SEEDS["large"])) == {PROGRAMS[program]}


@pytest.mark.parametrize("program", ["many", "stacks"])
def test_a_million_are_alive(program: str, target: str) -> None:
    """On RTL ten thousand."""
    if LENGTH == 1 and (target == "sim" or program == "stacks"):
        pytest.skip("half a minute and more: part of make test LENGTH=n")
    size = "tenthousand" if target == "sim" else "million"
    assert runs(program_of(program, size, target), target, SEEDS["million"]) == [PROGRAMS[program]]


@pytest.mark.parametrize(
    ("program", "message"),
    [("far_step", "is not in the first 2 MiB of the program"), ("small_store", "bytes of stack while it waits, its store has 512")],
)
def test_what_cannot_be_is_refused(program: str, message: str) -> None:
    assert message in refusal_of(program_of(program, "tiny", "iss"))
