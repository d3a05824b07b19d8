# SPDX-License-Identifier: Apache-2.0
"""The pragma alone does what marks do: each workload and each kernel of outside code without `__builtin_is_remote`, against itself with it."""

import re
import shutil
from pathlib import Path

import pytest

from nhg import benchmark, paths, variants
from nhg.benchmark import Benchmark
from nhg.build import Program
from nhg.measure import Setting
from nhg.point import Point
from nhg.run import prepare, run

OUTSIDE = sorted(path.parent.name for path in (paths.ROOT / "software/compiler/test/kernels/outside").glob("*/bench.toml"))
# On RTL lbm takes most of a minute.
BENCHMARKS = [pytest.param(name, marks=[pytest.mark.long_on_rtl] if name == "lbm" else []) for name in benchmark.available()]
MARK = re.compile(r"\n *__builtin_is_remote\([^;]*\);")
LEAST = 0.90  # of the speed with marks


def with_marks(name: str) -> Benchmark:
    return benchmark.load(str(paths.ROOT / "software/compiler/test/kernels/outside" / name) if name in OUTSIDE else name)


def without_marks(name: str, folder: Path) -> Benchmark:
    """A copy whose loops have the pragma and nothing else."""
    marked = with_marks(name)
    alone = folder / name
    shutil.copytree(marked.directory, alone)
    for header in marked.directory.parent.glob("*.h"):
        shutil.copy(header, folder)
    for source in marked.sources.annotated:
        text, number = MARK.subn("", (alone / source).read_text())
        assert number and "is_remote" not in text
        (alone / source).write_text(text)
    return benchmark.load(str(alone))


def prepared(chosen: Benchmark, target: str, latency_ns: int) -> tuple[Point, Program]:
    point = Point(chosen, variants.best(chosen, target), target, Setting(latency_ns, None), "tiny")
    return point, prepare(point)


@pytest.mark.parametrize("latency_ns", [pytest.param(100, marks=pytest.mark.long), 800])
@pytest.mark.parametrize("name", [*BENCHMARKS, *(pytest.param(name, marks=pytest.mark.long_on_rtl) for name in OUTSIDE)])
def test_pragma_alone(name: str, latency_ns: int, target: str, tmp_path: Path) -> None:
    """Its results are right everywhere; how fast it is, RTL says where it is not the same program."""
    alone, marked = prepared(without_marks(name, tmp_path), target, latency_ns), prepared(with_marks(name), target, latency_ns)
    assert not alone[1].loops_left_serial
    if target == "sim" and alone[1].sha256 != marked[1].sha256:
        assert LEAST * run(*alone).cycles <= run(*marked).cycles
    elif target != "sim" and latency_ns == 800:
        run(*alone)
