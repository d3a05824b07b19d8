# SPDX-License-Identifier: Apache-2.0
"""Records and their schema."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jsonschema
import pytest
from pydantic import ValidationError

from nhg import record, table
from nhg.errors import NhgError

SCHEMA = Path(record.__file__).with_name("schema") / f"record-{record.SCHEMA_VERSION}.json"


def test_published_schema_is_the_model_and_accepts_a_record(make_record):
    schema = json.loads(SCHEMA.read_text())
    assert schema == record.Record.model_json_schema(), "renew with python -m nhg schema"
    jsonschema.validate(json.loads(make_record().model_dump_json()), schema)


def test_the_file_of_a_record_is_named_by_what_was_run_and_its_key(make_record):
    named = make_record(key="0123456789abcdef" + "0" * 48, latency_ns=1.5)
    assert record.file_name(named) == "gups-serial-sim-1.5ns-0123456789ab.json"


def test_an_unverified_record_cannot_exist(make_record):
    with pytest.raises(ValidationError):
        make_record(verified=False)


def test_writing_is_whole_or_not_at_all(tmp_path, make_record):
    place = tmp_path / "run.json"
    record.write_json(place, make_record().model_dump(mode="json"))
    assert record.read(place) == make_record()
    with pytest.raises(TypeError):
        record.write_json(place, {"bad": object()})
    assert record.read(place) == make_record() and list(tmp_path.iterdir()) == [place]
    with pytest.raises(NhgError, match="cannot write"):
        record.write_json(place / "below", {})


def test_writers_of_one_file_do_not_disturb_each_other(tmp_path):
    place = tmp_path / "run.json"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: record.write_json(place, {"number": number}), range(400)))
    assert json.loads(place.read_text())["number"] in range(400) and list(tmp_path.iterdir()) == [place]


def test_speedup_is_time_of_the_baseline_over_time(make_record):
    assert table.speedup(make_record(emulated_ns=1000.0), make_record(emulated_ns=50.0)) == 20
    assert table.speedup(make_record(emulated_ns=None), make_record()) is None
