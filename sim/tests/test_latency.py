# SPDX-License-Identifier: Apache-2.0
"""A pointer chase on the RTL simulator measures the configured far-memory latency.

One access costs path + LAT cycles: the path through the caches and back is taken from the longest latency, every other one
must then show LAT within 2 %. `pytest -s` prints the table.
"""

import subprocess

import pytest
from programs import BUILD, ISS, OUT, TESTS, assemble
from rtl import SIM

from nhg.far_memory import FarMemory
from nhg.result import compute, read

NODES = 64
CYCLES_PER_NS = 3
LATENCIES_NS = [100, 200, 400, 800, 1000]
TOLERANCE = 0.02
# L1D and L2 misses, two AXI hops and the refill: more would mean a latency nobody configured.
LONGEST_PATH_CYCLES = 60


def cycles_per_access(latency_ns: int) -> float:
    if not SIM.exists():
        pytest.fail(f"{SIM} is missing; build the simulator first (make -C sim/harness)", pytrace=False)
    program = assemble(TESTS / "latency" / "chase.S", OUT / "chase.elf")
    checkpoint = OUT / "chase.ckpt"
    subprocess.run([ISS, "--elf", program, "--checkpoint", checkpoint], check=True, timeout=60)
    result = OUT / f"chase.{latency_ns}.json"
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
    return compute(read("chase", result)).cycles / NODES


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
