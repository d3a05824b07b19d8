# SPDX-License-Identifier: Apache-2.0
"""Programs of Linux on the AMU: hostile ones, and one binary with marked loops that runs with the AMU, without it, in threads and in signal handlers."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from programs import ISS, ROOT

sys.path.append(str(ROOT / "tools"))
from nhg import linux

SOURCES = ROOT / "software/linux/test"
DRIVER = ROOT / "software/compiler/driver"
HOSTILE = ["hostile.c", "refused.c", "shared.c"]
INSTRUCTIONS_MAX = 4_000_000_000


def compiled(out: Path, mode: str, *sources: str, options: tuple[str, ...] = ()) -> bytes:
    compiler = DRIVER / ("coroamu-c++" if Path(sources[0]).suffix == ".cc" else "coroamu-cc")
    command = [compiler, "-O2", f"-masync={mode}", *options, "--target=riscv64-linux-gnu", *(SOURCES / name for name in sources), "-o", out]
    subprocess.run(command, check=True)
    return out.read_bytes()


def run_in_linux(folder: Path, commands: str, name: str, program: bytes, *options: str) -> str:
    """What the commands of a shell print that find the program by its name, without a wrong exit status."""
    script = f"#!/bin/sh\nset -e\n{commands}\n"
    machine = folder / "machine.bin"
    linux.with_programs(linux.booted(), linux.archive([(linux.RUN, script.encode()), (name, program)]), False, machine)
    command = [ISS, "--elf", machine, "--max-insns", str(INSTRUCTIONS_MAX), *options]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, f"{ended.stdout[-4000:]}\n{ended.stderr}"
    return ended.stdout


def test_hostile_programs_end_as_they_should(tmp_path: Path) -> None:
    said = run_in_linux(tmp_path, "echo 0 > /proc/sys/debug/exception-trace\nhostile", "hostile", compiled(tmp_path / "hostile", "off", *HOSTILE))
    found = re.search(r"(\d+) hostile programs, 0 wrong", said)
    assert found and int(found[1]) >= 20, said


@pytest.mark.parametrize("seed", ["1", "2"])
def test_marked_loops(tmp_path: Path, seed: str) -> None:
    """The first run has the AMU, the second one finds no driver."""
    program = compiled(tmp_path / "loops", "full", "loops.c", options=("-fplugin-arg-asyncmem-count",))
    said = run_in_linux(tmp_path, "loops\nmv /dev/coroamu /dev/away\nloops", "loops", program, "--adversarial", seed)
    with_amu, without = (int(number) for number in re.findall(r"task switches: (\d+)", said))
    assert with_amu > 0 and without == 0


def test_the_c_plus_plus_library(tmp_path: Path) -> None:
    program = compiled(tmp_path / "library", "full", "library.cc", options=("-fplugin-arg-asyncmem-count",))
    said = run_in_linux(tmp_path, "library", "library", program)
    assert "nobody found 0" in said, said
    assert int(re.findall(r"task switches: (\d+)", said)[0]) > 0
