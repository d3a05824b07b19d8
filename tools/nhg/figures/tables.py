# SPDX-License-Identifier: Apache-2.0
"""The numbers of a figure as Markdown and CSV: every quantity drawn, beside the paper's text, and each run with those that lose to serial first."""

import math
from pathlib import Path

import pandas as pd

from nhg import late
from nhg.errors import NhgError
from nhg.experiment.execute import Result, late_lines
from nhg.experiment.execute import missing_lines as missing_points
from nhg.experiment.grid import skipped
from nhg.experiment.quantities import QUANTITIES, ratio
from nhg.experiment.schema import AXES, Experiment
from nhg.figures import published
from nhg.figures.quantities import base_key, missing_lines, own_key, series_of, text_of, values, with_mean
from nhg.figures.shares import CAUSES, shares
from nhg.jitter import CONSTANT
from nhg.parts import PARTS
from nhg.record import Record


def markdown(table: pd.DataFrame, form: str) -> str:
    """A table of numbers; empty cells for what there is not."""
    head = "| | " + " | ".join(map(str, table.columns)) + " |\n|" + "---|" * (len(table.columns) + 1)
    rows = [
        "| " + " | ".join([str(name), *("" if pd.isna(cell) else cell if isinstance(cell, str) else form.format(cell) for cell in row)]) + " |"
        for name, row in table.iterrows()
    ]
    return "\n".join([head, *rows])


def row_names(plan: Experiment, table: pd.DataFrame) -> pd.Series:
    """Of each value: its benchmark, and what varies along x and over the panels."""
    axes = ["benchmark", *(axis for axis in AXES if axis in (plan.figure.x, plan.figure.panels) and axis not in ("benchmark", "variant"))]
    return pd.Series([" ".join(text_of(axis, row[axis]) for axis in axes) for _, row in table.iterrows()], index=table.index)


def pivot(plan: Experiment, results: list[Result], name: str) -> pd.DataFrame:
    """Values of a quantity: a row for each benchmark and place, a column for each series."""
    table = with_mean(plan, values(plan, results, name), name)
    table = table.assign(row=row_names(plan, table))
    series = list(dict.fromkeys(table.series))
    return pd.DataFrame({one: table[table.series == one].drop_duplicates("row").set_index("row").value for one in series}).reindex(
        index=list(dict.fromkeys(table.row)), columns=series
    )


def left_serial_lines(results: list[Result]) -> list[str]:
    lines = [f"{result.point.name}: loop left serial: {loop}" for result in results if result.record for loop in result.record.loops_left_serial]
    return list(dict.fromkeys(lines))


def per_operation(own: Record, base: Record, field: str, form: str) -> str:
    """A quantity an operation, of a variant and, after it, of its baseline."""
    found = [getattr(record, field) for record in (own, base)]
    return " / ".join("" if value is None else form.format(value / record.operations) for value, record in zip(found, (own, base), strict=True))


def number(value: float | None, form: str) -> str:
    return "" if value is None else form.format(value)


MEMORY = ["jitter", "limit, GB/s", "far traffic, GB/s"]


def memory(record: Record) -> list[str]:
    """What a run's far memory was beside its latency, and what it moved, in the columns of MEMORY."""
    jitter = record.jitter if record.jitter == CONSTANT.name else f"{record.jitter}, seed {record.jitter_seed}"
    moved = QUANTITIES["far_gbps"]
    traffic = moved.value(record, record)
    return [jitter, "none" if record.bandwidth_gbps is None else f"{record.bandwidth_gbps:g}", "" if math.isnan(traffic) else moved.form.format(traffic)]


def runs(plan: Experiment, results: list[Result]) -> str:
    """Every chosen run that has a baseline, the slowest first, as Markdown."""
    bases = {own_key(result): result.record for result in results if result.record}
    rows: list[tuple[float, list[str]]] = []
    for result in results:
        own, base = result.record, bases.get(base_key(plan, result))
        if not result.chosen or not own or not base or own is base:
            continue
        gain = ratio(base.time, own.time)
        if math.isnan(gain):
            continue
        said = (f"**{gain:.2f}** loses" if gain < 1 else f"{gain:.2f}") + (late.MARK if own.far_late or base.far_late else "")
        cells = [
            own.bench,
            series_of(plan, result.case),
            f"{own.latency_ns:g} ns",
            *memory(own),
            f"{own.tasks or ''}",
            said,
            per_operation(own, base, "cycles" if own.cycles else "wall_ns", "{:,.1f}"),
            per_operation(own, base, "instret", "{:,.1f}"),
            " / ".join(number(record.mlp_mean, "{:.1f}") for record in (own, base)),
            number(own.mlp_peak, "{:.1f}"),
            f"{own.operations:,}",
            own.key[:12],
        ]
        rows.append((gain, cells))
    if not rows:
        return ""
    time = "cycles" if any(result.record and result.record.cycles for result in results) else "ns"
    head = ["benchmark", "series", "latency", *MEMORY, "coroutines", "speedup", f"{time} an operation / baseline", "instructions an operation / baseline"]
    head += ["in flight, mean / baseline", "busiest phase", "operations", "run"]
    lines = [head, ["---"] * len(head), *(cells for _, cells in sorted(rows, key=lambda row: row[0]))]
    return "Runs, the slowest first:\n\n" + "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def sections(plan: Experiment, results: list[Result]) -> dict[str, tuple[pd.DataFrame, str]]:
    """Title, numbers and their form of each table of a figure."""
    if plan.figure.kind == "breakdown":
        table = shares(plan, results).dropna(subset=["cycles"])
        by_panel = table[plan.figure.panels].map(lambda value: f" {text_of(str(plan.figure.panels), value)}") if plan.figure.panels else ""
        shown = table[[*CAUSES, *PARTS]]
        shown.index = pd.Index(table.benchmark + by_panel + " " + table.series)
        shown.columns = pd.Index([str(name).replace("_", " ") for name in shown.columns])
        return {"% of the region's cycles, by cause, then by part of the program": (shown, "{:.1f}")}
    names = [inner for name in plan.figure.quantities for inner in (name, QUANTITIES[name].inner) if inner]
    return {QUANTITIES[name].title: (pivot(plan, results, name), QUANTITIES[name].form) for name in names}


