# SPDX-License-Identifier: Apache-2.0
"""What is measured of a plugin: workloads and kernels on RTL, by the content of their programs; the kinds of loop; kernels on x86."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ablation.mechanism import SOURCES, Mechanism

from nhg import benchmark, build, measure, paths, variants
from nhg.errors import NhgError
from nhg.measure import Setting
from nhg.point import Point

VARIANTS = ("static", "full")
OUTSIDE = SOURCES / "test/kernels/outside"
X86_KERNELS = SOURCES / "test/kernels/measure.py"
X86_SIZES = "262144,8388608"


@dataclass(frozen=True)
class Place:
    """A benchmark and scale in one variant."""

    bench: str
    scale: str
    variant: str

    @property
    def name(self) -> str:
        return Path(self.bench).name + self.scale.removeprefix("small")


def places() -> list[Place]:
    workloads = [(name, "small") for name in benchmark.available()]
    kernels = [(str(file.parent), scale) for file in sorted(OUTSIDE.glob("*/bench.toml")) for scale in ("small", "small_first")]
    return [Place(bench, scale, variant) for bench, scale in workloads + kernels for variant in VARIANTS]


class Results:
    """Cycles, or what went wrong, by what they follow from; written after each run, so that a run goes on where it stopped."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.known: dict[str, float | str] = json.loads(file.read_text()) if file.exists() else {}

    def note(self, key: str, value: float | str) -> float | str:
        self.known[key] = value
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(self.known, indent=0))
        new.replace(self.file)
        return value


@dataclass(frozen=True)
class Built:
    """A program of one place, by one plugin."""

    point: Point
    program: build.Program | None
    fault: str = ""

    @property
    def sha256(self) -> str:
        return self.program.sha256 if self.program else self.fault


def built(place: Place, plugin: Path, options: tuple[str, ...]) -> Built:
    variant = variants.VARIANTS[place.variant]
    point = Point(benchmark.load(place.bench), replace(variant, options=(*variant.options, *options)), "sim", Setting(0, None), place.scale)
    own, paths.PLUGIN = paths.PLUGIN, plugin
    try:
        return Built(point, build.build_program(point.benchmark, point.variant, point.scale, point.tasks, point.target))
    except NhgError as error:
        return Built(point, None, str(error))
    finally:
        paths.PLUGIN = own


def cycles(one: Built, latency_ns: int, results: Results) -> float | str:
    if one.program is None:
        return one.fault
    key = f"{one.sha256[:16]} {build.design_of(paths.SIMULATOR)[:16]} {latency_ns}"
    if key in results.known:
        return results.known[key]
    try:
        measured = measure.TARGETS["sim"](one.point.name, one.program, Setting(latency_ns, None))
    except NhgError as error:
        return results.note(key, str(error))
    return results.note(key, measured.fields["cycles"])


def kinds(plugin: Path, out: Path) -> list[str]:
    """The kinds of loop whose verdict or result is another one."""
    environment = {**os.environ, "FUZZ_PLUGIN": str(plugin), "PYTHONPATH": str(SOURCES)}
    said = subprocess.run(
        [sys.executable, "-m", "fuzz", "kinds", "--out", str(out / f"kinds-{plugin.stem}")], env=environment, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    if not said or not re.fullmatch(r"\d+ passed, \d+ failed", said[-1]):
        raise NhgError(f"kinds of loop with {plugin}: no result; run python -m fuzz kinds")
    return said[:-1]


def on_x86(mechanism: Mechanism, plugin: Path) -> Iterator[tuple[str, float]]:
    """Of each kernel and size the time with the mechanism over that without it."""
    off = "+".join([f"off=@{plugin}", *mechanism.options])
    command = [sys.executable, str(X86_KERNELS), "--sizes", X86_SIZES, "--rounds", "9", f"on=@{paths.PLUGIN}", off]
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[1:]:
        name, on_ratio, off_ratio = [cell.split()[0] if number else cell for number, cell in enumerate(line.strip("| ").split(" | "))]
        yield name, float(off_ratio) / float(on_ratio)
