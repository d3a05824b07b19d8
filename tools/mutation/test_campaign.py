# SPDX-License-Identifier: Apache-2.0
"""Planted mistakes: a campaign says what was found, what was not, and when it can say nothing."""

from pathlib import Path

import pytest

from mutation import campaign
from mutation.campaign import Found, Mutation

WRONG, HARMLESS = Mutation("wrong", "a.v", "a + b", "a - b"), Mutation("harmless", "a.v", "a + b", "b + a")


def run(folder: Path, mutations: list[Mutation], names: tuple[str, ...] = (), again: bool = False) -> int:
    """Exit code, with a test that finds a minus sign; tried mistakes are in `tried`."""
    (folder / "a.v").touch()

    def check(mutation: Mutation) -> campaign.Verdict:
        with (folder / "tried").open("a") as stream:
            stream.write(mutation.name + "\n")
        found = "-" in mutation.source(folder, folder / "mutations.toml")
        return found, "differs" if found else "passed"

    (folder / "tried").write_text("")
    found = Found(folder / "found.json", again)
    return campaign.run(lambda: mutations, lambda m: campaign.digest(m.source(folder, folder / "list"), folder / "a.v"), lambda _: None, check, found, names)


def tried(folder: Path) -> list[str]:
    return (folder / "tried").read_text().split()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.v").write_text("assign c = a + b;")
    return tmp_path


def test_found_and_not_found_are_told(folder, capsys):
    assert run(folder, [WRONG]) == 0
    assert run(folder, [WRONG, HARMLESS]) == 1
    told = capsys.readouterr()
    assert "1/1 wrong: found: differs" in told.out
    assert "1 of 2 planted mistakes found" in told.out
    assert told.err == "mutations: not found: harmless\n"


def test_what_was_found_is_not_tried_again_until_it_changes(folder):
    run(folder, [WRONG, HARMLESS])
    run(folder, [WRONG, HARMLESS])
    assert tried(folder) == ["harmless"]
    run(folder, [WRONG], again=True)
    assert tried(folder) == ["wrong"]
    (folder / "a.v").write_text("assign d = a + b;")
    run(folder, [WRONG])
    assert tried(folder) == ["wrong"]


def test_names_may_be_cut(folder, capsys):
    assert run(folder, [WRONG, HARMLESS], ("wr",)) == 0
    assert tried(folder) == ["wrong"]
    assert run(folder, [WRONG], ("other",)) == 2
    assert capsys.readouterr().err == "mutations: no mistake begins with other\n"


@pytest.mark.parametrize("text", ["no such text", "a"])
def test_a_text_must_be_there_once(folder, capsys, text):
    stale = Mutation("stale", "a.v", text, "")
    assert run(folder, [stale]) == 2
    assert "stale: its text is" in capsys.readouterr().err
    assert tried(folder) == []
