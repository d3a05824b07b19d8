# SPDX-License-Identifier: Apache-2.0
"""An experiment: a YAML file of benchmarks, variants and latencies, measured point by point.

`kind` says what comes out: a speedup figure and table, the breakdown of the cycles, a table of instruction counts, the
native table (native.py), or what the edges of the regions cost. `flags` names further variants by their compiler options.

Records are found again by their content address (program, model, parameters),
so an interrupted experiment goes on where it stopped and only what changed is run again.
"""

import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nhg import benchmark, paths, platform, variants
from nhg.board.link import connected
from nhg.counts import count
from nhg.errors import NhgError, children
from nhg.measure import Setting
from nhg.point import Point
from nhg.record import Record, read, write_json
from nhg.run import key_of, prepare, run


class CompilerFlags(BaseModel):
    """A variant that only this experiment has: options without the prefix -fplugin-arg-asyncmem-."""

    model_config = ConfigDict(extra="forbid")
    scheduler: Literal["static", "getfin", "bafin"]
    options: list[str] = []


class Experiment(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(pattern=r"^[A-Za-z0-9_-]+$")
    title: str
    kind: Literal["speedup", "breakdown", "instructions", "native", "edges"] = "speedup"
    target: str = "sim"
    scale: str = "small"
    benchmarks: list[str] = Field(min_length=1)
    variants: list[str] = Field(min_length=1)
    flags: dict[str, CompilerFlags] = {}
    latency_ns: list[float] = [0]
    bandwidth_gbps: float | None = None
    bandwidth_mode: Literal["shared", "per-direction"] = "shared"
    coroutines: int | list[int] | None = None
    repetitions: int = Field(1, ge=1)
    jobs: int = Field(1, ge=1, description="points measured at the same time; not for wall times")


@dataclass(frozen=True)
class Result:
    """A point of an experiment: its record, or why there is none."""

    bench: str
    variant: str
    latency_ns: float
    record: Record | None
    reason: str = ""


def load(path: Path) -> Experiment:
    """Read and check an experiment file."""
    try:
        plan = Experiment(**yaml.safe_load(path.read_text()))
    except OSError as error:
        raise NhgError(f"EXP={path}: {error.strerror}; give a YAML file of experiments/") from None
    except (yaml.YAMLError, TypeError) as error:
        raise NhgError(f"{path}: not a YAML mapping ({str(error).splitlines()[0]}); correct the file") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise NhgError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}; correct the file") from None
    variants.check_target(plan.target)
    if plan.jobs > 1 and plan.target not in ("sim", "iss"):
        raise NhgError(f"{path}: jobs: {plan.jobs} at a time needs target sim or iss, {plan.target} can do one; correct the file")
    if (plan.kind == "native") != isinstance(plan.coroutines, list) or (plan.kind == "native") != (plan.target == "x86"):
        raise NhgError(f"{path}: a list of coroutines to choose from belongs to kind native and target x86; correct the file")
    for latency in plan.latency_ns:
        platform.parse_latency_ns(str(latency))
    return plan


def variant_of(plan: Experiment, chosen: benchmark.Benchmark, name: str) -> variants.Variant:
    """One of the experiment's own variants, or a common one that the benchmark has."""
    own = plan.flags.get(name)
    if own is None:
        return variants.choose(chosen, name, plan.target)
    return variants.Variant(name, own.scheduler, variants.TARGETS, tuple(own.options))


def points(plan: Experiment, times: int = 1) -> list[Point]:
    """All points: benchmarks, then latencies, then variants; regions have so many times the scale's operations."""
    assert not isinstance(plan.coroutines, list), "several numbers are for native experiments, which choose among them"
    found = []
    for bench, latency, name in itertools.product(plan.benchmarks, plan.latency_ns, plan.variants):
        chosen = benchmark.load(bench).longer(times)
        setting = Setting(latency, plan.bandwidth_gbps, plan.bandwidth_mode)
        found.append(Point(chosen, variant_of(plan, chosen, name), plan.target, setting, plan.scale, plan.coroutines))
    return found


def stored(key: str) -> Record | None:
    """The verified record of these inputs, if there is one."""
    for path in paths.RESULTS.glob(f"*-{key[:12]}.json"):
        record = read(path)
        if record and record.key == key:
            return record
    return None


@dataclass
class Progress:
    """What is said after each point; points may end in several threads."""

    total: int
    jobs: int
    began: float = field(default_factory=time.monotonic)
    done: int = 0
    measured: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ended(self, label: str, reason: str, seconds: float | None) -> None:
        """One line; `seconds` is None for a point that had been measured before."""
        with self.lock:
            self.done += 1
            self.measured += seconds is not None
            said = "already measured"
            if seconds is not None:
                left = (self.total - self.done) * (time.monotonic() - self.began) / self.measured
                said = f"{reason or f'verified in {seconds:.0f} s'}; about {left / 60:.0f} min left"
            print(f"[{self.done}/{self.total}] {label}: {said}", flush=True)


# Programs are built by make, in folders that points share.
building = threading.Lock()


def measure(point: Point) -> tuple[Record, bool]:
    """The record of a point and whether it had to be run."""
    with building:
        program = prepare(point)
        known = stored(key_of(point, program))
        if known:
            return known, False
        counted = count(point)
    record = run(point, program, counted)
    write_json(
        paths.RESULTS / f"{point.benchmark.name}-{point.variant.name}-{record.target}-{point.setting.latency_ns:g}ns-{record.key[:12]}.json",
        record.model_dump(mode="json"),
    )
    return record, True


def measure_one(point: Point, progress: Progress) -> Result:
    """Measure a point and say so; one that fails gives a result with the reason."""
    began = time.monotonic()
    record, was_run, reason = None, True, ""
    try:
        record, was_run = measure(point)
    except NhgError as error:
        reason = str(error)
    progress.ended(f"{point.name} {point.setting.latency_ns:g} ns", reason, time.monotonic() - began if was_run else None)
    return Result(point.benchmark.name, point.variant.name, point.setting.latency_ns, record, reason)


def measure_all(plan: Experiment, times: int = 1) -> list[Result]:
    """Measure every point, `jobs` at a time; one that fails is reported, named in the figure and does not stop the others."""
    if plan.target == "fpga":
        connected()  # without a board no point is worth a try
    everything = points(plan, times)
    progress = Progress(len(everything), plan.jobs)
    if plan.jobs == 1:
        return [measure_one(point, progress) for point in everything]
    with ThreadPoolExecutor(plan.jobs) as pool:
        try:
            return list(pool.map(lambda point: measure_one(point, progress), everything))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            children.end()
            raise


def missing_lines(results: list[Result]) -> list[str]:
    """One line per point without a record, with the reason."""
    return [f"{r.bench}/{r.variant} at {r.latency_ns:g} ns is missing: {r.reason or 'not measured'}" for r in results if r.record is None]
