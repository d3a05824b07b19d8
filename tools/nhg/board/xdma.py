# SPDX-License-Identifier: Apache-2.0
"""The board over PCIe: the character devices of AMD's xdma driver, one each way.

A position in the device is an address of the board. The DMA engine moves whole beats,
so it may read bytes around those asked for; no register minds (docs/reference/host-interface.md).
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress

from nhg.board.access import Access, LinkError, NoBoard

CHUNK_BYTES = 1 << 20
PAUSE_SECONDS = 0.05
TO_BOARD, FROM_BOARD = "_h2c_0", "_c2h_0"


class XdmaBoard(Access):
    """`device` is the common part of the two names, for example /dev/xdma0."""

    def __init__(self, device: str) -> None:
        self.name = device
        self._to_board = self._open(device + TO_BOARD, os.O_WRONLY)
        try:
            self._from_board = self._open(device + FROM_BOARD, os.O_RDONLY)
        except LinkError:
            os.close(self._to_board)
            raise

    @staticmethod
    def _open(path: str, mode: int) -> int:
        try:
            return os.open(path, mode)
        except FileNotFoundError:
            raise NoBoard(f"no {path}: load the xdma driver, or look whether lspci -d 10ee: shows the board (docs/guide/board.md)") from None
        except OSError as error:
            raise LinkError(f"cannot open {path}: {error.strerror}; load the xdma driver and check the permissions") from None

    def _move(self, what: str, address: int, size: int, move: Callable[[int, int], int]) -> None:
        """Call `move(offset, bytes)` until all is moved; the driver may move less than asked for."""
        done = 0
        while done < size:
            try:
                moved = move(done, min(CHUNK_BYTES, size - done))
            except OSError as error:
                raise LinkError(f"{self.name}: {what} at {address + done:#x}: {error.strerror}; program the board, then rescan PCIe") from None
            if moved == 0:
                raise LinkError(f"{self.name}: {what} at {address + done:#x}: the driver moved nothing; rescan PCIe")
            done += moved

    def read(self, address: int, size: int) -> bytes:
        data = bytearray(size)

        def move(offset: int, count: int) -> int:
            piece = os.pread(self._from_board, count, address + offset)
            data[offset : offset + len(piece)] = piece
            return len(piece)

        self._move("read", address, size, move)
        return bytes(data)

    def write(self, address: int, data: bytes) -> None:
        view = memoryview(data)
        self._move("write", address, len(data), lambda offset, count: os.pwrite(self._to_board, view[offset : offset + count], address + offset))

    def pause(self) -> None:
        time.sleep(PAUSE_SECONDS)

    def close(self) -> None:
        for descriptor in (self._to_board, self._from_board):
            with suppress(OSError):
                os.close(descriptor)