def remarks(plan: Experiment, results: list[Result]) -> list[str]:
    """What is to be said of an experiment beside its missing points: means that are, points left out, loops that stayed serial, latencies not kept."""
    drawn = plan.figure.quantities if plan.figure.kind in ("bars", "lines") else []
    means = [line for name in drawn for line in missing_lines(with_mean(plan, values(plan, results, name), name), of_means=True)]
    return [*dict.fromkeys(means), *skipped(plan), *left_serial_lines(results), *late_lines(results)]


def text_and_numbers(plan: Experiment, results: list[Result]) -> tuple[str, pd.DataFrame]:
    """The Markdown of a figure and all its numbers."""
    tables = sections(plan, results)
    text = [f"# {plan.title}", *(f"{title}\n\n{markdown(table, form)}" for title, (table, form) in tables.items())]
    text += published.lines(plan, results)
    if plan.figure.kind != "breakdown":
        text.append(runs(plan, results))
    notes = [*missing_points([result for result in results if result.chosen]), *remarks(plan, results)]
    text.append("\n".join(f"- {line}" for line in notes))
    return "\n\n".join(part for part in text if part), pd.concat({title: table for title, (table, _) in tables.items()})


def put(plan: Experiment, folder: Path, text: str, numbers: pd.DataFrame, quiet: bool) -> list[Path]:
    """Write <name>.md and <name>.csv; print the Markdown unless `quiet`."""
    folder.mkdir(parents=True, exist_ok=True)
    places = [folder / f"{plan.name}.md", folder / f"{plan.name}.csv"]
    places[0].write_text(text + "\n")
    numbers.to_csv(places[1], index_label=["table", "row"])
    if not quiet:
        print(text)
    return places


def write(plan: Experiment, results: list[Result], folder: Path, quiet: bool = False) -> list[Path]:
    return put(plan, folder, *text_and_numbers(plan, results), quiet)


def edge_rows(plan: Experiment, results: list[Result]) -> pd.DataFrame:
    """What starting the tasks and waiting for the last ones costs in a region: from the same run with a longer region."""
    least, most = min(plan.values("region_length")), max(plan.values("region_length"))
    longer = {key_without_length(result): result.record for result in results if result.case.values["region_length"] == most}
    rows = {}
    for result in results:
        record, more = result.record, longer.get(key_without_length(result))
        if result.case.values["region_length"] != least or not record or not more:
            continue
        added = (more.cycles - record.cycles) / (more.operations - record.operations)
        mean = record.cycles / record.operations
        rows[f"{record.bench} {record.variant} {record.latency_ns:g} ns"] = {
            "operations": f"{record.operations:,}",
            "operations a task": f"{record.operations / record.tasks:.1f}" if record.tasks else "",
            "cycles an operation": f"{mean:,.1f}",
            "of those added": f"{added:,.1f}",
            "start and end": f"{1 - added / mean:.1%}",
        }
    if not rows:
        raise NhgError(f"experiment {plan.name}: no point was verified in both lengths, no table")
    return pd.DataFrame.from_dict(rows, orient="index")


def edges(plan: Experiment, results: list[Result], folder: Path, quiet: bool = False) -> list[Path]:
    table = edge_rows(plan, results)
    notes = "".join(f"\n- {line}" for line in missing_points(results))
    text = f"# {plan.title}\n\nCycles of the region, and of operations added to it\n\n{markdown(table, '{}')}"
    return put(plan, folder, text + (f"\n{notes}" if notes else ""), table, quiet)


def key_without_length(result: Result) -> tuple:
    return tuple(str(result.case.values[axis]) for axis in AXES if axis != "region_length")
