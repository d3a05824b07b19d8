# SPDX-License-Identifier: Apache-2.0
"""Where a run comes from: the commit of this checkout and of no other, whoever owns it, and of an archive the one it was made of."""

import io
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
    origin.git_state.cache_clear()
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


@pytest.fixture(autouse=True)
def forgotten():
    yield
    origin.git_state.cache_clear()


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
    assert state(monkeypatch, checkout) == (None, None)
    said = capsys.readouterr().err
    assert said.startswith(f"nhg: the commit of {checkout} is not known (") and said.count("\n") == 1


def test_an_archive_says_its_commit(checkout, head, tmp_path, monkeypatch):
    with tarfile.open(fileobj=io.BytesIO(git(checkout, "archive", "HEAD"))) as archive:
        archive.extractall(tmp_path / "archive", filter="data")
    assert state(monkeypatch, tmp_path / "archive") == (head, None)
