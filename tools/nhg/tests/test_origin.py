# SPDX-License-Identifier: Apache-2.0
"""Where a run comes from: the commit of this checkout and of no other, whoever owns it, and of an archive the one it was made of."""

import io
import itertools
import shutil
import subprocess
import tarfile

import pytest

from nhg import origin, paths

REPOSITORY = paths.ROOT


def git(folder, *words):
    identity = ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "core.hooksPath=/dev/null", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True).stdout


def state(monkeypatch, folder):
    monkeypatch.setattr(paths, "ROOT", folder)
    return origin.git_state()


@pytest.fixture
def checkout(tmp_path):
    """A checkout with the files that an archive's commit depends on, and one of each folder that has no effect."""
    folder = tmp_path / "checkout"
    for file in (".gitattributes", origin.ARCHIVED):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / file, folder / file)
    for place in ("program.c", *(f"{each}/README.md" for each in origin.WITHOUT_EFFECT)):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text("first\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
        git(folder, *words)
    return folder


@pytest.fixture
def head(checkout):
    return git(checkout, "rev-parse", "HEAD").decode().strip()


def test_what_has_an_effect_makes_a_checkout_dirty(checkout, head, monkeypatch):
    assert state(monkeypatch, checkout) == (head, False)
    for folder in origin.WITHOUT_EFFECT:
        (checkout / folder / "README.md").write_text("second\n")
        (checkout / folder / "new.md").write_text("new\n")
    assert state(monkeypatch, checkout) == (head, False)
    (checkout / "new.c").write_text("new\n")
    assert state(monkeypatch, checkout) == (head, True)


def test_a_repository_around_a_checkout_is_not_its_own(checkout, head, tmp_path, monkeypatch, capsys):
    assert state(monkeypatch, checkout) == (head, False)
    shutil.rmtree(checkout / ".git")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "around"]):
        git(tmp_path, *words)
    assert state(monkeypatch, checkout) == (None, None) and capsys.readouterr().err == ""


def test_who_owns_a_checkout_and_what_a_hook_says_make_no_difference(checkout, head, tmp_path, monkeypatch):
    git(tmp_path, "init", "-q", "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert state(monkeypatch, checkout) == (head, False)


def test_a_checkout_whose_commit_is_not_known_says_so(checkout, monkeypatch, capsys):
    (checkout / ".git/HEAD").write_text("nonsense\n")
    for _ in range(2):
        assert state(monkeypatch, checkout) == (None, None)
    said = capsys.readouterr().err
    assert said.startswith(f"nhg: the commit of {checkout} is not known (") and said.count("\n") == 1


def test_an_archive_says_its_commit(checkout, head, tmp_path, monkeypatch):
    with tarfile.open(fileobj=io.BytesIO(git(checkout, "archive", "HEAD"))) as archive:
        archive.extractall(tmp_path / "archive", filter="data")
    assert state(monkeypatch, tmp_path / "archive") == (head, None)


def test_commits_that_differ_in_what_has_no_effect_have_the_same_sources(checkout, monkeypatch):
    def committed(place):
        (checkout / place).write_text(f"{place}\n")
        dirty = state(monkeypatch, checkout)[1] and origin.sources_sha256()
        git(checkout, "add", ".")
        git(checkout, "commit", "-q", "-m", place)
        assert dirty in (False, None), "a checkout that differs from its commit has none"
        return origin.sources_sha256()

    first = committed("program.c")
    assert [committed(f"{folder}/README.md") for folder in origin.WITHOUT_EFFECT] == [first] * 3
    assert len({first, committed("program.c "), committed("docs.md")}) == 3


def test_compiler_and_runtime_have_hashes_of_all_but_their_tests(checkout, monkeypatch):
    monkeypatch.setattr(paths, "ROOT", checkout)
    monkeypatch.setattr(origin, "tool_versions", lambda target: {"clang": version})
    version, seen = "clang 1", []
    for place in ("compiler/lib/a/x.cpp", "compiler/modes.txt", "runtime/x.c", "runtime/test/x.c", "compiler/test/x.c"):
        seen.append((origin.compiler_sha256(), origin.runtime_sha256()))
        (checkout / "software" / place).parent.mkdir(parents=True, exist_ok=True)
        (checkout / "software" / place).write_text("first\n")
    version = "clang 2"
    seen.append((origin.compiler_sha256(), origin.runtime_sha256()))
    assert [(one[0] != other[0], one[1] != other[1]) for one, other in itertools.pairwise(seen)] == [
        (True, False),
        (True, False),
        (False, True),
        (False, False),
        (True, False),
    ]
