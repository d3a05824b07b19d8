# SPDX-License-Identifier: Apache-2.0
"""Jumps through time on the core (docs/design/simulation.md): counters, stall breakdown by PC, busiest window and commits of a run are those of the
simulator that simulates every cycle, interrupts among them, and in that one each cycle that a jump would skip leaves what the jump foresees.

Benchmarks (with LENGTH=n every one) serially at 300 ns and as `full` at 100 ns, scale tiny, and random programs with random latencies, jitter and
bandwidths. The second run checks every jump (NHG_TIME_JUMP=check) and simulates all cycles; what it leaves behind is compared with the first.
"""

import json
import os
import random
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from programs import BUILD, TESTS, assemble, uart_options
from rtl import MAX_CYCLES, SIM
from test_random import generate

from nhg import benchmark, measure, variants
from nhg.far_memory import FarMemory
from nhg.jitter import CONSTANT, Jitter
from nhg.measure import Setting
from nhg.point import Point
from nhg.run import prepare

LATENCIES_NS = {"serial": 300, "full": 100}
SHORT = ("gups", "hj", "mcf")  # runs of seconds; the others are part of campaigns
# Least share of a serial run's cycles to be skipped. What the prefetcher fetches ahead the core does not wait for: measured LBM 20 %, IS 55 %.
LEAST_SKIPPED, LEAST_SKIPPED_OF = 0.6, {"is": 0.5, "lbm": 0.15}
CYCLES_PER_NS = 3


def run(mode: str, folder: Path, *options: str | Path) -> tuple[dict, str, int]:
    """Result, commits and skipped cycles."""
    result, log = folder / f"{mode}.json", folder / f"{mode}.log"
    command = [SIM, *options, "--result", result, "--commit-log", log, "--max-cycles", str(MAX_CYCLES), "--time-jump-report"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NHG_TIME_JUMP": mode})
    report = re.search(r"time jump: (\d+) of \d+ cycles skipped", done.stderr)
    assert done.returncode == 0 and bool(report) == (mode != "off"), f"{mode}: exit {done.returncode}: {done.stderr[-1000:]}"
    content = json.loads(result.read_text())
    del content["host_seconds"]
    return content, log.read_text(), int(report[1]) if report else 0


def compare(folder: Path, *options: str | Path, modes: tuple[str, str] = ("on", "check")) -> float:
    """The share of skipped cycles."""
    with ThreadPoolExecutor() as pool:
        jumped, simulated = pool.map(lambda mode: run(mode, folder, *options), modes)
    assert jumped[0] == simulated[0]
    assert jumped[1] == simulated[1]
    return jumped[2] / jumped[0]["now"][0]


def options_of(bench: str, variant: str, latency_ns: int) -> list[str | Path]:
    point = Point(benchmark.load(bench), variants.VARIANTS[variant], "sim", Setting(latency_ns, None), "tiny")
    image = measure.checkpoint(point.name, prepare(point))
    return ["--checkpoint", image, *FarMemory(latency_ns * CYCLES_PER_NS).simulator_options]


@pytest.mark.parametrize(
    ("bench", "variant"),
    [
        pytest.param(bench, variant, marks=[] if bench in SHORT else [pytest.mark.long])
        for bench in benchmark.available()
        for variant in LATENCIES_NS
        if variant in variants.valid(benchmark.load(bench), "sim")
    ],
)
def test_workload(tmp_path: Path, bench: str, variant: str) -> None:
    latency_ns = LATENCIES_NS[variant]
    skipped = compare(tmp_path, *options_of(bench, variant, latency_ns))
    print(f"\n{bench} {variant} {latency_ns} ns: {skipped:.1%} of the cycles skipped")
    if variant == "serial":
        assert skipped > LEAST_SKIPPED_OF.get(bench, LEAST_SKIPPED), "nhg-sim --time-jump-report says what changes while the core waits"


def test_switched_off(tmp_path: Path) -> None:
    compare(tmp_path, *options_of("hj", "serial", 100), modes=("on", "off"))


def test_a_bafin_that_waits_for_a_group_is_skipped(tmp_path: Path) -> None:
    """Eight requests without a wait, eight with one of 300 cycles and eight with one of 50, of which too little is left to skip."""
    program = assemble(TESTS / "latency" / "polls.S", tmp_path / "polls.elf")
    skipped = compare(tmp_path, "--elf", program, *FarMemory(100 * CYCLES_PER_NS).simulator_options)
    assert skipped > 0.15, "nhg-sim --time-jump-report says what changes while the frontend holds a bafin"


def test_time_goes_on_over_a_jump(tmp_path: Path) -> None:
    """The program compares CSR time with its cycles after each wait, which are ten ticks."""
    program = assemble(TESTS / "isa" / "time.S", tmp_path / "time.elf")
    skipped = compare(tmp_path, "--elf", program, *FarMemory(1000 * CYCLES_PER_NS).simulator_options)
    assert skipped > 0.5, "nhg-sim --time-jump-report says what changes while the core waits"


@pytest.mark.parametrize(("name", "share"), [("wfi", 0.8), ("stimecmp", 0.8), ("uart_echo", 0.5)])
def test_a_wfi_sleeps_until_its_timer_or_input(tmp_path: Path, name: str, share: float) -> None:
    """Each wakes in its cycle: the commits of both runs are equal."""
    program = assemble(TESTS / "isa" / f"{name}.S", tmp_path / f"{name}.elf")
    golden = ["--lockstep", "--golden-lib", BUILD / "golden" / "libgolden.so"]
    skipped = compare(tmp_path, "--elf", program, *uart_options(program), *golden, *FarMemory(100 * CYCLES_PER_NS).simulator_options)
    assert skipped > share, "nhg-sim --time-jump-report says what changes while the core sleeps"


def test_a_store_that_is_tried_again_every_second_cycle_is_skipped(tmp_path: Path) -> None:
    program = assemble(TESTS / "latency" / "refused_stores.S", tmp_path / "refused_stores.elf")
    skipped = compare(tmp_path, "--elf", program, *FarMemory(300 * CYCLES_PER_NS).simulator_options)
    assert skipped > 0.6, "nhg-sim --time-jump-report says what changes while no MSHR is free"


def conditions(seed: int) -> list[str]:
    rng = random.Random(seed)
    latency_cycles, jitter, bandwidth = rng.choice([0, 60, 300, 1000, 3000, 9000]), CONSTANT, (0, 0)
    if rng.random() < 0.6:
        jitter = Jitter("", rng.randint(1, 3), rng.choice([10, 100, latency_cycles]), rng.randint(0, 65535), seed)
    if rng.random() < 0.3:
        bandwidth = (1 << rng.randint(14, 20), rng.randint(0, 1))
    return FarMemory(latency_cycles, *bandwidth, jitter).simulator_options


@pytest.mark.parametrize("seed", range(700, 708))
def test_random_program(tmp_path: Path, seed: int) -> None:
    kind = [["--contended"], ["--modes"], []][seed % 3]
    program = generate(f"time_jump_{seed}", "--seed", str(seed), "--instructions", "4000", *kind)
    golden = ["--lockstep", "--golden-lib", BUILD / "golden" / "libgolden.so"]
    skipped = compare(tmp_path, "--elf", program, *uart_options(program), *golden, *conditions(seed))
    print(f"\nseed {seed}: {skipped:.1%} of the cycles skipped")
