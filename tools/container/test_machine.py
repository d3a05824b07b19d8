# SPDX-License-Identifier: Apache-2.0
"""The trial on another machine, with a stand-in for the system."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import machine


@pytest.fixture
def trial(tmp_path, monkeypatch, capsys):
    """Runs main() for an existing system in which commands answer as told; returns (exit code, output, commands of the set-up)."""
    (tmp_path / "root/home" / machine.USER).mkdir(parents=True)
    (tmp_path / "keyring").write_text("")
    monkeypatch.setattr(machine, "KEYRING", tmp_path / "keyring")

    def run(without: tuple[int, str], done: tuple[int, str], *options: str):
        commands: list[str] = []

        def inside(root, command):
            if "tools/setup" not in command:
                return subprocess.CompletedProcess(command, 0, "glibc 2.31\nPython 3.9\n", "")
            commands.append(command)
            code, said = without if len(commands) == 1 else done
            return subprocess.CompletedProcess(command, code, "", said)

        monkeypatch.setattr(machine, "inside", inside)
        monkeypatch.setattr("sys.argv", ["machine.py", str(tmp_path / "root"), "bullseye", "http://x/debian", *options])
        code = machine.main()
        return code, "".join(capsys.readouterr()), commands

    return run


NAMED = (1, "setup: base ...\nsetup: no apt on this machine: name one\n")


def test_a_good_trial_shows_both(trial):
    code, said, commands = trial(NAMED, (0, "setup: mill done\n"), "base", "mill")
    assert code == 0 and "glibc 2.31" in said and "without the variables: setup: no apt on this machine" in said and "mill done" in said
    assert "NHG_DEBIAN_MIRROR" not in commands[0] and "NHG_DEBIAN_MIRROR=http://deb.debian.org/debian" in commands[1]
    assert all(f"su {machine.USER}" in command for command in commands) and "tools/setup base mill" in commands[1]


@pytest.mark.parametrize(
    ("without", "done", "reason"),
    [
        ((0, "setup: base done\n"), (0, ""), "did not end with one line"),
        ((1, "Traceback (most recent call last):\nKeyError\n"), (0, ""), "did not end with one line"),
        (NAMED, (1, "setup: mill: broken\n"), "with the variables the set-up failed"),
    ],
)
def test_a_trial_that_is_not_as_it_should_be_fails(trial, without, done, reason):
    code, said, _ = trial(without, done, "mill")
    assert code == 1 and f"machine.py: {reason}" in said.replace("without the variables the set-up did", "did")


def test_without_apt_none_is_left(trial, tmp_path):
    programs = tmp_path / "root/usr/bin"
    programs.mkdir(parents=True)
    for name in ("apt-get", "apt", "env"):
        (programs / name).write_text("")
    assert trial(NAMED, (0, ""), "--no-apt")[0] == 0
    assert [path.name for path in programs.iterdir()] == ["env"]
