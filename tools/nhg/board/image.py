# SPDX-License-Identifier: Apache-2.0
"""What a run starts from: an ELF program or a checkpoint (sim/golden/checkpoint.md), as memory segments and a first pc."""

import io
import struct
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from nhg import platform
from nhg.errors import NhgError

CHECKPOINT_MAGIC = b"NHGCKPT\0"
CHECKPOINT_HEADER = struct.Struct("<8sIIQQQ")  # magic, version, reserved, segments, reset pc, instructions
CHECKPOINT_SEGMENT = struct.Struct("<QQQ")  # address, bytes, offset in the file
ELF_MAGIC = b"\x7fELF"


@dataclass(frozen=True)
class Segment:
    address: int
    data: bytes


@dataclass(frozen=True)
class Image:
    """Bytes that no segment covers are zero."""

    segments: tuple[Segment, ...]
    reset_pc: int


def read(path: Path) -> Image:
    """Read an image; a file that is neither, or not whole, raises."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NhgError(f"{path}: {error.strerror}; give an ELF program or a checkpoint") from None
    try:
        if content.startswith(CHECKPOINT_MAGIC):
            return _checkpoint(path, content)
        return _elf(path, content)
    except (struct.error, ELFError):
        raise NhgError(f"{path}: truncated; build it again") from None


def _part(path: Path, content: bytes, offset: int, size: int) -> bytes:
    if offset + size > len(content):
        raise NhgError(f"{path}: truncated; build it again")
    return content[offset : offset + size]


def _checkpoint(path: Path, content: bytes) -> Image:
    _, version, _, count, reset_pc, _ = CHECKPOINT_HEADER.unpack_from(content)
    if version != (expected := platform.description()["checkpoint"]["version"]):
        raise NhgError(f"{path}: checkpoint version {version}, expected {expected}; take it again")
    segments = []
    for number in range(count):
        address, size, offset = CHECKPOINT_SEGMENT.unpack_from(content, CHECKPOINT_HEADER.size + number * CHECKPOINT_SEGMENT.size)
        segments.append(Segment(address, _part(path, content, offset, size)))
    return Image(tuple(segments), reset_pc)


def _elf(path: Path, content: bytes) -> Image:
    if not content.startswith(ELF_MAGIC):
        raise NhgError(f"{path}: neither an ELF program nor a checkpoint")
    file = ELFFile(io.BytesIO(content))
    if (file.elfclass, file.little_endian, file["e_type"], file["e_machine"]) != (64, True, "ET_EXEC", "EM_RISCV"):
        raise NhgError(f"{path}: not a 64-bit RISC-V executable")
    segments = [
        Segment(header["p_paddr"], _part(path, content, header["p_offset"], header["p_filesz"]))
        for header in (segment.header for segment in file.iter_segments("PT_LOAD"))
        if header["p_filesz"]
    ]
    return Image(tuple(segments), file["e_entry"])
