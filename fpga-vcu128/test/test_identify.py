# SPDX-License-Identifier: Apache-2.0
"""What `identify` says of a board, which a file stands for."""

import sys

import identify
import pytest

from conftest import ROOT

sys.path.append(str(ROOT / "tools" / "nhg" / "tests" / "board"))
from fake_board import FakeBoard, bits

from nhg.board.control import Board
from nhg.board.xdma import XdmaBoard


@pytest.mark.parametrize(
    ("set_bits", "temperatures", "expected"),
    [
        (("local_ready", "far_ready"), (41, 43), ["local memory, DDR4: initialised", "far memory, 8 GiB of HBM: initialised", "HBM: 41 and 43 degrees"]),
        (("local_ready",), (20, 21), ["local memory, DDR4: initialised", "far memory, 8 GiB of HBM: NOT INITIALISED"]),
        (("local_ready", "far_ready", "cattrip"), (20, 21), ["HBM WAS TOO HOT"]),
        (("local_ready", "far_ready", "refused"), (20, 21), ["a memory access was refused"]),
    ],
)
def test_a_board(tmp_path, set_bits, temperatures, expected):
    with FakeBoard(tmp_path / "board") as fake:
        fake.set("status", bits("status", *set_bits) | temperatures[0] << 8 | temperatures[1] << 16)
        for name in ("xdma0_h2c_0", "xdma0_c2h_0"):
            (tmp_path / name).symlink_to(fake.path)
        lines = identify.report(Board(XdmaBoard(str(tmp_path / "xdma0"))))
    assert "commit abcd1234, core at 50 MHz" in lines[0]
    for text in expected:
        assert any(text in line for line in lines), lines
