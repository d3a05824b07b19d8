# SPDX-License-Identifier: Apache-2.0
"""The pipeline log of the core: against the commit log of the same run, which is that of the simulator without it to the cycle.

Needs build/sim/nhg-sim-trace beside build/sim/nhg-sim.
"""

import json
import re
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import rtl
from programs import BUILD, OUT, TESTS, assemble

from nhg import benchmark, measure, platform, variants
from nhg.measure import Setting
from nhg.point import Point
from nhg.run import prepare

sys.path.append(str(TESTS.parent / "watch/test"))
import kanata
from kanata import GROUP, INSTRUCTION, REQUEST, Row

LATENCY_CYCLES = 300
COMMIT = re.compile(r" *(\d+) pc=(\w+) inst=(\w+)( trap)?")
AMI = platform.description()["ami"]
REQUESTS = [AMI["instructions"][name]["funct3"] for name in ("aload", "astore")]
BAFIN = "bafin"
ONE_CYCLE = re.compile(r": (c\.add|c\.srli|and|beq|bafin) ")


@dataclass
class Commit:
    cycle: int
    pc: int
    encoding: int
    trap: bool

    @property
    def is_request(self) -> bool:
        return not self.trap and self.encoding & 0x7F == AMI["opcode"] and self.encoding >> 12 & 7 in REQUESTS


@dataclass
class Traced:
    """The log, its cycles from the beginning of the run or of its region, and the commits of the whole run."""

    rows: list[Row]
    commits: list[Commit]

    def of(self, kind: int) -> list[Row]:
        return [row for row in self.rows if row.kind == kind]

    @property
    def retired(self) -> list[Row]:
        return [row for row in self.of(INSTRUCTION) if row.retired is not None]


def run(folder: Path, program: list[str | Path], *trace: str) -> Traced:
    """Run a program with and without the log: its commits, counters and region are the same."""
    folder.mkdir(parents=True, exist_ok=True)
    seen = []
    for simulator in ("nhg-sim", "nhg-sim-trace"):
        commits, result = folder / f"{simulator}.txt", folder / f"{simulator}.json"
        files = ["--pipeline-file", folder / "p.kanata", *trace] if simulator.endswith("trace") else []
        options = ["--far-control", f"latency_cycles={LATENCY_CYCLES}", "--commit-log", commits, "--result", result, *files]
        done = subprocess.run([BUILD / "sim" / simulator, *program, *options], capture_output=True, text=True)
        assert done.returncode == 0, rtl.report(done)
        counted = {name: value for name, value in json.loads(result.read_text()).items() if name != "host_seconds"}
        seen.append((commits.read_bytes(), counted))
    assert seen[0] == seen[1], "the simulator with the log is the same design, to the cycle"
    counted = seen[0][1]
    zero = counted["begin"][counted["counters"].index("cycles")] if "--trace-region" in trace else 0
    matches = filter(None, map(COMMIT.match, seen[0][0].decode().splitlines()))
    commits = [Commit(int(match[1]) - zero, int(match[2], 16), int(match[3], 16), bool(match[4])) for match in matches]
    return Traced(kanata.read((folder / "p.kanata").read_text()), commits)


GUPS = OUT / "watch-gups"


@pytest.fixture(scope="module")
def gups() -> Traced:
    point = Point(benchmark.load("gups"), variants.VARIANTS["full"], "sim", Setting(100, None), "tiny")
    checkpoint = measure.on_golden(point.name, prepare(point), Setting.completion_seed)[2]
    window = ["--trace-from", "3000", "--trace-to", "4000", "--trace-file", str(GUPS / "w.fst")]
    return run(GUPS, ["--checkpoint", checkpoint], "--trace-region", *window)


def test_retired_instructions_are_those_of_the_commit_log(gups: Traced):
    shown = [(row.at("Cm"), row.pc, int(row.detail.split()[1].rstrip(","), 16)) for row in gups.retired]
    committed = [(commit.cycle, commit.pc, commit.encoding) for commit in gups.commits]
    first = committed.index(shown[0])
    assert committed[first : first + len(shown)] == shown and len(shown) > 1000
    assert [one for one in committed if 3000 <= one[0] <= 4000] == [one for one in shown if one[0] <= 4000], "none is missing"


