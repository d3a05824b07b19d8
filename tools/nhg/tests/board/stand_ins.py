# SPDX-License-Identifier: Apache-2.0
"""Links to a board made of a file: the file as xdma's devices, and vivado_lab with a stand-in for its hardware manager."""

import shutil
from pathlib import Path

from nhg.board.access import Access
from nhg.board.jtag import JtagBoard
from nhg.board.xdma import FROM_BOARD, TO_BOARD, XdmaBoard

HARDWARE_MANAGER = Path(__file__).with_name("hardware_manager.tcl")


def xdma_link(file: Path) -> Access:
    device = str(file.with_name("xdma0"))
    for channel in (TO_BOARD, FROM_BOARD):
        Path(device + channel).symlink_to(file)
    return XdmaBoard(device)


def vivado_stand_in(file: Path, order: str = "lowest_last", fault: str = "") -> str:
    """A program that takes vivado's arguments and has its hardware manager's commands."""
    tclsh = shutil.which("tclsh")
    assert tclsh, "tclsh is not on the PATH"
    program = file.with_name("vivado_lab")
    program.write_text(f"#!/bin/sh\nexport BOARD_FILE='{file}' BOARD_ORDER={order} BOARD_FAULT={fault}\nexec {tclsh} '{HARDWARE_MANAGER}' \"$@\"\n")
    program.chmod(0o755)
    return str(program)


LINKS = {
    "xdma": xdma_link,
    "jtag": lambda file: JtagBoard(vivado_stand_in(file), "localhost:3121"),
    "jtag, other word order": lambda file: JtagBoard(vivado_stand_in(file, "lowest_first"), "localhost:3121"),
}
