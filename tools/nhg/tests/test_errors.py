# SPDX-License-Identifier: Apache-2.0
"""Which line of a failed child program the user gets to see."""

import threading
import time

import pytest

from nhg import errors
from nhg.errors import Children, NhgError, Outcome, call, execute


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
    monkeypatch.setattr(errors, "children", Children())
    codes = []
    waiting = threading.Thread(target=lambda: codes.append(execute(["sleep", "60"], what="waiting").code))
    waiting.start()
    limit = time.monotonic() + 30
    while not errors.children.running and time.monotonic() < limit:
        time.sleep(0.01)
    errors.children.end()
    waiting.join(30)
    assert codes == [-15] and not errors.children.running
    with pytest.raises(NhgError, match="more: interrupted"):
        execute(["true"], what="more")
