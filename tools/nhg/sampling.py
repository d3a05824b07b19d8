# SPDX-License-Identifier: Apache-2.0
"""Samples of a benchmark: several regions, whose spread shows what one says of the whole run (docs/design/method.md).

Each sample has the operations of the scale's region. Where operations can begin anywhere (`sampling` in bench.toml) the whole run (`whole_run`) is cut into
as many equal parts, and each sample begins at a place drawn within its part; elsewhere each is the region. Code and data of each lie at other addresses
(BENCH_PLACEMENT). Each is a program of its own that begins at the operation BENCH_FIRST: set-up on the golden model, checkpoint there, warm-up on the target,
measured operations, verification. The samples' counters are added up; from their cycles an operation comes the confidence interval of the mean.
"""

import random
import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from nhg import platform, result
from nhg.benchmark import FIRST, OPERATIONS, PLACEMENT, WARMUP
from nhg.build import Program
from nhg.errors import NhgError
from nhg.measure import Measurement
from nhg.point import Point
from nhg.record import Sample
from nhg.result import Snapshots

TARGETS = ("sim", "fpga")  # which count cycles
# Student's t, 95 % two-sided, by degrees of freedom from 1; from there on the last one, which is a little more than right.
STUDENT = (
    (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086)
    + (2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)
)  # fmt: skip


def check(point: Point) -> None:
    """Raise unless the point can be sampled."""
    chosen, asked = point.benchmark, f"SAMPLES={point.samples}"
    if point.target not in TARGETS:
        raise NhgError(f"{asked}: TARGET={point.target} measures no cycles; give one of {' '.join(TARGETS)}")
    if not chosen.sampling:
        return
    if point.scale not in chosen.whole_run:
        raise NhgError(f"{asked}: {chosen.directory}/bench.toml does not say what the whole run is (whole_run.{point.scale}); leave SAMPLES out")
    macros = chosen.scale(point.scale)
    whole, length = chosen.whole_run[point.scale][OPERATIONS], macros[OPERATIONS]
    if length > whole // point.samples or macros[WARMUP] + length > whole:
        raise NhgError(
            f"{asked}: {point.samples} times {length:,} operations, or a warm-up of {macros[WARMUP]:,}, are more than the whole run has, {whole:,}; give less"
        )


def places(whole: int, samples: int, length: int, warmup: int) -> list[int]:
    """The first measured operation of each sample: drawn within its part of the run, always the same, whatever the warm-up before it, for which only
    the beginning of the run may have no room."""
    draw = random.Random(samples)
    return [max(draw.randint(whole * part // samples, whole * (part + 1) // samples - length), warmup) for part in range(samples)]


def points(point: Point) -> list[Point]:
    """The samples of a point, each a point of its own."""
    check(point)
    scales: list[dict[str, int]] = [{}] * point.samples
    if point.benchmark.sampling:
        whole, warmup = point.benchmark.whole_run[point.scale][OPERATIONS], point.dataset[WARMUP]
        scales = [{FIRST: first - warmup} for first in places(whole, point.samples, point.dataset[OPERATIONS], warmup)]
    found = []
    for placement, own in enumerate(scales):
        scale = {**point.dataset, **own, PLACEMENT: placement}
        found.append(replace(point, benchmark=point.benchmark.model_copy(update={"scales": {point.scale: scale}}), samples=1))
    return found


def interval(values: list[float]) -> tuple[float, float]:
    """Of the mean of so many samples, 95 %. That their places are drawn one in each part makes it rather too wide."""
    half = STUDENT[min(len(values) - 1, len(STUDENT)) - 1] * statistics.stdev(values) / len(values) ** 0.5
    return statistics.mean(values) - half, statistics.mean(values) + half


def added(runs: Sequence[Snapshots]) -> Snapshots:
    """One run that counted what these counted in their regions."""
    names, first = runs[0].counters, runs[0]
    extremes = {f"{result.FAR_PREFIX}{name}" for name in result.extremes()}
    regions = [result.counted(run) for run in runs]
    end = [(min if name.endswith("_min") else max if name in extremes else sum)(region[name] for region in regions) for name in names]
    operations = platform.metric("operations")
    metrics = [sum(run.metrics[operations] for run in runs) if number == operations else metric for number, metric in enumerate(first.metrics)]
    busiest = max(runs, key=lambda run: result.ratio(run.peak_integral, run.peak_busy))
    return replace(
        first,
        begin=[0] * len(names),
        end=end,
        now=[sum(column) for column in zip(*(run.now for run in runs), strict=True)],
        peak_integral=busiest.peak_integral,
        peak_busy=busiest.peak_busy,
        metrics=metrics,
        host_seconds=sum(run.host_seconds for run in runs),
        cycles_by_pc=[],
    )


def sample_of(point: Point, program: Program, cycles: int) -> Sample:
    macros = point.benchmark.scale(point.scale)
    return Sample(first=macros.get(FIRST, 0) + macros[WARMUP], operations=macros[OPERATIONS], cycles=cycles, program_sha256=program.sha256)


def together(name: str, points: Sequence[Point], programs: Sequence[Program], runs: Sequence[Measurement]) -> Measurement:
    """The measurement of a sampled run."""
    whole = added([run.snapshots for run in runs if run.snapshots])
    samples = [sample_of(point, program, run.fields["cycles"]) for point, program, run in zip(points, programs, runs, strict=True)]
    stalls: dict[str, Counter[str]] = defaultdict(Counter)
    far_waits: Counter[str] = Counter()
    for run in runs:
        for part, cycles in run.fields.get("stalls", {}).items():
            stalls[part].update(cycles)
        far_waits.update(run.fields.get("far_waits", {}))
    fields = {
        **result.record_fields(name, result.compute(whole)),
        "work_instret": sum(run.fields["work_instret"] for run in runs),
        "samples": samples,
        "cycles_per_operation_interval": interval([sample.cycles / sample.operations for sample in samples]),
        "stalls": {part: dict(cycles) for part, cycles in stalls.items()},
        "far_waits": dict(far_waits.most_common()),
    }
    seconds = sum(run.host_wall_seconds for run in runs)
    return Measurement(whole.metrics, fields, seconds, runs[0].model_sha256, runs[0].tool_versions, whole)
