# SPDX-License-Identifier: Apache-2.0
"""Wall times on the x86 machine itself: the best number of coroutines of each variant, then interleaved repetitions.

Every candidate runs once; the fastest number of coroutines of each variant is then
repeated, variant after variant, so that a slow phase of the machine meets all of them. Each run is
pinned to one CPU, and the fastest repetition counts: other programs, and other guests of the host, can only add time.
Samples are kept in the records, so an interrupted experiment goes on.
"""

import os
import time

from nhg import benchmark, paths, variants
from nhg.build import Program
from nhg.counts import Counts, count
from nhg.errors import NhgError
from nhg.experiment import Experiment, Result, stored, variant_of
from nhg.measure import Setting
from nhg.point import Point
from nhg.record import Record, file_name, write_json
from nhg.run import key_of, prepare, run
from nhg.variants import BASELINE

SETTING = Setting(latency_ns=0, bandwidth_gbps=None)


class Candidate:
    """A program and the record of its samples so far."""

    def __init__(self, point: Point) -> None:
        self.point = point
        self.program: Program = prepare(point)
        self.record: Record | None = stored(key_of(point, self.program))
        if self.record:  # Records made before the fastest repetition counted hold the median.
            self.record = self.record.model_copy(update={"wall_ns": min(self.samples)})

    @property
    def samples(self) -> list[int]:
        return self.record.wall_ns_samples if self.record else []

    @property
    def label(self) -> str:
        return f"{self.point.name}, {self.point.tasks} coroutines"

    def sample(self) -> None:
        """Run once more and keep the record with all samples."""
        fresh = run(self.point, self.program, Counts(None, None))
        samples = [*self.samples, fresh.wall_ns]
        self.keep(fresh, wall_ns_samples=samples, wall_ns=min(samples))

    def add_counts(self) -> None:
        counted = count(self.point)
        self.keep(self.record, switches=counted.switches, context_ops=counted.context_ops)

    def keep(self, record: Record, **changes: object) -> None:
        self.record = record.model_copy(update=changes)
        write_json(paths.RESULTS / file_name(self.record), self.record.model_dump(mode="json"))


def candidates(plan: Experiment, chosen: benchmark.Benchmark, name: str) -> list[Candidate]:
    """One for each number of coroutines; serial code has none to choose."""
    assert isinstance(plan.coroutines, list)
    numbers = plan.coroutines[:1] if name == BASELINE else plan.coroutines
    return [Candidate(Point(chosen, variant_of(plan, chosen, name), "x86", SETTING, plan.scale, number)) for number in numbers]


def measure_benchmark(plan: Experiment, bench: str) -> list[Result]:
    """Choose the numbers of coroutines of one benchmark and repeat the best ones in turn."""
    chosen = benchmark.load(bench)
    names = [name for name in plan.variants if name in plan.flags or name in variants.valid(chosen, "x86")]
    best: dict[str, Candidate] = {}
    for name in names:
        tried = candidates(plan, chosen, name)
        for candidate in tried:
            if not candidate.samples:
                candidate.sample()
                print(f"{candidate.label}: {candidate.record.wall_ns / 1e6:.1f} ms", flush=True)
        best[name] = min(tried, key=lambda candidate: candidate.samples[0])
    for repetition in range(1, plan.repetitions + 1):
        for candidate in best.values():
            if len(candidate.samples) < repetition:
                candidate.sample()
                print(f"{candidate.label}: repetition {repetition} of {plan.repetitions}, {candidate.samples[-1] / 1e6:.1f} ms", flush=True)
    for candidate in best.values():
        if candidate.record.switches is None:
            candidate.add_counts()
    return [Result(bench, name, 0, candidate.record) for name, candidate in best.items()]


def measure_all(plan: Experiment) -> list[Result]:
    """Measure every benchmark; one that fails is reported and does not stop the others."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    results: list[Result] = []
    began = time.monotonic()
    for number, bench in enumerate(plan.benchmarks):
        left = f", about {(time.monotonic() - began) / number * (len(plan.benchmarks) - number) / 60:.0f} min left" if number else ""
        print(f"[{number + 1}/{len(plan.benchmarks)}] {bench}{left}", flush=True)
        try:
            results += measure_benchmark(plan, bench)
        except NhgError as error:
            print(error, flush=True)
            results += [Result(bench, name, 0, None, str(error)) for name in plan.variants]
    return results
