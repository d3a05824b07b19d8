# SPDX-License-Identifier: Apache-2.0
"""Reads the set of an experiment (dataset.py) back into records, checked.

A row holds its record, or, in the captured sets, the key of one that stands once beside them, in `runs`: a point has one value in all figures.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pandas as pd
from pydantic import ValidationError

from nhg import paths
from nhg.errors import NhgError
from nhg.record import SCHEMA_VERSION, Record

REPEATABLE = ("sim", "iss")  # targets that give the same on every machine: a captured run of one need not be repeated
CAPTURED = paths.ROOT / "results/captured"
RUNS = "runs"
capturing = False  # whether this command keeps its records among the captured ones (one_set.py)
# The record's fields that are text; the others are JSON where a cell is text.
PROPERTIES = Record.model_json_schema()["properties"]
TEXTS = {name for name, schema in PROPERTIES.items() if any(one.get("type") == "string" for one in (schema, *schema.get("anyOf", ())))}


def rows_of(path: Path) -> list[dict]:
    """The rows of a set, absent cells left out."""
    try:
        table = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise NhgError(f"{path}: no set of an experiment ({str(error).splitlines()[0]})") from None
    return [{name: cell for name, cell in row.items() if not pd.isna(cell) and cell != ""} for row in table.to_dict("records")]


def records() -> Path:
    """The folder that records of this command go to."""
    return CAPTURED / RUNS if capturing else paths.RESULTS


def runs(folder: Path) -> dict[str, Path]:
    """Files of the runs that sets in a folder share, by the beginning of their keys."""
    return {file.stem.rpartition("-")[2]: file for file in sorted((folder / RUNS).glob("*.json"))}


def checked(found: Callable[[], Record], key: str, where: str) -> Record:
    """A record whose causes sum to the region's cycles."""
    try:
        record = found()
    except ValidationError as error:
        first = error.errors()[0]
        raise NhgError(f"{where}: {key[:12]} is no verified record ({'.'.join(map(str, first['loc']))}: {first['msg']})") from None
    attributed = sum(record.cycle_breakdown.values())
    if record.cycle_breakdown and attributed != record.cycles:
        raise NhgError(f"{where}: {key[:12]}: the causes count {attributed:,} cycles, the region has {record.cycles:,}")
    return record


def run_in(file: Path) -> Record:
    return checked(lambda: Record.model_validate_json(file.read_text()), file.stem.rpartition("-")[2], file.name)


def record_of(row: dict, where: str, shared: dict[str, Path]) -> Record | None:
    """The record of a row; None where the point has none."""
    if "key" not in row:
        return None
    if "bench" not in row:
        file = shared.get(row["key"][:12])
        record = run_in(file) if file else None
        if not record or record.key != row["key"]:
            raise NhgError(f"{where}: run {row['key'][:12]} is not in {RUNS}; take that folder from where the set comes from")
        return record
    fields = {name: json.loads(row[name]) if isinstance(row[name], str) and name not in TEXTS else row[name] for name in Record.model_fields if name in row}
    for name in ("bandwidth_gbps", "git_commit", "git_dirty"):
        fields.setdefault(name, None)
    return checked(lambda: Record.model_validate(fields), row["key"], where)


def read(path: Path) -> list[tuple[dict, Record | None]]:
    """The rows of a set with their records."""
    shared = runs(path.parent)
    return [(row, record_of(row, path.name, shared)) for row in rows_of(path)]


def in_folder(folder: Path) -> list[tuple[str, Record]]:
    """Every record of a folder's sets with the set's name, and the runs that none of them has yet."""
    found = [(path.stem, record) for path in sorted(folder.glob("*.csv")) for _, record in read(path) if record]
    known = {record.key[:12] for _, record in found}
    return found + [(RUNS, run_in(file)) for key, file in runs(folder).items() if key not in known]


@cache
def repeatable(folder: Path) -> dict[str, Record]:
    """The records in a folder's sets that hold on this machine, too, by their keys."""
    return {record.key: record for _, record in in_folder(folder) if record.target in REPEATABLE and record.schema_version == SCHEMA_VERSION}
