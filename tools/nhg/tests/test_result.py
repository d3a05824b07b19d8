# SPDX-License-Identifier: Apache-2.0
"""Every number of a result from its counters: begin, end and now differ in all of them, so that none can stand in another's place."""

import json

import pytest

from nhg import platform, result
from nhg.errors import NhgError
from nhg.result import Snapshots

# What the region counts; begin and end are made from it.
REGION = {
    "cycles": 3000,
    "instret": 700,
    "far_reads": 40,
    "far_writes": 20,
    "far_read_bytes": 2560,
    "far_write_bytes": 1300,
    "far_inflight_integral": 9000,
    "far_busy_cycles": 2000,
    "far_late": 3,
    "far_read_latency_sum": 40 * 330,
    "far_write_latency_sum": 20 * 360,
    "far_read_stall_core": 5,
    "far_write_stall_memory": 6,
    "cycles_retiring": 600,
    "cycles_far_load": 2400,
    "branch_mispredicts": 7,
    "amu_finished": 8,
}
# Far memory clears these when the region begins: they are no differences.
EXTREMES = {"far_inflight_max": 11, "far_read_latency_min": 300, "far_read_latency_max": 600, "far_write_latency_min": 303, "far_write_latency_max": 900}
BEFORE, AFTER = 1_000_000, 50
STATUS = {"rob_head_pc": 0x8123_4568, "rob_head_valid": 1, "cycle_cause": 4}


def snapshots(**changes) -> Snapshots:
    counters = [*REGION, *EXTREMES, *STATUS]
    begin = [BEFORE + place for place in range(len(REGION))] + [1] * len(EXTREMES) + [2] * len(STATUS)
    end = [first + count for first, count in zip(begin, REGION.values(), strict=False)] + [*EXTREMES.values(), *STATUS.values()]
    now = [value + AFTER for value in end]
    content = {"exit_code": 0, "counters": counters, "begin": begin, "end": end, "now": now, "peak_integral": 90, "peak_busy": 10}
    return Snapshots(**content | {"metrics": [1, 2], "host_seconds": 0.5} | changes)


def test_a_region_is_what_was_counted_between_its_ends():
    found = result.compute(snapshots())
    assert found.has_region and (found.cycles, found.instret) == (3000, 700)
    assert (found.total_cycles, found.total_instret) == (BEFORE + 3000 + AFTER, BEFORE + 1 + 700 + AFTER)
    assert found.far == {name.removeprefix("far_"): count for name, count in (REGION | EXTREMES).items() if name.startswith("far_")}
    assert (found.mlp_mean, found.mlp_busiest) == (4.5, 9)
    assert found.cycle_breakdown == {"retiring": 600, "far_load": 2400} and found.probes == {"branch_mispredicts": 7, "amu_finished": 8}
    assert found.sim_khz == pytest.approx((BEFORE + 3000 + AFTER) / 0.5 / 1000)
    assert result.record_fields("gups", found) == {
        "cycles": 3000,
        "emulated_ns": 1000,
        "instret": 700,
        "far_reads": 40,
        "far_writes": 20,
        "far_bytes": 3860,
        "far_late": 3,
        "far_port_use": {"read": 0.04, "write": 0.0203125},
        "inflight_max": 11,
        "far_read_latency_ns": {"min": 100, "mean": 110, "max": 200},
        "far_write_latency_ns": {"min": 101, "mean": 120, "max": 300},
        "far_stalls": {"read_core": 5, "write_memory": 6},
        "mlp_mean": 4.5,
        "mlp_peak": 9,
        "branch_mispredicts": 7,
        "cycle_breakdown": {"retiring": 600, "far_load": 2400},
        "probes": {"amu_finished": 8},
        "simulated_khz": found.sim_khz,
    }
    assert platform.cycles_per_ns() == 3


def test_extremes_are_those_of_the_memory_map():
    assert {f"far_{name}" for name in result.extremes()} == set(EXTREMES)


@pytest.mark.parametrize("missing", ["begin", "end"])
def test_without_a_region_it_is_the_whole_run(missing):
    whole = snapshots(**{missing: None})
    found = result.compute(whole)
    assert not found.has_region and found.cycles == found.total_cycles == BEFORE + 3000 + AFTER
    assert found.far["reads"] == whole.now[whole.counters.index("far_reads")]
    with pytest.raises(NhgError, match="gups: the program marked no region"):
        result.record_fields("gups", found)


def test_a_counter_may_begin_anew_in_the_region():
    run = snapshots()
    for first, last, counted in ((2**64 - 100, 2900, 3000), (2**64 - 1, 0, 1), (0, 2**63 + 5, 2**63 + 5)):
        assert result.compute(snapshots(begin=[first, *run.begin[1:]], end=[last, *run.end[1:]])).cycles == counted, "counters of 64 bits"


def test_nothing_is_divided_by_zero():
    run = snapshots()
    unused = [place for place, name in enumerate(run.counters) if name in ("far_busy_cycles", "far_reads")]
    idle = [run.begin[place] if place in unused else value for place, value in enumerate(run.end)]
    found = result.compute(snapshots(end=idle, peak_busy=0, host_seconds=0))
    assert (found.mlp_mean, found.mlp_busiest, found.sim_khz) == (0, 0, 0)
    assert result.latency_ns(found.far, "read") == {} and result.latency_ns(found.far, "write")["mean"] == 120
    assert result.compute(snapshots(peak_busy=0)).mlp_busiest == 4.5, "no window was busy: the mean"


def test_causes_are_those_of_every_cycle_or_none():
    run = snapshots()
    fewer = [value - (name == "cycles_retiring") for name, value in zip(run.counters, run.end, strict=True)]
    with pytest.raises(NhgError, match="gups: the causes count 2,999 cycles, the region has 3,000; no record"):
        result.record_fields("gups", result.compute(snapshots(end=fewer)))
    kept = [place for place, name in enumerate(run.counters) if not name.startswith("cycles_") and name != "instret"]
    banks = {name: [getattr(run, name)[place] for place in kept] for name in ("counters", "begin", "end", "now")}
    fields = result.record_fields("gups", result.compute(snapshots(**banks)))
    assert fields["cycle_breakdown"] == {} and fields["instret"] is None and fields["cycles"] == 3000


@pytest.mark.parametrize("change", [{"begin": [1]}, {"end": [1]}, {"now": [1]}, {"counters": None}, None])
def test_a_result_that_does_not_fit_is_none(tmp_path, change):
    run = snapshots()
    content = {name: getattr(run, name) for name in Snapshots.__dataclass_fields__}
    place = tmp_path / "result.json"
    place.write_text(json.dumps(content))
    assert result.read("gups", place) == run
    place.write_text(json.dumps({name: value for name, value in (content | (change or {})).items() if value is not None}) if change else "{")
    with pytest.raises(NhgError, match="gups: the run left no readable result"):
        result.read("gups", place)
