# SPDX-License-Identifier: Apache-2.0
"""Where the cycles go, as in figures 3 and 14 of the paper: stacked bars of all causes in each part of the program (docs/reference/counters.md), computing
below, then moving context, then the scheduler."""

import math

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from nhg.experiment.execute import Result, late_lines
from nhg.experiment.schema import Experiment
from nhg.figures import style
from nhg.figures.shares import CAUSES, share_name, shares
from nhg.parts import PARTS

# The hues of Okabe and Ito, which tell apart for colour-blind readers, each in a lightness of its own; greys for what is no wait.
COLOURS = {
    "retiring": "#e4e4e4",
    "execution": "#8c8c8c",
    "near_load": "#7cc8f2",
    "far_load": "#005591",
    "store": "#007a57",
    "amu": "#e5d930",
    "finish": "#e69f00",
    "recovery": "#cf5a00",
    "frontend": "#d184ae",
    "registers": "#000000",
    "queues": "#5a2d06",
}
assert tuple(COLOURS) == CAUSES
# From the bottom up; the parts that only coroutines have are hatched.
HATCHES = {"compute": "", "context": "....", "scheduler": "////"}
HATCHED = {"moving context": HATCHES["context"], "in the scheduler": HATCHES["scheduler"]}
assert set(HATCHES) == set(PARTS)
BAR_INCHES = 0.22
AXIS_INCHES = 0.8  # of a panel's width, beside its bars


def draw_bar(axes: Axes, place: int, row: pd.Series) -> None:
    """Causes on each other, the whole sum or, where they are known, one part of the program after the other."""
    whole = math.isnan(row[PARTS[0]])
    below = 0.0
    for part, hatch in {"": ""}.items() if whole else HATCHES.items():
        for cause, colour in COLOURS.items():
            height = float(row[cause if whole else share_name(part, cause)])
            if not height:
                continue
            bar = axes.bar(place, height, 0.9, below, color=colour, edgecolor="white", linewidth=0.3)
            style.tag(bar.patches[0], f"{part} {cause.replace('_', ' ')} {height:.1f} % of {row.about}".lstrip())
            if hatch:
                axes.bar(place, height, 0.9, below, fill=False, hatch=hatch, edgecolor="black", linewidth=0)
            below += height


def draw_panel(axes: Axes, table: pd.DataFrame, benches: list[str], room: int) -> None:
    """A bar for each of these benchmarks and each series, with room for so many benchmarks; a point without a record has none."""
    series = list(dict.fromkeys(table.series))
    places, labels = [], []
    for group, bench in enumerate(benches):
        for column, name in enumerate(series):
            place = group * (len(series) + 1) + column
            places.append(place)
            labels.append(name)
            rows = table[(table.benchmark == bench) & (table.series == name)]
            if rows.empty or math.isnan(rows.cycles.iloc[0]):
                style.mark_missing(axes, place, f"{bench}/{name}: {'left out' if rows.empty else rows.reason.iloc[0]}", 2)
                continue
            draw_bar(axes, place, rows.iloc[0])
        middle = group * (len(series) + 1) + (len(series) - 1) / 2
        axes.annotate(bench, (middle, 101), ha="center", va="bottom", annotation_clip=False)
    axes.set_xticks(places, labels, rotation=90, fontsize=6)
    axes.set_ylim(0, 100)
    axes.set_xlim(-0.8, room * (len(series) + 1) - 1.2)


def draw(plan: Experiment, results: list[Result], title: str, limit: float) -> Figure:
    """The figure, at most so many inches wide; a panel with more benchmarks than fit goes on in the next row."""
    table = shares(plan, results)
    axis, benches = plan.figure.panels, plan.values("benchmark")
    group_inches = BAR_INCHES * (table.series.nunique() + 1)
    room = min(len(benches), max(1, int((limit - AXIS_INCHES) / group_inches)))
    parts = [benches[first : first + room] for first in range(0, len(benches), room)]
    panels = [(value, part) for value in (plan.values(axis) if axis else [None]) for part in parts]
    width = min(max(style.WIDTH_INCHES, AXIS_INCHES + group_inches * room), limit)
    figure, grid = plt.subplots(len(panels), 1, figsize=(width, 2.6 * len(panels)), squeeze=False)
    for axes, (value, part) in zip(grid.flat, panels, strict=True):
        draw_panel(axes, table[table[axis] == value] if axis else table, part, room)
        where = "" if value is None else f", {value:g} ns" if axis == "latency_ns" else f", {value}"
        axes.set_ylabel(f"% of the region's cycles{where}")
    handles: list = [Patch(facecolor=colour) for colour in COLOURS.values()]
    handles += [Patch(facecolor="white", edgecolor="black", linewidth=0.3, hatch=hatch) for hatch in HATCHED.values()]
    names = [*(cause.replace("_", " ") for cause in COLOURS), *HATCHED]
    notes = [f"missing: {row['name']}: {row.reason}" for _, row in table[table.cycles.isna()].iterrows()]
    style.finish(figure, title, handles, names, notes + late_lines(results))
    return figure
