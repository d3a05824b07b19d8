# SPDX-License-Identifier: Apache-2.0
"""What an experiment file may say (experiments/README.md); load.py reads it and says where it is wrong."""

import difflib
import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, StrictInt, model_validator

from nhg import benchmark, jitter, platform, variants
from nhg.errors import NhgError
from nhg.experiment.quantities import QUANTITIES
from nhg.measure import CACHES

Kind = Literal["bars", "lines", "breakdown", "edges", "warmup"]
DEFAULT = "default"
MOST = "most"
UNLIMITED = "unlimited"


def nearest(given: object, legal: Iterable[str]) -> str:
    """Advice for a name that is none: the legal name that is most like it, and all of them."""
    names = list(legal)
    close = difflib.get_close_matches(str(given), names, n=1, cutoff=0.0) if names else []
    return f"the nearest legal value is {close[0]} (of {' '.join(names)})" if close else "there is no legal value"


def shown(value: object) -> str:
    """A value in a message."""
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else "nothing" if value is None else str(value)[:60]


def one_of(legal: Iterable[str], what: str) -> PlainValidator:
    names = list(legal)

    def check(value: Any) -> str:
        if value not in names:
            raise ValueError(f"{shown(value)} is no {what}; {nearest(shown(value), names)}")
        return str(value)

    return PlainValidator(check)


def between(least: float, most: float, unit: str) -> PlainValidator:
    """A number within a range; the nearest legal one is its nearer end."""

    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"{shown(value)} is no number; give {unit} from {least:g} to {most:g}")
        if not least <= value <= most:
            raise ValueError(f"{value:g} {unit} is out of range; the nearest legal value is {least if value < least else most:g}")
        return value

    return PlainValidator(check)


def check_bandwidth(value: Any) -> float | None:
    """GB/s; unlimited is None."""
    if value == UNLIMITED:
        return None
    least = platform.cycles_per_ns() / (1 << platform.FRACTION_BITS)
    return between(least, platform.bandwidth_gbps_max(), f"GB/s (or {UNLIMITED})").func(value)  # type: ignore[call-arg]


def check_jitter(value: Any) -> str:
    try:
        jitter.parse(shown(value))
    except NhgError as error:
        raise ValueError(str(error)) from None
    return str(value)


