# SPDX-License-Identifier: Apache-2.0
"""Where the cycles go, as in figures 3 and 14 of the paper: stacked bars of all causes, and a table with the program's parts (docs/stalls.md)."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from nhg import tables
from nhg.errors import NhgError
from nhg.experiment import Experiment, Result, missing_lines
from nhg.parts import PARTS

# Of Okabe and Ito, which tell apart for colour-blind readers, with greys for what is no wait.
COLOURS = {
    "retiring": "#d9d9d9",
    "execution": "#8c8c8c",
    "near_load": "#56b4e9",
    "far_load": "#0072b2",
    "store": "#009e73",
    "amu": "#f0e442",
    "finish": "#e69f00",
    "recovery": "#d55e00",
    "frontend": "#cc79a7",
    "registers": "#000000",
    "queues": "#7f3b08",
}
BAR_INCHES = 0.22


def shares(results: list[Result]) -> pd.DataFrame:
    """One row a verified point: percent of its cycles by cause, then by part of the program."""
    rows = []
    for r in results:
        if r.record and r.record.cycles:
            cycles = r.record.cycles
            by_part = {part: sum(r.record.stalls.get(part, {}).values()) for part in PARTS}
            numbers = {**{cause: r.record.cycle_breakdown[cause] for cause in COLOURS}, **by_part}
            point = {"bench": r.bench, "latency_ns": r.latency_ns, "variant": r.variant, "cycles": cycles}
            rows.append({**point, **{name: 100 * count / cycles for name, count in numbers.items()}})
    return pd.DataFrame(rows)


def draw_panel(axes: Axes, table: pd.DataFrame, plan: Experiment, latency_ns: float) -> None:
    """A bar for each benchmark and variant at one latency; a point without a record has none."""
    places, labels = [], []
    for group, bench in enumerate(plan.benchmarks):
        for column, variant in enumerate(plan.variants):
            place = group * (len(plan.variants) + 1) + column
            places.append(place)
            labels.append(variant)
            rows = table[(table.bench == bench) & (table.latency_ns == latency_ns) & (table.variant == variant)]
            if rows.empty:
                axes.annotate("missing", (place, 2), rotation=90, ha="center", va="bottom", fontsize=6, color="red")
                continue
            below = 0.0
            for cause, colour in COLOURS.items():
                height = float(rows[cause].iloc[0])
                axes.bar(place, height, 0.9, below, color=colour, edgecolor="white", linewidth=0.3, label=cause.replace("_", " "))
                below += height
        middle = group * (len(plan.variants) + 1) + (len(plan.variants) - 1) / 2
        axes.annotate(bench, (middle, 101), ha="center", va="bottom", fontsize=8, annotation_clip=False)
    axes.set_xticks(places, labels, rotation=90, fontsize=6)
    axes.set_ylim(0, 100)
    axes.set_ylabel(f"% of the region's cycles, {latency_ns:g} ns", fontsize=7)
    axes.tick_params(axis="y", labelsize=7)
    axes.margins(x=0.01)


def breakdown_figure(plan: Experiment, results: list[Result], folder: Path) -> list[Path]:
    """Write plots/<name>.pdf, .png, .csv and .md; return their paths."""
    table = shares(results)
    if table.empty:
        raise NhgError(f"experiment {plan.name}: no point was verified, no figure: {missing_lines(results)[0]}")
    bars = len(plan.benchmarks) * (len(plan.variants) + 1)
    figure, grid = plt.subplots(len(plan.latency_ns), 1, figsize=(max(6.0, 1.5 + BAR_INCHES * bars), 1 + 2.6 * len(plan.latency_ns)), squeeze=False)
    for axes, latency in zip(grid.flat, plan.latency_ns, strict=True):
        draw_panel(axes, table, plan, latency)
    handles = dict(zip(*reversed(grid[0][0].get_legend_handles_labels()), strict=True))
    figure.suptitle(plan.title, fontsize=10)
    figure.tight_layout(rect=(0, 0.09, 1, 1))
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncol=6, fontsize=7, frameon=False)
    folder.mkdir(parents=True, exist_ok=True)
    places = [folder / f"{plan.name}.{kind}" for kind in ("pdf", "png", "csv", "md")]
    for place in places[:2]:
        figure.savefig(place, dpi=200)
    plt.close(figure)
    table.to_csv(places[2], index=False)
    shown = table[[*COLOURS, *PARTS]]
    shown.index = pd.Index(table.bench + table.latency_ns.map(" {:g} ns ".format) + table.variant)
    shown.columns = pd.Index([str(name).replace("_", " ") for name in shown.columns])
    text = f"# {plan.title}, % of the region's cycles\n\n" + tables.markdown(shown, "{:.1f}") + "\n"
    text += "".join(f"\n- {line}" for line in missing_lines(results))
    places[3].write_text(text)
    print(text)
    return places
