# SPDX-License-Identifier: Apache-2.0
"""What the text of the paper says in numbers (experiments/paper.toml), and our values beside it."""

import math
import tomllib
from collections.abc import Callable
from functools import cache
from typing import Literal

import pandas as pd
from pydantic import BaseModel, ConfigDict

from nhg import paths
from nhg.experiment.execute import Result
from nhg.experiment.quantities import QUANTITIES
from nhg.experiment.schema import Experiment
from nhg.figures.quantities import MEAN, geomean, values
from nhg.figures.shares import shares

FILE = paths.ROOT / "experiments/paper.toml"
# What `benchmark` may say instead of one: over all of them.
OVER_ALL: dict[str, Callable[[pd.Series], float]] = {
    MEAN: geomean,
    "mean": lambda values: math.nan if values.isna().any() else values.mean(),
    "greatest": lambda values: math.nan if values.isna().any() else values.max(),
}


class Entry(BaseModel):
    """One number of the paper's text."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    paper: int
    quantity: str
    benchmark: str
    variant: str
    beside: tuple[str, ...] = ()  # variants of ours that are more than the paper's
    latency_ns: float | None = None
    best_of: Literal["coroutines"] | None = None
    value: float
    bound: Literal["more than", "less than"] | None = None
    apart: str = ""  # why nothing of ours can be put beside it
    says: str
    source: str

    @property
    def number(self) -> str:
        return f"{self.bound} {self.value:g}" if self.bound else f"{self.value:g}"


class Comparison(BaseModel):
    """A number of the paper beside ours of one series; NaN: we have none, for the reason."""

    entry: Entry
    series: str
    ours: float
    reason: str = ""

    @property
    def said(self) -> str:
        """Our number in words, or why there is none."""
        if math.isnan(self.ours):
            return f"{'not compared' if self.entry.apart else 'missing'}: {self.reason}"
        return form_of(self.entry).format(self.ours)

    @property
    def contradicts(self) -> bool:
        """Ours is on the other side of the paper's bound."""
        return self.ours <= self.entry.value if self.entry.bound == "more than" else self.ours >= self.entry.value if self.entry.bound else False

    @property
    def verdict(self) -> str:
        """How ours stands to the paper's: the ratio, or of a bound whether it is broken."""
        return "contradicts" if self.contradicts else "" if math.isnan(self.ratio) else f"{self.ratio:.2f}"

    @property
    def ratio(self) -> float:
        """Ours over the paper's; of a bound there is none."""
        return math.nan if self.entry.bound else self.ours / self.entry.value


@cache
def entries() -> tuple[Entry, ...]:
    with FILE.open("rb") as stream:
        return tuple(Entry.model_validate(entry) for entry in tomllib.load(stream)["value"])


def of_figure(plan: Experiment) -> list[Entry]:
    return [entry for entry in entries() if entry.paper == plan.paper]


def of_bar(plan: Experiment, quantity: str, row: pd.Series) -> list[Entry]:
    """The numbers of the text that belong to one bar."""

    def stands_for(entry: Entry) -> bool:
        return row.variant == entry.variant or (row.variant in entry.beside and entry.variant not in plan.values("variant"))

    return [
        entry
        for entry in of_figure(plan)
        if (entry.quantity, entry.benchmark) == (quantity, row.benchmark)
        and stands_for(entry)
        and entry.latency_ns in (None, row.latency_ns)
        and entry.best_of is None
        and not entry.apart
    ]


def shown(plan: Experiment, results: list[Result], quantity: str) -> pd.DataFrame:
    """Our values of a quantity of the text: one of QUANTITIES, or a share of the cycles, by cause or by part of the program."""
    kind, _, name = quantity.partition(".")
    if kind in ("cause", "part"):
        found = shares(plan, results)
        return found.assign(value=found.get(name, math.nan))
    return values(plan, results, quantity)


def compare(plan: Experiment, results: list[Result]) -> list[Comparison]:
    """Every number of the text about this figure beside ours, one line a series of its variant."""
    found = []
    for entry in of_figure(plan):
        if entry.apart:
            found.append(Comparison(entry=entry, series=entry.variant, ours=math.nan, reason=entry.apart))
            continue
        table = shown(plan, results, entry.quantity)
        table = table[table.variant.isin([entry.variant, *entry.beside])]
        if entry.latency_ns is not None:
            table = table[table.latency_ns == entry.latency_ns]
        if entry.benchmark not in OVER_ALL:
            table = table[table.benchmark == entry.benchmark]
        if table.empty:
            found.append(Comparison(entry=entry, series=entry.variant, ours=math.nan, reason="not in this experiment"))
        for (series, latency), rows in table.groupby(["series", "latency_ns"], sort=False):
            values_of = rows.groupby("benchmark", sort=False).value.max() if entry.best_of else rows.set_index("benchmark").value
            lacks = [bench for bench in plan.values("benchmark") if bench not in values_of.index] if entry.benchmark in OVER_ALL else []
            ours = math.nan if lacks else OVER_ALL[entry.benchmark](values_of) if entry.benchmark in OVER_ALL else values_of.iloc[0]
            named = series if entry.latency_ns is not None or table.latency_ns.nunique() == 1 else f"{series}, {latency:g} ns"
            if entry.benchmark in OVER_ALL:
                named = f"{named}, over {len(values_of)} benchmarks"
            without = f"without {', '.join(lacks)}" if lacks else "a point is missing"
            reason = "" if not math.isnan(ours) else next((reason for reason in rows.reason if reason), without)
            found.append(Comparison(entry=entry, series=str(named), ours=ours, reason=reason))
    return found


def lines(plan: Experiment, results: list[Result]) -> list[str]:
    """The comparison as Markdown."""
    if plan.paper is None:
        return []
    compared = compare(plan, results)
    if not compared:
        return [f"The paper's text gives no number of its figure {plan.paper}."]
    head = [f"Beside the numbers in the paper's text of figure {plan.paper}:", ""]
    head += ["| the paper | | ours | | ours / paper |", "|---|---|---|---|---|"]
    for one in compared:
        head.append(f"| {one.entry.says} ({one.entry.source}) | {one.entry.number} | {one.series} | {one.said} | {one.verdict} |")
    return ["\n".join(head)]


def form_of(entry: Entry) -> str:
    """How our number is written; shares are percent."""
    return QUANTITIES[entry.quantity].form if entry.quantity in QUANTITIES else "{:.1f} %"
