# SPDX-License-Identifier: Apache-2.0
"""The simulated board: a child process that speaks the protocol of sim/board/main.cc."""

import copy
import struct
import subprocess
from pathlib import Path

from nhg.board.access import WORD_BYTES, Access, LinkError, bursts, refused

CYCLES_PER_PAUSE = 40_000  # of the 100 MHz board clock: 0.4 ms of the board, about half a second of the host
LINKS = {"jtag": (b"R", b"W"), "pcie": (b"r", b"w")}
CATTRIP, BUTTON, PCIE_RESET, PCIE_STANDS, DDR4_UNSTABLE = 1, 2, 4, 8, 16


class SimulatedBoard(Access):
    """`link`: the way into the board, jtag or pcie."""

    simulated = True

    def __init__(self, program: Path, link: str = "jtag") -> None:
        self.name = program.name
        self._program = program
        self._read, self._write = LINKS[link]
        self._process = self._start()

    def _start(self) -> subprocess.Popen:
        try:
            return subprocess.Popen([self._program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise LinkError(f"cannot start the simulated board {self._program}: {error.strerror}; run make -C sim/board") from None

    def _request(self, operation: bytes, address: int, count: int, data: bytes = b"", reply_bytes: int = 0) -> bytes:
        try:
            self._process.stdin.write(operation + struct.pack("<IQ", count, address) + data)
            self._process.stdin.flush()
        except OSError:
            pass  # the process has ended; the missing reply says so
        reply = self._process.stdout.read(1 + reply_bytes)
        if len(reply) != 1 + reply_bytes:
            said = self._process.stderr.read().decode(errors="replace").strip().splitlines()
            raise LinkError(f"the simulated board stopped: {said[-1] if said else 'without a word'}")
        if reply[0]:
            raise refused(self.name, "read" if operation == self._read else "write", address, reply[0])
        return reply[1:]

    def read(self, address: int, size: int) -> bytes:
        return b"".join(self._request(self._read, start, step // WORD_BYTES, reply_bytes=step) for start, step in bursts(address, size))

    def write(self, address: int, data: bytes) -> None:
        for start, step in bursts(address, len(data)):
            first = start - address
            self._request(self._write, start, step // WORD_BYTES, data[first : first + step])

    def pause(self) -> None:
        self._request(b"T", 0, CYCLES_PER_PAUSE)

    def set_inputs(self, bits: int) -> None:
        """What happens to the board from outside: CATTRIP, BUTTON, PCIE_RESET, PCIE_STANDS, DDR4_UNSTABLE."""
        self._request(b"I", 0, bits)

    def cut_next(self, half_cycles: int, bits: int) -> None:
        """The same, in the midst of the next access: so many half cycles of the board clock after it began. It ends with LinkError then."""
        self._request(b"C", bits, half_cycles)

    def pass_time(self, cycles: int) -> None:
        self._request(b"T", 0, cycles)

    def over(self, link: str) -> "SimulatedBoard":
        """The same board by the other way into it."""
        other = copy.copy(self)
        other._read, other._write = LINKS[link]
        return other

    def restart(self) -> bool:
        self.close()
        self._process = self._start()
        return True

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()
