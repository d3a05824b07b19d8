# SPDX-License-Identifier: Apache-2.0
"""Measures the points of experiments: what has no record yet, the longest first, several at a time, each with its log.

Records are found again by their content address (program, model, parameters), here and in the captured sets of the repository, so an interrupted
experiment goes on where it stopped, only what changed is run again, and a clone of the same sources runs nothing that is captured. A point that
fails stops no other: its reason and its log are kept in results/failed and results/logs, and it is tried again by the next call.
"""

import hashlib
import os
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from nhg import late, paths
from nhg.board.link import connected
from nhg.build import Program, sha256_of
from nhg.counts import Counts, count
from nhg.errors import Interrupted, NhgError
from nhg.experiment import one_set, sets
from nhg.experiment.estimate import Estimate
from nhg.experiment.grid import Case, cases
from nhg.experiment.schema import Experiment
from nhg.origin import git_state
from nhg.point import Point
from nhg.programs import children, logged
from nhg.progress import duration
from nhg.record import Record, file_name, read, write_json
from nhg.run import key_of, models_of, prepare, run
from nhg.variants import with_tasks

T = TypeVar("T")
SIDE_BY_SIDE = sets.REPEATABLE  # targets of which several runs do not disturb each other


@dataclass(frozen=True)
class Result:
    """A point of a case: its record, or why there is none. `chosen`: of several numbers of coroutines this one was the fastest."""

    case: Case
    point: Point
    record: Record | None
    reason: str = ""
    chosen: bool = True


def label(point: Point) -> str:
    setting = point.setting
    varied = "" if not setting.jitter.model else f", jitter {setting.jitter.name} seed {setting.jitter.seed}"
    limited = "" if setting.bandwidth_gbps is None else f", {setting.bandwidth_gbps:g} GB/s"
    sampled = f", {point.samples} samples" if point.samples > 1 else ""
    return f"{point.name} {point.target} {point.scale} {setting.latency_ns:g} ns{varied}{limited}{with_tasks(point.variant.name, point.tasks)}{sampled}"


def slug(point: Point) -> str:
    """A name for the files of a point that no other point has."""
    digest = hashlib.sha256(repr(point.identity).encode()).hexdigest()[:12]
    return f"{point.benchmark.name}-{point.variant.name}-{point.target}-{point.setting.latency_ns:g}ns-{digest}"


def log_of(point: Point) -> Path:
    return paths.RESULTS / "logs" / f"{slug(point)}.log"


def failure_of(point: Point) -> Path:
    return paths.RESULTS / "failed" / f"{slug(point)}.json"


def record_in(folder: Path, key: str) -> Record | None:
    found = (read(path) for path in folder.glob(f"*-{key[:12]}.json"))
    return next((record for record in found if record and record.key == key), None)


def stored(key: str) -> Record | None:
    """The verified record of these inputs, if there is one: of this machine, or captured where every machine gives the same. What is captured now is
    one set: a record of this machine is taken into it only where it was measured at the same sources."""
    record = record_in(sets.records(), key) or sets.repeatable(sets.CAPTURED).get(key)
    if not record and sets.capturing:
        record = record_in(paths.RESULTS, key)
        if not record or not one_set.takes(record):
            return None
        write_json(sets.records() / file_name(record), record.model_dump(mode="json"))
    return record