def test_rows_are_alive_in_the_window(gups: Traced):
    assert all(3000 <= row.begin <= 4000 and row.end > 3000 and row.stages for row in gups.rows)
    for row in gups.retired:
        assert row.end == row.at("Cm") + 1
        if row.begin > 3000:
            names = [name for _, name in row.stages]
            order = [name for name in ("F", "Ib", "Dc", "Rn", "Ds", "Iq", "Is", "Rr", "X", "Wb", "Cm") if name in names]
            assert names == order and {"F", "Dc", "Rn", "Cm"} <= set(names), row
            if ONE_CYCLE.search(row.label) and "X" in names:
                assert row.at("Wb" if "Wb" in names else "Cm") == row.at("X") + 1, row
            elif ONE_CYCLE.search(row.label):
                assert row.at("Cm") == row.at("Rr") + 1, f"not in the cycle of its result: {row}"


def test_arrows_come_from_makers_of_operands(gups: Traced):
    arrows = [(row, maker) for row in gups.retired for _, maker in row.arrows if maker.kind == INSTRUCTION]
    assert len(arrows) > 1000
    for row in gups.retired:
        assert sum(one is row for one, _ in arrows) <= 2, "an integer instruction has two operands"
    for row, maker in arrows:
        register = re.search(r": \S+ +(\w+)", maker.label)
        assert maker.number < row.number and register and re.search(rf"\b{register[1]}\b", row.label), (row, maker)


def test_every_request_has_its_line_and_its_end(gups: Traced):
    first = gups.retired[0].at("Cm")
    committed = [commit for commit in gups.commits if commit.is_request and first <= commit.cycle <= 4000]
    by_instruction = {row.arrows[0][1].number: row for row in gups.of(REQUEST) if row.arrows}
    requesting = [row for row in gups.retired if re.search(r": a(load|store) ", row.label) and row.at("Cm") <= 4000]
    assert len(requesting) == len(committed) > 50
    far = 0
    for row in requesting:
        line = by_instruction[row.number]
        assert line.retired is not None and line.at("Rq") == row.at("Cm") + 1
        asked = [cycle for cycle, stage in line.stages if stage == "Me"]
        if asked:
            assert line.end - asked[0] in range(LATENCY_CYCLES - 20, LATENCY_CYCLES + 60), line
        else:
            assert line.end - line.at("Rq") < LATENCY_CYCLES // 4, f"found in a cache: {line}"
        far += bool(asked)
    assert far > 50


def test_every_group_has_its_line_and_its_taker(gups: Traced):
    groups = [row for row in gups.of(GROUP) if row.begin > 3000 and row.end <= 4000]  # else the taker may be outside
    takers = {arrow[1].number: row for row in gups.of(INSTRUCTION) for arrow in row.arrows if arrow[1].kind == GROUP and row.retired is not None}
    assert len(groups) > 50
    for group in groups:
        taker = takers[group.number]
        assert BAFIN in taker.label and f"taken by instruction {taker.number} " in group.detail and group.end == taker.end
        assert group.arrows and all(line.end <= group.begin for _, line in group.arrows)


def test_waveform_covers_the_window(gups: Traced):
    _, _, first, last = struct.unpack(">BQQQ", (GUPS / "w.fst").read_bytes()[:25])
    assert (first, last) == (6001, 8001)


@pytest.mark.parametrize("name", ["await", "bafin", "errors", "getfin", "groups"])
def test_whole_run_of_an_ami_program(name: str):
    """With traps, mispredictions, requests of many lines and groups that a signal finishes."""
    traced = run(OUT / f"watch-{name}", ["--elf", assemble(TESTS / f"ami/{name}.S", OUT / f"{name}.elf")])
    shown = [(row.at("Cm"), row.pc) for row in traced.retired]
    assert shown == [(commit.cycle, commit.pc) for commit in traced.commits if not commit.trap]
    trapped = [row for row in traced.of(INSTRUCTION) if "traps" in row.detail]
    assert len(trapped) == sum(commit.trap for commit in traced.commits) and all(row.retired is None for row in trapped)
    assert len(traced.of(REQUEST)) >= sum(commit.is_request for commit in traced.commits)
    assert any(row.retired is None for row in traced.of(INSTRUCTION)), "a wrong path"
