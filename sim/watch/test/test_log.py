# SPDX-License-Identifier: Apache-2.0
"""The pipeline log of given events (events_selftest.cc), without a core.

usage: make -C sim/harness test
"""

import os
import subprocess
from pathlib import Path

import kanata
import pytest
from kanata import GROUP, INSTRUCTION, REQUEST, Row

HERE = Path(__file__).resolve().parent
FOUR_BYTES = "00e6100b"
PC = 0x4000


@pytest.fixture(scope="session")
def program(tmp_path_factory) -> Path:
    built = tmp_path_factory.mktemp("watch") / "events_selftest"
    sources = [HERE.parent / name for name in ("events_selftest.cc", "kanata.cc", "pipeline.cc", "amu_lanes.cc")]
    subprocess.run([os.environ.get("CXX", "g++"), "-std=c++17", "-Wall", "-Wextra", "-Werror", "-O0", *sources, "-o", built], check=True)
    return built


@pytest.fixture
def rows(program):
    def run(events: list[str]) -> list[Row]:
        return kanata.read(subprocess.run([program], input="\n".join(events), capture_output=True, text=True, check=True).stdout)

    return run


def through(begin: int, index: int, retires: int, destination: int = 0, sources: int = 0, fin: int = 0) -> list[str]:
    """An instruction that takes a cycle for each stage, until it waits to retire."""
    steps = [
        "fetch_begins",
        f"fetched {PC + 4 * index:x} {FOUR_BYTES}",
        "decoded 0 0",
        f"renamed {index:x} {sources:x} {destination:x} {fin:x}",
        f"queued {index:x}",
        f"issued {index:x}",
    ]
    events = [f"{begin + i} {step}" for i, step in enumerate(steps)]
    return [*events, f"{begin + 7} executes {index:x}", f"{begin + 7} done {index:x}", f"{retires} retired"]


def in_order(*parts: list[str]) -> list[str]:
    return sorted((event for part in parts for event in part), key=lambda event: int(event.split()[0]))


def names(row: Row) -> str:
    return " ".join(f"{name}{cycle}" for cycle, name in row.stages)


def test_stages_of_an_instruction(rows):
    (row,) = rows(["0 window 100", *through(10, 0, 20)])
    assert names(row) == "F10 Dc12 Rn13 Ds14 Is15 Rr16 X17 Wb18 Cm20"
    assert (row.kind, row.number, row.end, row.retired, row.pc) == (INSTRUCTION, 0, 21, 0, PC)
    assert row.label == "00004000: instruction 15077387" and row.detail == f"encoding {FOUR_BYTES}"


def test_cycles_count_from_the_window_and_what_began_before_it_is_cut(rows):
    (row,) = rows(in_order(["16 window 19"], through(10, 0, 20)))
    assert names(row) == "Rr0 X1 Wb2 Cm4"


@pytest.mark.parametrize(("first", "last", "shown"), [(0, 9, 0), (0, 10, 1), (20, 30, 1), (21, 30, 0)])
def test_only_what_lives_in_the_window_is_in_the_log(rows, first, last, shown):
    assert len(rows(in_order([f"{first} window {last:x}"], through(10, 0, 20)))) == shown


def test_instructions_behind_a_mispredicted_one_are_dropped(rows):
    fetched = ["18 fetch_begins", f"19 fetched {PC + 0x40:x} {FOUR_BYTES}", f"19 fetched {PC + 0x44:x} 1", "20 decoded 0 0"]
    old, young, decoded, compressed = rows(in_order(["0 window 100"], through(10, 0, 30), through(11, 1, 99)[:-1], fetched, ["20 killed 0 0"]))
    assert old.retired == 0 and old.end == 31
    assert {row.retired for row in (young, decoded, compressed)} == {None} and {row.end for row in (young, decoded, compressed)} == {21}
    assert young.detail.endswith("killed") and compressed.detail.startswith("encoding 0001")


def test_a_flush_drops_everything_and_the_trapped_one_says_so(rows):
    trapped, young = rows(in_order(["0 window 100"], through(10, 0, 99)[:-1], through(11, 1, 99)[:-1], ["20 trapped", "21 killed 1 0"]))
    assert trapped.retired is None and "traps" in trapped.detail and young.retired is None


