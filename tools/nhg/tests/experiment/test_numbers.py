# SPDX-License-Identifier: Apache-2.0
"""Each number that a figure or table can show, computed from records whose fields are all different."""

import math

import pandas as pd
import pytest
from plans import make_plan

from nhg import late
from nhg.figures import tables
from nhg.figures.quantities import QUANTITIES, described, geomean, values
from nhg.figures.shares import CAUSES, share_name, shares
from nhg.parts import PARTS

BASE = {"emulated_ns": 7000.0, "cycles": 21000, "instret": 1100, "work_instret": 1050, "switches": 3, "context_ops": 5, "operations": 13}
OWN = {"emulated_ns": 1000.0, "cycles": 3000, "instret": 1700, "work_instret": 1300, "switches": 19, "context_ops": 29, "operations": 13}
OWN |= {"mlp_mean": 31.0, "mlp_peak": 37.0, "far_bytes": 4100}
EXPECTED = {
    "speedup": 7.0,
    "over_software": 7.0,
    "instructions": 1700 / 1100,
    "work_instructions": 1300 / 1100,
    "switches": 19 / 3,
    "switches_per_operation": 19 / 13,
    "context_per_switch": 29 / 19,
    "cycles_per_operation": 3000 / 13,
    "ns_per_operation": 1000 / 13,
    "operations_per_us": 13.0,
    "in_flight_mean": 31.0,
    "in_flight_busiest": 37.0,
    "far_gbps": 4.1,
}


@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity(make_record, name):
    assert QUANTITIES[name].value(make_record(**OWN), make_record(**BASE)) == pytest.approx(EXPECTED[name])


@pytest.mark.parametrize(("name", "field"), [("in_flight_mean", "mlp_mean"), ("in_flight_busiest", "mlp_peak"), ("far_gbps", "far_bytes")])
def test_what_was_not_counted_is_missing(make_record, name, field):
    record = make_record(**(OWN | {field: None}))
    assert math.isnan(QUANTITIES[name].value(record, record))


def test_a_mean_of_nothing_or_with_a_gap_is_missing():
    assert geomean(pd.Series([2.0, 8.0])) == pytest.approx(4)
    assert math.isnan(geomean(pd.Series([], dtype=float))) and math.isnan(geomean(pd.Series([2.0, math.nan])))


def test_shares_are_percent_of_the_cycles(results_of):
    counts = {cause: 10 * number for number, cause in enumerate(CAUSES, 1)}
    stalls = {part: dict.fromkeys(CAUSES, number) for number, part in enumerate(PARTS, 1)}
    plan = make_plan({"kind": "breakdown"}, sweep={"variant": ["serial", "full"]})
    row = shares(plan, results_of(plan, lambda values, tasks: {"cycles": 2000, "cycle_breakdown": counts, "stalls": stalls})).iloc[1]
    assert [row[cause] for cause in CAUSES] == [count / 20 for count in counts.values()]
    assert [row[part] for part in PARTS] == [number * len(CAUSES) / 20 for number, _ in enumerate(PARTS, 1)]
    assert row[share_name(PARTS[1], CAUSES[2])] == 2 / 20


def test_hand_written_tasks_are_known_by_any_part_but_compute(results_of):
    plan = make_plan({"kind": "breakdown"}, sweep={"benchmark": ["gups", "bs"], "variant": ["serial", "coroutine"]})

    def fields(values, tasks):
        part = PARTS[-2] if values["benchmark"] == "gups" else PARTS[-1]
        return {"cycles": 100, "cycle_breakdown": dict.fromkeys(CAUSES, 1), "stalls": {part: {CAUSES[0]: 7}}}

    table = shares(plan, results_of(plan, fields)).set_index(["benchmark", "variant"])
    assert table.loc[("gups", "coroutine"), PARTS[-2]] == 7 and math.isnan(table.loc[("bs", "coroutine"), PARTS[-1]])
    assert table.loc[("bs", "serial"), PARTS[-1]] == 7


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"git_commit": "0123456789abcdef", "git_dirty": False}, "3,000 cycles, 13 operations; run 000000000000, commit 012345678"),
        ({"git_commit": "0123456789abcdef", "git_dirty": True}, "commit 012345678 with changes"),
        ({"cycles": None, "emulated_ns": None, "wall_ns": 1234, "wall_ns_samples": [1234, 1300]}, "1,234 ns, fastest of 2, 13 operations"),
    ],
)
def test_what_a_run_is(results_of, changes, said):
    found = results_of(make_plan(), lambda values, tasks: OWN | {"key": "0" * 64} | changes)
    assert said in described(found[1]) and ("commit no commit" in described(found[1])) == ("git_commit" not in changes)


def test_as_fast_as_serial_does_not_lose(results_of):
    plan = make_plan(sweep={"latency_ns": [100, 200, 800]})
    slower = {100: 1001.0, 200: 1000.0, 800: 999.0}
    text = tables.runs(plan, results_of(plan, lambda values, tasks: {"emulated_ns": slower[values["latency_ns"]] if values["variant"] != "serial" else 1000.0}))
    rows = [line.split(" | ") for line in text.splitlines() if "gups" in line]
    assert [row[2] for row in rows] == ["100 ns", "200 ns", "800 ns"] and [" loses" in row[7] for row in rows] == [True, False, False], rows


LATE = {"latency_ns": 100.0, "far_read_latency_ns": {"mean": 102.0}, "far_stalls": {"read_slots": 3}}


@pytest.mark.parametrize(
    ("changes", "limit"),
    [
        ({}, ""),
        ({"far_read_latency_ns": {"mean": 102.1}}, "slots"),
        ({"far_read_latency_ns": {"mean": 102.1}, "far_port_use": {"read": 0.8}}, "port"),
        ({"far_read_latency_ns": {"mean": 102.1}, "far_port_use": {"read": 0.79}}, "slots"),
    ],
)
def test_from_where_a_latency_is_not_as_set(make_record, changes, limit):
    assert late.limit(make_record(**(LATE | changes))) == limit


@pytest.mark.parametrize(("reads", "writes", "accesses"), [(None, 7, 7), (7, None, 7), (3, 4, 7)])
def test_late_ones_are_of_all_accesses(make_record, reads, writes, accesses):
    assert f"* 2 of {accesses} far accesses" in late.note(make_record(far_late=2, far_reads=reads, far_writes=writes))


def test_a_missing_point_does_not_hide_those_behind_it(results_of):
    plan = make_plan({"kind": "bars", "quantities": ["switches"], "x": "latency_ns"}, sweep={"latency_ns": [100, 200, 800]})

    def fields(case, tasks):
        return "gone" if case["latency_ns"] == 200 else {"switches": 12 if case["variant"] == "bafin" else 4}

    found = values(plan, results_of(plan, fields), "switches").set_index(["latency_ns", "series"])
    assert found.value[100, "bafin"] == found.value[800, "bafin"] == 3 and found.reason[200, "bafin"] == "gone"
