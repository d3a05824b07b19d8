# SPDX-License-Identifier: Apache-2.0
"""Results as the simulator writes them, for stand-ins."""

COUNTS = {
    "cycles": 3000,
    "instret": 500,
    "far_reads": 1,
    "far_writes": 2,
    "far_read_bytes": 64,
    "far_write_bytes": 128,
    "far_inflight_integral": 20,
    "far_busy_cycles": 10,
    "far_inflight_max": 4,
    "far_late": 0,
    "far_read_latency_sum": 2400,
    "far_read_latency_min": 2400,
    "far_read_latency_max": 2400,
    "far_write_latency_sum": 5400,
    "far_write_latency_min": 2400,
    "far_write_latency_max": 3000,
    "far_read_stall_core": 5,
    "cycles_retiring": 500,
    "cycles_far_load": 2500,
    "branch_mispredicts": 7,
    "x": 1,
}


def result(counts: dict[str, int], region: bool = True, **changes: object) -> dict:
    """JSON of a run with these counts in its region, or as a whole."""
    now = list(counts.values())
    return {
        "exit_code": 0,
        "lockstep": False,
        "seed": 0,
        "counters": list(counts),
        "begin": [0] * len(now) if region else None,
        "end": now if region else None,
        "now": now,
        "peak_integral": 30,
        "peak_busy": 10,
        "metrics": [10, 0, 0, 4, 1],
        "host_seconds": 0.3,
        "cycles_by_pc": [],
        **changes,
    }
