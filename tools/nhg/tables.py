# SPDX-License-Identifier: Apache-2.0
"""Tables of experiments, as Markdown and CSV in plots/: instruction counts over serial, native speedups over serial.

Beside the speedup figure (plot.py) the same points as Markdown, those that lose to serial first.
"""

import math
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from nhg import late
from nhg.errors import NhgError
from nhg.experiment import Experiment, Result
from nhg.record import Record
from nhg.table import speedup
from nhg.variants import BASELINE

MEAN = "geometric mean"


def geomean(values: pd.Series) -> float:
    known = values.dropna()
    return math.exp(known.map(math.log).mean()) if len(known) else math.nan


def ratio(part: float | None, whole: float | None) -> float:
    return part / whole if part is not None and whole else math.nan


def with_mean(table: pd.DataFrame) -> pd.DataFrame:
    """Add each variant's geometric mean over the benchmarks that have it."""
    mean = pd.DataFrame({column: [geomean(table[column])] for column in table.columns}, index=[MEAN])
    return pd.concat([table, mean])


def pivot(plan: Experiment, results: list[Result], value: Callable[[Record, Record], object]) -> pd.DataFrame:
    """Benchmarks by variants; `value` takes a record and its benchmark's serial record. NaN where there is none."""
    records = {(r.bench, r.variant): r.record for r in results if r.record}
    if not records:
        raise NhgError(f"experiment {plan.name}: no point was verified, no table")
    columns = {}
    for variant in plan.variants:
        column = {}
        for bench in plan.benchmarks:
            own, base = records.get((bench, variant)), records.get((bench, BASELINE))
            column[bench] = value(own, base) if own and base else math.nan
        columns[variant] = column
    return pd.DataFrame(columns, index=plan.benchmarks)


def markdown(table: pd.DataFrame, form: str) -> str:
    """A table of numbers; empty cells for what there is not."""
    head = "| | " + " | ".join(map(str, table.columns)) + " |\n|" + "---|" * (len(table.columns) + 1)
    rows = [
        "| " + " | ".join([str(name), *("" if pd.isna(cell) else cell if isinstance(cell, str) else form.format(cell) for cell in row)]) + " |"
        for name, row in table.iterrows()
    ]
    return "\n".join([head, *rows])


def left_serial_lines(results: list[Result]) -> list[str]:
    return [f"{r.bench}/{r.variant}: loop left serial: {loop}" for r in results if r.record for loop in r.record.loops_left_serial]


def write(plan: Experiment, folder: Path, sections: dict[str, tuple[pd.DataFrame, str]], notes: list[str]) -> list[Path]:
    """Write <name>.md with all sections and <name>.csv with all numbers; print the Markdown."""
    text = [f"# {plan.title}"]
    for title, (table, form) in sections.items():
        text.append(f"{title}\n\n{markdown(table, form)}")
    text += notes
    folder.mkdir(parents=True, exist_ok=True)
    places = [folder / f"{plan.name}.md", folder / f"{plan.name}.csv"]
    places[0].write_text("\n\n".join(text) + "\n")
    pd.concat({title: table for title, (table, _) in sections.items()}).to_csv(places[1], index_label=["table", "bench"])
    print(places[0].read_text())
    return places


def instruction_tables(plan: Experiment, results: list[Result], folder: Path) -> list[Path]:
    """Instructions over serial (figure 13), switches an operation and context operations a switch (figure 15)."""
    sections = {
        "Instructions over serial": (with_mean(pivot(plan, results, lambda own, base: ratio(own.instret, base.instret))), "{:.2f}"),
        "Switches an operation": (pivot(plan, results, lambda own, base: ratio(own.switches, own.operations)), "{:.2f}"),
        "Context operations a switch": (pivot(plan, results, lambda own, base: ratio(own.context_ops, own.switches)), "{:.2f}"),
    }
    return write(plan, folder, sections, left_serial_lines(results))


def chosen(record: Record) -> str:
    spread = (max(record.wall_ns_samples) - min(record.wall_ns_samples)) / record.wall_ns
    return f"{record.coroutines} (+{spread:.0%})"


def native_tables(plan: Experiment, results: list[Result], folder: Path) -> list[Path]:
    """Speedup over serial, each variant with its best number of coroutines; compiled over hand-written coroutines."""
    speedups = pivot(plan, results, lambda own, base: ratio(base.wall_ns, own.wall_ns))
    if {"static", "coroutine"} <= set(plan.variants):
        speedups["static over coroutine"] = speedups["static"] / speedups["coroutine"]
    sections = {
        "Speedup over serial": (with_mean(speedups), "{:.2f}"),
        "Nanoseconds an operation": (pivot(plan, results, lambda own, base: ratio(own.wall_ns, own.operations)), "{:.2f}"),
        "Coroutines (slowest repetition over the fastest)": (pivot(plan, results, lambda own, base: chosen(own)), "{}"),
    }
    return write(plan, folder, sections, left_serial_lines(results))


