# SPDX-License-Identifier: Apache-2.0
"""WATCH of make run: the window, what the simulator is told, what is left of a run."""

from pathlib import Path

import pytest

from nhg.errors import NhgError
from nhg.measure import SIMULATOR_ADVICE, SIMULATOR_EXIT, Setting, advice
from nhg.watch import Watch, parse


def test_window():
    assert parse("100:250", "sim") == Watch(100, 250) and parse("7:7", "sim") == Watch(7, 7)
    assert str(parse("100:250", "sim")) == "100:250"


@pytest.mark.parametrize("text", ["100", "100:", ":100", "a:b", "-1:5", "5:4", "1:2:3", "1.5:2", " 1:2", f"0:{10**16}"])
def test_malformed_window(text):
    with pytest.raises(NhgError) as error:
        parse(text, "sim")
    assert f"WATCH={text}: give FROM:TO" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("target", ["iss", "fpga", "x86"])
def test_other_targets_are_refused(target):
    with pytest.raises(NhgError, match="WATCH=1:2 is for TARGET=sim"):
        parse("1:2", target)


def test_options_and_what_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture):
    options = [str(option) for option in Watch(5, 9).options(tmp_path, "--trace-region")]
    assert options[:4] == ["--trace-from", "5", "--trace-to", "9"] and options[-1] == "--trace-region"
    for name in ("--pipeline-file", "--trace-file"):
        Path(options[options.index(name) + 1]).write_text(name)
    place = tmp_path / "run"
    for _ in range(2):  # a second run replaces the files of the first
        for name in ("pipeline.kanata", "waves.fst"):
            (tmp_path / name).write_text("written")
        Watch(5, 9).keep(tmp_path, place)
    assert {path.name for path in place.iterdir()} == {"pipeline.kanata", "waves.fst"} and not (tmp_path / "waves.fst").exists()
    assert f"cycles 5 to 9: {place}/pipeline.kanata" in capsys.readouterr().out


def test_advice_names_the_window():
    setting = Setting(800, None, watch=Watch(5, 9))
    assert advice(SIMULATOR_EXIT["bad_input"], setting) == "give another window than WATCH=5:9"
    for code, said in SIMULATOR_ADVICE.items():
        assert advice(code, Setting(800, None)) == said


def test_a_core_without_amu_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("nhg.paths.CONFIG", "no-amu")
    with pytest.raises(NhgError, match="WATCH=1:2 follows the AMU, which CONFIG=no-amu lacks"):
        parse("1:2", "sim")
