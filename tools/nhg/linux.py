# SPDX-License-Identifier: Apache-2.0
"""Linux on the platform (software/linux): the booted system as a checkpoint, and what its init shall run in it, as another one.

Init asks for the checkpoint before it looks for programs. So what they are is put into the checkpoint's file: one more segment, in memory that Linux does
not know, as software/linux/init.c has it.
"""

import hashlib
import struct
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from nhg import measure, paths, platform
from nhg.build import Program, build_models, make, sha256_of
from nhg.errors import NhgError

IMAGE = paths.BUILD / "linux/linux.elf"
FIRST_SECONDS = 400.0
# Of a checkpoint's file (sim/golden/checkpoint_format.h).
HEADER, SEGMENT, ALIGNMENT = struct.Struct("<8sIIQQQ"), struct.Struct("<QQQ"), 4096
PROGRAMS = struct.Struct("<QQ")
RUN = "run"  # what init starts
# Of an archive's member: cpio, format newc (Documentation/driver-api/early-userspace/buffer-format.rst of the kernel).
MEMBER, TRAILER, WORD = "070701" + "{:08X}" * 13, "TRAILER!!!", 4
FOLDER, FILE = 0o040755, 0o100755
KEPT_FILES = 16  # machines of commands and their checkpoints that were used last, of some 20 MB each


def build() -> None:
    """The image: boot ROM, OpenSBI, kernel with its first files."""
    if not (paths.TOOLCHAIN / "linux").is_dir():
        raise NhgError(f"OS=linux: {paths.TOOLCHAIN}/linux is missing; run make setup PART=linux")
    make(["-C", str(paths.ROOT / "software/linux")], "building Linux, once", FIRST_SECONDS)
    make(["-C", str(paths.ROOT / "software/runtime"), "linux"], "building the runtime for Linux", 10.0)


def booted() -> Path:
    """The checkpoint at which init waits, taken once per image and golden model."""
    build_models("iss", with_plugin=False)
    build()
    return measure.checkpoint("Linux", Program(IMAGE, sha256_of(IMAGE), ""))


def _padded(data: bytes, to: int) -> bytes:
    return data + bytes(-len(data) % to)


def _member(name: str, mode: int, content: bytes) -> bytes:
    head = MEMBER.format(0, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
    return _padded(head.encode() + name.encode() + b"\0", WORD) + _padded(content, WORD)


def archive(files: Iterable[tuple[str, bytes | None]]) -> bytes:
    """Of files by their names, each behind the folder that it lies in, which has no content. All may be executed."""
    members = [_member(name, FOLDER if content is None else FILE, content or b"") for name, content in files]
    return b"".join([*members, _member(TRAILER, 0, b"")])


def folder(place: Path) -> list[tuple[str, bytes | None]]:
    """The files of a folder and of those below, for an archive."""
    return [(str(path.relative_to(place)), None if path.is_dir() else path.read_bytes()) for path in sorted(place.rglob("*"))]


def with_programs(checkpoint: Path, programs: bytes, measures_whole: bool, out: Path) -> None:
    """Writes the checkpoint of a machine whose init finds the archive, whose `run` is measured as a whole, or marks its region."""
    data = checkpoint.read_bytes()
    magic, version, reserved, count, reset_pc, instret = HEADER.unpack_from(data)
    rows = list(SEGMENT.iter_unpack(data[HEADER.size : HEADER.size + count * SEGMENT.size]))
    begin = min(offset for _, _, offset in rows)
    content = PROGRAMS.pack(len(programs), measures_whole) + programs
    place = platform.description()["linux"]
    if len(content) > place["programs_size"]:
        raise NhgError(f"the programs are {len(content):,} bytes, and Linux's init takes {place['programs_size']:,}; leave some out")
    table_end = HEADER.size + (count + 1) * SEGMENT.size
    moved = table_end + -table_end % ALIGNMENT - begin
    end = len(data) + -len(data) % ALIGNMENT
    rows = [(address, size, offset + moved) for address, size, offset in rows] + [(place["programs"], len(content), end + moved)]
    table = HEADER.pack(magic, version, reserved, len(rows), reset_pc, instret) + b"".join(SEGMENT.pack(*row) for row in rows)
    out.write_bytes(_padded(table, ALIGNMENT) + _padded(data[begin:], ALIGNMENT) + content)


def with_program(built: Program) -> Program:
    """The booted machine whose init runs a program, as what golden model and RTL begin from."""
    image = _machine(archive([(RUN, built.file.read_bytes())]), False, built.file.parent)
    return replace(built, file=image.file, sha256=image.sha256, elf=built.file)


def _machine(programs: bytes, measures_whole: bool, into: Path) -> Program:
    """The booted machine with an archive for its init, made once."""
    checkpoint = booted()
    digest = hashlib.sha256(checkpoint.name.encode() + PROGRAMS.pack(len(programs), measures_whole) + programs).hexdigest()
    place = into / f"linux-{digest[:16]}.bin"
    if not place.exists():
        into.mkdir(parents=True, exist_ok=True)
        partial = place.with_suffix(".partial")
        with_programs(checkpoint, programs, measures_whole, partial)
        partial.rename(place)
    return Program(place, sha256_of(place), "")


def with_command(command: str, files: Path | None, marks_region: bool) -> Program:
    """The booted machine whose init runs a command of the shell in a folder with files: as a whole region, or as one program that marks it."""
    if files is not None and not files.is_dir():
        raise NhgError(f"FILES={files} is no folder: give one with what the command needs")
    script = f"#!/bin/sh\n{'exec ' if marks_region else ''}{command}\n"
    members = [*(folder(files) if files else []), (RUN, script.encode())]
    place = paths.BUILD / "linux/commands"
    machine = _machine(archive(members), not marks_region, place)
    machine.file.touch()
    for old in sorted(place.glob("*.bin"), key=lambda file: file.stat().st_mtime)[:-KEPT_FILES]:
        old.unlink()
    return machine
