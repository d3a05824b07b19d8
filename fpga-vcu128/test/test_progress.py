# SPDX-License-Identifier: Apache-2.0
"""Step k of n, elapsed, and the estimate from the last run."""

import json
import re

import bitstream
from progress import STEPS, Progress

from conftest import FPGA


class Clock:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def follow(file, clock, seconds: dict[str, float]) -> list[str]:
    progress, lines = Progress(file, clock), []
    for step, spent in seconds.items():
        lines.append(progress.begin(step))
        clock.seconds += spent
    progress.end()
    return lines


def test_the_steps_are_those_of_the_flow():
    text = (FPGA / "scripts" / "build.tcl").read_text()
    assert re.search(r"variable steps \{(.*?)\}", text).group(1).split() == list(STEPS)


def test_time_left_is_what_the_last_run_took(tmp_path):
    file, clock = tmp_path / "times.json", Clock()
    seconds = dict(zip(STEPS, (10, 600, 7200, 1200, 5400, 6000, 300), strict=True))
    first = follow(file, clock, seconds)
    assert first[2] == "build: step 3 of 7, synth: 0 s, 10 min in all"
    progress = Progress(file, clock)
    assert progress.begin("place") == "build: step 5 of 7, place: 0 s, 0 s in all; 3.2 h left if it goes as the last time"
    clock.seconds += 1800
    assert progress.line() == "build: step 5 of 7, place: 30 min, 30 min in all; 2.8 h left if it goes as the last time"
    clock.seconds += 9000
    assert progress.line().endswith("place: 3.0 h, 3.0 h in all; 105 min left if it goes as the last time")


def test_a_step_that_did_not_end_is_not_kept(tmp_path):
    file, clock = tmp_path / "times.json", Clock()
    progress = Progress(file, clock)
    progress.begin("environment")
    clock.seconds += 5
    progress.begin("ip")
    assert file.read_text().split() == ["{", '"environment":', "5.0", "}"]


def test_steps_are_followed_as_they_come(tmp_path, monkeypatch, capsys):
    """Also within a step, and not only when Vivado has ended."""
    slow = tmp_path / "vivado"
    slow.write_text("#!/bin/sh\necho 'build: step 1 of 7, environment'\nsleep 1\necho 'build: step 2 of 7, ip'\n")
    slow.chmod(0o755)
    monkeypatch.setattr(bitstream, "REPORT_SECONDS", 0.4)
    assert bitstream.run(str(slow), tmp_path, [], Progress(tmp_path / "times.json")) == 0
    times = json.loads((tmp_path / "times.json").read_text())
    assert times["environment"] >= 0.9 and times["ip"] < 0.9
    assert sum(", environment: " in line for line in capsys.readouterr().out.splitlines()) >= 2


def test_a_file_of_other_content_is_no_obstacle(tmp_path):
    file = tmp_path / "times.json"
    for content in ("", "[]", '{"ip": "soon"}'):
        file.write_text(content)
        assert "left" not in Progress(file).begin("ip")
