# SPDX-License-Identifier: Apache-2.0
"""Linux's commands without Linux: what is refused, archives for its init, segments of a boot. sim/tests/test_linux.py boots it."""

import os

import pytest

from nhg import cli, linux, linux_boot, linux_command, paths, variants
from nhg.errors import NhgError
from nhg.measure import Setting

SETTING = Setting(latency_ns=800, bandwidth_gbps=None, lockstep=True)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"os": "dos"}, "OS=dos: programs of TARGET=sim run on bare or linux"),
        ({"os": "bare", "target": "x86", "scale": "tiny"}, "TARGET=x86 run on linux"),
        ({"cmd": "ls"}, "give OS=linux and CMD"),
        ({"os": "linux", "files": "."}, "give OS=linux and CMD"),
        ({"os": "linux", "cmd": "ls", "bench": "hj", "scale": "tiny"}, "leave out BENCH and SCALE"),
        ({"os": "linux", "cmd": "ls", "target": "fpga"}, "CMD on TARGET=fpga: give sim"),
        ({"os": "linux", "cmd": "ls", "region": "none"}, "REGION=none: give one of command program"),
        ({"elf": "a.elf", "os": "linux"}, "leave out OS"),
    ],
)
def test_refused_by_run(words, reason):
    with pytest.raises(NhgError, match=reason):
        cli.run_command(**words)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"os": "dos"}, "OS=dos: give one of bare linux"),
        ({"cmd": "ls"}, "CMD and SEGMENTS are for OS=linux"),
        ({"os": "linux", "target": "x86"}, "TARGET=x86: give sim"),
        ({"os": "linux", "segments": "0"}, "SEGMENTS=0 is not a whole number from 1 on"),
        ({"os": "linux", "lockstep": "0"}, "LOCKSTEP=0: a segment"),
    ],
)
def test_refused_by_boot(words, reason):
    with pytest.raises(NhgError, match=reason):
        cli.boot_command(**words)


def members(data):
    """Name, mode and content of each member of a newc archive."""
    at = 0
    while at < len(data):
        fields = [int(data[at + 6 + 8 * number : at + 14 + 8 * number], 16) for number in range(13)]
        size, name_size = fields[6], fields[11]
        begin = (at + 110 + name_size + 3) & ~3
        yield data[at + 110 : at + 110 + name_size - 1].decode(), fields[1], data[begin : begin + size]
        at = (begin + size + 3) & ~3


def test_an_archive_of_a_folder(tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "below/odd").write_bytes(b"12345")
    (tmp_path / "run").write_bytes(b"1234")
    assert list(members(linux.archive(linux.folder(tmp_path)))) == [
        ("below", linux.FOLDER, b""),
        ("below/odd", linux.FILE, b"12345"),
        ("run", linux.FILE, b"1234"),
        (linux.TRAILER, 0, b""),
    ]


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(NhgError, match="nowhere is no folder"):
        linux.with_command("ls", tmp_path / "nowhere", marks_region=False)


def test_programs_are_one_more_segment_of_a_checkpoint(tmp_path):
    """Its table is full up to the first segment's data, which moves."""
    count = (linux.ALIGNMENT - linux.HEADER.size) // linux.SEGMENT.size
    rows = [(0x9000_0000 + linux.ALIGNMENT * number, linux.ALIGNMENT, linux.ALIGNMENT * (1 + number)) for number in range(count)]
    before, after = tmp_path / "before", tmp_path / "after"
    table = linux.HEADER.pack(b"NHGCKPT\0", 4, 0, count, 0x1000, 77) + b"".join(linux.SEGMENT.pack(*row) for row in rows)
    before.write_bytes(table.ljust(linux.ALIGNMENT, b"\0") + b"".join(bytes([number]) * linux.ALIGNMENT for number in range(count)))
    linux.with_programs(before, b"archive", True, after)
    data = after.read_bytes()
    assert linux.HEADER.unpack_from(data) == (b"NHGCKPT\0", 4, 0, count + 1, 0x1000, 77)
    found = list(linux.SEGMENT.iter_unpack(data[linux.HEADER.size : linux.HEADER.size + (count + 1) * linux.SEGMENT.size]))
    assert all(offset % linux.ALIGNMENT == 0 for _, _, offset in found)
    for number, (address, size, offset) in enumerate(found[:-1]):
        assert (address, data[offset : offset + size]) == (rows[number][0], bytes([number]) * size)
    address, size, offset = found[-1]
    assert data[offset : offset + size] == (7).to_bytes(8, "little") + (1).to_bytes(8, "little") + b"archive" and address == 0xC000_0000


def test_machines_of_old_commands_go(tmp_path, monkeypatch):
    place = tmp_path / "linux/commands"
    booted = tmp_path / "booted.bin"
    booted.write_bytes(linux.HEADER.pack(b"NHGCKPT\0", 4, 0, 1, 0x1000, 77) + linux.SEGMENT.pack(0x9000_0000, 0, linux.ALIGNMENT))
    monkeypatch.setattr(paths, "BUILD", tmp_path)
    monkeypatch.setattr(linux, "booted", lambda: booted)
    monkeypatch.setattr(linux, "KEPT_FILES", 2)
    first, second = (linux.with_command(command, None, marks_region=False).file for command in ("ls", "pwd"))
    os.utime(second, (1, 1))
    third = linux.with_command("date", None, marks_region=False).file
    assert set(place.iterdir()) == {first, third}


def test_a_boot_goes_on_with_the_segment_it_was_in(tmp_path, monkeypatch):
    ran = []

    def run_segment(place, segment, command, setting, instructions):
        ran.append(segment)
        if segment == 1 and ran.count(1) == 1:
            raise NhgError("interrupted")
        (place / f"console-{segment:03}.txt").write_text(f"{linux_boot.CONSOLE_IS_OPEN} {segment}\n")
        with (place / "log").open("a") as log:
            log.write(f"segment {segment}\n")
        if segment < 2:
            linux_boot.state(place, segment + 1).write_bytes(b"")
        return segment == 2

    monkeypatch.setattr(linux_boot, "folder", lambda: tmp_path)
    monkeypatch.setattr(linux_boot, "run_segment", run_segment)
    with pytest.raises(NhgError, match="interrupted"):
        linux_boot.on_rtl("ls", SETTING, None)
    assert "not yet at its end" in linux_boot.on_rtl("ls", SETTING, 1)
    assert linux_boot.console(tmp_path, 1) == f"{linux_boot.CONSOLE_IS_OPEN} 0\n"
    assert "segment 2\nboot: to power-off, in 3 segments" in linux_boot.on_rtl("ls", SETTING, None)
    assert "to power-off" in linux_boot.on_rtl("ls", SETTING, None)
    assert ran == [0, 1, 1, 2]


def test_what_is_typed_reaches_the_uart_as_it_is(tmp_path):
    assert linux_boot.typed(r"echo 'a\nb'", 7, tmp_path / "typed").read_text() == "7 echo 'a\\\\nb'\\n\n7 exit\\n\n"


def test_linux_must_be_installed(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "TOOLCHAIN", tmp_path)
    with pytest.raises(NhgError, match="run make setup PART=linux"):
        linux.build()


def test_systems_of_targets():
    assert variants.systems("iss") == ("bare", "linux") and variants.systems("x86") == ("linux",)
    assert linux_command.REGIONS[0] == "command"
