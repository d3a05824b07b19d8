# SPDX-License-Identifier: Apache-2.0
"""The board over JTAG: jtag_server.tcl in Vivado's hardware manager does the transfers, a socket carries them.

Not run on a board: tested against a stand-in for the hardware manager (tests/hardware_manager.tcl).
"""

import contextlib
import socket
import subprocess
import time
from pathlib import Path

from nhg import platform
from nhg.board.access import WORD_BYTES, Access, LinkError, bursts

SERVER = Path(__file__).with_name("jtag_server.tcl")
START_SECONDS = 300.0  # Vivado, cable and refresh of the device
REPLY_SECONDS = 60.0
PAUSE_SECONDS = 0.05


class JtagBoard(Access):
    """`vivado`: vivado_lab or vivado; `url`: host:port of the hw_server."""

    def __init__(self, vivado: str, url: str) -> None:
        self.name = f"hw_server {url}"
        with socket.create_server(("127.0.0.1", 0)) as listener:
            command = [
                vivado,
                "-mode",
                "batch",
                "-nolog",
                "-nojournal",
                "-notrace",
                "-source",
                str(SERVER),
                "-tclargs",
                str(listener.getsockname()[1]),
                url,
                hex(platform.register("board", "scratch")),
                str(round(1000 * platform.description()["clock"]["fpga_mhz"])),
            ]
            try:
                self._process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
                )
            except OSError as error:
                raise LinkError(f"cannot start {vivado}: {error.strerror}; install Vivado Lab Edition") from None
            try:
                self._connection = self._accept(listener, vivado)
            except BaseException:
                self._process.kill()
                self._process.communicate()
                raise
        self._connection.settimeout(START_SECONDS)
        self._stream = self._connection.makefile("r", encoding="ascii", newline="\n")
        try:
            self._reply()
        except BaseException:
            self.close()
            raise
        self._connection.settimeout(REPLY_SECONDS)

    def _accept(self, listener: socket.socket, vivado: str) -> socket.socket:
        began = time.monotonic()
        has_ended = False
        while not has_ended and time.monotonic() - began < START_SECONDS:
            has_ended = self._process.poll() is not None  # but may have connected before, to say why
            listener.settimeout(0.0 if has_ended else 1.0)
            with contextlib.suppress(TimeoutError, BlockingIOError):
                return listener.accept()[0]
        if not has_ended:
            raise LinkError(f"{vivado} did not come up within {START_SECONDS:.0f} s")
        said = [line.strip() for line in self._process.stdout.read().splitlines() if line.strip()]
        raise LinkError(f"{vivado} ended before the board was reached: {said[-1] if said else 'without a word'}")

    def _reply(self) -> str:
        try:
            line = self._stream.readline()
        except OSError:
            raise LinkError(f"{self.name}: no answer from the hardware manager; check cable and power") from None
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "ok":
            return rest
        raise LinkError(f"{self.name}: {rest or 'the hardware manager ended'}")

    def _request(self, line: str) -> str:
        try:
            self._connection.sendall(line.encode("ascii") + b"\n")
        except OSError:
            raise LinkError(f"{self.name}: the hardware manager ended") from None
        return self._reply()

    def read(self, address: int, size: int) -> bytes:
        return b"".join(int(self._request(f"read {start:x} {step // WORD_BYTES}"), 16).to_bytes(step, "little") for start, step in bursts(address, size))

    def write(self, address: int, data: bytes) -> None:
        for start, step in bursts(address, len(data)):
            first = start - address
            number = int.from_bytes(data[first : first + step], "little")
            self._request(f"write {start:x} {step // WORD_BYTES} {number:0{2 * step}x}")

    def pause(self) -> None:
        time.sleep(PAUSE_SECONDS)

    def close(self) -> None:
        with contextlib.suppress(OSError):  # it may have ended already
            self._connection.sendall(b"quit\n")
        self._stream.close()
        self._connection.close()
        try:
            self._process.communicate(timeout=REPLY_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
