# SPDX-License-Identifier: Apache-2.0
"""How child programs are run, logged and ended."""

import os
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from nhg import progress
from nhg.errors import Interrupted, NhgError, no_space


@dataclass(frozen=True)
class Outcome:
    """How a child program ended."""

    code: int
    stdout: str
    stderr: list[str]

    def cause(self) -> str:
        """The line that says why it failed: what the linker missed, the first with the word "error", or the last."""
        said = [line for line in (self.stderr or self.stdout.splitlines()) if line.strip()]
        errors = [line for line in said if "undefined reference" in line or "undefined symbol" in line]
        errors += [line for line in said if "error" in line.lower() and not line.startswith("make")]
        return (errors or said[-1:] or [f"exit code {self.code}"])[0][:300]


class Children:
    """The child programs that run, in all threads."""

    def __init__(self) -> None:
        self.running: set[subprocess.Popen] = set()
        self.ended = False

    def end(self) -> None:
        """End them; from now on none is started. For a command that has been interrupted."""
        self.ended = True
        for child in list(self.running):
            terminate(child)


def terminate(child: subprocess.Popen) -> None:
    """End a program and what it has started."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGTERM)


children = Children()
# Where this thread's commands and what they say are kept, if anywhere.
log: ContextVar[TextIO | None] = ContextVar("log", default=None)


@contextmanager
def logged(path: Path) -> Iterator[TextIO]:
    """Keep in a file which programs this thread runs, what they say and how they end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", buffering=1, errors="replace") as stream:
        token = log.set(stream)
        try:
            yield stream
        finally:
            log.reset(token)


def execute(
    command: Sequence[str | Path], *, what: str, environment: Mapping[str, str] | None = None, show: str | None = None, show_output: bool = False
) -> Outcome:
    """Run a program to its end. Lines of its stderr that begin with `show` also go to the user as they come, with `what` where several may
    run; with `show_output` its stdout does, and is not returned."""
    if children.ended:
        raise Interrupted(f"{what}: interrupted")
    prefix = "" if threading.current_thread() is threading.main_thread() else f"{what}: "
    words = [str(word) for word in command]
    lines: list[str] = []
    sink, began = log.get(), time.monotonic()
    if sink:
        sink.write(f"$ {shlex.join(words)}\n")
    with tempfile.TemporaryFile("w+", errors="replace") as stdout:
        try:
            process = subprocess.Popen(
                words,
                stdout=None if show_output else stdout,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                stdin=subprocess.DEVNULL,
                env={**os.environ, **(environment or {})},
                # Ctrl-C in a terminal is for this command, which then ends its programs: none of them seems to have failed.
                process_group=0,
            )
        except OSError as error:
            raise NhgError(f"{what}: cannot start {words[0]} ({error.strerror}); run make doctor") from None
        children.running.add(process)
        try:
            for line in process.stderr or ():
                lines.append(line.strip())
                if sink:
                    sink.write(line)
                if show is not None and line.startswith(show):
                    progress.say(line.rstrip(), prefix)
            code = process.wait()
        except BaseException:
            terminate(process)
            process.wait()
            raise
        finally:
            children.running.discard(process)
        if children.ended:
            raise Interrupted(f"{what}: interrupted")
        stdout.seek(0)
        outcome = Outcome(code, stdout.read(), lines)
    if sink:
        sink.write(f"{outcome.stdout}# exit code {code} after {time.monotonic() - began:.1f} s\n")
    if code != 0 and any("No space left on device" in line for line in lines):
        raise no_space(Path.cwd())
    return outcome


def call(command: Sequence[str | Path], *, what: str) -> str:
    """Run a program that must succeed and return its stdout."""
    outcome = execute(command, what=what)
    if outcome.code != 0:
        raise NhgError(f"{what}: {outcome.cause()}")
    return outcome.stdout
