# SPDX-License-Identifier: Apache-2.0
"""The result of a run on RTL or on the board: everything that is computed from the counters.

Both deliver snapshots of the same counters, taken where the region of interest begins and ends and at the end of the program, with the
in-flight integral and busy cycles of the region's busiest window. The simulator writes them as JSON (sim/harness/measurement.cc), the
board holds them in its banks (docs/reference/host-interface.md). A program without a region is measured as a whole.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nhg import platform
from nhg.errors import NhgError

FAR_PREFIX, BREAKDOWN_PREFIX = "far_", "cycles_"
# Of the current cycle: no counts.
STATUS = ("rob_head_pc", "rob_head_valid", "cycle_cause")
COUNTER_MODULUS = 1 << 64
PORT_BYTES = 32  # of a beat of far memory, one a cycle each way


@dataclass(frozen=True)
class Snapshots:
    """What a run delivers. `begin` and `end` are None unless the program marked its region of interest."""

    exit_code: int
    counters: Sequence[str]
    begin: Sequence[int] | None
    end: Sequence[int] | None
    now: Sequence[int]
    peak_integral: int
    peak_busy: int
    metrics: list[int]
    host_seconds: float
    cycles_by_pc: list[list] = field(default_factory=list)  # [pc, cycles of each cause]; the board does not have it


@dataclass(frozen=True)
class Result:
    """Counts over the region of interest, or over the whole run when there is none."""

    exit_code: int
    has_region: bool
    cycles: int
    instret: int | None
    total_cycles: int
    total_instret: int | None
    far: dict[str, int]
    mlp_mean: float
    mlp_busiest: float
    cycle_breakdown: dict[str, int]
    probes: dict[str, int]
    metrics: list[int]
    host_seconds: float
    sim_khz: float
    cycles_by_pc: list[list]


def parse(content: dict) -> Snapshots:
    """From the simulator's JSON."""
    run = Snapshots(**{name: content[name] for name in Snapshots.__dataclass_fields__})
    if any(bank is not None and len(bank) != len(run.counters) for bank in (run.begin, run.end, run.now)):
        raise ValueError("a bank does not fit the names of the counters")
    return run


def read(name: str, path: Path) -> Snapshots:
    """What the simulator wrote; `name` is the run's, for the message."""
    try:
        return parse(json.loads(path.read_text()))
    except (OSError, json.JSONDecodeError, KeyError, ValueError):
        raise NhgError(f"{name}: the run left no readable result; run make doctor") from None


def ratio(numerator: int, denominator: int) -> float:
    return numerator / denominator if denominator else 0.0


def extremes() -> set[str]:
    """Far memory's counters that are not sums: what is least or greatest since the region began, where they are cleared."""
    return {name for name, register in platform.description()["registers"]["far_control"].items() if register.get("extreme")}


def counted(run: Snapshots) -> dict[str, int]:
    """What every counter counted over the region of interest, or over the whole run when there is none."""
    first, to = dict.fromkeys(run.counters, 0), dict(zip(run.counters, run.now, strict=True))
    if run.begin is not None and run.end is not None:
        first, to = dict(zip(run.counters, run.begin, strict=True)), dict(zip(run.counters, run.end, strict=True))
    found = {name: (to[name] - first[name]) % COUNTER_MODULUS for name in to}
    return found | {FAR_PREFIX + name: to[FAR_PREFIX + name] for name in extremes() if FAR_PREFIX + name in to}


def compute(run: Snapshots) -> Result:
    last, region = dict(zip(run.counters, run.now, strict=True)), counted(run)
    far = {name.removeprefix(FAR_PREFIX): value for name, value in region.items() if name.startswith(FAR_PREFIX)}
    core = {name: value for name, value in region.items() if not name.startswith(FAR_PREFIX) and name not in ("cycles", "instret", *STATUS)}
    mean = ratio(far["inflight_integral"], far["busy_cycles"])
    return Result(
        exit_code=run.exit_code,
        has_region=run.begin is not None and run.end is not None,
        cycles=region["cycles"],
        instret=region.get("instret"),
        total_cycles=last["cycles"],
        total_instret=last.get("instret"),
        far=far,
        mlp_mean=mean,
        mlp_busiest=ratio(run.peak_integral, run.peak_busy) if run.peak_busy else mean,
        cycle_breakdown={name.removeprefix(BREAKDOWN_PREFIX): value for name, value in core.items() if name.startswith(BREAKDOWN_PREFIX)},
        probes={name: value for name, value in core.items() if not name.startswith(BREAKDOWN_PREFIX)},
        metrics=run.metrics,
        host_seconds=run.host_seconds,
        sim_khz=last["cycles"] / run.host_seconds / 1000 if run.host_seconds else 0.0,
        cycles_by_pc=run.cycles_by_pc,
    )


def latency_ns(far: dict[str, int], kind: str) -> dict[str, float]:
    """Least, mean and greatest latency of the far reads or writes, in emulated ns; empty when there were none."""
    count = far[f"{kind}s"]
    if not count:
        return {}
    in_cycles = {"min": far[f"{kind}_latency_min"], "mean": far[f"{kind}_latency_sum"] / count, "max": far[f"{kind}_latency_max"]}
    return {name: cycles / platform.cycles_per_ns() for name, cycles in in_cycles.items()}


def record_fields(name: str, result: Result) -> dict:
    """The record's fields that the core and the far memory give."""
    if not result.has_region:
        raise NhgError(f"{name}: the program marked no region of interest; call host_roi_begin() and host_roi_end()")
    attributed = sum(result.cycle_breakdown.values())
    if result.cycle_breakdown and attributed != result.cycles:
        raise NhgError(f"{name}: the causes count {attributed:,} cycles, the region has {result.cycles:,}; no record was written")
    far, probes = result.far, dict(result.probes)
    return {
        "cycles": result.cycles,
        "emulated_ns": result.cycles / platform.cycles_per_ns(),
        "instret": result.instret,
        "far_reads": far["reads"],
        "far_writes": far["writes"],
        "far_bytes": far["read_bytes"] + far["write_bytes"],
        "far_late": far["late"],
        "far_port_use": {kind: ratio(far[f"{kind}_bytes"], PORT_BYTES * far["busy_cycles"]) for kind in ("read", "write")},
        "inflight_max": far["inflight_max"],
        "far_read_latency_ns": latency_ns(far, "read"),
        "far_write_latency_ns": latency_ns(far, "write"),
        "far_stalls": {name.replace("_stall", ""): cycles for name, cycles in far.items() if "_stall_" in name},
        "mlp_mean": result.mlp_mean,
        "mlp_peak": result.mlp_busiest,
        "branch_mispredicts": probes.pop("branch_mispredicts", None),
        "cycle_breakdown": result.cycle_breakdown,
        "probes": probes,
        "simulated_khz": result.sim_khz,
    }
