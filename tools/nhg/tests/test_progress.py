# SPDX-License-Identifier: Apache-2.0
"""Long work says what it does, how far it is and how long it still takes."""

import io
import json
import time
from types import SimpleNamespace

import pytest
from rich.console import Console

from nhg import build, paths, progress
from nhg.experiment.execute import Progress
from nhg.programs import execute

SECONDS = "echo 'nhg-sim: cycle 90, 25 instructions, 1.0 kHz' >&2; sleep 0.4"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "BUILD", tmp_path)
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.1)


@pytest.mark.parametrize(("seconds", "said"), [(0, "about 10 s"), (44, "about 40 s"), (100, "about 2 min"), (7100, "about 118 min"), (9000, "about 2.5 h")])
def test_what_is_left_is_never_nothing(seconds, said):
    assert progress.duration(seconds) == said


def test_without_a_terminal_a_step_that_takes_a_while_is_one_line(capsys, monkeypatch):
    with monkeypatch.context() as other:
        other.setattr(progress, "QUIET_SECONDS", 60.0)
        with progress.step("at once", 500.0):
            pass
    with progress.step("building", 500.0):
        time.sleep(0.3)
    with progress.step("building", 500.0):
        time.sleep(0.3)
    assert capsys.readouterr().out.splitlines() == ["building ... about 8 min", "building ... about 10 s"], "as the last time"
    assert json.loads((paths.BUILD / "steps.json").read_text()) == {"building": pytest.approx(0.3, abs=3)}


def test_a_step_that_fails_tells_nothing_of_its_length():
    with pytest.raises(ValueError, match="x"), progress.step("building"):
        time.sleep(0.2)
        raise ValueError("x")
    assert not (paths.BUILD / "steps.json").exists()


def test_a_terminal_shows_each_step_with_what_is_left(monkeypatch, capsys):
    terminal = SimpleNamespace(isatty=lambda: True, write=len, flush=lambda: None)
    seen = io.StringIO()
    shown = progress.Progress

    def bar(*columns, **options):
        return shown(*columns, **options, console=Console(file=seen, force_terminal=True, width=120))

    monkeypatch.setattr(progress, "Progress", bar)
    monkeypatch.setattr(progress.sys, "stdout", terminal)
    with progress.step("gups on RTL", instructions=100) as one:
        execute(["sh", "-c", SECONDS], what="x", show="nhg-sim: cycle")
        assert one.done == 0.25 and one.left() == "about 10 s left"
    assert "gups on RTL" in seen.getvalue() and "25%" in seen.getvalue() and progress.lines.shown is None
    step = progress.Step("x", 5.0, None)
    step.began -= 6
    assert step.left() == "longer than the last time"


def test_every_model_is_a_step(monkeypatch):
    said = []
    monkeypatch.setattr(build, "call", lambda command, what: said.append(what))
    build.build_models.__wrapped__("sim", True)
    assert said == ["building the runtime", "building the golden model", "building the simulator, once", "building the compiler plugin, once"]


def test_time_left_of_points_counts_those_that_run(monkeypatch):
    """A point that takes longer than its like is not said to have nothing left."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    one, other = (SimpleNamespace(identity=(name,)) for name in ("one", "other"))
    found = Progress(2, 2, {("one",): 10.0, ("other",): 10.0})
    found.begin(one)
    found.begin(other)
    now[0] = 4.0
    assert found.left() == 6
    monkeypatch.setattr("nhg.experiment.execute.label", lambda point: point.identity[0])
    now[0] = 10.0
    found.ended(one, "", 10.0)
    now[0] = 130.0
    assert found.left() == 130, "as long again"
