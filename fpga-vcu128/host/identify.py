# SPDX-License-Identifier: Apache-2.0
"""Who answers on the board's link, and how its memories are: `make -C fpga-vcu128 identify [BOARD=jtag:host:port]`.

Reads the board's registers only (docs/reference/host-interface.md). Exit codes are those of the host program: 3 no board, 4 wrong bitstream, 5 link.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))
from nhg import platform
from nhg.board.control import Board
from nhg.errors import NhgError


def report(board: Board) -> list[str]:
    """One line for each thing there is to know before the first run."""
    status = board.get("board", "status")
    bits = platform.description()["board"]["status"]
    temperatures = [status >> bits[f"temperature_{stack}"] & 0x7F for stack in (0, 1)]
    lines = [
        f"{board.access.name}: a board of this project, commit {board.identity.commit}, core at {board.identity.core_khz / 1000:g} MHz, "
        f"{len(board.identity.counters)} counters"
    ]
    far_bytes = board.get("board", "far_bytes")
    local = "DDR4" if far_bytes == platform.description()["hbm"]["far_size"] else "HBM"
    for memory, what in (("local", local), ("far", f"{far_bytes >> 30} GiB of HBM")):
        ready = board.bit("status", f"{memory}_ready", status)
        lines.append(f"{memory} memory, {what}: {'initialised' if ready else 'NOT INITIALISED'}")
    lines.append(f"HBM: {temperatures[0]} and {temperatures[1]} degrees Celsius")
    if board.bit("status", "cattrip", status):
        lines.append("HBM WAS TOO HOT since power-up: look after the fan, and switch the board off and on")
    if board.bit("status", "refused", status):
        lines.append("a memory access was refused since power-up")
    return lines


def main() -> int:
    from nhg.board import link

    try:
        lines = report(link.connected())
    except NhgError as error:
        print(f"identify: {error}", file=sys.stderr)
        return error.exit_code
    print("\n".join(lines))
    return 1 if any("NOT" in line or "WAS TOO HOT" in line for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
