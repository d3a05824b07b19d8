# SPDX-License-Identifier: Apache-2.0
"""Programs that wait for one thing: the RTL's stall attribution names it, and every cycle of the region has one cause.

`pytest -s` prints the causes of each. A free register and a free queue entry have no program of their own: what they cost is seen at the head
as what the instructions in front wait for; their causes are driven in StallAttributionTest.
"""

import shutil
from pathlib import Path

import pytest
from programs import OUT, TESTS, assemble
from rtl import report, run
from test_latency import CYCLES_PER_NS, region

from nhg.far_memory import FarMemory
from nhg.result import Result, compute, read

FAR_NS = 800
CHASE = "latency/chase"  # from its checkpoint: the caches are cold
# Program, cause, least share of the region's cycles.
PROGRAMS = [
    (CHASE, "far_load", 0.9),
    ("stalls/near_load", "near_load", 0.6),
    ("stalls/store", "store", 0.6),
    ("stalls/amu", "amu", 0.7),
    ("stalls/finish", "finish", 0.4),
    ("stalls/recovery", "recovery", 0.18),
    ("stalls/frontend", "frontend", 0.6),
    ("stalls/execution", "execution", 0.7),
]


def measured(source: str, folder: Path) -> Result:
    if source == CHASE:
        return region("chase", FAR_NS)
    built = assemble(TESTS / f"{source}.S", OUT / f"{source}.elf")
    program = Path(shutil.copy(built, folder / "program.elf"))
    done = run(program, *FarMemory(FAR_NS * CYCLES_PER_NS).simulator_options)
    assert done.returncode == 0, report(done)
    return compute(read(source, program.with_suffix(".json")))


@pytest.mark.parametrize(("source", "cause", "share"), PROGRAMS, ids=[cause for _, cause, _ in PROGRAMS])
def test_cause(tmp_path: Path, source: str, cause: str, share: float) -> None:
    result = measured(source, tmp_path)
    shares = {name: count / result.cycles for name, count in result.cycle_breakdown.items()}
    print(f"\n{source}: {result.cycles:,} cycles: " + ", ".join(f"{name} {part:.1%}" for name, part in shares.items() if part >= 0.005))
    assert sum(result.cycle_breakdown.values()) == result.cycles
    by_pc = [sum(counts) for counts in zip(*(counts for _, counts in result.cycles_by_pc), strict=True)]
    assert by_pc == list(result.cycle_breakdown.values())
    waiting = {name: part for name, part in shares.items() if name != "retiring"}
    assert waiting[cause] >= share and max(waiting, key=waiting.__getitem__) == cause
