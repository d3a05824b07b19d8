# SPDX-License-Identifier: Apache-2.0
"""A pointer chase on the RTL simulator measures the configured far-memory latency; sequential reads measure the L2's prefetcher, sequential writes
the store buffer; polls show how long a bafin waits for a group, an sfence.vma for all, counters what a reading of cycle and instret costs.

One access of the chase costs path + LAT cycles: the path through the caches and back is taken from the longest latency, every other one
must then show LAT within 2 %. `pytest -s` prints the table.
"""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from programs import BUILD, ISS, TESTS, assemble
from rtl import SIM

from nhg.far_memory import FarMemory
from nhg.result import Result, compute, read

NODES = 64
CYCLES_PER_NS = 3
LATENCIES_NS = [100, 200, 400, 800, 1000]
TOLERANCE = 0.02
# L1D and L2 misses, two AXI hops and the refill: more would mean a latency nobody configured.
LONGEST_PATH_CYCLES = 60
STREAM_LINES = 4096
# Without a prefetcher 166 at 100 ns.
STREAM_LINE_CYCLES_MAX = 50
# With a prefetcher that starts off and tests one candidate an access 61.
SHORT_STREAM_LINE_CYCLES_MAX = 35
WRITE_LINES = 64 * 32
# Two stores a cycle are 4; the rest is what a turn and the last fence take.
WRITE_LINE_CYCLES_MAX = 4.2
# An sfence.vma by itself, and the way of its requests beyond the latency.
FENCE_CYCLES_MAX = 60
# 8 requests; 3 instructions a poll, of which a request would need about 180 without a wait.
POLL_INSTRUCTIONS_MAX = 8 * (3 * 16 + 8)
COUNTER_TURNS = 256
# 16 instructions are 4 at least; each of the two readings waits until it is the oldest, and others retire behind it.
COUNTER_TURN_CYCLES_MAX = 14


def region(name: str, latency_ns: int) -> Result:
    """The region of interest of latency/<name>.S, in lock-step. Suites that run at once may measure the same program: each has files of its own."""
    with TemporaryDirectory() as folder:
        return measured_region(name, latency_ns, Path(folder))


def measured_region(name: str, latency_ns: int, folder: Path) -> Result:
    if not SIM.exists():
        pytest.fail(f"{SIM} is missing; build the simulator first (make -C sim/harness)", pytrace=False)
    program = assemble(TESTS / "latency" / f"{name}.S", folder / f"{name}.elf")
    checkpoint = folder / f"{name}.ckpt"
    subprocess.run([ISS, "--elf", program, "--checkpoint", checkpoint], check=True, timeout=60)
    result = folder / f"{name}.json"
    subprocess.run(
        [
            SIM,
            "--checkpoint",
            checkpoint,
            "--lockstep",
            "--golden-lib",
            BUILD / "golden" / "libgolden.so",
            *FarMemory(latency_ns * CYCLES_PER_NS).simulator_options,
            "--max-cycles",
            "2000000",
            "--result",
            result,
        ],
        check=True,
        timeout=300,
    )
    return compute(read(name, result))


def region_cycles(name: str, latency_ns: int) -> int:
    return region(name, latency_ns).cycles


def cycles_per_access(latency_ns: int) -> float:
    return region_cycles("chase", latency_ns) / NODES


def test_chase_measures_the_configured_latency() -> None:
    measured = {ns: cycles_per_access(ns) for ns in LATENCIES_NS}
    longest = LATENCIES_NS[-1]
    path = measured[longest] - longest * CYCLES_PER_NS
    print(f"\npath {path:.1f} cycles")
    for ns, cycles in measured.items():
        error = (cycles - path) / (ns * CYCLES_PER_NS) - 1
        print(f"LAT {ns:4} ns: {cycles:7.1f} cycles an access, beyond the path {cycles - path:7.1f} ({error:+.2%})")
    assert 0 < path < LONGEST_PATH_CYCLES
    for ns, cycles in measured.items():
        assert abs((cycles - path) / (ns * CYCLES_PER_NS) - 1) <= TOLERANCE, f"LAT {ns} ns"


def test_sequential_reads_are_prefetched() -> None:
    cycles = region_cycles("stream", 100) / STREAM_LINES
    print(f"\n{cycles:.1f} cycles a line of far memory at 100 ns, every word read")
    assert cycles <= STREAM_LINE_CYCLES_MAX


@pytest.mark.parametrize("program", ["short_stream_far", "short_stream_local"])
def test_a_prefetcher_that_has_seen_little_learns_soon(program: str) -> None:
    cycles = region_cycles(program, 100) / STREAM_LINES
    print(f"\n{cycles:.1f} cycles a line, every word read, after 256 lines of {program}")
    assert cycles <= SHORT_STREAM_LINE_CYCLES_MAX


def test_sequential_writes_are_merged() -> None:
    cycles = region_cycles("writes", 100) / WRITE_LINES
    print(f"\n{cycles:.2f} cycles a line that L1D has, every word written")
    assert cycles <= WRITE_LINE_CYCLES_MAX


def test_polls_wait_for_a_group_instead_of_being_repeated() -> None:
    """The program counts its polls, with and without a wait, and exits with 1 if they are more or fewer than the wait allows."""
    measured = region("polls", 100)
    print(f"\n{measured.instret} instructions, {measured.cycles} cycles for one request after the other, with polls that wait")
    assert measured.instret <= POLL_INSTRUCTIONS_MAX


def test_a_fence_of_translations_waits_for_requests() -> None:
    waited = region_cycles("fence", 100) - 100 * CYCLES_PER_NS
    print(f"\nan sfence.vma behind 511 requests waits for far memory, and {waited} cycles")
    assert 0 < waited < FENCE_CYCLES_MAX


def test_readings_of_counters_do_not_empty_the_pipeline() -> None:
    """The program exits with 1 if its other readings are out of order."""
    cycles = region_cycles("counters", 100) / COUNTER_TURNS
    print(f"\n{cycles:.1f} cycles a turn of 16 instructions of which two read counters")
    assert cycles <= COUNTER_TURN_CYCLES_MAX
