# SPDX-License-Identifier: Apache-2.0
"""Grouped bars, as in figures 12, 13, 15 and 16 of the paper: groups along x, a bar for each series, a panel for each value of an axis or quantity.

A point without a verified record has no bar: it is marked "missing", and the reasons stand below the figure. A bar of the fastest of several numbers
of coroutines bears that number in brackets. What the paper's text says of a bar is drawn beside it (published.py).
"""

import math

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from nhg.experiment.execute import Result, late_lines
from nhg.experiment.schema import Best, Experiment
from nhg.figures import published, style
from nhg.figures.quantities import MEAN, QUANTITIES, UNITS, missing_lines, text_of, values, with_mean

COLUMNS_MAX = 3  # panels beside each other
BAR_INCHES = 0.135
LABEL_SHARE = 0.3  # of a panel's height that a bar's number takes
PANEL_INCHES = (2.0, 10.2)  # least and greatest width
AXIS_TITLES = {
    "latency_ns": "far-memory latency (ns)",
    "bandwidth_gbps": "far-memory bandwidth (GB/s)",
    "coroutines": "coroutines",
    "jitter": "jitter of the latency (ns)",
    "benchmark": "",
    "variant": "",
}


def groups_of(plan: Experiment, table: pd.DataFrame) -> list[object]:
    """The places along x in the order of the experiment, the mean last."""
    found = [value for value in plan.values(plan.figure.x) if value in set(table[plan.figure.x])]
    return [*found, MEAN] if plan.figure.x == "benchmark" and MEAN in set(table.benchmark) else found


def axis_title(axis: str, table: pd.DataFrame) -> str:
    """Of x; with the number of runs behind a point where there are several."""
    runs = table[table.benchmark != MEAN].runs.max()
    name = AXIS_TITLES.get(axis, axis.replace("_", " "))
    return f"{name}, n = {runs} seeds,\nwhiskers: least and greatest" if runs > 1 else name


def draw_panel(axes: Axes, plan: Experiment, table: pd.DataFrame, quantity: str, look: dict[str, tuple[str, str]]) -> None:
    """The bars of one panel."""
    groups, series = groups_of(plan, table), list(look)
    width = 0.84 / len(series)
    form = QUANTITIES[quantity].form
    crowded = len(groups) * len(series) > 70
    for column, name in enumerate(series):
        colour, hatch = look[name]
        own = table[table.series == name]
        for place, group in enumerate(groups):
            rows = own[own[plan.figure.x].map(str) == str(group)]
            if rows.empty:
                continue
            row = rows.iloc[0]
            x = place + (column - (len(series) - 1) / 2) * width
            if math.isnan(row.value):
                style.mark_missing(axes, x, f"{row['name']}: {row.reason}")
                continue
            has_part = row.inner < row.value
            bar = axes.bar(x, row.value, width, color=colour, hatch="" if has_part else hatch, edgecolor="black", linewidth=0.4, alpha=0.35 if has_part else 1)
            inside = f", {QUANTITIES[QUANTITIES[quantity].inner].title} {form.format(row.inner)}" if has_part else ""
            style.tag(bar.patches[0], f"{row.about} -> {QUANTITIES[quantity].title} {form.format(row.value)}{inside}")
            if has_part:
                axes.bar(x, row.inner, width, color=colour, hatch=hatch, edgecolor="black", linewidth=0.4)
            if row.high > row.low:
                axes.errorbar(x, row.value, [[row.value - row.low], [row.high - row.value]], color="black", linewidth=0.6, capsize=1.5)
            entries = published.of_bar(plan, quantity, row)
            chosen = f" [{int(row.chosen_coroutines)}]" if isinstance(row.coroutines, Best) and pd.notna(row.chosen_coroutines) else ""
            # The number stands at the bar's end, or above a diamond that is just there.
            room = LABEL_SHARE * max([table.high.max(), *(entry.value for entry in entries)])
            top = max([row.high, *(entry.value for entry in entries if row.high <= entry.value < row.high + room)])
            if chosen or not crowded:
                label = f"{short(row.value)}{chosen}"
                axes.annotate(label, (x, top), rotation=90, ha="center", va="bottom", fontsize=5.5, xytext=(0, 3), textcoords="offset points")
            for entry in entries:
                for mark in style.mark_published(axes, x, width, entry.value, entry.bound):
                    style.tag(mark, f"the paper, {entry.source}: {entry.says}, {entry.number}")
    if QUANTITIES[quantity].is_ratio:
        axes.axhline(1, color="black", linewidth=0.6, linestyle="--", zorder=0)
    axes.set_xticks(range(len(groups)), [text_of(plan.figure.x, group).removesuffix(f" {UNITS.get(plan.figure.x, '')}") for group in groups])
    if plan.figure.x in ("benchmark", "variant", "jitter"):
        axes.tick_params(axis="x", labelrotation=0 if BAR_INCHES * (len(series) + 1) > (0.4 if plan.figure.x == "benchmark" else 0.9) else 25)
    axes.set_xlim(-0.6, len(groups) - 0.4)
    axes.margins(y=0.34 if any(isinstance(number, Best) for number in table.coroutines) else 0.3)
    axes.set_ylim(bottom=0)


