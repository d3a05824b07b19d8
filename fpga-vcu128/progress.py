# SPDX-License-Identifier: Apache-2.0
"""How far the Vivado flow is: step k of n, time so far, time left as the last run's steps took it.

The seconds of every finished step are kept in a JSON file beside the output, so that they outlive a fresh start.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path

STEPS = ("environment", "ip", "synth", "opt", "place", "route", "bitstream")  # of scripts/build.tcl, in order


def minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


class Progress:
    """Follows one run; `file` keeps the seconds of each step between runs."""

    def __init__(self, file: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._file, self._clock = file, clock
        try:
            kept = json.loads(file.read_text())
            self._last = {step: float(kept[step]) for step in STEPS if step in kept}
        except (OSError, ValueError, TypeError):
            self._last = {}
        self._step = ""
        self._began = self._step_began = clock()

    def begin(self, step: str) -> str:
        """A step begins, so the one before has ended; returns the line to show."""
        self.end()
        self._step = step
        return self.line()

    def end(self) -> None:
        """The current step has ended well: its time is kept."""
        now = self._clock()
        if self._step:
            self._last[self._step] = round(now - self._step_began, 1)
            partial = self._file.with_name(self._file.name + ".partial")
            partial.write_text(json.dumps(self._last, indent=1) + "\n")
            partial.rename(self._file)
        self._step, self._step_began = "", now

    def line(self) -> str:
        """The current step, and how long everything will take if it goes as the last time."""
        now = self._clock()
        place = STEPS.index(self._step)
        spent = now - self._step_began
        text = f"build: step {place + 1} of {len(STEPS)}, {self._step}: {minutes(spent)}, {minutes(now - self._began)} in all"
        if all(step in self._last for step in STEPS[place:]):
            left = max(0.0, self._last[self._step] - spent) + sum(self._last[step] for step in STEPS[place + 1 :])
            text += f"; {minutes(left)} left if it goes as the last time"
        return text
