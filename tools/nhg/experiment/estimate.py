# SPDX-License-Identifier: Apache-2.0
"""How long a point will take on this machine: from the records of runs that are like it."""

from collections import defaultdict
from pathlib import Path

from nhg import paths
from nhg.benchmark import OPERATIONS
from nhg.build import design_of, plugin_flags
from nhg.experiment import sets
from nhg.point import Point
from nhg.record import Record, read

# Where nothing like it was ever run.
UNKNOWN_SECONDS = 60.0
UNKNOWN_LATENCY_NS = 400.0
# What a far access takes beside the set latency, ns: runs that wait take this much more than in proportion to it.
NEAR_NS = 50.0


def options_of(record: Record) -> list[str]:
    """The options that its compiler was given."""
    return [flag for flag in record.compiler_flags.split() if flag.startswith("-fplugin-arg-")]


def at_other_scale(record: Record, macros: dict[str, int]) -> float:
    """Seconds of the region with so many operations; what a run takes beside its region does not grow with them."""
    seconds = record.cycles / 1000 / record.simulated_khz if record.cycles and record.simulated_khz else record.host_wall_seconds
    return seconds * macros[OPERATIONS] / record.operations


def models() -> set[str]:
    """What is built here and gives captured results again."""
    return {design_of(model) for model in (paths.SIMULATOR, paths.ISS) if model.with_name(paths.DESIGN).exists()}


class Estimate:
    """Of all records in a folder, and of those in the captured sets."""

    def __init__(self, folder: Path) -> None:
        self.alike: dict[tuple, list[Record]] = defaultdict(list)
        here = [record for path in sorted(folder.glob("*.json")) if (record := read(path))]
        captured = [record for _, record in sets.in_folder(sets.CAPTURED)]
        self.usable = {record.key for record in here} | {key for key, record in sets.repeatable(sets.CAPTURED).items() if record.model_sha256 in models()}
        for record in [*here, *captured]:
            self.alike[record.bench, record.variant, record.target].append(record)

    def relatives(self, point: Point) -> list[Record]:
        """Runs of the same benchmark and variant there."""
        return self.alike[point.benchmark.name, point.variant.name, point.target]

    def has_record(self, point: Point) -> bool:
        """Whether a run with these parameters was recorded, of whichever program; if it is captured, of a model that is built here."""
        setting = point.setting
        return any(
            (
                record.latency_ns,
                record.bandwidth_gbps,
                record.bandwidth_mode,
                record.jitter,
                record.jitter_seed,
                record.coroutines,
                record.pages,
                record.caches,
                record.dataset,
                len(record.samples),
            )
            == (
                setting.latency_ns,
                setting.bandwidth_gbps,
                setting.bandwidth_mode,
                setting.jitter.name,
                setting.jitter.seed,
                point.tasks,
                point.pages,
                setting.caches,
                point.dataset,
                point.samples if point.samples > 1 else 0,
            )
            for record in self.relatives(point)
            if record.key in self.usable and record.core == paths.CONFIG and options_of(record) == plugin_flags(point.benchmark, point.variant)[1:]
        )

    def seconds(self, point: Point) -> float:
        """Of the run with the nearest latency at that scale, or at another scale in proportion to the operations; in proportion to the latency where
        the core itself waits."""
        wanted, macros = point.setting.latency_ns, point.dataset
        seconds, latency = UNKNOWN_SECONDS, UNKNOWN_LATENCY_NS
        if relatives := self.relatives(point):
            like = min(relatives, key=lambda record: (record.dataset != macros, abs(record.latency_ns - wanted)))
            same = like.dataset == macros
            seconds, latency = like.host_wall_seconds if same else at_other_scale(like, macros), like.latency_ns
        return seconds if point.variant.needs_amu else seconds * (wanted + NEAR_NS) / (latency + NEAR_NS)