class Best(BaseModel):
    """Several numbers of coroutines, of which the fastest counts."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    best: tuple[StrictInt, ...] = Field(min_length=2)

    def __str__(self) -> str:
        return f"best of {' '.join(map(str, self.best))}"


def check_coroutines(value: Any) -> int | str | Best:
    """A number, `default` (the benchmark's own), `most` (as many as the AMU has IDs) or the best of several numbers."""
    number = between(1, platform.description()["amu"]["max_id"], "coroutines").func
    if value == DEFAULT:
        return DEFAULT
    if value == MOST:
        return int(platform.description()["amu"]["max_id"])
    if isinstance(value, dict):
        found = Best.model_validate(value)
        for each in found.best:
            number(each)  # type: ignore[call-arg]
        return found
    if isinstance(value, bool) or not isinstance(value, int):
        word = f"{nearest(value, [DEFAULT, MOST])}, or give" if isinstance(value, str) else "give"
        raise ValueError(f"{shown(value)} is no number of coroutines; {word} a whole number or {{best: [8, 16]}}")
    return int(number(value))  # type: ignore[call-arg]


def listed(value: Any) -> Any:
    """One value stands for a list of it."""
    if value == []:
        raise ValueError("the list is empty; give a value, or leave the axis out")
    return value if isinstance(value, list) else [value]


def known_benchmark(value: Any) -> str:
    names = benchmark.available()
    if value not in names and "/" not in shown(value):
        raise ValueError(f"{shown(value)} is no benchmark; {nearest(shown(value), names)}, or a directory")
    return shown(value)


class Axes(BaseModel):
    """Values of axes, in the order of AXES; one value may stand without its brackets."""

    model_config = ConfigDict(extra="forbid")
    benchmark: Annotated[list[Annotated[str, PlainValidator(known_benchmark)]], BeforeValidator(listed)] | None = Field(
        None, description="a benchmark, or a directory with one"
    )
    target: Annotated[list[Annotated[str, one_of(variants.TARGETS, "target")]], BeforeValidator(listed)] | None = Field(
        None, description=f"what runs the program: {' '.join(variants.TARGETS)}"
    )
    os: Annotated[list[Annotated[str, one_of((DEFAULT, *variants.SYSTEMS), "operating system")]], BeforeValidator(listed)] | None = Field(
        None, description=f"under the program: {' '.join(variants.SYSTEMS)}, or {DEFAULT}, the target's: bare on NH-G"
    )
    scale: Annotated[list[str], BeforeValidator(listed)] | None = Field(
        None, description="size of the data and of the region: tiny, small, paper, as the benchmark has them"
    )
    region_length: Annotated[list[Annotated[StrictInt, Field(ge=1)]], BeforeValidator(listed)] | None = Field(
        None, description="how many times the scale's operations the region has"
    )
    samples: Annotated[list[Annotated[StrictInt, Field(ge=1)]], BeforeValidator(listed)] | None = Field(
        None, description="so many regions, at other addresses each, with an error bar; 1: the scale's region"
    )
    warmup: Annotated[list[Annotated[StrictInt, Field(ge=0)]], BeforeValidator(listed)] | None = Field(
        None, description="operations before what is measured; default: the scale's"
    )
    caches: Annotated[list[Annotated[str, one_of(CACHES, "state of the caches")]], BeforeValidator(listed)] | None = Field(
        None, description="sim: what L3 holds where a run begins: cold (nothing) or warm (what the program's set-up leaves there)"
    )
    latency_ns: Annotated[list[Annotated[float, between(0, platform.latency_ns_max(), "ns")]], BeforeValidator(listed)] | None = Field(
        None, description=f"of far memory, 0 to {platform.latency_ns_max():,.0f} ns"
    )
    jitter: Annotated[list[Annotated[str, PlainValidator(check_jitter)]], BeforeValidator(listed)] | None = Field(
        None, description="distribution of the latency, as JITTER of make run"
    )
    bandwidth_gbps: Annotated[list[Annotated[Any, PlainValidator(check_bandwidth)]], BeforeValidator(listed)] | None = Field(
        None, description=f"of far memory, up to {platform.bandwidth_gbps_max():g} GB/s, or {UNLIMITED}"
    )
    bandwidth_mode: Annotated[list[Annotated[str, one_of(("shared", "per-direction"), "mode")]], BeforeValidator(listed)] | None = Field(
        None, description="what the bandwidth limits: shared (reads and writes together) or per-direction"
    )
    variant: Annotated[list[str], BeforeValidator(listed)] | None = Field(
        None, description="how the program is compiled: as VARIANT of make run, or a name under `variants`"
    )
    coroutines: Annotated[list[Annotated[Any, PlainValidator(check_coroutines)]], BeforeValidator(listed)] | None = Field(
        None, description=f"a number, {DEFAULT} (the benchmark's own), {MOST} (all IDs of the AMU) or {{best: [4, 8, 16]}}, the fastest of these"
    )

    @property
    def given(self) -> dict[str, list]:
        return {axis: values for axis in AXES if (values := getattr(self, axis)) is not None}


# What the outermost loop varies comes first.
AXES = tuple(Axes.model_fields)
Axis = Annotated[str, one_of(AXES, "axis")]


class Zip(Axes):
    """Axes whose values go in step, the first with the first."""

    @model_validator(mode="after")
    def equally_long(self) -> "Zip":
        lengths = {axis: len(values) for axis, values in self.given.items()}
        if len(lengths) < 2 or len(set(lengths.values())) != 1:
            said = ", ".join(f"{axis} has {length}" for axis, length in lengths.items()) or "none is given"
            raise ValueError(f"two or more axes of equal length go in step; {said}")
        return self


class Filter(Axes):
    """Points whose values are among those of every axis named here."""

    because: str = Field(min_length=1, description="said where points are left out")

    def takes(self, values: dict[str, object]) -> bool:
        return all(values[axis] in wanted for axis, wanted in self.given.items())


class CompilerFlags(BaseModel):
    """A variant that only this experiment has: options without the prefix -fplugin-arg-asyncmem-."""

    model_config = ConfigDict(extra="forbid")
    scheduler: Literal["static", "getfin", "bafin"] = Field(description="of the tasks")
    options: list[str] = Field([], description="of the compiler (reference/compiler-options.md)")


class Figure(BaseModel):
    """How the points are drawn: `quantities` over the axis `x`, a panel for each value of `panels`, a series for what else varies."""

    model_config = ConfigDict(extra="forbid")
    kind: Kind = Field(description="of figure")
    quantities: list[Annotated[str, one_of(QUANTITIES, "quantity")]] = Field(["speedup"], min_length=1, description="what is shown, one after the other")
    x: Axis = Field("benchmark", description="axis along which values stand")
    panels: Axis | None = Field(None, description="axis with a panel for each of its values")
    baseline: dict[Axis, Any] = Field({"variant": variants.BASELINE}, description="what ratios refer to; other axes are the point's own")
    hide_baseline: bool = Field(False, description="do not draw it")
    mean: bool = Field(True, description="geometric mean over the benchmarks")


class Experiment(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(pattern=r"^[A-Za-z0-9_-]+$", description="of the files")
    title: str = Field(description="of the figure")
    paper: int | None = Field(None, description="figure of the paper that this one stands beside")
    figure: Figure = Field(description="how the points are drawn")
    sweep: Axes = Field(description="every value with every other")
    zip: list[Zip] = Field([], description="groups of axes whose values go in step")
    keep: list[Filter] = Field([], description="only points that one of these takes")
    drop: list[Filter] = Field([], description="no point that one of these takes")
    variants: dict[str, CompilerFlags] = Field({}, description="variants that only this experiment has, by name; make run VARIANT=FILE.yaml:NAME runs one")
    repetitions: StrictInt = Field(1, ge=1, description="x86: wall times, the fastest counts; with jitter: seeds")

    def values(self, axis: str) -> list:
        """All values of an axis in the order of the file."""
        for axes in (self.sweep, *self.zip):
            if axis in axes.given:
                return list(dict.fromkeys(axes.given[axis]))
        return [DEFAULTS[axis]]


DEFAULTS: dict[str, Any] = {
    "target": "sim",
    "os": DEFAULT,
    "scale": "small",
    "region_length": 1,
    "samples": 1,
    "warmup": None,
    "caches": CACHES[0],
    "latency_ns": 0,
    "jitter": "constant",
    "bandwidth_gbps": None,
    "bandwidth_mode": "shared",
    "coroutines": DEFAULT,
}
