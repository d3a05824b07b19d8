# SPDX-License-Identifier: Apache-2.0
"""Benchmarks: a directory with `bench.toml`, below software/bench or anywhere.

bench.toml: name, description, remote (names of far data), floating_point (uses it), always_tasks (no plain loop is chosen at run time),
flags (of the compiler, behind -O2 and the macros, in every variant),
coroutines.{default,<variant>} (numbers of them), sources.{common,annotated,tuned,coroutine,amac,tasks}
(files), scales.<name> (macros), forms.<name> (macros of another form of the program: each scale is there as <scale>_<form>, too),
whole_run.<scale> (macros that make the measured
region the whole run, for regions.py and sampling.py), sampling (a run can begin at any
operation BENCH_FIRST, software/bench/common/bench.h).
"""

import hashlib
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from nhg import platform
from nhg.errors import NhgError
from nhg.paths import BENCHMARKS, SELFTEST

COMMON = "common"
OPERATIONS = "BENCH_OPERATIONS"
WARMUP = "BENCH_WARMUP_OPERATIONS"
FIRST = "BENCH_FIRST"
PLACEMENT = "BENCH_PLACEMENT"


class Sources(BaseModel):
    model_config = ConfigDict(extra="forbid")
    common: list[str] = Field(min_length=1)
    annotated: list[str] = []
    tuned: list[str] = []
    coroutine: list[str] = []
    amac: list[str] = []
    tasks: list[str] = []


class Benchmark(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")
    description: str
    remote: list[str] = []
    floating_point: bool = False
    always_tasks: bool = False
    sampling: bool = False
    flags: list[Annotated[str, Field(pattern=r"^-[\w=+./,:-]+$")]] = []
    coroutines: dict[str, Annotated[int, Field(ge=1, le=platform.description()["amu"]["max_id"])]]
    sources: Sources
    scales: dict[str, dict[str, Annotated[int, Field(ge=0)]]] = Field(min_length=1)
    forms: dict[str, dict[str, Annotated[int, Field(ge=0)]]] = {}
    whole_run: dict[str, dict[str, Annotated[int, Field(ge=0)]]] = {}
    directory: Path = Path()

    @property
    def build_name(self) -> str:
        """Folder name that differs between equal names in different places."""
        if self.directory.parent == BENCHMARKS:
            return self.name
        return f"{self.name}-{hashlib.sha256(str(self.directory).encode()).hexdigest()[:8]}"

    @field_validator("coroutines")
    @classmethod
    def has_default(cls, numbers: dict[str, int]) -> dict[str, int]:
        if "default" not in numbers:
            raise ValueError("default is missing")
        return numbers

    @model_validator(mode="after")
    def scales_in_each_form(self) -> Self:
        self.scales.update({f"{scale}_{form}": {**own, **more} for scale, own in self.scales.items() for form, more in self.forms.items()})
        return self

    def tasks(self, variant: str) -> int:
        """Number of coroutines of a variant when none is asked for."""
        return self.coroutines.get(variant, self.coroutines["default"])

    def scale(self, name: str) -> dict[str, int]:
        if name not in self.scales:
            raise NhgError(f"SCALE={name}: {self.name} has the scales {' '.join(self.scales)}")
        return self.scales[name]

    def longer(self, times: int) -> Self:
        """The same benchmark with regions of so many times the operations."""
        return self.changed(lambda macros: {OPERATIONS: times * macros[OPERATIONS]})

    def warmed(self, operations: int) -> Self:
        """The same benchmark with so many operations of warm-up."""
        return self.changed(lambda macros: {WARMUP: operations})

    def changed(self, change: Callable[[dict[str, int]], dict[str, int]]) -> Self:
        """The same benchmark with other macros in every scale."""
        return self.model_copy(update={"scales": {name: {**macros, **change(macros)} for name, macros in self.scales.items()}})


def available() -> list[str]:
    """Names of the benchmarks in the repository."""
    return sorted(path.parent.name for path in BENCHMARKS.glob("*/bench.toml"))


def load(bench: str) -> Benchmark:
    """Find BENCH, a name or a directory, and check its description."""
    directory = BENCHMARKS / bench if bench in available() else SELFTEST if bench == SELFTEST.name else Path(bench).expanduser()
    file = directory / "bench.toml"
    if not file.is_file():
        where = f"no {file}" if directory.is_dir() else "neither a benchmark nor a directory"
        raise NhgError(f"BENCH={bench}: {where}; give one of {' '.join(available())} or a directory with bench.toml")
    directory = directory.resolve()
    if " " in str(directory):
        raise NhgError(f"BENCH={bench}: the path {directory} has a space, which make cannot handle; move the directory")
    try:
        content = tomllib.loads(file.read_text())
        benchmark = Benchmark(**content, directory=directory)
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise NhgError(f"{file}: {error}; correct the file") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise NhgError(f"{file}: {place}: {first['msg']}; correct the file") from None
    sources = benchmark.sources
    for source in [*sources.common, *sources.annotated, *sources.tuned, *sources.coroutine, *sources.amac, *sources.tasks]:
        if not (directory / source).is_file():
            raise NhgError(f"{file}: the source {source} does not exist; correct the file")
    return benchmark
