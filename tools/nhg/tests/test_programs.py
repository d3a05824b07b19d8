# SPDX-License-Identifier: Apache-2.0
"""Which line of a failed child program the user gets to see."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from nhg import paths, programs
from nhg.errors import Interrupted, NhgError
from nhg.programs import Children, Outcome, call, execute


@pytest.mark.parametrize(
    ("stderr", "cause"),
    [
        (["make: *** [Makefile:1: x] Error 1", "x.c:1:1: error: unknown type"], "x.c:1:1: error: unknown type"),
        (["ld: x.so: undefined reference to `f'", "collect2: error: ld returned 1 exit status"], "ld: x.so: undefined reference to `f'"),
        (["working", "stopped", ""], "stopped"),
        ([], "exit code 3"),
    ],
)
def test_cause_is_the_line_that_says_why(stderr, cause):
    assert Outcome(3, "", stderr).cause() == cause


def test_call_names_the_step_and_the_cause():
    with pytest.raises(NhgError, match="building x: no such thing"):
        call(["sh", "-c", "echo no such thing >&2; exit 1"], what="building x")


def test_missing_program_is_one_line():
    with pytest.raises(NhgError, match="cannot start no-such-program-here"):
        execute(["no-such-program-here"], what="reading")


def test_interrupted_command_ends_the_programs_of_all_threads_and_starts_no_other(monkeypatch):
    monkeypatch.setattr(programs, "children", Children())
    said = []

    def wait():
        try:
            execute(["sh", "-c", "sleep 60 & wait"], what="waiting")
        except Interrupted as error:
            said.append(str(error))

    waiting = threading.Thread(target=wait)
    waiting.start()
    limit = time.monotonic() + 30
    while not programs.children.running and time.monotonic() < limit:
        time.sleep(0.01)
    programs.children.end()
    waiting.join(30)
    assert said == ["waiting: interrupted"] and not programs.children.running
    with pytest.raises(Interrupted, match="more: interrupted"):
        execute(["true"], what="more")


COMMAND = """
from nhg import cli, programs
cli.COMMANDS["core"] = lambda: programs.execute(["sh", "-c", "echo began $$ >&2; sleep 60; echo went on"], what="waiting", show="began")
cli.main("core", {})
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTERM], ids=lambda number: number.name)
def test_an_interruption_says_that_the_same_command_goes_on(number):
    """Sent to the whole group, as a terminal does; what the command had started is ended."""
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(paths.ROOT / "tools")},
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # noqa: PLW1509
    )
    began = process.stdout.readline().split()
    assert began[:1] == ["began"]
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "nhg: interrupted; the same command goes on\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(began[1]), 0)
