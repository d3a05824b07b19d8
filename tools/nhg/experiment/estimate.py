# SPDX-License-Identifier: Apache-2.0
"""How long a point will take on this machine: from the records of runs that are like it."""

from collections import defaultdict
from pathlib import Path

from nhg.benchmark import OPERATIONS
from nhg.point import Point
from nhg.record import Record, read

# Where nothing like it was ever run.
UNKNOWN_SECONDS = 60.0
UNKNOWN_LATENCY_NS = 400.0
# What a far access takes beside the set latency, ns: runs that wait take this much more than in proportion to it.
NEAR_NS = 50.0


def operations(dataset: dict[str, int]) -> int:
    return dataset.get(OPERATIONS, 0) + dataset.get("BENCH_WARMUP_OPERATIONS", 0) or 1


class Estimate:
    """Of all records in a folder."""

    def __init__(self, folder: Path) -> None:
        self.alike: dict[tuple, list[Record]] = defaultdict(list)
        for path in sorted(folder.glob("*.json")):
            if record := read(path):
                self.alike[record.bench, record.variant, record.target].append(record)

    def relatives(self, point: Point) -> list[Record]:
        """Runs of the same benchmark and variant there."""
        return self.alike[point.benchmark.name, point.variant.name, point.target]

    def has_record(self, point: Point) -> bool:
        """Whether a run with these parameters was recorded, of whichever program and model."""
        setting = point.setting
        return any(
            (record.latency_ns, record.bandwidth_gbps, record.bandwidth_mode, record.jitter, record.jitter_seed, record.coroutines, record.dataset)
            == (
                setting.latency_ns,
                setting.bandwidth_gbps,
                setting.bandwidth_mode,
                setting.jitter.name,
                setting.jitter.seed,
                point.tasks,
                point.benchmark.scale(point.scale),
            )
            for record in self.relatives(point)
        )

    def seconds(self, point: Point) -> float:
        """Of the run of the same scale, if there is one, with the nearest latency: in proportion to its operations and, where the core itself waits,
        to the latency."""
        wanted, macros = point.setting.latency_ns, point.benchmark.scale(point.scale)
        seconds, latency = UNKNOWN_SECONDS, UNKNOWN_LATENCY_NS
        if relatives := self.relatives(point):
            like = min(relatives, key=lambda record: (record.scale != point.scale, abs(record.latency_ns - wanted)))
            seconds, latency = like.host_wall_seconds * operations(macros) / operations(like.dataset), like.latency_ns
        return seconds if point.variant.needs_amu else seconds * (wanted + NEAR_NS) / (latency + NEAR_NS)
