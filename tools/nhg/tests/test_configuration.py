# SPDX-License-Identifier: Apache-2.0
"""CONFIG of make: the core that the simulator is built with."""

import re

import pytest

from nhg import build, paths
from nhg.build import check_configuration
from nhg.errors import NhgError


def test_names_are_those_of_the_core():
    source = (paths.ROOT / "xiangshan/src/main/scala/nhg/NhgParams.scala").read_text()
    listed = re.search(r"val configurations: .*?Seq\((.*?)\n  }", source, re.DOTALL)
    assert listed and tuple(re.findall(r'"([\w-]+)" ->', listed[1])) == paths.CONFIGURATIONS


@pytest.mark.parametrize("name", paths.CONFIGURATIONS)
def test_simulator_runs_with_every_one(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paths, "CONFIG", name)
    check_configuration("sim")


@pytest.mark.parametrize(
    ("name", "target", "said"), [("huge", "sim", "one of default large no-prefetcher no-l3 no-amu"), ("large", "iss", "CONFIG=large is for TARGET=sim")]
)
def test_others_are_refused(name: str, target: str, said: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paths, "CONFIG", name)
    with pytest.raises(NhgError, match=said):
        check_configuration(target)


def test_another_core_does_without_a_golden_model_of_its_own(monkeypatch: pytest.MonkeyPatch):
    """Every variant with an AMU has its switches counted on the golden model (counts.py)."""
    built: list[str] = []
    monkeypatch.setattr(paths, "CONFIG", "large")
    monkeypatch.setattr(build, "make", lambda arguments, what: built.extend(arguments))
    build.build_models.__wrapped__("iss", True)
    assert built[-3:] == ["runtime", "golden", "plugin"]