def edge_table(plan: Experiment, once: list[Result], twice: list[Result], folder: Path) -> list[Path]:
    """What starting the tasks and waiting for the last ones costs in a region: from the same run with twice the operations."""
    longer = {(r.bench, r.variant, r.latency_ns): r.record for r in twice}
    rows = {}
    for r in once:
        more = longer[r.bench, r.variant, r.latency_ns]
        if not r.record or not more:
            continue
        added = (more.cycles - r.record.cycles) / (more.operations - r.record.operations)
        mean = r.record.cycles / r.record.operations
        rows[f"{r.bench} {r.variant} {r.latency_ns:g} ns"] = {
            "operations": f"{r.record.operations:,}",
            "operations a task": f"{r.record.operations / r.record.coroutines:.1f}",
            "cycles an operation": f"{mean:,.1f}",
            "of those added": f"{added:,.1f}",
            "start and end": f"{1 - added / mean:.1%}",
        }
    if not rows:
        raise NhgError(f"experiment {plan.name}: no point was verified in both sizes, no table")
    return write(plan, folder, {"Cycles of the region, and of as many operations added to it": (pd.DataFrame.from_dict(rows, orient="index"), "{}")}, [])


def number(value: float | None, form: str) -> str:
    return "" if value is None else form.format(value)


def both(own: Record, base: Record, field: str, form: str) -> str:
    """A quantity an operation, of a variant and, after it, of serial."""
    cells = []
    for record in (own, base):
        value = getattr(record, field)
        cells.append(number(None if value is None else value / record.operations, form))
    return " / ".join(cells)


def speedup_rows(results: list[Result]) -> list[tuple[float, list[str]]]:
    """Speedup and cells of each point but the baseline's, the slowest first; points without a record or a baseline come first of all."""
    baselines = {(r.bench, r.latency_ns): r.record for r in results if r.variant == BASELINE}
    rows = []
    for r in results:
        base = baselines.get((r.bench, r.latency_ns))
        name = [r.bench, r.variant, f"{r.latency_ns:g} ns"]
        if r.variant == BASELINE and r.record:
            continue
        gain = speedup(base, r.record) if base and r.record else None
        if gain is None:
            rows.append((-math.inf, [*name, f"**missing**: {r.reason or 'no time of serial to compare with'}", "", "", "", ""]))
            continue
        own = r.record
        rows.append(
            (
                gain,
                [
                    *name,
                    (f"**{gain:.2f}** loses" if gain < 1 else f"{gain:.2f}") + (late.MARK if own.far_late or base.far_late else ""),
                    both(own, base, "cycles", "{:,.1f}"),
                    both(own, base, "instret", "{:,.1f}"),
                    f"{number(own.mlp_mean, '{:.1f}')} / {number(base.mlp_mean, '{:.1f}')}",
                    number(own.mlp_peak, "{:.1f}"),
                ],
            )
        )
    return sorted(rows, key=lambda row: row[0])


def mean_lines(plan: Experiment, results: list[Result]) -> list[str]:
    """Geometric mean of the speedups of each variant at each latency, over the benchmarks that have one."""
    lines = []
    for latency in plan.latency_ns:
        table = pivot(plan, [r for r in results if r.latency_ns == latency], speedup_or_nan)
        lines += [
            f"Geometric mean of `{variant}` at {latency:g} ns: {geomean(table[variant]):.2f} "
            f"({table[variant].count()} of {len(plan.benchmarks)} benchmarks, {int((table[variant] < 1).sum())} lose)"
            for variant in plan.variants
            if variant != BASELINE
        ]
    return lines


def speedup_or_nan(own: Record, base: Record) -> float:
    gain = speedup(base, own)
    return math.nan if gain is None else gain


def speedup_table(plan: Experiment, results: list[Result], folder: Path) -> list[Path]:
    """Write <name>.md: every point that has a serial one to compare with, the slowest first; print it."""
    head = [
        "benchmark",
        "variant",
        "latency",
        "speedup",
        "cycles an operation / serial",
        "instructions an operation / serial",
        "in flight, mean / serial",
        "busiest phase",
    ]
    lines = ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *(cells for _, cells in speedup_rows(results)))]
    notes = [*left_serial_lines(results), *late.lines(r.record for r in results)]
    text = "\n\n".join([f"# {plan.title}", "\n".join(lines), "\n".join(f"- {line}" for line in mean_lines(plan, results)), *notes])
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{plan.name}.md"
    place.write_text(text + "\n")
    print(text)
    return [place]
