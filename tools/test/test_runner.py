# SPDX-License-Identifier: Apache-2.0
"""The test runner counts what suites report and never calls a silent suite a success."""

import importlib.util
import re
import subprocess
import threading
import time
from pathlib import Path

import pytest

SPEC = importlib.util.spec_from_file_location("suite_runner", Path(__file__).with_name("__main__.py"))
runner = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(runner)


@pytest.mark.parametrize(
    ("kind", "output", "code", "expected"),
    [
        ("pytest", "3 passed in 1s\n2 failed, 4 passed, 1 error in 2s", 1, (7, 3)),
        ("pytest", "no tests ran", 5, (0, 1)),
        ("pytest", "3 passed in 0.5s", 1, (3, 1)),
        ("pytest", "\n320 passed, 0 failed", 0, (320, 0)),
        ("pytest", "E  lint: 7 errors, 9 failed\n1 failed, 237 passed, 2 skipped in 61.02s (0:01:01)", 1, (237, 1)),
        ("pytest", "==== 2 failed, 1 passed, 1 warning in 3s ====", 1, (1, 2)),
        ("lit", "  Passed: 12 (92%)\n  Failed:  1 (8%)", 1, (12, 1)),
        ("scalatest", "\x1b[36mTests: succeeded 5, failed 2, canceled 0\x1b[0m", 1, (5, 2)),
        ("scalatest", "Suites: completed 1, aborted 1\nTests: succeeded 5, failed 0", 1, (5, 1)),
        ("scalatest", "", 0, (0, 1)),
        ("one", "", 0, (1, 0)),
        ("one", "", 2, (0, 1)),
    ],
)
def test_counts(kind, output, code, expected):
    assert runner.count(kind, output, code) == expected


def test_failing_suite_fails_the_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(runner, "OUT", tmp_path)
    monkeypatch.setattr(runner, "ROOT", tmp_path)
    suite = {"about": "x", "counts": "one", "minutes": 1}
    assert runner.run_suite("good", {**suite, "command": "true"}) == (1, 0)
    assert runner.run_suite("bad", {**suite, "command": "echo reason; false"}) == (0, 1)
    assert "reason" in capsys.readouterr().out


def test_suites_run_side_by_side_but_not_with_what_they_exclude():
    running, beside, lock = set(), set(), threading.Lock()

    def run(name, _suite):
        with lock:
            running.add(name)
            beside.update((name, other) for other in running - {name})
        time.sleep(0.05)
        with lock:
            running.discard(name)
        return 1, int(name == "b")

    suites = {"a": {"holds": ["mill"]}, "b": {"holds": ["mill"]}, "c": {}, "d": {}}
    assert runner.run_all(suites, 2, run) == (4, 1)
    assert ("c", "a") in beside
    assert not {("a", "b"), ("b", "a")} & beside
    beside.clear()
    assert runner.run_all(suites, 1, run) == (4, 1)
    assert not beside


def test_a_suite_that_mostly_waits_runs_beside_as_many_as_others_do():
    running, most, lock = set(), set(), threading.Lock()

    def run(name, _suite):
        nonlocal most
        with lock:
            running.add(name)
            most = max(most, set(running), key=len)
        time.sleep(0.05)
        with lock:
            running.discard(name)
        return 1, 0

    assert runner.run_all({"a": {}, "b": {"waits": True}, "c": {}}, 1, run) == (3, 0)
    assert len(most) == 2 and "b" in most


def test_the_line_of_a_suite_has_the_cpu_time_of_its_processes(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(runner, "OUT", tmp_path)
    monkeypatch.setattr(runner, "ROOT", tmp_path)
    loop = "python3 -c 'while __import__(\"time\").process_time() < 0.7: pass'"
    suite = {"about": "x", "counts": "one", "minutes": 1, "command": f"{loop} & {loop} & wait"}
    assert runner.run_suite("busy", suite) == (1, 0)
    assert re.search(r"1 passed, 0 failed, \d+ s, [12] s of CPU$", capsys.readouterr().out.strip())


def test_models_are_those_of_the_suites():
    assert runner.models_of([{"models": ["sim", "golden"]}, {"models": ["golden"]}, {}])["command"].endswith("models.mk golden sim")
    assert runner.models_of([{}]) is None


def test_suites_without_their_models_do_not_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(runner, "OUT", tmp_path)
    monkeypatch.setattr(runner, "ROOT", tmp_path)
    monkeypatch.setattr(runner, "models_of", lambda _suites: {"about": "x", "counts": "one", "minutes": 1, "command": "false"})
    ran = []
    monkeypatch.setattr(runner, "run_all", lambda suites, _jobs, _run: ran.extend(suites) or (0, 0))
    assert runner.main(["golden", "delayer"]) == 1
    assert ran == ["delayer"]
    assert (tmp_path / "totals").read_text() == "0 passed, 1 failed\n"


def test_unknown_suite_is_one_line():
    done = subprocess.run(["python3", Path(__file__).parent, "nothing"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
