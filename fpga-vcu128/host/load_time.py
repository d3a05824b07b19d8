# SPDX-License-Identifier: Apache-2.0
"""How long a program takes to load over JTAG: `make -C sim/board load-time [PROGRAM=checkpoint or ELF]`.

Measured on the simulated board: transfers, words, and the board's own cycles. EXTRAPOLATED from that, since there is no model of the cable: every word
is 64 bits shifted at JTAG_HZ, and every transfer of at most 256 words costs the hardware manager a time that nobody has measured here; the table
shows some. A real load takes longer than the first column says, since the cable's own commands are not counted.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))
from nhg import paths, platform
from nhg.board import image
from nhg.board.access import WORD_BYTES, Access, bursts
from nhg.board.control import Board
from nhg.board.simulated import SimulatedBoard
from nhg.errors import NhgError

JTAG_HZ = 15_000_000  # of the board's FT4232H as Vivado sets it
TRANSFER_MS = (0, 1, 10, 50)  # what Vivado may take for one, besides the shifting
SIZES_MIB = (1, 16, 64, 256)


class Counted(Access):
    """A link that counts what goes over it."""

    def __init__(self, link: Access) -> None:
        self.link, self.name, self.simulated = link, link.name, link.simulated
        self.transfers = self.words = 0

    def _count(self, address: int, size: int) -> None:
        self.transfers += len(list(bursts(address, size)))
        self.words += size // WORD_BYTES

    def read(self, address: int, size: int) -> bytes:
        self._count(address, size)
        return self.link.read(address, size)

    def write(self, address: int, data: bytes) -> None:
        self._count(address, len(data))
        self.link.write(address, data)

    def pause(self) -> None:
        self.link.pause()


def board_cycles(board: Board) -> int:
    """The far delayer's clock, which always runs."""
    board.set("far_control", "ctrl", 2)
    return board.get("far_control", "cycles")


def seconds(transfers: float, words: float, transfer_ms: float) -> float:
    return words * 8 * WORD_BYTES / JTAG_HZ + transfers * transfer_ms / 1000


def report(transfers: int, words: int, cycles: int) -> list[str]:
    """What was measured, and the table of what follows for other sizes."""
    mhz = platform.description()["clock"]["fpga_mhz"]
    size = words * WORD_BYTES
    lines = [f"measured: {size:,} bytes in {transfers:,} transfers; the board was busy for {cycles:,} cycles, {cycles / mhz / 1e6:.3f} s at {mhz} MHz"]
    head = [*(f"{ms} ms a transfer" for ms in TRANSFER_MS)]
    lines += ["", "extrapolated, never measured, seconds:", "| MiB | " + " | ".join(head) + " |", "|---|" + "---|" * len(head)]
    for mib in SIZES_MIB:
        scale = (mib << 20) / size
        lines.append(f"| {mib} | " + " | ".join(f"{seconds(scale * transfers, scale * words, ms):,.1f}" for ms in TRANSFER_MS) + " |")
    return lines


def main() -> int:
    try:
        program = image.read(Path(sys.argv[1]))
        with SimulatedBoard(paths.BOARD_SIMULATOR, "jtag") as link:
            counted = Counted(link)
            board = Board(counted)
            board.wait_for_memory()
            counted.transfers = counted.words = 0
            began = board_cycles(board)
            board.load(program, lambda *_: None)
            cycles = board_cycles(board) - began
        print("\n".join(report(counted.transfers, counted.words, cycles)))
    except NhgError as error:
        print(f"load-time: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
