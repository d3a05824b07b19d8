# SPDX-License-Identifier: Apache-2.0
"""Reads the set of an experiment (dataset.py) back into records, checked."""

import json
from functools import cache
from pathlib import Path

import pandas as pd
from pydantic import ValidationError

from nhg import paths
from nhg.errors import NhgError
from nhg.record import SCHEMA_VERSION, Record

REPEATABLE = ("sim", "iss")  # targets that give the same on every machine: a captured run of one need not be repeated
CAPTURED = paths.ROOT / "results/captured"
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


def record_of(row: dict, where: str) -> Record | None:
    """The record in a row, checked; None where the point has none."""
    if "key" not in row:
        return None
    fields = {name: json.loads(row[name]) if isinstance(row[name], str) and name not in TEXTS else row[name] for name in Record.model_fields if name in row}
    for name in ("bandwidth_gbps", "git_commit", "git_dirty"):
        fields.setdefault(name, None)
    try:
        record = Record.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise NhgError(f"{where}: {row['key'][:12]} is no verified record ({'.'.join(map(str, first['loc']))}: {first['msg']})") from None
    attributed = sum(record.cycle_breakdown.values())
    if record.cycle_breakdown and attributed != record.cycles:
        raise NhgError(f"{where}: {row['key'][:12]}: the causes count {attributed:,} cycles, the region has {record.cycles:,}")
    return record


def read(path: Path) -> list[tuple[dict, Record | None]]:
    """The rows of a set with their records."""
    return [(row, record_of(row, path.name)) for row in rows_of(path)]


@cache
def repeatable(folder: Path) -> dict[str, Record]:
    """The records in a folder's sets that hold on this machine, too, by their keys."""
    found = [record for path in sorted(folder.glob("*.csv")) for _, record in read(path) if record]
    return {record.key: record for record in found if record.target in REPEATABLE and record.schema_version == SCHEMA_VERSION}
