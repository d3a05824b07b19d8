# SPDX-License-Identifier: Apache-2.0
"""What is being done, how far it is and how long it still takes: on a terminal lines that move, otherwise a line a step."""

import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.text import Text

from nhg import paths

# What ends sooner is not worth a line.
QUIET_SECONDS = 1.0
# Of an RTL simulator's line about its progress.
TIMES = "steps.json"
INSTRUCTIONS = re.compile(r"cycle (\d+), (\d+) instructions")


def duration(seconds: float) -> str:
    """A time that is left, no more exact than it is known; never nothing."""
    if seconds < 90:
        return f"about {max(10, round(seconds, -1)):.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 7200 else f"about {seconds / 3600:.1f} h"


class Step:
    """`seconds`: how long it took the last time; `instructions`: how many a simulator will execute. None where that is not known."""

    def __init__(self, what: str, seconds: float | None, instructions: int | None) -> None:
        self.what, self.seconds, self.instructions = what, seconds, instructions
        self.said, self.done = "", 0.0
        self.began = time.monotonic()

    def say(self, line: str) -> None:
        """A program of this step has said how far it is."""
        self.said = line
        found = INSTRUCTIONS.search(line)
        if found and self.instructions:
            self.done = min(int(found[2]) / self.instructions, 1)

    def left(self) -> str:
        spent = time.monotonic() - self.began
        if self.done:
            return f"{duration(spent * (1 - self.done) / self.done)} left"
        if self.seconds is None:
            return ""
        return f"{duration(self.seconds - spent)} left" if spent < self.seconds else "longer than the last time"


current: ContextVar[Step | None] = ContextVar("step", default=None)


class Left(ProgressColumn):
    """Seconds so far, and what is left."""

    def render(self, task: Task) -> Text:
        step: Step = task.fields["step"]
        words = [f"{time.monotonic() - step.began:.0f} s", f"{step.done:.0%}" if step.done else "", step.left(), "" if step.done else step.said]
        return Text(", ".join(word for word in words if word), style="dim")


class Lines:
    """The steps that a terminal shows; there may be several, of several threads."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.shown: Progress | None = None

    @contextmanager
    def of(self, step: Step) -> Iterator[None]:
        with self.lock:
            if self.shown is None:
                self.shown = Progress(SpinnerColumn(), TextColumn("{task.description}", markup=False), Left(), transient=True, refresh_per_second=4)
                self.shown.start()
            task = self.shown.add_task(step.what, total=None, step=step)
        try:
            yield
        finally:
            with self.lock:
                if self.shown is not None:
                    self.shown.remove_task(task)
                    if not self.shown.tasks:
                        self.shown.stop()
                        self.shown = None


lines = Lines()


def kept() -> dict[str, float]:
    """How long each step took the last time."""
    with suppress(OSError, ValueError):
        found = json.loads((paths.BUILD / TIMES).read_text())
        return found if isinstance(found, dict) else {}
    return {}


def keep(what: str, seconds: float) -> None:
    """For the next time; where that cannot be written it is not known then."""
    temporary = paths.BUILD / f".{TIMES}.{os.getpid()}.{threading.get_ident()}"
    with suppress(OSError):
        temporary.write_text(json.dumps({**kept(), what: round(seconds, 1)}, indent=1) + "\n")
        temporary.replace(paths.BUILD / TIMES)


def announce(step: Step) -> None:
    print(f"{step.what} ..." + (f" {duration(step.seconds)}" if step.seconds else ""), flush=True)


@contextmanager
def step(what: str, first_seconds: float | None = None, instructions: int | None = None) -> Iterator[Step]:
    """One step of long work. `first_seconds`: what it takes on two cores where it was never done before."""
    known = kept()
    one = Step(what, known.get(what, first_seconds), instructions)
    token = current.set(one)
    timer = threading.Timer(QUIET_SECONDS, announce, [one])
    timer.daemon = True
    try:
        if sys.stdout.isatty():
            with lines.of(one):
                yield one
        else:
            if first_seconds is not None or threading.current_thread() is threading.main_thread():
                timer.start()  # of points that are measured side by side there is a line each when they end
            yield one
    finally:
        timer.cancel()
        current.reset(token)
    spent = time.monotonic() - one.began
    if spent > QUIET_SECONDS and instructions is None:
        keep(what, spent)


def say(text: str, prefix: str = "") -> None:
    """A line of a program about how far it is: into the line of its step on a terminal, otherwise as it is."""
    one = current.get()
    if one and sys.stdout.isatty():
        one.say(text)
    else:
        print(prefix + text, flush=True)
