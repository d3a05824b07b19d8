# SPDX-License-Identifier: Apache-2.0
"""The set of an experiment: all its points as one table, with whole records, in Parquet and CSV.

One row a point: the values of the experiment's axes, the reason where there is no record, and every field of the record
(results/README.md), its lists, mappings and truth values as JSON. Reading a set builds the records anew, so what is drawn from one
has passed the same checks as what was measured: only verified runs are records, and their cycles by cause sum to the region's.
"""

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd

from nhg.errors import NhgError, no_space
from nhg.experiment import sets
from nhg.experiment.execute import Result, select
from nhg.experiment.grid import Case, cases
from nhg.experiment.schema import AXES, DEFAULTS, Experiment
from nhg.experiment.sets import read
from nhg.record import Record, file_name, write_json

CASE = "case"  # prefix of the columns that say what the experiment asks for


def case_key(case: Case) -> dict[str, str]:
    """The values of the axes as text, as they stand in a set."""
    return {f"{CASE}_{axis}": str(case.values[axis]) for axis in AXES}


def frame(results: list[Result]) -> pd.DataFrame:
    """One row a point."""
    rows = []
    for result in results:
        own = {**case_key(result.case), "asked_coroutines": result.point.tasks, "seed_number": result.point.setting.jitter.seed, "reason": result.reason}
        fields = result.record.model_dump(mode="json") if result.record else {}
        rows.append(own | {name: json.dumps(value) if isinstance(value, dict | list | bool) else value for name, value in fields.items()})
    columns = [*(f"{CASE}_{axis}" for axis in AXES), "asked_coroutines", "seed_number", "reason", *Record.model_fields]
    table = pd.DataFrame(rows, columns=columns)
    for name in table.columns:
        numbers = {int, float} & set(map(type, table[name].dropna()))
        if numbers == {int}:
            table[name] = table[name].astype("Int64")  # whole numbers stay whole beside what is missing
    return table


def put(table: pd.DataFrame, place: Path) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.suffix == ".csv":
            table.to_csv(place, index=False, lineterminator="\n")
        else:
            table.to_parquet(place, index=False, compression="zstd")
    except OSError as error:
        raise (no_space(place.parent) if error.errno == 28 else NhgError(f"cannot write {error.filename}: {error.strerror}")) from None


def write(results: list[Result], stem: Path) -> list[Path]:
    """Write <stem>.parquet and <stem>.csv."""
    places = [stem.with_name(f"{stem.name}.{kind}") for kind in ("parquet", "csv")]
    for place in places:
        put(frame(results), place)
    return places


def capture(results: list[Result], name: str) -> list[Path]:
    """Write the set into the repository, as text that shows its changes: the keys of its runs, and beside the sets each run once."""
    place = sets.CAPTURED / f"{name}.csv"
    for record in (result.record for result in results if result.record):
        write_json(place.parent / sets.RUNS / file_name(record), record.model_dump(mode="json"))
    put(frame(results).drop(columns=[field for field in Record.model_fields if field != "key"]), place)
    return [place]


def fill(plan: Experiment, path: Path) -> list[Result]:
    """The experiment's points with the records of a set, without running anything. A point that the set lacks is missing; an axis that is younger than the set
    had its default, and where a case asks for the benchmark's own number of coroutines, that of the set counts."""
    known: dict[tuple[tuple, int | None], tuple[Record | None, str, int]] = {}
    for row, record in read(path):
        values = *(row.get(f"{CASE}_{axis}", str(DEFAULTS.get(axis, ""))) for axis in AXES), int(row["seed_number"])
        tasks = int(row["asked_coroutines"])
        # A point that names no number has the benchmark's own.
        known[values, tasks] = known[values, None] = (record, row.get("reason", ""), tasks)
    results = []
    for case in cases(plan):
        for point in case.points:
            values = *case_key(case).values(), point.setting.jitter.seed
            record, reason, tasks = known.get((values, point.coroutines), (None, f"not in {path.name}", point.tasks))
            results.append(Result(case, point if tasks == point.tasks else replace(point, coroutines=tasks), record, reason))
    return select(results)
