# SPDX-License-Identifier: Apache-2.0
"""Task switches and context operations of a program, counted apart from the measurement.

Counting changes the code, so a second program is built with the compiler's counters
and run once: on the golden model for RISC-V, natively for x86. Its counts depend on
neither latency nor bandwidth and are kept beside it, so that an experiment with many settings pays once.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from nhg import measure, platform, sampling
from nhg.build import Program, build_models, build_program
from nhg.point import Point
from nhg.record import write_json
from nhg.variants import WITHOUT_TASKS


@dataclass(frozen=True)
class Counts:
    """Over the region of interest; None: not counted. Hand-written variants count switches only."""

    switches: int | None
    context_ops: int | None


def total(numbers: Iterable[int | None]) -> int | None:
    known = list(numbers)
    return None if None in known else sum(known)  # type: ignore[arg-type]


def count(point: Point) -> Counts:
    """Build and run the counting program of a point unless that has been done."""
    if point.variant.name in WITHOUT_TASKS:
        return Counts(0, 0)
    if point.samples > 1:
        each = [count(one) for one in sampling.points(point)]
        return Counts(total(one.switches for one in each), total(one.context_ops for one in each))
    target = "x86" if point.target == "x86" else "iss"
    build_models(target, point.variant.needs_plugin)
    program = build_program(point.benchmark, point.variant, point.scale, point.tasks, "x86" if target == "x86" else "riscv", counting=True)
    metrics = kept_metrics(point, program, target)
    compiled = point.variant.scheduler is not None
    return Counts(metrics[platform.metric("switches")], metrics[platform.metric("context_ops")] if compiled else None)


def kept_metrics(point: Point, program: Program, target: str) -> list[int]:
    """The metrics the counting program reports, from its first run."""
    kept = program.file.with_name(f"counts-{program.sha256[:16]}-{point.setting.completion_seed}.json")
    if not kept.exists():
        measured = measure.TARGETS[target](f"{point.name}, counting", program, point.setting)
        write_json(kept, measured.metrics)
    return json.loads(kept.read_text())
