# SPDX-License-Identifier: Apache-2.0
"""Grouped bars, as in figures 12, 13, 15 and 16 of the paper: groups along x, a bar for each series, a panel for each value of an axis or quantity.

A point without a verified record has no bar: it is marked "missing", and the reasons stand below the figure. A bar of the fastest of several numbers
of coroutines bears that number in brackets. What the paper's text says of a bar is drawn beside it (published.py). A panel with more groups than fit
goes on in the next row.
"""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from nhg.experiment.execute import Result, late_lines
from nhg.experiment.quantities import QUANTITIES
from nhg.experiment.schema import Best, Experiment
from nhg.figures import published, style
from nhg.figures.quantities import MEAN, UNITS, missing_lines, text_of, values, with_mean

COLUMNS_MAX = 3  # panels beside each other
BAR_INCHES = 0.135
PANEL_INCHES = 2.0  # least width
AXIS_INCHES = 0.6  # of a panel's width, beside its bars
OF_THE_PAPER = "run:the paper, "  # how the names of its marks begin
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


def draw_panel(axes: Axes, plan: Experiment, table: pd.DataFrame, quantity: str, look: dict[str, tuple[str, str]], places: int) -> None:
    """The bars of one panel, which has room for so many groups."""
    groups, series = groups_of(plan, table), list(look)
    width = 0.84 / len(series)
    form = QUANTITIES[quantity].form
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
            label = f"{short(row.value)}{chosen}"
            axes.annotate(label, (x, row.high), rotation=90, ha="center", va="bottom", fontsize=6, xytext=(0, 3), textcoords="offset points")
            for entry in entries:
                for mark in style.mark_published(axes, x, width, entry.value, entry.bound):
                    style.tag(mark, f"the paper, {entry.source}: {entry.says}, {entry.number}")
    if QUANTITIES[quantity].is_ratio:
        axes.axhline(1, color="black", linewidth=0.6, linestyle="--", zorder=0)
    axes.set_xticks(range(len(groups)), [text_of(plan.figure.x, group).removesuffix(f" {UNITS.get(plan.figure.x, '')}") for group in groups])
    if plan.figure.x in ("benchmark", "variant", "jitter"):
        axes.tick_params(axis="x", labelrotation=0 if BAR_INCHES * (len(series) + 1) > (0.4 if plan.figure.x == "benchmark" else 0.9) else 25)
    axes.set_xlim(-0.6, places - 0.4)
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


def split(plan: Experiment, panel: tuple[str, str, pd.DataFrame], most: int) -> list[tuple[str, str, pd.DataFrame]]:
    """A panel in parts of at most so many groups, about as many in each."""
    name, quantity, table = panel
    groups = [str(group) for group in groups_of(plan, table)]
    each = -(-len(groups) // -(-len(groups) // most))
    return [(name, quantity, table[table[plan.figure.x].map(str).isin(groups[first : first + each])]) for first in range(0, len(groups), each)]


def lift_numbers(axes: Axes) -> None:
    """A number that a mark of the paper would cover stands above it."""
    marks = [(float(mark.get_ydata()[0]), mark) for mark in axes.lines if str(mark.get_gid()).startswith(OF_THE_PAPER)]  # type: ignore[index,arg-type]
    for label in axes.texts:
        for value, mark in sorted(marks, key=lambda one: one[0]):
            if label.get_window_extent().overlaps(mark.get_window_extent().padded(axes.figure.dpi / 36)):  # two points of air
                label.xy = (label.xy[0], value)  # type: ignore[attr-defined]
                label.set_position((0, 6))


def draw(plan: Experiment, results: list[Result], title: str, limit: float) -> Figure:
    """The figure, at most so many inches wide."""
    whole = panels_of(plan, results)
    look = style.colours({name: variant for _, _, table in whole for name, variant in zip(table.series, table.variant, strict=True)})
    group_inches = BAR_INCHES * (len(look) + 1)
    panels = [part for panel in whole for part in split(plan, panel, max(1, int((limit - AXIS_INCHES) / group_inches)))]
    groups = max(len(groups_of(plan, table)) for _, _, table in panels)
    width = min(max(group_inches * groups + AXIS_INCHES, PANEL_INCHES), limit)
    figure, grid = style.panels([quantity for _, quantity, _ in panels], COLUMNS_MAX, (width, 2.0), limit)
    tops: dict[tuple[str, str], float] = {}
    for axes, (name, quantity, table) in zip(grid.values(), panels, strict=True):
        draw_panel(axes, plan, table, quantity, look, groups)
        axes.set_title(name)
        axes.set_ylabel(style.wrapped(QUANTITIES[quantity].title))
        axes.set_xlabel(axis_title(plan.figure.x, table))
        tops[name, quantity] = max(tops.get((name, quantity), 0), axes.get_ylim()[1])
    for axes, (name, quantity, _) in zip(grid.values(), panels, strict=True):
        axes.set_ylim(top=tops[name, quantity])
    handles: list = [Patch(facecolor=colour, hatch=hatch, edgecolor="black", linewidth=0.4) for colour, hatch in look.values()]
    labels = list(look)
    if any((table.inner < table.value).any() for _, _, table in panels):
        handles.append(Patch(facecolor="#777777", alpha=0.35, edgecolor="black", linewidth=0.4))
        labels.append("of these, polls that find nothing")
    bounds = {entry.bound for _, quantity, table in panels for _, row in table.iterrows() for entry in published.of_bar(plan, quantity, row)}
    for bound in (one for one in style.PUBLISHED if one in bounds):
        handles.append(Line2D([], [], linestyle="none", **style.PUBLISHED[bound]))
        labels.append("the paper's text" + (f": {bound}" if bound else ""))
    style.finish(figure, title, handles, labels, missing_of([table for _, _, table in whole]) + late_lines(results))
    for axes in grid.values():
        lift_numbers(axes)
    return figure
