# SPDX-License-Identifier: Apache-2.0
"""The table of an experiment whose figure is `warmup`: how far samples are off that had a shorter warm-up than the longest one measured.

The same samples are compared one by one, so what differs among them drops out; the interval is that of the mean of their differences.
"""

from pathlib import Path

import pandas as pd

from nhg.errors import NhgError
from nhg.experiment.execute import Result, missing_lines
from nhg.experiment.grid import skipped
from nhg.experiment.schema import AXES, Experiment
from nhg.figures.tables import markdown, put
from nhg.record import Record
from nhg.sampling import interval

SHOWN = "warm-up of {:,}"


def key_without_warmup(result: Result) -> tuple:
    return tuple(str(result.case.values[axis]) for axis in AXES if axis != "warmup")


def error(record: Record, longest: Record) -> str:
    """Of its samples over the same ones after the longest warm-up, in percent, with the 95 % interval."""
    pairs = list(zip(record.samples, longest.samples, strict=True))
    if any((own.first, own.operations) != (other.first, other.operations) for own, other in pairs):
        return "other samples"
    low, high = interval([100 * (own.cycles / other.cycles - 1) for own, other in pairs])
    return f"{(low + high) / 2:+.1f}% ({low:+.1f} to {high:+.1f})"


def rows(plan: Experiment, results: list[Result]) -> pd.DataFrame:
    """A row for each program and condition, a column for each warm-up."""
    groups: dict[tuple, dict[int, Record]] = {}
    for result in results:
        if result.record and result.record.samples:
            groups.setdefault(key_without_warmup(result), {})[int(str(result.case.values["warmup"]))] = result.record
    found = {}
    for measured in groups.values():
        most = max(measured)
        longest = measured[most]
        cells = {SHOWN.format(warmup): error(record, longest) for warmup, record in sorted(measured.items()) if warmup != most}
        about = {"longest": f"{most:,}", "cycles an operation": f"{longest.cycles / longest.operations:,.1f}"}  # type: ignore[operator]
        found[f"{longest.bench} {longest.variant} {longest.latency_ns:g} ns"] = {**about, **cells}
    if not any(len(measured) > 1 for measured in groups.values()):
        raise NhgError(f"experiment {plan.name}: no samples were verified with two warm-ups, no table; a warm-up needs `samples`, two or more")
    columns = ["longest", "cycles an operation", *(SHOWN.format(warmup) for warmup in sorted({number for group in groups.values() for number in group}))]
    table = pd.DataFrame.from_dict(found, orient="index")
    return table[[column for column in columns if column in table]].fillna("")


def draw(plan: Experiment, results: list[Result], folder: Path, quiet: bool = False) -> list[Path]:
    table = rows(plan, results)
    notes = "\n".join(f"- {line}" for line in [*skipped(plan), *missing_lines(results)])
    said = "Cycles an operation after the longest warm-up (operations), and by how much the same samples differ from it after shorter ones (95 %)"
    text = f"# {plan.title}\n\n{said}\n\n{markdown(table, '{}')}"
    return put(plan, folder, text + (f"\n\n{notes}" if notes else ""), table, quiet)
