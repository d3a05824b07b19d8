# SPDX-License-Identifier: Apache-2.0
"""The memory-mapped interface every way to the board implements.

Addresses are physical addresses of the platform (tools/platform/platform.toml);
addresses and sizes are multiples of 8 bytes; numbers are little endian.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator

from nhg.errors import NhgError

WORD_BYTES = 8
PAGE_BYTES = 4096
BURST_WORDS_MAX = 256
RESPONSES = {2: "the board refused it (SLVERR)", 3: "nothing is at that address (DECERR)"}


class NoBoard(NhgError):
    """Nothing that could be a board was found."""

    exit_code = 3


class WrongBitstream(NhgError):
    """What answers is not a board of this contract."""

    exit_code = 4


class LinkError(NhgError):
    """The link to the board failed."""

    exit_code = 5


class Access(ABC):
    """One board."""

    name: str
    simulated = False

    @abstractmethod
    def read(self, address: int, size: int) -> bytes:
        """`size` bytes from `address`."""

    @abstractmethod
    def write(self, address: int, data: bytes) -> None:
        """All of `data` to `address`."""

    @abstractmethod
    def pause(self) -> None:
        """Let the board work for a while between two looks at it."""

    def restart(self) -> bool:
        """Power the board off and on, so that memory is zero; False: the link cannot do that."""
        return False

    def close(self) -> None:  # noqa: B027 - a link without a connection has nothing to give back
        """Give the link back."""

    def __enter__(self) -> "Access":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def refused(name: str, what: str, address: int, response: int) -> LinkError:
    """The error for an AXI response other than OKAY."""
    reason = RESPONSES.get(response, f"response {response}")
    return LinkError(f"{name}: {what} at {address:#x}: {reason}; run make doctor")


def bursts(address: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut a block into AXI bursts (address, bytes): at most 256 words, none across a 4 KiB page."""
    if address % WORD_BYTES or size % WORD_BYTES:
        raise ValueError(f"block at {address:#x} of {size} bytes is not a multiple of {WORD_BYTES} bytes")
    end = address + size
    while address < end:
        room = PAGE_BYTES - address % PAGE_BYTES
        step = min(end - address, room, BURST_WORDS_MAX * WORD_BYTES)
        yield address, step
        address += step
