# SPDX-License-Identifier: Apache-2.0
"""Linux on the platform (software/linux): the booted system as a checkpoint, and what its init shall run in it, as another one.

Init asks for the checkpoint before it looks for programs. So what they are is put into the checkpoint's file: one more segment, in memory that Linux does
not know, with the bytes of an archive and the archive (software/linux/init.c).
"""

import struct
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from nhg import measure, paths, platform
from nhg.build import Program, build_models, make, sha256_of
from nhg.errors import NhgError
from nhg.programs import execute

IMAGE = paths.BUILD / "linux/linux.elf"
FIRST_SECONDS = 400.0
# Of a checkpoint's file (sim/golden/checkpoint_format.h).
HEADER, SEGMENT, ALIGNMENT = struct.Struct("<8sIIQQQ"), struct.Struct("<QQQ"), 4096
TYPED = "uname -srm; cat /sys/devices/system/node/has_memory"
# When Linux has come to the shell's prompt and waits: a machine that is idle passes to the next input.
AT_PROMPT_CYCLE = 600_000_000
RUN = "run"  # what init starts
# Of an archive's member: cpio, format newc (Documentation/driver-api/early-userspace/buffer-format.rst of the kernel).
MEMBER, TRAILER, WORD = "070701" + "{:08X}" * 13, "TRAILER!!!", 4
FOLDER, FILE = 0o040755, 0o100755


def build() -> None:
    """The image: boot ROM, OpenSBI, kernel with its first files."""
    if not (paths.TOOLCHAIN / "linux").is_dir():
        raise NhgError(f"OS=linux: {paths.TOOLCHAIN}/linux is missing; run python3 tools/setup linux")
    make(["-C", str(paths.ROOT / "software/linux")], "building Linux, once", FIRST_SECONDS)
    make(["-C", str(paths.ROOT / "software/runtime"), "linux"], "building the runtime for Linux", 10.0)


def booted() -> Path:
    """The checkpoint at which init waits, taken once per image and golden model."""
    build_models("iss", with_plugin=False)
    build()
    return measure.checkpoint("Linux", Program(IMAGE, sha256_of(IMAGE), ""))


def boot(target: str, command: str) -> str:
    """From reset to the shell's prompt, at which the command is typed, and to power-off, the console on stdout; the report."""
    if target != "iss":
        raise NhgError(f"OS=linux boots on the golden model: give TARGET=iss in place of {target}")
    build_models("iss", with_plugin=False)
    build()
    with tempfile.TemporaryDirectory() as scratch:
        typed, file = Path(scratch) / "typed", Path(scratch) / "result.json"
        typed.write_text("".join(f"{AT_PROMPT_CYCLE} {line}\\n\n" for line in (command.replace("\\", "\\\\"), "exit")))
        outcome = execute(
            [paths.ISS, "--elf", IMAGE, "--uart-input", typed, "--max-insns", str(measure.INSTRUCTIONS_MAX), "--result", file],
            what="Linux on the golden model",
            show_output=True,
        )
        if outcome.code or not file.exists():
            raise NhgError(f"Linux on the golden model ended with exit code {outcome.code}: {outcome.cause()}")
        return f"boot: instructions: {measure.read_json('boot', file)['instret']:,}"


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


def with_programs(checkpoint: Path, programs: bytes, out: Path) -> None:
    """Writes the checkpoint of a machine whose init finds the archive."""
    data = checkpoint.read_bytes()
    magic, version, reserved, count, reset_pc, instret = HEADER.unpack_from(data)
    rows = list(SEGMENT.iter_unpack(data[HEADER.size : HEADER.size + count * SEGMENT.size]))
    begin = min(offset for _, _, offset in rows)
    content = len(programs).to_bytes(8, "little") + programs
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
    checkpoint = booted()
    place = built.file.with_name(f"linux-{sha256_of(checkpoint)[:16]}-{built.sha256[:16]}.bin")
    if not place.exists():
        partial = place.with_suffix(".partial")
        with_programs(checkpoint, archive([(RUN, built.file.read_bytes())]), partial)
        partial.rename(place)
    return replace(built, file=place, sha256=sha256_of(place), elf=built.file)
