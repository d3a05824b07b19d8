# SPDX-License-Identifier: Apache-2.0
"""The fuzzer leaves out loops that crash Clang itself, stops at any other fault of a plain program, and begins with the seed it is told."""
# RUN: env PYTHONPATH=%compiler %pytest %s

from pathlib import Path

import pytest
from fuzz.campaign import Campaign
from fuzz.oracle import CRASH, Oracle, Verdict
from fuzz.source import Unit, campaign_unit, loop_from_seed, unit_number_of
from fuzz.toolchain import PLAIN, Config, Fault

UNIT = Unit(False, tuple(map(loop_from_seed, range(3))))
WAYS = [Config("x86", "static")]


def oracle_that_fails(directory: Path, monkeypatch: pytest.MonkeyPatch, config: Config, output: str) -> Oracle:
    """One whose compiler fails on `loop_1`."""
    oracle = Oracle(directory, short=True)
    build = oracle.harness.build

    def failing(source: Path, program: Path, way: Config) -> str:
        if way == config and "loop_1(" in source.read_text():
            raise Fault("the compiler ends with 139", output)
        return build(source, program, way)

    monkeypatch.setattr(oracle.harness, "build", failing)
    return oracle


def test_a_loop_that_crashes_clang_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = oracle_that_fails(tmp_path, monkeypatch, PLAIN, f"{CRASH} to the authors").check(UNIT, "unit", WAYS, 1)
    assert (verdict.crashing, verdict.findings, verdict.runs) == (["loop_1"], [], 2)


def test_a_plain_loop_with_errors_stops_the_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Fault):
        oracle_that_fails(tmp_path, monkeypatch, PLAIN, "error: expected ';'").check(UNIT, "unit", WAYS, 1)


def test_a_crash_with_the_plugin_is_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = oracle_that_fails(tmp_path, monkeypatch, WAYS[0], f"{CRASH} to the authors").check(UNIT, "unit", WAYS, 1)
    assert [(finding.loop, finding.kind) for finding in verdict.findings] == [("loop_1", "compile")]
    assert (verdict.crashing, verdict.runs) == ([], 0)


def test_a_campaign_begins_with_the_unit_of_its_first_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = []

    def check(campaign: Campaign, number: int) -> Verdict:
        checked.extend(function.name for function in campaign_unit(number).functions)
        return Verdict()

    monkeypatch.setattr(Campaign, "check", check)

    def run(first_seed: int) -> list[str]:
        checked.clear()
        Campaign(tmp_path, unit_number_of(first_seed), 80, 0, False, 0, False, 0).run(jobs=1)
        return list(checked)

    assert run(20_000) == [f"loop_{seed}" for seed in range(20_000, 20_080)]
    assert run(20_000) == []
    assert run(0) == [f"loop_{seed}" for seed in range(80)]