def short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def panels_of(plan: Experiment, results: list[Result]) -> list[tuple[str, str, pd.DataFrame]]:
    """Title, quantity and points of each panel."""
    found = []
    for quantity in plan.figure.quantities:
        table = with_mean(plan, values(plan, results, quantity), quantity)
        if plan.figure.hide_baseline:
            table = table[table.variant != plan.figure.baseline["variant"]]
        axis = plan.figure.panels
        wanted: list[object] = [None]
        if axis:
            wanted = [value for value in plan.values(axis) if value in set(table[axis])]
            wanted += [MEAN] if axis == "benchmark" and MEAN in set(table.benchmark) else []
        for value in wanted:
            rows = table[table[axis].map(str) == str(value)] if axis else table
            title = "" if axis is None else text_of(axis, value)
            found.append((title, quantity, rows))
    return found


def missing_of(tables: list[pd.DataFrame]) -> list[str]:
    """One line a missing point, then one a mean that lacks some."""
    return [line for of_means in (False, True) for line in missing_lines(pd.concat(tables), of_means)]


def draw(plan: Experiment, results: list[Result], title: str) -> Figure:
    panels = panels_of(plan, results)
    series = {name: variant for _, _, table in panels for name, variant in zip(table.series, table.variant, strict=True)}
    look = style.colours(series)
    widest = max(len(groups_of(plan, table)) for _, _, table in panels) * (len(series) + 1)
    width = min(max(BAR_INCHES * widest + 0.6, PANEL_INCHES[0]), PANEL_INCHES[1])
    columns = max(1, min(len(panels), COLUMNS_MAX, int(PANEL_INCHES[1] / width)))
    rows = -(-len(panels) // columns)
    notes = missing_of([table for _, _, table in panels]) + late_lines(results)
    figure, grid = plt.subplots(rows, columns, figsize=(max(width * columns, 5.5), 0.7 + 2.0 * rows + 0.12 * min(len(notes), 13)), squeeze=False)
    for axes, (name, quantity, table) in zip(grid.flat, panels, strict=False):
        draw_panel(axes, plan, table, quantity, look)
        axes.set_title(name)
        axes.set_ylabel(style.wrapped(QUANTITIES[quantity].title))
        axes.set_xlabel(axis_title(plan.figure.x, table))
    for axes in list(grid.flat)[len(panels) :]:
        axes.axis("off")
    handles: list = [Patch(facecolor=colour, hatch=hatch, edgecolor="black", linewidth=0.4) for colour, hatch in look.values()]
    labels = list(look)
    if any((table.inner < table.value).any() for _, _, table in panels):
        handles.append(Patch(facecolor="#777777", alpha=0.35, edgecolor="black", linewidth=0.4))
        labels.append("of these, polls that find nothing")
    bounds = {entry.bound for _, quantity, table in panels for _, row in table.iterrows() for entry in published.of_bar(plan, quantity, row)}
    for bound in (one for one in style.PUBLISHED if one in bounds):
        handles.append(Line2D([], [], linestyle="none", **style.PUBLISHED[bound]))
        labels.append("the paper's text" + (f": {bound}" if bound else ""))
    style.finish(figure, title, handles, labels, style.notes_below(figure, notes))
    return figure
