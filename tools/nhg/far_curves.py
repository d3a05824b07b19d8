# SPDX-License-Identifier: Apache-2.0
"""`make far-curves`: far memory's delay over its bandwidth, from idle to saturated, for several shares of reads, as a program on RTL measures them
(software/runtime/test/far_curves.c), beside what is set.

Below saturation the delay is to be the latency that is set, and the bandwidth what is asked for; when saturated, the bandwidth is to be the one set.
"""

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nhg import paths, platform
from nhg.build import build_models, make
from nhg.elf import run_elf
from nhg.errors import NhgError
from nhg.measure import Setting
from nhg.progress import step

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PROGRAM = "far_curves"
NAME = "far-curves"  # of the files
IDLE, SATURATED = 0, 999  # as the program prints loads
LINE_BYTES = 64
DELAY_ERROR_MAX, BANDWIDTH_ERROR_MAX = 0.01, 0.03
FIRST_SECONDS = 120.0  # about
MAX_CYCLES = 60_000_000
ROW = re.compile(r"(?m)^(\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$")


@dataclass(frozen=True)
class Point:
    """One point of a curve, against its setting."""

    reads_percent: int
    load_percent: int  # of the bandwidth that is set; IDLE, SATURATED
    gbps: float
    delay_ns: float  # mean of reads and writes
    latency_ns: float  # that is set
    limit_gbps: float  # that is set

    @property
    def load(self) -> str:
        return {IDLE: "idle", SATURATED: "saturated"}.get(self.load_percent, f"{self.load_percent} %")

    @property
    def delay_error(self) -> float | None:
        """None where the delay is that of a queue."""
        return None if self.load_percent == SATURATED else self.delay_ns / self.latency_ns - 1

    @property
    def bandwidth_error(self) -> float | None:
        """None where nothing is asked for."""
        return None if self.load_percent == IDLE else self.gbps / (self.limit_gbps * min(self.load_percent, 100) / 100) - 1


def points(console: str, latency_ns: float, limit_gbps: float) -> list[Point]:
    """From what the program prints."""
    found = []
    for reads_percent, load, *counted in (tuple(map(int, row)) for row in ROW.findall(console)):
        reads, writes, read_cycles, write_cycles, spent = counted
        # The first of the requests only begins the time.
        gbps = (reads + writes - 1) * LINE_BYTES / spent * platform.cycles_per_ns()
        delay_ns = (read_cycles + write_cycles) / (reads + writes) / platform.cycles_per_ns()
        found.append(Point(reads_percent, load, gbps, delay_ns, latency_ns, limit_gbps))
    if not found:
        raise NhgError(f"{PROGRAM}.elf printed no point; its output: {console.strip() or 'nothing'}")
    return found


def percent(error: float | None) -> str:
    return "" if error is None else f"{error:+.2%}"


def table(found: list[Point]) -> str:
    lines = ["| reads | load | delay, ns | against the setting | bandwidth, GB/s | against the setting |", "|---" * 6 + "|"]
    for each in found:
        errors = percent(each.delay_error), percent(each.bandwidth_error)
        lines.append(f"| {each.reads_percent} % | {each.load} | {each.delay_ns:.1f} | {errors[0]} | {each.gbps:.3f} | {errors[1]} |")
    return "\n".join(lines)


def greatest(errors: list[float | None]) -> float:
    return max((abs(error) for error in errors if error is not None), default=0)


def verdict(found: list[Point]) -> str:
    """The greatest errors, and whether they are permitted."""
    delay, bandwidth = greatest([each.delay_error for each in found]), greatest([each.bandwidth_error for each in found])
    said = [
        f"{what} within {error:.2%} of the setting (asked: {most:.0%}{'' if error <= most else ', missed'})"
        for what, error, most in (("delay", delay, DELAY_ERROR_MAX), ("bandwidth", bandwidth, BANDWIDTH_ERROR_MAX))
    ]
    return "; ".join(said)


def picture(found: list[Point]) -> "Figure":
    """A curve for each share of reads; what is set as lines."""
    from matplotlib.lines import Line2D

    from nhg.figures import style  # matplotlib takes seconds to load

    first = found[0]
    shares = list(dict.fromkeys(each.reads_percent for each in found))
    names = [f"{share} % reads" for share in shares]
    figure, grid = style.panels(["delay"], 1, (style.WIDTH_INCHES, 2.8), style.WIDTH_INCHES)
    axes = grid[0, 0]
    colours = style.colours(dict(zip(names, names, strict=True)))
    looks = [(colour, style.MARKERS[number]) for number, (colour, _) in enumerate(colours.values())]
    for share, (colour, marker) in zip(shares, looks, strict=True):
        own = [each for each in found if each.reads_percent == share]
        axes.plot([each.gbps for each in own], [each.delay_ns for each in own], color=colour, marker=marker, markersize=3.2, linewidth=1.1)
    axes.axhline(first.latency_ns, color="black", linewidth=0.6, linestyle=":", zorder=0)
    axes.axvline(first.limit_gbps, color="black", linewidth=0.6, linestyle=":", zorder=0)
    axes.set_xlabel("bandwidth of far memory (GB/s)")
    axes.set_ylabel("delay of a request (ns)")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    handles = [Line2D([], [], color=colour, marker=marker, markersize=4, linewidth=1.1) for colour, marker in looks]
    setting = f"set to {first.latency_ns:g} ns and {first.limit_gbps:g} GB/s (dotted), reads and writes together"
    title = f"Far memory as a program measures it\n{setting}, NH-G on RTL"
    style.finish(figure, title, handles, names, [])
    return figure


def write(found: list[Point], folder: Path) -> list[Path]:
    """The figure, and its numbers as Markdown and CSV."""
    from nhg.figures import style

    places = style.save(picture(found), folder / NAME)
    numbers = folder / f"{NAME}.csv"
    with numbers.open("w", newline="") as stream:
        rows = csv.writer(stream, lineterminator="\n")
        rows.writerow(["reads_percent", "load", "delay_ns", "gbps", "latency_ns", "limit_gbps"])
        rows.writerows([each.reads_percent, each.load, f"{each.delay_ns:.2f}", f"{each.gbps:.4f}", each.latency_ns, each.limit_gbps] for each in found)
    text = folder / f"{NAME}.md"
    text.write_text(f"{table(found)}\n\n{verdict(found)}\n")
    return [*places, text, numbers]


def run_program(setting: Setting) -> str:
    """What the program prints on RTL."""
    build_models("elf", with_plugin=False)
    file = paths.BUILD / "runtime/test" / f"{PROGRAM}.elf"
    make(["-C", str(paths.ROOT / "software/runtime"), str(file)], f"building {PROGRAM}.elf")
    with step(f"{PROGRAM} on RTL", FIRST_SECONDS):
        ended = run_elf(file, setting, show_console=False)
    if ended.exit_code:
        raise NhgError(f"{PROGRAM}.elf ended with exit code {ended.exit_code}: {ended.console.strip()}")
    return ended.console


def measure(latency_ns: float, limit_gbps: float, run: Callable[[Setting], str] = run_program) -> str:
    """Measure, draw, and return the table. An error beyond what is asked is marked."""
    console = run(Setting(latency_ns=latency_ns, bandwidth_gbps=limit_gbps, max_cycles=MAX_CYCLES))
    found = points(console, latency_ns, limit_gbps)
    places = write(found, paths.PLOTS)
    return f"{table(found)}\n\n{verdict(found)}\n{' '.join(map(str, places))}"
