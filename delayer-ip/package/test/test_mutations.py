# SPDX-License-Identifier: Apache-2.0
"""The check by planted mistakes: its list fits the RTL, and it says so when a bench or the list is at fault."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "checks"))

import mutations

PLANTED = mutations.Mutation("late", "release_scheduler.sv", "assign late =", "assign late = !", bench="bench")


def bench(path: Path, exit_code: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho ran\nexit {exit_code}\n")
    path.chmod(0o755)
    return path


def run(monkeypatch, tmp_path: Path, planned: list[mutations.Mutation], unchanged: int, mutated: int) -> int:
    """Exit code, with benches that end with these codes."""
    bench(tmp_path / "bench", unchanged)
    monkeypatch.setattr(mutations, "planned", lambda: planned)
    monkeypatch.setattr(mutations, "build", lambda mutation, out, folder: bench(folder / mutation.bench, mutated))
    monkeypatch.setattr(sys, "argv", ["mutations.py", "--out", str(tmp_path)])
    return mutations.main()


def test_every_text_is_in_its_file_once():
    planned = mutations.planned()
    assert len({mutation.name for mutation in planned}) == len(planned)
    assert any(mutation.quick for mutation in planned)
    for mutation in planned:
        assert mutation.mutant() != (mutations.RTL / mutation.file).read_text()


def test_a_mistake_is_found(monkeypatch, tmp_path, capsys):
    assert run(monkeypatch, tmp_path, [PLANTED], unchanged=0, mutated=1) == 0
    assert "1 of 1 planted mistakes found" in capsys.readouterr().out


def test_a_bench_that_finds_nothing_is_told(monkeypatch, tmp_path, capsys):
    assert run(monkeypatch, tmp_path, [PLANTED], unchanged=0, mutated=0) == 1
    assert capsys.readouterr().err == "mutations: not found: late\n"


def test_a_bench_that_always_fails_finds_nothing(monkeypatch, tmp_path, capsys):
    assert run(monkeypatch, tmp_path, [PLANTED], unchanged=1, mutated=1) == 2
    assert capsys.readouterr().err == "mutations: bench fails without a mistake: ran\n"


@pytest.mark.parametrize(("text", "count"), [("no such text", 0), ("wire", None)])
def test_a_text_must_be_there_once(monkeypatch, tmp_path, capsys, text, count):
    stale = mutations.Mutation("stale", "release_scheduler.sv", text, "", bench="bench")
    assert run(monkeypatch, tmp_path, [stale], unchanged=0, mutated=1) == 2
    count = (mutations.RTL / stale.file).read_text().count(text) if count is None else count
    assert capsys.readouterr().err == f"mutations: stale: its text is {count} times in rtl/release_scheduler.sv; correct checks/mutations.toml\n"
