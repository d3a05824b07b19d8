# SPDX-License-Identifier: Apache-2.0
"""Jumps through time with the traffic generator in place of the core: whatever a run leaves behind is the same with and without them.

The core's own waits are tested in sim/tests/test_time_jump.py; docs/design/simulation.md.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest
from program import FAR, LOCAL, ROI_BEGIN, ROI_END, Program

from nhg import platform
from nhg.far_memory import FarMemory
from nhg.jitter import Jitter

EXIT_STATUS = platform.description()["simulator_exit"]
LONG = FarMemory(3000).simulator_options
MODES = ["on", "off", "check"]


@pytest.fixture
def runs(request, tmp_path):
    """Ending, output, result and commits of a program in each mode; how many cycles were skipped."""
    sim = Path(request.config.getoption("--sim")).resolve()

    def start(program: Program, *options: str) -> tuple[dict[str, tuple], int]:
        elf = program.write(tmp_path / "program.elf")
        outcomes, skipped = {}, 0
        for mode in MODES:
            result, log = tmp_path / f"{mode}.json", tmp_path / f"{mode}.log"
            command = [sim, "--elf", elf, "--result", result, "--commit-log", log, "--time-jump-report", *options]
            done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, env={"NHG_TIME_JUMP": mode})
            report = re.search(r"time jump: (\d+) of \d+ cycles skipped", done.stderr)
            if mode == "on" and report:
                skipped = int(report[1])
            stderr = [line for line in done.stderr.splitlines() if "time jump:" not in line and not line.startswith("nhg-sim: cycle ")]
            content = json.loads(result.read_text()) if result.exists() else {}
            content.pop("host_seconds", None)
            outcomes[mode] = (done.returncode, done.stdout, stderr, content, log.read_text())
        return outcomes, skipped

    return start


def same(outcomes: dict[str, tuple]) -> None:
    assert outcomes["on"] == outcomes["off"]
    assert outcomes["check"] == outcomes["off"]


def waits() -> Program:
    """Far and local reads and writes one after the other, and many at once."""
    program = Program()
    program.add("device_write", ROI_BEGIN)
    for i in range(12):
        program.add("read", FAR + 4096 * i, 2).report(0)
        program.add("write", FAR + 4096 * i + 64, 5, 0xFFFF_FFFF)
        program.add("read", LOCAL + 4096 * i, 1)
    program.add("stream", FAR + (1 << 20), 40, 3).add("stream_both", FAR + (1 << 20), 20, 7)
    return program.add("device_write", ROI_END).exit(3)


@pytest.mark.parametrize(
    "memory",
    [
        FarMemory(0),
        FarMemory(25),
        FarMemory(300),
        FarMemory(3000),
        FarMemory(20000),
        FarMemory(900, 1 << 14, 0),  # a quarter of a byte a cycle
        FarMemory(900, 1 << 15, 1),
        FarMemory(600, 0, 0, Jitter("", 1, 600, 0, 5)),
        FarMemory(2400, 0, 0, Jitter("", 3, 4000, 9000, 6)),
    ],
    ids=lambda memory: f"{memory.latency_cycles}-{memory.bandwidth_fixed}-{memory.jitter.model}",
)
def test_counters_windows_and_commits(runs, memory: FarMemory) -> None:
    outcomes, skipped = runs(waits(), *memory.simulator_options, "--watchdog-cycles", "1000000")
    same(outcomes)
    assert outcomes["on"][0] == 3
    if memory.latency_cycles >= 900 and not memory.bandwidth_fixed:  # a bucket that fills is no rest
        assert skipped > 0.7 * outcomes["on"][3]["now"][0], "most cycles wait"


def test_a_calendar_that_has_come_round(runs) -> None:
    """Then the buckets that the delayer reads ahead hold old lists, whose data is not looked at."""
    program = Program().add("device_write", ROI_BEGIN).add("stream", FAR, 30_000, 500)
    for i in range(20):
        program.add("read", FAR + 4096 * i, 1)
    outcomes, skipped = runs(program.add("device_write", ROI_END).exit(3), *LONG, "--watchdog-cycles", "1000000")
    same(outcomes)
    cycles = outcomes["on"][3]["now"][0]
    assert outcomes["on"][0] == 3 and cycles > 2 * 65_536 and skipped > 0.7 * cycles


def test_watchdog_and_limit_come_in_their_cycle(runs) -> None:
    for options, code in ((["--watchdog-cycles", "7777"], "watchdog"), (["--max-cycles", "54321"], "max_cycles")):
        outcomes, skipped = runs(Program().add("read", FAR, 1).add("hang"), *LONG, *options)
        same(outcomes)
        assert outcomes["on"][0] == EXIT_STATUS[code] and skipped > 5000


def test_memory_that_holds_up_at_random_is_simulated(runs) -> None:
    outcomes, skipped = runs(waits(), *LONG, "--memory-stall-percent", "5", "--seed", "3")
    same(outcomes)
    assert skipped == 0


def test_wrong_choice_is_refused(runs, request, tmp_path) -> None:
    sim = Path(request.config.getoption("--sim")).resolve()
    done = subprocess.run([sim, "--elf", "none"], capture_output=True, text=True, env={"NHG_TIME_JUMP": "sometimes"})
    assert done.returncode == EXIT_STATUS["bad_input"]
    assert done.stderr == "nhg-sim: NHG_TIME_JUMP=sometimes in the environment: give on, off or check\n"
