# SPDX-License-Identifier: Apache-2.0
"""The speedup figure, in the style of the paper's figure 12.

One panel per benchmark and one for the geometric mean; groups of bars over the
far-memory latency, one bar per variant, each normalised to serial at the same latency. A
point without a verified record has no bar: it is marked and named below the figure.
"""

import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from nhg import late
from nhg.errors import NhgError
from nhg.experiment import Experiment, Result, missing_lines
from nhg.variants import BASELINE

COLOURS = ("#9e9e9e", "#e6a23c", "#5b9bd5", "#2f6db5", "#b03a2e", "#6c3483")
MEAN = "geomean"
COLUMNS_MAX = 3  # panels beside each other


def speedups(results: list[Result]) -> pd.DataFrame:
    """Rows bench, latency_ns, variant, speedup (NaN where a record or its baseline is missing)."""
    times = {(r.bench, r.latency_ns, r.variant): r.record.time for r in results if r.record and r.record.time}
    rows = []
    for result in results:
        base = times.get((result.bench, result.latency_ns, BASELINE))
        own = times.get((result.bench, result.latency_ns, result.variant))
        rows.append((result.bench, result.latency_ns, result.variant, base / own if base and own else math.nan))
    return pd.DataFrame(rows, columns=["bench", "latency_ns", "variant", "speedup"])


def with_geomean(table: pd.DataFrame) -> pd.DataFrame:
    """Add the geometric mean over benchmarks; it is missing where one benchmark is."""

    def geomean(values: pd.Series) -> float:
        return math.nan if values.isna().any() else math.exp(values.map(math.log).mean())

    mean = table.groupby(["latency_ns", "variant"], as_index=False)["speedup"].agg(geomean)
    return pd.concat([table, mean.assign(bench=MEAN)], ignore_index=True)


def draw_panel(axes: Axes, table: pd.DataFrame, plan: Experiment) -> None:
    """Bars of one benchmark: groups are latencies, bars variants."""
    width = 0.8 / len(plan.variants)
    for column, variant in enumerate(plan.variants):
        values = table[table.variant == variant].set_index("latency_ns").speedup.reindex(plan.latency_ns)
        places = [group + (column - (len(plan.variants) - 1) / 2) * width for group in range(len(plan.latency_ns))]
        axes.bar(places, values.fillna(0), width, label=variant, color=COLOURS[column % len(COLOURS)], edgecolor="black", linewidth=0.4)
        for place, value in zip(places, values, strict=True):
            absent = math.isnan(value)
            axes.annotate(
                "missing" if absent else f"{value:.1f}",
                (place, 0 if absent else value),
                rotation=90,
                ha="center",
                va="bottom",
                fontsize=6,
                xytext=(0, 2),
                textcoords="offset points",
                color="red" if absent else "black",
            )
    axes.axhline(1, color="black", linewidth=0.6, linestyle="--")
    axes.set_xticks(range(len(plan.latency_ns)), [f"{latency:g}" for latency in plan.latency_ns])
    axes.set_title(table.bench.iloc[0], fontsize=9)
    axes.margins(y=0.25)


def speedup_figure(plan: Experiment, results: list[Result], folder: Path) -> list[Path]:
    """Write plots/<name>.pdf, .png and .csv; return their paths."""
    if BASELINE not in plan.variants:
        raise NhgError(f"experiment {plan.name}: no {BASELINE} among its variants, nothing to normalise to")
    if not any(result.record for result in results):
        raise NhgError(f"experiment {plan.name}: no point was verified, no figure: {missing_lines(results)[0]}")
    table = with_geomean(speedups(results))
    panels = [*dict.fromkeys(result.bench for result in results), MEAN]
    missing = missing_lines(results) + late.lines(result.record for result in results)
    columns = min(len(panels), COLUMNS_MAX)
    rows = math.ceil(len(panels) / columns)
    foot = 0.16 * len(missing)
    height = 0.5 + 2.4 * rows + foot
    figure, grid = plt.subplots(rows, columns, figsize=(3.4 * columns, height), squeeze=False)
    axes = list(grid.flat)
    for axis, bench in zip(axes, panels, strict=False):
        draw_panel(axis, table[table.bench == bench], plan)
        axis.set_xlabel("far-memory latency (ns)", fontsize=8)
        axis.tick_params(labelsize=7)
    for axis in axes[len(panels) :]:
        axis.axis("off")
    for row in grid:
        row[0].set_ylabel("speedup over serial", fontsize=8)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.suptitle(plan.title, fontsize=10, y=1 - 0.05 / height, va="top")
    figure.legend(handles, labels, loc="upper center", ncol=len(labels), fontsize=8, frameon=False, bbox_to_anchor=(0.5, 1 - 0.22 / height))
    figure.tight_layout(rect=(0, foot / height, 1, 1 - 0.45 / height))
    figure.text(0.01, 0.01, "\n".join(line[:170] for line in missing), fontsize=6, color="red", va="bottom")
    folder.mkdir(parents=True, exist_ok=True)
    places = [folder / f"{plan.name}.{kind}" for kind in ("pdf", "png", "csv")]
    for place in places[:2]:
        figure.savefig(place, dpi=200)
    plt.close(figure)
    table.to_csv(places[2], index=False)
    return places
