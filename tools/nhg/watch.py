# SPDX-License-Identifier: Apache-2.0
"""WATCH=FROM:TO: a window of cycles of which the simulator writes its pipeline log and waveforms (docs/start/watch.md)."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from nhg import paths
from nhg.errors import NhgError

PIPELINE, WAVES = "pipeline.kanata", "waves.fst"
LARGEST = 10**15


@dataclass(frozen=True)
class Watch:
    """Both cycles are in the window. They count from the beginning of the measured region; those of an ELF program from reset."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}:{self.last}"

    def options(self, folder: Path, *more: str) -> list[str | Path]:
        """For nhg-sim-trace, which writes into a folder."""
        window: list[str | Path] = ["--trace-from", str(self.first), "--trace-to", str(self.last)]
        return [*window, "--pipeline-file", folder / PIPELINE, "--trace-file", folder / WAVES, *more]

    def keep(self, written: Path, folder: Path) -> None:
        """Move what a run that ended well has written to its place, and say where that is."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in (PIPELINE, WAVES):
            shutil.move(written / name, folder / name)
            print(f"cycles {self.first} to {self.last}: {folder / name}")


def parse(text: str, target: str) -> Watch:
    found = re.fullmatch(r"(\d+):(\d+)", text)
    window = Watch(int(found[1]), int(found[2])) if found else None
    if window is None or window.first > window.last or window.last > LARGEST:
        raise NhgError(f"WATCH={text}: give FROM:TO, the first and last cycle of a window, counted from the beginning of the measured region")
    if target != "sim":
        raise NhgError(f"WATCH={text} is for TARGET=sim: only the simulated core has a pipeline log")
    if paths.CONFIG == "no-amu":
        raise NhgError(f"WATCH={text} follows the AMU, which CONFIG={paths.CONFIG} lacks: leave one of them out")
    return window