@dataclass
class Progress:
    """What is said after each point; points may end in several threads. `jobs`: how many at a time; None: as many as were at a time so far."""

    total: int
    jobs: int | None
    expected: dict[tuple, float]
    began: float = field(default_factory=time.monotonic)
    running: dict[tuple, float] = field(default_factory=dict)  # since when
    done: int = 0
    guessed: float = 0.0
    took: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.waiting = dict(self.expected)

    def begin(self, point: Point) -> None:
        with self.lock:
            self.running[point.identity] = time.monotonic()

    def left(self) -> float:
        """Seconds: of what waits its guess, corrected by how long others took; of what runs the rest of it, or as long again where it took longer."""
        now = time.monotonic()
        correction = self.took / self.guessed if self.guessed else 1.0
        at_once = self.jobs or max(self.took / (now - self.began), 0.01)
        rests = {identity: guess * correction for identity, guess in self.waiting.items()}
        for identity, since in self.running.items():
            rest = rests[identity] - (now - since)
            rests[identity] = rest if rest > 0 else now - since
        return max([sum(rests.values()) / at_once, *(rests[identity] for identity in self.running)])

    def ended(self, point: Point, reason: str, seconds: float | None) -> None:
        """One line; `seconds` is None for a point that had been measured before."""
        with self.lock:
            self.done += 1
            guess = self.waiting.pop(point.identity, 0.0)
            self.running.pop(point.identity, None)
            said = "already measured"
            if seconds is not None:
                self.guessed += guess
                self.took += seconds
                said = reason or f"verified in {seconds:.0f} s"
                if self.waiting:
                    said += f"; {duration(self.left())} left"
            print(f"[{self.done}/{self.total}] {label(point)}: {said}", flush=True)


# Programs are built by make, in folders that points share.
building = threading.Lock()


@dataclass(frozen=True)
class Prepared:
    """A point whose program is built: its content address, and its record or what its run needs beside the program.
    `models`: the files that will run it, with their hashes; a node of a cluster may see them late. `folder`: where its record goes."""

    point: Point
    program: Program
    key: str
    known: Record | None
    counted: Counts | None
    models: tuple[tuple[Path, str], ...] = ()
    folder: Path = field(default_factory=sets.records)


def prepared(point: Point) -> Prepared:
    with building:
        program = prepare(point)
        key = key_of(point, program)
        known = stored(key)
        if known:
            return Prepared(point, program, key, known, None)
        return Prepared(point, program, key, None, count(point), tuple((model, sha256_of(model)) for model in models_of(point.target)))


def carry_out(ready: Prepared) -> Record:
    """Run a prepared point; its record is there whole or not at all."""
    record = run(ready.point, ready.program, ready.counted)
    write_json(ready.folder / file_name(record), record.model_dump(mode="json"))
    return record


def measure(point: Point) -> tuple[Record, bool]:
    """The record of a point and whether it had to be run."""
    ready = prepared(point)
    return (ready.known, False) if ready.known else (carry_out(ready), True)


def keep_failure(point: Point, reason: str) -> None:
    commit, dirty = git_state()
    write_json(failure_of(point), {"point": label(point), "reason": reason, "log": str(log_of(point)), "git_commit": commit, "git_dirty": dirty})


def attempt(point: Point, work: Callable[[], T]) -> tuple[T | None, str]:
    """What work on a point gives, or the reason why it gave nothing, which is kept; the log says what was run."""
    found, reason = None, ""
    with logged(log_of(point)) as log:
        try:
            found = work()
        except Interrupted:
            raise  # nothing of it has failed
        except NhgError as error:
            reason = str(error)
        except Exception as error:
            reason = f"{point.name}: {type(error).__name__}: {str(error)[:200]} (an error of this program)"
            log.write(traceback.format_exc())
        log.write(reason or "verified")
    if reason:
        keep_failure(point, reason)
    else:
        failure_of(point).unlink(missing_ok=True)
    return found, reason


def measure_one(point: Point, progress: Progress) -> tuple[Record | None, str]:
    """Measure a point and say so; one that fails gives the reason."""
    began = time.monotonic()
    progress.begin(point)
    found, reason = attempt(point, lambda: measure(point))
    record, was_run = found or (None, True)
    progress.ended(point, reason, time.monotonic() - began if was_run else None)
    return record, reason


def wanted(plans: Iterable[Experiment]) -> list[Point]:
    """The points of several experiments, each once."""
    return list({point.identity: point for plan in plans for case in cases(plan) for point in case.points}.values())


