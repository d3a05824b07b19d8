# SPDX-License-Identifier: Apache-2.0
"""Every link moves the same bytes, and says in one line what is wrong."""

import os
import random
import subprocess

import pytest
from fake_board import FakeBoard
from stand_ins import vivado_stand_in

from nhg import platform
from nhg.board import link
from nhg.board.access import BURST_WORDS_MAX, LinkError, NoBoard, bursts
from nhg.board.jtag import JtagBoard
from nhg.board.xdma import FROM_BOARD, TO_BOARD, XdmaBoard
from nhg.errors import NhgError

LOCAL, FAR = (platform.description()["regions"][name]["base"] for name in ("local", "far"))


def test_bursts_fit_axi():
    for address, size in ((0, 8), (0xFF8, 16), (LOCAL + 8, 3 * 4096), (FAR - 8, 5000 * 8)):
        pieces = list(bursts(address, size))
        assert pieces[0][0] == address and sum(step for _, step in pieces) == size
        for start, step in pieces:
            assert step <= 8 * BURST_WORDS_MAX and start // 4096 == (start + step - 1) // 4096
    with pytest.raises(ValueError, match="multiple"):
        list(bursts(4, 8))


def test_blocks_survive_the_way_there_and_back(tmp_path, linked):
    generator = random.Random(1)
    with FakeBoard(tmp_path / "board") as board:
        access = linked(board)
        for address, size in ((LOCAL, 8), (LOCAL + 0xFF8, 24), (FAR + 0x7F8, 3 * 4096 + 16), (0x1000, 4096)):
            data = generator.randbytes(size)
            access.write(address, data)
            assert access.read(address, size) == data and board.read(address, size) == data
        assert access.read(FAR + 0x7F0, 8) == bytes(8)


def test_a_word_is_little_endian(tmp_path, linked):
    with FakeBoard(tmp_path / "board") as board:
        access = linked(board)
        access.write(platform.register("board", "reset_pc"), (0x1122334455667788).to_bytes(8, "little"))
        assert board.get("reset_pc") == 0x1122334455667788


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("no_server", "no active target available for server at localhost:3121"),
        ("no_core", "no JTAG-to-AXI core behind localhost:3121"),
        ("narrow", "not 64 bits wide"),
    ],
)
def test_jtag_says_what_is_missing(tmp_path, fault, message):
    with FakeBoard(tmp_path / "board") as board, pytest.raises(LinkError, match=message) as error:
        JtagBoard(vivado_stand_in(board.path, fault=fault), "localhost:3121")
    assert "\n" not in str(error.value)


def test_jtag_hears_a_hardware_manager_that_has_ended_already(tmp_path, monkeypatch):
    class Ended(subprocess.Popen):
        def __init__(self, *words, **more):
            super().__init__(*words, **more)
            self.wait()

    with FakeBoard(tmp_path / "board") as board, pytest.raises(LinkError, match="not 64 bits wide"):
        program = vivado_stand_in(board.path, fault="narrow")
        monkeypatch.setattr(subprocess, "Popen", Ended)
        JtagBoard(program, "localhost:3121")


def test_jtag_reports_what_the_board_refuses(tmp_path):
    with FakeBoard(tmp_path / "board") as board:
        access = JtagBoard(vivado_stand_in(board.path, fault="slverr"), "localhost:3121")
        try:
            with pytest.raises(LinkError, match="read at 0x1000: the board answered SLVERR"):
                access.read(0x1000, 8)
            assert access.read(LOCAL, 8) == bytes(8)
        finally:
            access.close()


def test_jtag_reports_a_hardware_manager_that_ends(tmp_path):
    program = tmp_path / "vivado_lab"
    program.write_text("#!/bin/sh\necho 'ERROR: no licence'\nexit 1\n")
    program.chmod(0o755)
    with pytest.raises(LinkError, match="no licence"):
        JtagBoard(str(program), "localhost:3121")


def test_xdma_needs_both_channels(tmp_path):
    (tmp_path / ("xdma0" + TO_BOARD)).touch()
    with pytest.raises(NoBoard, match=f"no .*xdma0{FROM_BOARD}: load the xdma driver") as none:
        XdmaBoard(str(tmp_path / "xdma0"))
    assert none.value.exit_code == 3


@pytest.fixture
def xdma_on_a_file(tmp_path):
    file = tmp_path / "board"
    file.touch()
    os.truncate(file, FAR)
    for channel in (TO_BOARD, FROM_BOARD):
        (tmp_path / ("xdma0" + channel)).symlink_to(file)
    with XdmaBoard(str(tmp_path / "xdma0")) as access:
        yield access


def test_xdma_goes_on_after_a_short_transfer(xdma_on_a_file, monkeypatch):
    pread, pwrite = os.pread, os.pwrite
    monkeypatch.setattr(os, "pread", lambda file, count, position: pread(file, min(count, 100), position))
    monkeypatch.setattr(os, "pwrite", lambda file, data, position: pwrite(file, data[:100], position))
    data = random.Random(2).randbytes(1000)
    xdma_on_a_file.write(LOCAL, data)
    assert xdma_on_a_file.read(LOCAL, len(data)) == data


def test_xdma_reports_a_driver_that_moves_nothing(xdma_on_a_file, monkeypatch):
    monkeypatch.setattr(os, "pread", lambda *_: b"")
    with pytest.raises(LinkError, match="moved nothing"):
        xdma_on_a_file.read(LOCAL, 8)


# Finding the board


@pytest.fixture
def nothing_there(tmp_path, monkeypatch):
    monkeypatch.setattr(link, "XDMA_DEVICES", str(tmp_path / "dev/xdma*"))
    monkeypatch.setattr(link, "HW_SERVER", "localhost:1")
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_no_board_says_what_was_looked_for(nothing_there):
    with pytest.raises(NoBoard) as error:
        link.open_link("")
    text = str(error.value)
    assert "xdma*_h2c_0" in text and "hw_server at localhost:1 (JTAG: Connection refused)" in text and "\n" not in text
    assert error.value.exit_code == 3


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("jtag", "no hw_server at localhost:1 \\(Connection refused\\)"),
        ("jtag:somewhere", "is not host:port"),
        ("usb", "BOARD=usb is unknown"),
        ("sim:usb", "has the links jtag and pcie"),
        ("xdma:/nowhere/xdma0", "no /nowhere/xdma0_h2c_0: load the xdma driver"),
    ],
)
def test_a_named_board_that_is_not_there(nothing_there, choice, message):
    with pytest.raises(NhgError, match=message) as error:
        link.open_link(choice)
    assert error.value.exit_code == 3 and "\n" not in str(error.value)


def test_hw_server_without_vivado(nothing_there, monkeypatch):
    monkeypatch.setattr(link, "hw_server_answer", lambda url: "")
    with pytest.raises(NoBoard, match="neither vivado_lab nor vivado is on the PATH"):
        link.open_link("")


def test_pcie_is_preferred(nothing_there):
    (nothing_there / "dev").mkdir()
    for channel in (TO_BOARD, FROM_BOARD):
        (nothing_there / ("dev/xdma1" + channel)).touch()
    with link.open_link("") as access:
        assert access.name.endswith("dev/xdma1")
