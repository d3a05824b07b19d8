# SPDX-License-Identifier: Apache-2.0
"""Finds the board. BOARD names it: xdma[:/dev/xdma0], jtag[:host:port], sim[:jtag|pcie]; without it, whatever is there."""

import atexit
import glob
import os
import shutil
import socket
from functools import cache

from nhg import paths
from nhg.board import manifest
from nhg.board.access import Access, NoBoard
from nhg.board.control import Board
from nhg.board.jtag import JtagBoard
from nhg.board.simulated import LINKS, SimulatedBoard
from nhg.board.xdma import TO_BOARD, XdmaBoard
from nhg.build import make

XDMA_DEVICES = "/dev/xdma*"
HW_SERVER = "localhost:3121"  # where hw_server listens unless told otherwise
VIVADO = ("vivado_lab", "vivado")
CONNECT_SECONDS = 3.0
CHOICES = "BOARD=xdma:/dev/xdma0, BOARD=jtag:host:port or BOARD=sim"


def xdma_devices() -> list[str]:
    """The devices of the xdma driver, without the part that names the channel."""
    return sorted(path.removesuffix(TO_BOARD) for path in glob.glob(XDMA_DEVICES + TO_BOARD))


def hw_server_answer(url: str) -> str:
    """Empty when something listens there, else why not."""
    host, _, port = url.rpartition(":")
    if not host or not port.isdecimal():
        raise NoBoard(f"BOARD=jtag:{url} is not host:port, for example {HW_SERVER}")
    try:
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        return getattr(error, "strerror", None) or str(error)
    return ""


def open_jtag(url: str) -> Access:
    reason = hw_server_answer(url)
    if reason:
        raise NoBoard(f"no hw_server at {url} ({reason}); start hw_server where the cable is, or give {CHOICES}")
    for name in VIVADO:
        if program := shutil.which(name):
            return JtagBoard(program, url)
    raise NoBoard(f"hw_server at {url} answers, but neither {' nor '.join(VIVADO)} is on the PATH; install Vivado Lab Edition")


def open_simulation(link: str) -> Access:
    if link not in LINKS:
        raise NoBoard(f"BOARD=sim:{link}: the simulated board has the links {' and '.join(LINKS)}")
    make(["-C", str(paths.ROOT / "sim/board")], "building the simulated board")
    return SimulatedBoard(paths.BOARD_SIMULATOR, link)


def open_link(choice: str) -> Access:
    """The link that `choice` names, or the first that is there: PCIe, then JTAG."""
    kind, _, place = choice.partition(":")
    if kind == "xdma":
        return XdmaBoard(place or (xdma_devices() or ["/dev/xdma0"])[0])
    if kind == "jtag":
        return open_jtag(place or HW_SERVER)
    if kind == "sim":
        return open_simulation(place or "jtag")
    if kind:
        raise NoBoard(f"BOARD={choice} is unknown: give {CHOICES}")
    if devices := xdma_devices():
        return XdmaBoard(devices[0])
    reason = hw_server_answer(HW_SERVER)
    if not reason:
        return open_jtag(HW_SERVER)
    raise NoBoard(
        f"no board: looked for {XDMA_DEVICES}{TO_BOARD} (PCIe) and for a hw_server at {HW_SERVER} (JTAG: {reason}); connect the VCU128 or give {CHOICES}"
    )


@cache
def connected() -> Board:
    """The board of this command, opened once and given back at its end; its bitstream is the one of the manifest."""
    access = open_link(os.environ.get("NHG_BOARD", ""))
    atexit.register(access.close)
    board = Board(access)
    if bitstream := manifest.expected(access.simulated):
        manifest.check(access.name, board.identity, bitstream)
        board.bitstream_sha256 = bitstream.sha256
    return board