Outcomes = dict[tuple, tuple[Record | None, str]]  # by the points' identities: a record, or why there is none


def measure_points(points: list[Point], jobs: int) -> Outcomes:
    """Measure points, the longest first, `jobs` at a time."""
    expected = Estimate(paths.RESULTS)
    ordered = sorted(points, key=expected.seconds, reverse=True)
    progress = Progress(len(ordered), jobs, {point.identity: expected.seconds(point) for point in ordered})
    with ThreadPoolExecutor(jobs) as pool:
        try:
            found = list(pool.map(lambda point: measure_one(point, progress), ordered))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            children.end()
            raise
    return {point.identity: outcome for point, outcome in zip(ordered, found, strict=True)}


def recall(points: list[Point]) -> Outcomes:
    """The records that points have, without running any: programs are built, since their content is what a record is found by."""
    found = {point.identity: stored(key_of(point, prepare(point))) for point in points}
    return {identity: (record, "" if record else "not measured yet") for identity, record in found.items()}


def select(results: list[Result]) -> list[Result]:
    """Of each case that has several numbers of coroutines the fastest is chosen; of equal ones the smaller number."""
    best: dict[str, Result] = {}
    for result in results:
        if result.case.chooses and result.record and result.record.time:
            other = best.get(result.case.name)
            if other is None or result.record.time < other.record.time:  # type: ignore[union-attr, operator]
                best[result.case.name] = result

    def is_chosen(result: Result) -> bool:
        return not result.case.chooses or best.get(result.case.name, result) is result

    return [Result(result.case, result.point, result.record, result.reason, is_chosen(result)) for result in results]


def jobs_of(points: list[Point], asked: int | None) -> int:
    """How many at a time: what is asked for, or two; a board and wall times have no room for two."""
    if any(point.target not in SIDE_BY_SIDE for point in points):
        return 1
    return asked or min(2, os.cpu_count() or 1)


def here(points: list[Point], jobs: int | None) -> Outcomes:
    """Measure points on this machine, or on its board."""
    if any(point.target == "fpga" for point in points):
        connected()  # without a board no point is worth a try
    return measure_points(points, jobs_of(points, jobs))


def measure_all(
    plans: list[Experiment], jobs: int | None = None, only_recall: bool = False, measure: Callable[[list[Point], int | None], Outcomes] = here
) -> dict[str, list[Result]]:
    """Every point of experiments on models or the board; one that fails is reported, named in the figure and does not stop the others.
    With `only_recall` what has no record stays without one."""
    points = wanted(plans)
    outcomes = recall(points) if only_recall else measure(points, jobs)
    return {plan.name: select([Result(case, point, *outcomes[point.identity]) for case in cases(plan) for point in case.points]) for plan in plans}


def dry_run(plans: list[Experiment], jobs: int | None = None) -> list[str]:
    """What would be measured, the longest first, and for about how long; nothing is built."""
    points = wanted(plans)
    expected = Estimate(paths.RESULTS)
    known = [point for point in points if expected.has_record(point)]
    fresh = sorted((point for point in points if not expected.has_record(point)), key=expected.seconds, reverse=True)
    lines = [f"{label(point)}: about {expected.seconds(point):.0f} s" for point in fresh]
    minutes = sum(map(expected.seconds, fresh)) / jobs_of(points, jobs) / 60
    return [
        *lines,
        f"{len(fresh)} of {len(points)} points to measure, about {minutes:.0f} min; {len(known)} have a record, "
        "used again if program and model are still the same",
    ]


def late_lines(results: list[Result]) -> list[str]:
    """One line per run that is shown and whose far memory did not keep the latency set."""
    return late.lines(result.record for result in results if result.chosen)


def missing_lines(results: list[Result]) -> list[str]:
    """One line per point without a record, with the reason."""
    return [f"{result.case.name} is missing: {result.reason or 'not measured'}" for result in results if result.record is None]
