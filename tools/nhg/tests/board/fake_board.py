# SPDX-License-Identifier: Apache-2.0
"""A board made of a file: its address space, and a thread that does what the board control does with it.

XDMA reads and writes the file directly, the stand-in for the hardware manager likewise. Reading a register has no side
effect on the real board, so a file is a faithful model of the link; the thread adds run, console, marks, exit and fill.
"""

import os
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path

from nhg import platform
from nhg.board.control import NAME_BYTES

COUNTERS = (
    "cycles",
    "instret",
    "far_reads",
    "far_writes",
    "far_read_bytes",
    "far_write_bytes",
    "far_inflight_integral",
    "far_busy_cycles",
    "far_inflight_max",
    "far_late",
    "far_read_latency_sum",
    "far_read_latency_min",
    "far_read_latency_max",
    "branch_mispredicts",
    "cycles_load",
    "rob_head_pc",
    "rob_head_valid",
)
STEP_SECONDS = 0.001


def bits(register: str, *names: str) -> int:
    return sum(1 << platform.description()["board"][register][name] for name in names)


class FakeBoard:
    """`program(board)` is run in the thread when the host sets RUN, once per start."""

    def __init__(self, path: Path, program: Callable[["FakeBoard"], None] = lambda board: None) -> None:
        self.path, self._program = path, program
        self.fills: list[tuple[int, int]] = []
        self._file = os.open(path, os.O_RDWR | os.O_CREAT)
        description = platform.description()
        top = description["regions"]["far"]
        os.ftruncate(self._file, top["base"] + top["size"])
        self.set("id", description["board"]["id"])
        self.set("version", description["board"]["contract_version"])
        self.set("build", 0xABCD1234)
        self.set("core_khz", 50_000)
        self.set("far_bytes", description["hbm"]["far_size"])
        self.set("counter_count", len(COUNTERS))
        self.set("status", bits("status", "local_ready", "far_ready"))
        self.write(platform.register("board", "names"), b"".join(name.encode().ljust(NAME_BYTES, b"\0") for name in COUNTERS))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> "FakeBoard":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        os.close(self._file)

    def read(self, address: int, size: int) -> bytes:
        return os.pread(self._file, size, address)

    def write(self, address: int, data: bytes) -> None:
        os.pwrite(self._file, data, address)

    def get(self, name: str, index: int = 0) -> int:
        return struct.unpack("<Q", self.read(platform.register("board", name) + 8 * index, 8))[0]

    def set(self, name: str, value: int, index: int = 0) -> None:
        self.write(platform.register("board", name) + 8 * index, struct.pack("<Q", value))

    # What a program does

    def put(self, text: bytes) -> None:
        """Console output; waits while the ring is full, as the core does."""
        ring_bytes = 8 * platform.description()["registers"]["board"]["console"]["count"]
        for character in text:
            written = self.get("console_written")
            while written - self.get("console_read") >= ring_bytes and not self._stop.is_set():
                time.sleep(STEP_SECONDS)
            self.write(platform.register("board", "console") + written % ring_bytes, bytes([character]))
            self.set("console_written", written + 1)

    def mark(self, bank: str, name: str, **counters: int) -> None:
        for index, counter in enumerate(COUNTERS):
            self.set(bank, counters.get(counter, 0), index)
        self.set("marks", self.get("marks") | bits("marks", name))

    def exit(self, value: int, **counters: int) -> None:
        self.set("exit_value", value)
        self.mark("now", "exit", **counters)

    def _work(self) -> None:
        running = False
        while not self._stop.is_set():
            if size := self.get("fill_bytes"):
                self.fills.append((self.get("fill_base"), size))
                self.set("fill_bytes", 0)
            run = bool(self.get("run"))
            if run != running:
                running = run
                if run:
                    for name in ("marks", "console_written", "console_read", "idle_cycles", "cycles"):
                        self.set(name, 0)
                self.set("status", bits("status", "local_ready", "far_ready", *(["running"] if run else [])))
                if run:
                    self._program(self)
            time.sleep(STEP_SECONDS)
