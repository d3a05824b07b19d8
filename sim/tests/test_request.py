# SPDX-License-Identifier: Apache-2.0
"""The request that docs/design/request.md follows: the page's command shows it, and it is committed, taken and stored when the page says."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import rtl
from programs import BUILD, OUT

from nhg import benchmark, measure, paths, variants
from nhg.measure import Setting
from nhg.platform import description
from nhg.point import Point
from nhg.run import prepare

PAGE = (paths.ROOT / "docs/design/request.md").read_text()
COMMIT = re.compile(r" *(\d+) pc=\w+ inst=(\w+)(?: \w+=(\w+))?")
LATENCY_CYCLES = 300
AMI = description()["ami"]


def is_ami(encoding: int, name: str) -> bool:
    return encoding & 0x7F == AMI["opcode"] and encoding >> 12 & 7 == AMI["instructions"][name]["funct3"]


def said(step: str) -> int:
    """The cycle of the page's step that begins so."""
    (cycle,) = re.findall(rf"^\| (\d+) \| {step}", PAGE, re.MULTILINE)
    return int(cycle)


def cycles_of(checkpoint: Path, folder: Path) -> dict[str, int]:
    """Of the region's first request, from the region's begin: the commits of its aload, of the bafin that takes it and of the next astore."""
    folder.mkdir(parents=True, exist_ok=True)
    log, result = folder / "commits.txt", folder / "result.json"
    options = ["--far-control", f"latency_cycles={LATENCY_CYCLES}", "--commit-log", log, "--result", result]
    done = subprocess.run([BUILD / "sim/nhg-sim", "--checkpoint", checkpoint, *options], capture_output=True, text=True)
    assert done.returncode == 0, rtl.report(done)
    run = json.loads(result.read_text())
    begin = run["begin"][run["counters"].index("cycles")]
    commits = [(int(cycle) - begin, int(encoding, 16), int(value or "0", 16)) for cycle, encoding, value in map_commits(log) if int(cycle) >= begin]
    requested = next(cycle for cycle, encoding, _ in commits if is_ami(encoding, "aload"))
    taken = next(cycle for cycle, encoding, value in commits if is_ami(encoding, "bafin") and value)
    stored = next(cycle for cycle, encoding, _ in commits if cycle > taken and is_ami(encoding, "astore"))
    return {"requested": requested, "taken": taken, "stored": stored}


def map_commits(log: Path) -> list[tuple[str, ...]]:
    return [match.groups() for match in map(COMMIT.match, log.read_text().splitlines()) if match]


@pytest.fixture(scope="module")
def cycles() -> dict[str, int]:
    point = Point(benchmark.load("gups"), variants.VARIANTS["full"], "sim", Setting(100, None), "tiny")
    return cycles_of(measure.on_golden(point.name, prepare(point), Setting.completion_seed)[2], OUT / "request")


def test_cycles_are_those_of_the_page(cycles: dict[str, int]):
    assert said("commits: the ID's group is open") == 0
    assert said("committed; the ID may be used again") == cycles["taken"] - cycles["requested"]
    assert said("the store of the statement") == cycles["stored"] - cycles["requested"]


def test_the_command_of_the_page_shows_the_request(cycles: dict[str, int]):
    (window,) = re.findall(r"^make run LAT=100 BENCH=gups VARIANT=full SCALE=tiny WATCH=(\d+:\d+) ", PAGE, re.MULTILINE)
    first, last = map(int, window.split(":"))
    assert first <= cycles["requested"] - 20 and cycles["stored"] + 50 <= last
    (shown,) = re.findall(r"cycle (\d+) of the region", PAGE)
    assert int(shown) == cycles["requested"]
