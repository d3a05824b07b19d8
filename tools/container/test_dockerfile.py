# SPDX-License-Identifier: Apache-2.0
"""Every step of the Dockerfile is carried out once, in order, and one that fails is tried again."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import dockerfile


class Recorded(dockerfile.Root):
    """Writes down what would be done."""

    def __init__(self, folder: Path, failing: str = "") -> None:
        super().__init__(folder, None)
        self.failing = failing
        self.done: list[str] = []

    def start(self, image: str, stage: str) -> None:
        self.stages.append(stage)

    def copy(self, arguments: str) -> None:
        self.done.append("copy")

    def run(self, command: str) -> None:
        if self.failing and command.startswith(self.failing):
            raise dockerfile.Failure(command)
        self.done.append(command)


def test_the_steps_are_the_readmes(tmp_path):
    root = Recorded(tmp_path)
    dockerfile.carry_out(root, -1)
    assert root.done[0].startswith("apt-get update") and root.done[1:] == ["copy", "make setup", "make doctor", "make run LAT=800 SCALE=tiny"]
    assert root.stages == ["machine", "ready"] and root.directory == "/coroamu"
    for package in ("make", "gcc", "git", "openjdk-17-jdk-headless", "python3"):
        assert package in root.done[0].split()


def test_a_repeated_call_goes_on_at_the_step_that_failed(tmp_path):
    with pytest.raises(dockerfile.Failure):
        dockerfile.carry_out(Recorded(tmp_path, failing="make doctor"), -1)
    root = Recorded(tmp_path)
    dockerfile.carry_out(root, 1)
    assert root.done == ["make doctor"]
    dockerfile.carry_out(root, -1)
    assert root.done == ["make doctor", "make run LAT=800 SCALE=tiny"]


def test_what_is_not_understood_is_one_line(tmp_path, monkeypatch):
    (tmp_path / "Dockerfile").write_text("FROM debian:bookworm\nADD a b\n")
    monkeypatch.setattr(dockerfile, "REPOSITORY", tmp_path)
    with pytest.raises(dockerfile.Failure, match=r"^ADD: not understood"):
        dockerfile.carry_out(Recorded(tmp_path), -1)


def test_continued_lines_and_comments():
    assert dockerfile.instructions("# a\nFROM x AS y\nRUN a \\\n  b\n\n") == [("FROM", "x AS y"), ("RUN", "a   b")]


def test_usage_is_shown():
    shown = subprocess.run([sys.executable, dockerfile.__file__, "--help"], capture_output=True, text=True, check=True).stdout
    assert "--certificate" in shown