def test_a_rob_place_is_used_again(rows):
    first, second = rows(in_order(["0 window 100"], through(10, 0, 20), through(30, 0, 40)))
    assert (first.retired, second.retired, second.end) == (0, 1, 41)


def test_a_store_is_done_with_the_later_of_address_and_data(rows):
    events = [event for event in through(10, 0, 25) if "done" not in event]
    (row,) = rows(in_order(["0 window 100"], [*events, "11 done 0", "14 done 0", "20 done 0"]))
    assert names(row).endswith("Is15 Rr16 X17 Wb21 Cm25")


def test_an_arrow_comes_from_the_instruction_that_makes_an_operand(rows):
    maker, other, user = rows(
        in_order(["0 window 100"], through(10, 0, 30, destination=0x21), through(11, 1, 31, destination=0x22), through(12, 2, 32, sources=0x21 << 9))
    )
    assert user.arrows == [(17, maker)] and not maker.arrows and not other.arrows


def request(begin: int, tag: int, ident: int, done: int) -> list[str]:
    return [
        f"{begin} committed 0 {ident:x}",
        f"{begin + 2} split 100000048 8",
        f"{begin + 3} line {tag:x} 100000040",
        f"{begin + 5} sent",
        f"{begin + 7} answered 0",
        f"{begin + 8} passed_on",
        f"{begin + 11} looked_up {tag:x} 0",
        f"{begin + 12} asked {tag:x}",
        f"{done - 2} response {tag:x}",
        f"{done} counted {tag:x} {ident:x}",
    ]


def test_a_request_its_group_and_who_takes_it(rows):
    taker = through(58, 1, 80, fin=1)
    events = in_order(["0 window 100"], through(10, 0, 20), request(20, 5, 7, 50), ["51 finished 7 0", "53 to_btq 0 800003ca"], taker)
    events = [event for event in events if event != "20 retired"] + ["20 retired"]
    instruction, line, group, bafin = rows(sorted(events, key=lambda event: int(event.split()[0])))
    assert names(line) == "Op18 Rq21 Sp23 Lk24 L226 L329 Ax32 Me33 Rs49" and line.end == 51
    assert line.kind == REQUEST and line.label == "aload ID 7: 8 bytes at 100000048" and line.arrows == [(21, instruction)]
    assert names(group) == "Cd51 Fq52 Bt54 Tk62" and (group.kind, group.end) == (GROUP, 81)
    assert group.label == "group of ID 7 -> 800003ca" and group.arrows == [(51, line)]
    assert group.detail == f"taken by instruction {bafin.number} at 00004004" and (61, group) in bafin.arrows


def test_a_group_whose_taker_was_killed_waits_for_another(rows):
    events = in_order(
        ["0 window 100"], request(20, 5, 7, 50), ["51 finished 7 0"], through(58, 1, 99, fin=1)[:-1], ["70 killed 1 0"], through(71, 2, 90, fin=1)
    )
    group = next(row for row in rows(events) if row.kind == GROUP)
    assert names(group) == "Cd51 Fq52 Tk62 Fq71 Tk75" and group.end == 91 and "taken by instruction 1" in group.detail


def test_every_line_of_a_request_has_a_row(rows):
    events = ["0 window 100", "1 committed 1 9", "2 split 100000020 40", "3 line 1 100000000", "4 line 2 100000040"]
    first, second = rows([*events, "30 counted 2 9", "40 counted 1 9", "41 finished 9 3", "60 trapped"])[:2]
    assert first.label == second.label == "astore ID 9: 64 bytes at 100000020"
    assert "line 100000000, tag 1" in first.detail and "line 100000040, tag 2" in second.detail
    assert (first.end, second.end) == (41, 31)


def test_what_is_open_when_the_run_ends_is_dropped_then(rows):
    line, instruction = rows(in_order(["0 window 100"], request(20, 5, 7, 50)[:-1], through(40, 0, 60)[:-1], ["70 trapped"]))
    assert {line.retired, instruction.retired} == {None} and {line.end, instruction.end} == {71}
    assert "open when the run ended" in line.detail


def test_events_of_unknown_instructions_are_left_out(rows):
    assert (
        rows(["0 window 100", "1 retired", "2 done 4", "3 issued 5", "4 renamed 1", "5 decoded 0 0", "6 counted 3 3", "7 sent", "8 split 0 8", "9 trapped"])
        == []
    )
