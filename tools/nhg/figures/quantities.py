# SPDX-License-Identifier: Apache-2.0
"""What figures show: quantities as one table of values with where each comes from."""

import math
from statistics import mean

import pandas as pd

from nhg.errors import NhgError
from nhg.experiment.execute import Result
from nhg.experiment.grid import Case, left_out
from nhg.experiment.quantities import QUANTITIES
from nhg.experiment.schema import AXES, DEFAULTS, Best, Experiment
from nhg.record import Record
from nhg.variants import BASELINE, with_tasks

MEAN = "geomean"


def geomean(values: pd.Series) -> float:
    """NaN where one value is missing: a mean over fewer benchmarks is another number."""
    return math.nan if values.isna().any() or not len(values) else math.exp(values.map(math.log).mean())


def key_of(case: Case, result: Result) -> tuple:
    """What tells runs apart: the case and, with jitter, the seed."""
    return (*case.key, result.point.setting.jitter.seed if case.values["jitter"] != DEFAULTS["jitter"] else 0)


def base_key(plan: Experiment, result: Result) -> tuple:
    """The key of a run's baseline."""
    return key_of(result.case.compared_with(plan.figure.baseline), result)


def own_key(result: Result) -> tuple:
    return key_of(result.case, result)


def fastest_software(results: list[Result]) -> dict[tuple, Record]:
    """The fastest run without the AMU, by `software_key`."""
    timed = [
        (software_key(result), result.record)
        for result in results
        if result.chosen and result.record and result.record.time and not result.point.variant.needs_amu
    ]
    return dict(sorted(timed, key=lambda one: one[1].time or math.inf, reverse=True))


def software_key(result: Result) -> tuple:
    """What a run has in common with the software that it is compared with."""
    return key_of(result.case.compared_with({"variant": "", "coroutines": ""}), result)


def series_axes(plan: Experiment, shown: str | None = None) -> list[str]:
    """The axes that tell series apart: what varies beside x, the panels and the benchmark that a mean is over."""
    taken = {plan.figure.x, plan.figure.panels, shown}
    varied = [axis for axis in AXES if axis not in taken and len(plan.values(axis)) > 1]
    if len({str(number) for variant in plan.values("variant") if variant != BASELINE for number in numbers_of(plan, variant)}) < 2:
        varied = [axis for axis in varied if axis != "coroutines"]  # the same for all that have coroutines
    return ["variant", *(axis for axis in varied if axis != "variant")]


UNITS = {"latency_ns": "ns", "bandwidth_gbps": "GB/s", "coroutines": "coroutines", "samples": "samples", "warmup": "operations of warm-up"}


def text_of(axis: str, value: object) -> str:
    """A value in a label."""
    if isinstance(value, Best):
        return "best number"
    if axis == "bandwidth_gbps" and value is None:
        return "unlimited"
    if axis == "coroutines" and value == "default":
        return "own number"
    number = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{number} {UNITS[axis]}" if axis in UNITS else number


def series_of(plan: Experiment, case: Case) -> str:
    """A series' name: its variant, and what else tells it apart, if its variant is not alone with that."""
    values = case.values
    words = [str(values["variant"])]
    for axis in series_axes(plan)[1:]:
        if axis == "coroutines" and values["variant"] == BASELINE:
            continue
        if axis == "coroutines" and len({str(number) for number in numbers_of(plan, str(values["variant"]))}) < 2 and values[axis] == "default":
            continue
        words.append(text_of(axis, values[axis]))
    return ", ".join(words)


def numbers_of(plan: Experiment, variant: str) -> list[object]:
    """The numbers of coroutines that an experiment asks of a variant."""
    for axes in plan.zip:
        if {"variant", "coroutines"} <= set(axes.given):
            return [number for name, number in zip(axes.variant or [], axes.coroutines or [], strict=True) if name == variant]
    return plan.values("coroutines")


def described(result: Result) -> str:
    """What a run is, for the reader who points at it."""
    record = result.record
    if not record:
        return f"{result.case.name}: {result.reason or 'not measured'}"
    time = f"{record.cycles:,} cycles" if record.cycles else f"{record.wall_ns:,} ns, fastest of {len(record.wall_ns_samples)}" if record.wall_ns else ""
    commit = (record.git_commit or "no commit")[:9] + (" with changes" if record.git_dirty else "")
    interval = record.cycles_per_operation_interval
    sampled = f" in {len(record.samples)} samples, {interval[0]:,.1f} to {interval[1]:,.1f} cycles an operation (95 %)" if interval else ""
    return (
        f"{record.bench}/{record.variant}, {record.latency_ns:g} ns{with_tasks(record.variant, record.coroutines)}, scale {record.scale}, {record.target}: "
        f"{time}, {record.operations:,} operations{sampled}; run {record.key[:12]}, commit {commit}"
    )


