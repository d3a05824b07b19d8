# SPDX-License-Identifier: Apache-2.0
"""Tables of experiments, as Markdown and CSV in plots/: instruction counts over serial, native speedups over serial."""

import math
from pathlib import Path

import pandas as pd

from nhg.errors import NhgError
from nhg.experiment import Experiment, Result
from nhg.record import Record
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


def pivot(plan: Experiment, results: list[Result], value) -> pd.DataFrame:
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
    rows = ["| " + " | ".join([str(name), *("" if pd.isna(cell) else cell if isinstance(cell, str) else form.format(cell)
                                            for cell in row)]) + " |" for name, row in table.iterrows()]
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
