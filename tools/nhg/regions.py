# SPDX-License-Identifier: Apache-2.0
"""Does the measured region behave like the whole run? Profiles both, natively, and puts them side by side.

The serial program of a scale is built twice with software/bench/common/profile.c as its frame: as it is measured, and
with the macros of `whole_run` in bench.toml, which make every operation of the run one of the region.
"""

import json
from dataclasses import dataclass

import pandas as pd

from nhg import benchmark, paths, variants
from nhg.benchmark import Benchmark
from nhg.build import build_models, make, plugin_flags
from nhg.errors import NhgError
from nhg.figures import tables
from nhg.programs import call
from nhg.progress import step

COVERAGE = ["-fsanitize-coverage=trace-loads,trace-stores,trace-pc-guard", "-fno-vectorize", "-fno-slp-vectorize"]
COLUMNS = {"p10": "p10", "p50": "p50", "p90": "p90", "p99": "p99", "max": "max", "p50_by_access": "p50 by access"}
DIFFERENCE = "branch targets differ"


@dataclass(frozen=True)
class Profile:
    """Far accesses, and far misses of L2 and of L3, of a region, its branch targets, and how the accesses are distributed over operations."""

    operations: int
    accesses: int
    misses: int
    l3_misses: int
    targets: list[int]
    each: dict[str, int]


def profile(chosen: Benchmark, macros: dict[str, int], folder: str) -> Profile:
    """Build and run the profiling program for one set of macros."""
    serial = variants.VARIANTS[variants.BASELINE]
    out = paths.BUILD / "bench" / chosen.build_name / "profile" / folder
    out.mkdir(parents=True, exist_ok=True)
    frame = paths.BENCHMARKS / "common/profile.c"
    files = [frame, *(chosen.directory / name for name in variants.sources(chosen, serial))]
    defines = [f"-D{name}={value}" for name, value in sorted({**macros, "BENCH_COROUTINES": 1}.items())]
    (out / "program").unlink(missing_ok=True)
    for stale in out.glob("*.o"):
        stale.unlink()  # make does not see that macros have changed
    make(
        [
            "-f",
            str(paths.ROOT / "tools/nhg/program.mk"),
            f"ROOT={paths.ROOT}",
            "ARCH=x86",
            f"OUT={out}",
            f"BENCH_DIR={chosen.directory}",
            "SOURCES=" + " ".join(map(str, files)),
            "DEFINES=" + " ".join(defines),
            "PLUGIN_FLAGS=" + " ".join([*plugin_flags(chosen, serial), *COVERAGE]),
        ],
        f"compiling {chosen.name} for its profile",
    )
    total, each = (json.loads(call([out / "program", *mode], what=f"{chosen.name}: profiling")) for mode in ([], ["each"]))
    del each["operations"]
    return Profile(**total, each=each)


def difference(one: list[int], other: list[int]) -> float:
    """Half the sum of the differences of two frequency distributions: 0 for equal ones, 1 for disjoint ones."""
    return sum(abs(a / sum(one) - b / sum(other)) for a, b in zip(one, other, strict=True)) / 2


def row(found: Profile) -> dict[str, object]:
    return {
        "operations": f"{found.operations:,}",
        "far accesses": f"{found.accesses / found.operations:.2f}",
        **{title: f"{found.each[name]:,}" for name, title in COLUMNS.items()},
        "far misses": f"{found.misses / found.operations:.2f}",
        "of accesses": f"{found.misses / found.accesses:.1%}",
        "far misses of L3": f"{found.l3_misses / found.operations:.2f}",
    }


def profiles(chosen: Benchmark, scale: str) -> tuple[Profile, Profile]:
    """Of the region and of the whole run."""
    if scale not in chosen.whole_run:
        raise NhgError(f"{chosen.directory}/bench.toml: whole_run.{scale} is missing: say which macros make the region the whole run")
    build_models("x86", True)
    region = chosen.scale(scale)
    whole = {**region, "BENCH_WARMUP_OPERATIONS": 0, **chosen.whole_run[scale]}
    return profile(chosen, region, f"{scale}-region"), profile(chosen, whole, f"{scale}-whole")


def compare(names: list[str], scale: str) -> pd.DataFrame:
    """Two rows a benchmark: the whole run and the region of a scale."""
    rows = {}
    for number, name in enumerate(names, 1):
        chosen = benchmark.load(name)
        with step(f"[{number}/{len(names)}] {chosen.name}"):
            region, whole = profiles(chosen, scale)
        rows[f"{chosen.name}, whole"] = row(whole)
        rows[f"{chosen.name}, region"] = {**row(region), DIFFERENCE: f"{difference(whole.targets, region.targets):.1%}"}
    return pd.DataFrame.from_dict(rows, orient="index")


def profiled() -> list[str]:
    """The repository's benchmarks that say what their whole run is."""
    return [name for name in benchmark.available() if benchmark.load(name).whole_run]


def write(names: list[str], scale: str) -> str:
    """Write plots/regions-<scale>.md; return its text."""
    text = tables.markdown(compare(names, scale), "{}")
    paths.PLOTS.mkdir(parents=True, exist_ok=True)
    (paths.PLOTS / f"regions-{scale}.md").write_text(text + "\n")
    return text
