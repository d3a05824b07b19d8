# SPDX-License-Identifier: Apache-2.0
"""The board's registers as operations: docs/reference/host-interface.md, whatever the link."""

import hashlib
import struct
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from nhg import platform
from nhg.board.access import PAGE_BYTES, WORD_BYTES, Access, LinkError, WrongBitstream
from nhg.board.image import Image, Segment

NAME_BYTES = 32
AMU_COUNTER = "amu_requests"
SCRATCH_PATTERNS = (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210)
LOAD_BYTES = 64 * PAGE_BYTES  # between two reports of progress
STEPS_MAX = 2000  # pauses that something which takes microseconds may take
Progress = Callable[[str, int, int], None]  # what, done, of


@dataclass(frozen=True)
class Identity:
    """What the bitstream says of itself. `commit` is the first 8 hex digits of the git commit it was built from."""

    commit: str
    core_khz: int
    counters: tuple[str, ...]

    @property
    def has_amu(self) -> bool:
        """Another core than NH-G has none, nor does it start from a checkpoint (docs/guide/bitstream.md)."""
        return AMU_COUNTER in self.counters

    @property
    def sha256(self) -> str:
        return hashlib.sha256(repr((self.commit, self.core_khz, self.counters)).encode()).hexdigest()


@dataclass(frozen=True)
class State:
    """A look at the running program."""

    roi_begin: bool
    roi_end: bool
    exited: bool
    exit_value: int
    console_written: int
    console_read: int
    cycles: int
    idle_cycles: int


