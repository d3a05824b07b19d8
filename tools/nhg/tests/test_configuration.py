# SPDX-License-Identifier: Apache-2.0
"""CONFIG of make: the core that the simulator is built with."""

import subprocess
import sys

import pytest

from nhg import benchmark, build, paths, platform
from nhg.build import check_configuration
from nhg.errors import NhgError
from nhg.measure import Setting
from nhg.point import Point
from nhg.run import prepare
from nhg.variants import VARIANTS


@pytest.mark.parametrize("name", platform.cores())
def test_make_builds_the_simulator_of_every_one(name: str, monkeypatch: pytest.MonkeyPatch):
    called: list[str] = []
    monkeypatch.setattr(paths, "CONFIG", name)
    monkeypatch.setattr(build, "call", lambda arguments, what: called.extend(arguments))
    build.build_models.__wrapped__("sim", False)
    assert f"CONFIG={name}" in called and "sim" in called


def test_only_the_simulator_has_other_cores(monkeypatch: pytest.MonkeyPatch):
    def refused(name: str, target: str) -> bool:
        monkeypatch.setattr(paths, "CONFIG", name)
        try:
            check_configuration(target)
        except NhgError:
            return True
        return False

    names, targets = ("huge", *platform.cores()), ("sim", "fpga", "iss", "x86")
    taken = {(name, target) for name in names for target in targets if not refused(name, target)}
    assert taken == {(name, "sim") for name in platform.cores()} | {(paths.DEFAULT_CORE, target) for target in targets}


@pytest.mark.parametrize(
    ("name", "target", "said"),
    [("huge", "sim", "one of default large no-prefetcher strong-prefetcher no-l3 no-amu tlb-large"), ("large", "iss", "CONFIG=large is for TARGET=sim")],
)
def test_others_are_refused(name: str, target: str, said: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paths, "CONFIG", name)
    with pytest.raises(NhgError, match=said):
        check_configuration(target)


@pytest.mark.parametrize("variant", ["full", "getfin", "tasks"])
def test_a_core_without_amu_runs_software(variant: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paths, "CONFIG", "no-amu")
    point = Point(benchmark.load("gups"), VARIANTS[variant], "sim", Setting(800, None), "tiny")
    with pytest.raises(NhgError, match=f"VARIANT={variant} needs the AMU, which CONFIG=no-amu lacks"):
        prepare(point)
    assert not any(VARIANTS[name].needs_amu for name in ("serial", "tuned", "coroutine", "amac", "static"))


def test_the_command_line_names_the_core():
    done = subprocess.run(
        [sys.executable, "-m", "nhg", "run", "CONFIG=huge", "SCALE=tiny"], capture_output=True, text=True, env={"PYTHONPATH": "tools"}, cwd=paths.ROOT
    )
    assert done.returncode and "CONFIG=huge is no configuration of the core" in done.stderr


def test_another_core_does_without_a_golden_model_of_its_own(monkeypatch: pytest.MonkeyPatch):
    """Every variant with an AMU has its switches counted on the golden model (counts.py)."""
    built: list[str] = []
    monkeypatch.setattr(paths, "CONFIG", "large")
    monkeypatch.setattr(build, "make", lambda arguments, *_: built.append(arguments[-1]))
    build.build_models.__wrapped__("iss", True)
    assert built == ["runtime", "golden", "plugin"]