def ends(record: Record) -> list[Record]:
    """The record; of samples one at each end of the confidence interval of their time."""
    if not record.cycles_per_operation_interval or not record.cycles or not record.emulated_ns:
        return [record]
    times = [max(cycles, 0) * record.operations / record.cycles for cycles in record.cycles_per_operation_interval]
    return [record.model_copy(update={"cycles": record.cycles * time, "emulated_ns": record.emulated_ns * time}) for time in times]


def values(plan: Experiment, results: list[Result], name: str) -> pd.DataFrame:
    """One row a case: its axes, series, value (NaN: missing), least and greatest of its repetitions or the ends of its interval (of a ratio both intervals
    at their ends), how many runs, why it is missing, what the run is."""
    quantity = QUANTITIES[name]
    software = fastest_software(results) if quantity.over_software else {}
    bases: dict[tuple, Record] = {}
    grouped: dict[tuple, list[Result]] = {}
    for result in results:
        if not result.chosen:
            continue
        grouped.setdefault(tuple(str(result.case.values[axis]) for axis in AXES), []).append(result)
        if result.record:
            bases.setdefault(own_key(result), result.record)
    rows = []
    for group in grouped.values():
        case = group[0].case
        records = [result.record for result in group if result.record]
        compared = [software.get(software_key(result)) if quantity.over_software else bases.get(base_key(plan, result)) for result in group]
        based = [(result.record, base) for result, base in zip(group, compared, strict=True) if result.record]
        pairs = [(record, base or record) for record, base in based if base or not quantity.is_ratio]
        found = [quantity.value(record, base) for record, base in pairs]
        found = [value for value in found if not math.isnan(value)]
        spread = [quantity.value(own, other) for record, base in pairs for own in ends(record) for other in ends(base)]
        spread = [value for value in spread if not math.isnan(value)]
        part = QUANTITIES[quantity.inner].value(*pairs[0]) if quantity.inner and pairs else math.nan
        whole = len(found) == len(group)
        reason = next((result.reason for result in group if result.reason), "")
        if not whole and not reason:
            reason = "its baseline is missing" if len(pairs) < len(records) else "not measured" if not records else f"no {quantity.title} on this target"
        rows.append(
            {
                **case.values,
                "series": series_of(plan, case),
                "value": mean(found) if whole and found else math.nan,
                "low": min(found + spread) if whole and found else math.nan,
                "high": max(found + spread) if whole and found else math.nan,
                "inner": part,
                "runs": len(group),
                "reason": "" if whole else reason,
                "key": records[0].key[:12] if records else "",
                "about": described(group[0]),
                "chosen_coroutines": records[0].tasks if records else None,
                "name": case.name,
            }
        )
    if not any(row["key"] for row in rows):
        raise NhgError(f"experiment {plan.name}: no point was verified, no figure: {rows[0]['name']} is missing: {rows[0]['reason']}")
    return pd.DataFrame(rows)


def lost(plan: Experiment, table: pd.DataFrame, group: pd.DataFrame) -> list[str]:
    """The benchmarks that a mean over these rows lacks, those that were left out with the reason: over fewer it cannot be compared with its neighbours."""
    found = [f"{bench}" for bench in group.benchmark[group.value.isna()]]
    for bench in dict.fromkeys(table.benchmark):
        if bench not in set(group.benchmark):
            why = left_out(plan, {axis: bench if axis == "benchmark" else group.iloc[0][axis] for axis in AXES})
            found.append(f"{bench} ({why.because if why else 'not in this experiment'})")
    return found


def with_mean(plan: Experiment, table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Add the geometric mean over the benchmarks to a ratio; it is missing where one benchmark is."""
    if not (plan.figure.mean and QUANTITIES[name].is_ratio and table.benchmark.nunique() > 1):
        return table
    others = [axis for axis in AXES if axis not in ("benchmark", "coroutines")]
    groups = table.assign(**{axis: table[axis].map(str) for axis in (*others, "coroutines")}).groupby(["series", *others, "coroutines"], sort=False)
    rows = []
    for _, group in groups:
        first = table.loc[group.index[0]].to_dict()
        lacks = lost(plan, table, table.loc[group.index])
        value, inner = (math.nan, math.nan) if lacks else (geomean(group.value), geomean(group.inner))
        about = f"geometric mean over {len(group)} benchmarks"
        rows.append(
            first
            | {
                "benchmark": MEAN,
                "value": value,
                "inner": inner,
                "low": value,
                "high": value,
                "key": "",
                "about": about,
                "chosen_coroutines": None,
                "runs": len(group),
            }
            | {"reason": f"without {', '.join(lacks)}" if lacks else "", "name": f"{MEAN}/{first['name'].partition('/')[2]}"}
        )
    return pd.concat([table, pd.DataFrame(rows)], ignore_index=True)


def missing_lines(table: pd.DataFrame, of_means: bool) -> list[str]:
    """One line a missing point, or a missing mean."""
    rows = table[table.value.isna() & ((table.benchmark == MEAN) == of_means)]
    return list(dict.fromkeys(f"missing: {row['name']}: {row.reason}" for _, row in rows.iterrows()))