class Board:
    """A board whose identity has been checked. Raises WrongBitstream if it is not one of ours."""

    def __init__(self, access: Access) -> None:
        self.access = access
        self.identity = self._identify()
        self.bitstream_sha256 = ""  # of the file, once a manifest vouched for it

    # Registers

    def get(self, region: str, name: str, index: int = 0) -> int:
        return int.from_bytes(self.access.read(platform.register(region, name) + index * WORD_BYTES, WORD_BYTES), "little")

    def set(self, region: str, name: str, value: int, index: int = 0) -> None:
        self.access.write(platform.register(region, name) + index * WORD_BYTES, value.to_bytes(WORD_BYTES, "little"))

    def words(self, region: str, name: str, count: int) -> tuple[int, ...]:
        return struct.unpack(f"<{count}Q", self.access.read(platform.register(region, name), count * WORD_BYTES))

    def bit(self, register: str, name: str, value: int) -> bool:
        return bool(value >> platform.description()["board"][register][name] & 1)

    # Who is there

    def _identify(self) -> Identity:
        expected = platform.description()["board"]
        found = self.get("board", "id")
        if found != expected["id"]:
            raise WrongBitstream(
                f"{self.access.name}: the bitstream is not one of this project (identification {found:#018x}, "
                f"expected {expected['id']:#018x}); program the board with the output of make bitstream"
            )
        version = self.get("board", "version")
        commit = f"{self.get('board', 'build') & 0xFFFF_FFFF:08x}"
        if version != expected["contract_version"]:
            raise WrongBitstream(
                f"{self.access.name}: the bitstream (commit {commit}) has version {version} of the board contract, "
                f"this host program version {expected['contract_version']}; program the board again or use that commit"
            )
        for index, pattern in enumerate(SCRATCH_PATTERNS):
            self.set("board", "scratch", pattern, index)
        read_back = self.words("board", "scratch", len(SCRATCH_PATTERNS))
        if read_back != SCRATCH_PATTERNS:
            raise LinkError(
                f"{self.access.name}: the scratch registers read {read_back[0]:#x}, {read_back[1]:#x} after writing "
                f"{SCRATCH_PATTERNS[0]:#x}, {SCRATCH_PATTERNS[1]:#x}; check the link"
            )
        count = self.get("board", "counter_count")
        if not 0 < count <= platform.description()["registers"]["board"]["now"]["count"]:
            raise WrongBitstream(f"{self.access.name}: the bitstream claims {count} counters; program the board again")
        names = self.access.read(platform.register("board", "names"), count * NAME_BYTES)
        counters = tuple(names[i : i + NAME_BYTES].rstrip(b"\0").decode("ascii", "replace") for i in range(0, len(names), NAME_BYTES))
        return Identity(commit, self.get("board", "core_khz"), counters)

    # Memory

    def stop(self) -> None:
        """Stop the core and take memory from it."""
        self.set("board", "run", 0)
        self._wait("the core does not stop: its memory accesses do not end", lambda: not self._status("running"))

    def _status(self, name: str) -> bool:
        return self.bit("status", name, self.get("board", "status"))

    def wait_for_memory(self) -> None:
        for name in ("local_ready", "far_ready"):
            self._wait(f"memory is not initialised ({name} stays 0)", partial(self._status, name))

    def clear_memory(self, progress: Progress) -> None:
        """Fill the memory the board has with zeros."""
        regions = platform.description()["regions"]
        for name, size in (("local", regions["local"]["size"]), ("far", self.get("board", "far_bytes"))):
            self.fill(regions[name]["base"], size, partial(progress, f"clearing {name} memory"))

    def fill(self, base: int, size: int, progress: Callable[[int, int], None] = lambda done, of: None) -> None:
        self.set("board", "fill_base", base)
        self.set("board", "fill_bytes", size)
        last, since = size, time.monotonic()
        while left := self.get("board", "fill_bytes"):
            if left == last and time.monotonic() - since > 10:
                raise LinkError(f"{self.access.name}: clearing memory at {base:#x} stopped with {left} bytes left; program the board again")
            if left != last:
                last, since = left, time.monotonic()
            progress(size - left, size)
            self.access.pause()

    def load(self, image: Image, progress: Progress) -> None:
        """Write the image to memory; the first and the last word of each segment are read back."""
        blocks = [self._whole_words(segment) for segment in image.segments]
        total, done = sum(len(block.data) for block in blocks), 0
        for block in blocks:
            for first in range(0, len(block.data), LOAD_BYTES):
                piece = block.data[first : first + LOAD_BYTES]
                self.access.write(block.address + first, piece)
                done += len(piece)
                progress("loading", done, total)
            for offset in (0, len(block.data) - WORD_BYTES):
                found = self.access.read(block.address + offset, WORD_BYTES)
                if found != block.data[offset : offset + WORD_BYTES]:
                    raise LinkError(
                        f"{self.access.name}: memory at {block.address + offset:#x} reads {found.hex()} after "
                        f"{block.data[offset : offset + WORD_BYTES].hex()} was written; run again, then check the board"
                    )

    def _whole_words(self, segment: Segment) -> Segment:
        """The segment widened to whole words by what memory has around it."""
        front = segment.address % WORD_BYTES
        back = -(front + len(segment.data)) % WORD_BYTES
        first, last = segment.address - front, segment.address + len(segment.data) + back - WORD_BYTES
        before = self.access.read(first, WORD_BYTES)[:front] if front else b""
        after = self.access.read(last, WORD_BYTES)[WORD_BYTES - back :] if back else b""
        return Segment(first, before + segment.data + after)

    # Running

    def start(self, reset_pc: int) -> None:
        self.set("board", "reset_pc", reset_pc)
        self.set("board", "run", 1)
        self._wait("the core does not start", lambda: self.bit("status", "running", self.get("board", "status")))

    def state(self) -> State:
        first, last = platform.register("board", "marks"), platform.register("board", "idle_cycles")
        marks, exit_value, written, read, cycles, idle = self.words("board", "marks", (last - first) // WORD_BYTES + 1)
        return State(
            self.bit("marks", "roi_begin", marks),
            self.bit("marks", "roi_end", marks),
            self.bit("marks", "exit", marks),
            exit_value,
            written,
            read,
            cycles,
            idle,
        )

    def take_console(self, state: State) -> bytes:
        """The characters the program has written since the last call; frees their place in the ring."""
        count = state.console_written - state.console_read
        if not count:
            return b""
        ring_bytes = platform.description()["registers"]["board"]["console"]["count"] * WORD_BYTES
        first, last = state.console_read // WORD_BYTES * WORD_BYTES, state.console_written
        text = b""
        for part_first, part_last in _ring_parts(first, last, ring_bytes):
            base = platform.register("board", "console") + part_first % ring_bytes
            text += self.access.read(base, -(-(part_last - part_first) // WORD_BYTES) * WORD_BYTES)[: part_last - part_first]
        self.set("board", "console_read", state.console_written)
        return text[state.console_read - first :]

    def snapshot(self) -> None:
        """Copy the counters of the running core to the bank `now`."""
        self.set("board", "snapshot", 1)
        self._wait("the counters are not copied", lambda: not self.bit("status", "busy", self.get("board", "status")))

    def counters(self, bank: str) -> dict[str, int]:
        return dict(zip(self.identity.counters, self.words("board", bank, len(self.identity.counters)), strict=True))

    def _wait(self, failure: str, done: Callable[[], bool]) -> None:
        for _ in range(STEPS_MAX):
            if done():
                return
            self.access.pause()
        raise LinkError(f"{self.access.name}: {failure}; program the board again")


def _ring_parts(first: int, last: int, ring_bytes: int) -> Iterable[tuple[int, int]]:
    """[first, last) cut where the ring wraps."""
    while first < last:
        wrap = (first // ring_bytes + 1) * ring_bytes
        yield first, min(last, wrap)
        first = min(last, wrap)
