# SPDX-License-Identifier: Apache-2.0
"""Which part of a program an address belongs to, from the line table; cycles by part, whose sums must be the counters'."""

import pytest

from nhg import parts
from nhg.errors import NhgError
from nhg.table import breakdown, waits

# As llvm-dwarfdump prints them; the second table numbers its files from 0 (DWARF 5) and has one that was not linked, at address 0.
LINE_TABLES = """
debug_line[0x00000000]
include_directories[  1] = "./software/bench/gups"
file_names[  1]:
           name: "gups.c"
      dir_index: 1
file_names[  2]:
           name: "coroamu.scheduler"
file_names[  3]:
           name: "coroamu.context"
file_names[  4]:
           name: "software/bench/common/coro_scheduler.hpp"
file_names[  5]:
           name: "software/bench/common/amac_scheduler.h"

Address            Line   Column File   ISA Discriminator OpIndex Flags
------------------ ------ ------ ------ --- ------------- ------- -------------
0x0000000050000100      9      3      1   0             0       0  is_stmt
0x0000000050000110      0      0      1   0             0       0
0x0000000050000114      1      0      2   0             0       0  is_stmt
0x0000000050000120      1      0      3   0             0       0
0x0000000050000120      1      0      2   0             0       0
0x0000000050000130      0      3      2   0             0       0
0x0000000050000134      9      3      1   0             0       0
0x0000000050000140      1      0      3   0             0       0  is_stmt
0x0000000050000148     41      0      4   0             0       0
0x0000000050000150      9      0      5   0             0       0
0x0000000050000158      1      0      3   0             0       0  end_sequence

debug_line[0x00000080]
file_names[  0]:
           name: "coroamu.context"
0x0000000000000000      1      0      0   0             0       0  is_stmt
0x0000000000000010      1      0      0   0             0       0  end_sequence
0x0000000050000200      1      0      0   0             0       0  is_stmt
0x0000000050000204      1      0      0   0             0       0  end_sequence
"""


def test_every_address_has_one_part():
    program = parts.parse(LINE_TABLES)
    expected = {
        0x5000_0000: "compute",  # before all tables
        0x5000_0100: "compute",
        0x5000_010E: "compute",
        0x5000_0110: "scheduler",  # no line: with what follows
        0x5000_0114: "scheduler",
        0x5000_012E: "scheduler",  # the row of no length says nothing
        0x5000_0130: "compute",
        0x5000_0138: "compute",
        0x5000_0140: "context",
        0x5000_0147: "context",
        0x5000_0148: "scheduler",  # of hand-written coroutines
        0x5000_0150: "scheduler",  # of hand-written state machines
        0x5000_0158: "compute",  # another object, without a line table
        0x5000_0202: "context",
        0x5000_0204: "compute",
    }
    assert {address: program.of(address).part for address in expected} == expected


def test_cycles_by_part_add_up_to_the_counters():
    program = parts.parse(LINE_TABLES)
    by_pc = [[0x5000_0100, [1, 2]], [0x5000_0114, [3, 0]], [0x5000_0118, [4, 5]], [0x5000_0140, [0, 6]]]
    table = parts.stalls("gups/full", program, by_pc, {"retiring": 8, "far_load": 13})
    assert table == {
        "scheduler": {"retiring": 7, "far_load": 5},
        "context": {"retiring": 0, "far_load": 6},
        "compute": {"retiring": 1, "far_load": 2},
    }
    with pytest.raises(NhgError, match="8 cycles of retiring by instruction, but 9 by counter"):
        parts.stalls("gups/full", program, by_pc, {"retiring": 9, "far_load": 13})


def test_waits_are_of_lines_the_most_first():
    lines = parts.parse(LINE_TABLES)
    by_pc = [[0x5000_0104, [9, 2]], [0x5000_0114, [9, 1]], [0x5000_0134, [9, 5]], [0x5000_0100, [9, 0]], [0x5000_014A, [9, 0]], [0x4000_0000, [0, 4]]]
    assert list(parts.far_waits(lines, by_pc, ["retiring", "far_load"]).items()) == [
        ("software/bench/gups/gups.c:9", 7),
        ("no line", 4),
        ("coroamu.scheduler:1", 1),
    ]


def test_three_lines_are_shown(make_record):
    record = make_record(cycles=1000, far_waits={"a.c:1": 500, "a.c:2": 200, "a.c:3": 100, "a.c:4": 90})
    assert waits(record) == "waits for far memory, of all cycles: 50.0% a.c:1, 20.0% a.c:2, 10.0% a.c:3"
    assert waits(make_record(cycles=1000, far_waits={"a.c:1": 500, "a.c:2": 4})) == "waits for far memory, of all cycles: 50.0% a.c:1"
    assert waits(make_record(cycles=None, far_waits={"a.c:1": 6, "a.c:2": 2})) == "far accesses that are no requests: 75.0% a.c:1, 25.0% a.c:2"
    assert waits(make_record(far_waits={})) is None


def test_table_adds_up(make_record):
    stalls = {"scheduler": {"retiring": 700, "far_load": 0}, "context": {"retiring": 200, "far_load": 100}, "compute": {"retiring": 1500, "far_load": 500}}
    full = make_record(variant="full", cycle_breakdown={"retiring": 2400, "far_load": 600}, stalls=stalls)
    serial = make_record(cycle_breakdown={"retiring": 30, "far_load": 2970})
    table = breakdown([serial, full])
    columns = [column.header for column in table.columns]
    cells = {name: list(column.cells) for name, column in zip(columns, table.columns, strict=True)}
    assert columns == ["", "serial", "full", "scheduler", "context", "compute"]
    assert cells[""] == ["retiring", "far load", "all"]
    assert cells["serial"] == ["1.0", "99.0", "100.0"] and cells["full"] == ["80.0", "20.0", "100.0"]
    assert cells["scheduler"] == ["23.3", "0.0", "23.3"] and cells["context"] == ["6.7", "3.3", "10.0"]
