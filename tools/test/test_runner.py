# SPDX-License-Identifier: Apache-2.0
"""The test runner counts what suites report and never calls a silent suite a success."""

import importlib.util
import json
import re
import subprocess
import threading
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


def test_the_last_lines_name_what_failed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(runner, "OUT", tmp_path)
    monkeypatch.setattr(runner, "ROOT", tmp_path)
    outputs = {
        "pytest": "FAILED a/test_b.py::test_c - KeyError\n1 failed, 2 passed in 1s",
        "scalatest": "\x1b[31m- should hold *** FAILED ***\x1b[0m",
        "make": "make: *** [Makefile:3: all] Error 1",
        "style": "lines         FAILED, see above: shorten them",
        "good": "1 passed in 1s",
    }
    suites = {name: {"about": "x", "counts": "one", "minutes": 1, "command": f"echo '{text}'; test {name} = good"} for name, text in outputs.items()}
    suites["many"] = {**suites["good"], "command": "for i in $(seq 13); do echo FAIL: $i; done; false"}
    monkeypatch.setattr(runner.tomllib, "load", lambda _stream: suites)
    assert runner.main(["--jobs", "1"]) == 1
    end = capsys.readouterr().out.rpartition(" of CPU\n")[2].splitlines()
    assert end[:2] == ["pytest: failed", "  FAILED a/test_b.py::test_c - KeyError"]
    assert end[2:6] == ["scalatest: failed", "  - should hold *** FAILED ***", "make: failed", "  make: *** [Makefile:3: all] Error 1"]
    assert end[6:8] == ["style: failed", "  lines         FAILED, see above: shorten them"]
    assert end[8:10] == ["many: failed", "  FAIL: 1"]
    assert end[-2] == "  and 3 more"
    assert end[-1].startswith("total: 1 passed, 5 failed")


def test_what_a_failed_test_of_lit_said_is_among_the_last_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "OUT", tmp_path)
    stars = "*" * 20
    said = "\n".join(f"line {number}" for number in range(40))
    (tmp_path / "x.log").write_text(
        f"PASS: x :: b (1 of 2)\nFAIL: x :: a (2 of 2)\n{stars} TEST 'x :: a' FAILED {stars}\n{said}\n\n{stars}\nFailed Tests (1):\n"
    )
    named = runner.named_failures("x").splitlines()
    assert named[:3] == ["  FAIL: x :: a (2 of 2)", "  x :: a:", "    line 15"]
    assert named[-1] == "    line 39" and len(named) == 2 + runner.QUOTED_LINES


class Together:
    """Stands in for run_suite: a suite ends when `expected` of them have run at once and a moment has shown no further one, or after ten seconds."""

    def __init__(self, expected):
        self.expected, self.running, self.seen = expected, set(), []
        self.changed = threading.Condition()

    def __call__(self, name, _suite):
        with self.changed:
            self.running.add(name)
            self.seen.append(frozenset(self.running))
            self.changed.notify_all()
            self.changed.wait_for(lambda: any(len(seen) == self.expected for seen in self.seen), timeout=10)
            self.changed.wait_for(lambda: len(self.running) > self.expected, timeout=0.05)
            self.running.discard(name)
        return 1, int(name == "b")


def test_suites_run_side_by_side_but_not_with_what_they_exclude():
    suites = {"a": {"holds": ["mill"]}, "b": {"holds": ["mill"]}, "c": {}, "d": {}}
    run = Together(2)
    assert runner.run_all(suites, 2, run) == {"a": (1, 0), "b": (1, 1), "c": (1, 0), "d": (1, 0)}
    assert {"a", "c"} in run.seen
    assert max(map(len, run.seen)) == 2 and not any({"a", "b"} <= seen for seen in run.seen)
    run = Together(1)
    assert runner.run_all(suites, 1, run)["b"] == (1, 1)
    assert max(map(len, run.seen)) == 1


def test_a_suite_that_mostly_waits_runs_beside_as_many_as_others_do():
    run = Together(2)
    assert runner.run_all({"a": {}, "b": {"waits": True}, "c": {}}, 1, run) == dict.fromkeys("ac", (1, 0)) | {"b": (1, 1)}
    assert {"a", "b"} in run.seen and not any({"a", "c"} <= seen for seen in run.seen)


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
    monkeypatch.setattr(runner, "run_all", lambda suites, _jobs, _run: ran.extend(suites) or {})
    assert runner.main(["golden", "delayer"]) == 1
    assert ran == ["delayer"]
    assert (tmp_path / "totals").read_text() == "0 passed, 1 failed\n"


def test_a_campaign_of_all_suites_leaves_its_last_result(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "OUT", tmp_path)
    monkeypatch.setattr(runner, "ROOT", tmp_path)
    monkeypatch.setenv("NHG_TEST_LENGTH", "1")  # put back at the end
    (tmp_path / "lab").mkdir()
    suite = {"about": "x", "counts": "pytest", "minutes": 1, "command": 'echo "$NHG_TEST_LENGTH passed in 1s"'}
    monkeypatch.setattr(runner.tomllib, "load", lambda _stream: {"a": suite, "b": suite})
    assert runner.main(["--length", "3", "a"]) == 0 and runner.main([]) == 0
    assert not list((tmp_path / "lab").iterdir())
    for _ in range(2):
        assert runner.main(["--length", "3"]) == 0
    campaigns = json.loads((tmp_path / "lab/campaigns.json").read_text())
    assert {name: campaign["result"] for name, campaign in campaigns.items()} == {"make test LENGTH=3": "6 passed, 0 failed"}


def test_unknown_suite_is_one_line():
    done = subprocess.run(["python3", Path(__file__).parent, "nothing"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
