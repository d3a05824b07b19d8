# SPDX-License-Identifier: Apache-2.0
"""Wall times on the x86 machine itself: every number of coroutines once, then repetitions, interleaved.

Every point of a benchmark runs once; where the fastest of several numbers of coroutines counts, only that one is then repeated, point after point,
so that a slow phase of the machine meets all of them. Each run is pinned to one CPU, and the fastest repetition counts: other programs, and other
guests of the host, can only add time. Samples are kept in the records, so an interrupted experiment goes on.
"""

import os
import time

from nhg.build import Program
from nhg.counts import Counts, count
from nhg.errors import NhgError
from nhg.experiment import sets
from nhg.experiment.execute import Result, failure_of, keep_failure, label, log_of, select, stored
from nhg.experiment.grid import Case, cases
from nhg.experiment.schema import Experiment
from nhg.point import Point
from nhg.programs import logged
from nhg.progress import duration
from nhg.record import Record, file_name, write_json
from nhg.run import key_of, prepare, run


class Candidate:
    """A point, its program and the record of its samples so far."""

    def __init__(self, point: Point) -> None:
        self.point = point
        self.program: Program = prepare(point)
        self.record: Record | None = stored(key_of(point, self.program))

    @property
    def samples(self) -> list[int]:
        return self.record.wall_ns_samples if self.record else []

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
        write_json(sets.records() / file_name(self.record), self.record.model_dump(mode="json"))


def first_sample(point: Point) -> Candidate | str:
    """The point's program and its first sample, or why it has none."""
    with logged(log_of(point)) as log:
        try:
            candidate = Candidate(point)
            if not candidate.samples:
                candidate.sample()
                print(f"{label(point)}: {candidate.record.wall_ns / 1e6:.1f} ms", flush=True)
        except NhgError as error:
            log.write(str(error))
            keep_failure(point, str(error))
            print(error, flush=True)
            return str(error)
    failure_of(point).unlink(missing_ok=True)
    return candidate


def repeated(group: list[Case], tried: dict[tuple, Candidate | str]) -> list[Candidate]:
    """What is worth repeating: of each case its points, or the fastest of them."""
    chosen: dict[tuple, Candidate] = {}
    for case in group:
        found = [candidate for point in case.points if isinstance(candidate := tried[point.identity], Candidate)]
        if case.chooses and found:
            found = [min(found, key=lambda candidate: candidate.samples[0])]
        chosen |= {candidate.point.identity: candidate for candidate in found}
    return list(chosen.values())


def measure_benchmark(group: list[Case], repetitions: int) -> dict[tuple, tuple[Record | None, str]]:
    """Every point of one benchmark."""
    points = {point.identity: point for case in group for point in case.points}
    tried = {identity: first_sample(point) for identity, point in points.items()}
    candidates = repeated(group, tried)
    for repetition in range(1, repetitions + 1):
        for candidate in candidates:
            if len(candidate.samples) < repetition:
                candidate.sample()
                print(f"{label(candidate.point)}: repetition {repetition} of {repetitions}, {candidate.samples[-1] / 1e6:.1f} ms", flush=True)
    for candidate in candidates:
        if candidate.record.switches is None:
            candidate.add_counts()
    return {identity: (None, candidate) if isinstance(candidate, str) else (candidate.record, "") for identity, candidate in tried.items()}


def measure_all(plan: Experiment) -> list[Result]:
    """Measure every benchmark; a point that fails is reported and does not stop the others."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    everything = cases(plan)
    benches = list(dict.fromkeys(str(case.values["benchmark"]) for case in everything))
    results: list[Result] = []
    began = time.monotonic()
    for number, bench in enumerate(benches):
        left = f", {duration((time.monotonic() - began) / number * (len(benches) - number))} left" if number else ""
        print(f"[{number + 1}/{len(benches)}] {bench}{left}", flush=True)
        group = [case for case in everything if case.values["benchmark"] == bench]
        outcomes = measure_benchmark(group, plan.repetitions)
        results += [Result(case, point, *outcomes[point.identity]) for case in group for point in case.points]
    return select(results)
