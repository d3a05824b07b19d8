# SPDX-License-Identifier: Apache-2.0
"""Lines over a number: coroutines, bandwidth, latency, jitter. A panel a benchmark; a series that has one value for every x is a horizontal line."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from nhg.experiment.execute import Result, late_lines
from nhg.experiment.quantities import QUANTITIES
from nhg.experiment.schema import Experiment
from nhg.figures import style
from nhg.figures.bars import axis_title, missing_of, panels_of
from nhg.figures.quantities import text_of

COLUMNS_MAX = 4
PANEL_INCHES = (2.4, 1.8)
LOGARITHMIC_FROM = 8.0  # x axes whose ends differ by this factor


def draw_panel(axes: Axes, plan: Experiment, table: pd.DataFrame, quantity: str, look: dict[str, tuple[str, str, str]]) -> None:
    """The lines of one panel; a missing point interrupts its line and is marked at the bottom."""
    ordered = [value for value in plan.values(plan.figure.x) if value in set(table[plan.figure.x])]
    numeric = all(isinstance(value, int | float) for value in ordered)
    places = {value: float(value) if numeric else float(place) for place, value in enumerate(ordered)}
    for name, (colour, marker, dashes) in look.items():
        own = table[table.series == name].set_index(plan.figure.x)
        if own.empty:
            continue
        level = own.value.nunique(dropna=False) == 1 and len(own) > 1 and own.key.nunique() == 1
        drawn = [(places[value], own.loc[value].value if value in own.index else math.nan) for value in ordered]
        line = axes.plot(*zip(*drawn, strict=True), color=colour, linestyle=dashes, linewidth=1.1)
        for value in ordered:
            if value not in own.index:
                continue
            row = own.loc[value]
            if math.isnan(row.value):
                cross = axes.plot(places[value], 0, marker="x", color=style.MISSING, clip_on=False, linestyle="none", markersize=4, zorder=6)
                style.tag(cross[0], f"missing: {row['name']}: {row.reason}")
                continue
            about = f"{row.about} -> {QUANTITIES[quantity].title} {QUANTITIES[quantity].form.format(row.value)}"
            if row.high > row.low:
                axes.errorbar(places[value], row.value, [[row.value - row.low], [row.high - row.value]], color=colour, linewidth=0.7, capsize=1.5)
            if level:
                style.tag(line[0], about)
                break
            style.tag(axes.plot(places[value], row.value, marker=marker, color=colour, markersize=3.2, linestyle="none")[0], about)
    if QUANTITIES[quantity].is_ratio:
        axes.axhline(1, color="black", linewidth=0.5, linestyle=":", zorder=0)
    if numeric and min(places.values()) > 0 and max(places.values()) / min(places.values()) >= LOGARITHMIC_FROM:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_minor_locator(NullLocator())
    shown = ordered if len(ordered) <= 7 else ordered[:: -(-len(ordered) // 7)]
    axes.set_xticks([places[value] for value in shown])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda place, _: next((plain(plan, v) for v, at in places.items() if abs(at - place) < 1e-9), "")))
    axes.margins(y=0.1)
    axes.set_ylim(bottom=0)


def plain(plan: Experiment, value: object) -> str:
    return text_of(plan.figure.x, value).split(" ")[0]


def draw(plan: Experiment, results: list[Result], title: str, limit: float) -> Figure:
    """The figure, at most so many inches wide."""
    panels = panels_of(plan, results)
    series = {name: variant for _, _, table in panels for name, variant in zip(table.series, table.variant, strict=True)}
    dashes = ("-", "-.", ":", (0, (5, 1)))
    look: dict = {}
    count: dict[str, int] = {}
    for number, (name, (colour, _)) in enumerate(style.colours(series).items()):
        look[name] = (colour, style.MARKERS[number % len(style.MARKERS)], dashes[count.get(colour, 0) % len(dashes)])
        count[colour] = count.get(colour, 0) + 1
    figure, grid = style.panels([quantity for _, quantity, _ in panels], COLUMNS_MAX, PANEL_INCHES, limit)
    for ((row, column), axes), (name, quantity, table) in zip(grid.items(), panels, strict=True):
        draw_panel(axes, plan, table, quantity, look)
        axes.set_title(name)
        if column == 0:
            axes.set_ylabel(style.wrapped(QUANTITIES[quantity].title))
        if (row + 1, column) not in grid:
            axes.set_xlabel(axis_title(plan.figure.x, table))
    handles = [Line2D([], [], color=colour, marker=marker, markersize=4, linestyle=dash, linewidth=1.1) for colour, marker, dash in look.values()]
    style.finish(figure, title, handles, list(look), missing_of([table for _, _, table in panels]) + late_lines(results))
    return figure
