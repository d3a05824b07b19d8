# SPDX-License-Identifier: Apache-2.0
"""`make run ELF=file` on the RTL simulator: programs that end by `tohost` or by the host interface, alone and in lock-step, and files
that are no such program. The golden model sees the same ends. NHG_SIM names another simulator."""

import os
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from programs import BUILD, OUT, ROOT, TESTS, TOOLCHAIN, assemble, run_iss, run_selftest

sys.path.append(str(ROOT / "tools"))
from nhg import cli, elf, paths, platform
from nhg.result import compute, read

SIM = Path(os.environ.get("NHG_SIM", BUILD / "sim" / "nhg-sim"))
ENDS = {"pass": 0, "fail": 5, "compressed": 7, "bytes": 1, "console": 3}
ELF_HEADER, PROGRAM_HEADER = "<16sHHIQQQIHHHHHH", "<IIQQQQQQ"
X86_64, RISCV = 62, 243
LOCAL = platform.description()["regions"]["local"]["base"]
REQUEST = "the program asks the host through tohost for 0x101000000000078; only its end"


def program(name: str) -> Path:
    return assemble(TESTS / "elf" / f"{name}.S", OUT / "elf" / f"{name}.elf")


@dataclass(frozen=True)
class Done:
    """How the command ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """The command behind `make run`, which would build the simulator."""
    monkeypatch.setattr(paths, "SIMULATOR", SIM)
    monkeypatch.setattr(elf, "build_models", lambda target, with_plugin: None)
    monkeypatch.setenv("COLUMNS", "120")

    def start(file: Path, **options: str) -> Done:
        code = 0
        try:
            cli.main("run", {"elf": str(file), **options})
        except SystemExit as end:
            code = int(end.code or 0)
        return Done(code, *capfd.readouterr())

    return start


@pytest.mark.parametrize("lockstep", ["0", "1"])
@pytest.mark.parametrize("name", ENDS)
def test_exit_code_and_table(run: Callable[..., Done], name: str, lockstep: str) -> None:
    done = run(program(name), lockstep=lockstep, max_cycles="50000")
    assert done.returncode == ENDS[name], done.stderr
    assert "instructions per cycle (IPC)" in done.stdout and "rename stalled: registers" in done.stdout
    assert done.stdout.count("hello\n") == (name == "console")
    assert done.stderr == (f"nhg: {name}.elf ended with exit code {ENDS[name]}\n" if ENDS[name] else "")


@pytest.mark.parametrize("name", ENDS)
def test_golden_model_sees_the_same_end(name: str) -> None:
    assert run_iss(program(name)).returncode == ENDS[name]
    assert f", exit code {ENDS[name]}\n" in run_selftest(program(name)).stdout


def test_the_end_counts_every_instruction_once() -> None:
    """Instructions behind the store to tohost do not belong to the program."""
    result = OUT / "elf" / "fail.json"
    subprocess.run([SIM, "--elf", program("fail"), "--result", result], check=False, timeout=60)
    assert compute(read("fail", result)).instret == 5


@pytest.mark.parametrize("lockstep", ["0", "1"])
def test_endless_program_is_one_line(run: Callable[..., Done], lockstep: str) -> None:
    done = run(program("endless"), max_cycles="20000", lockstep=lockstep)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "endless.elf: the program did not end within 20000 cycles" in done.stderr and "raise MAX_CYCLES" in done.stderr


@pytest.mark.parametrize("lockstep", ["0", "1"])
def test_other_requests_to_a_host_are_one_line(run: Callable[..., Done], lockstep: str) -> None:
    done = run(program("request"), lockstep=lockstep)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and REQUEST in done.stderr
    assert REQUEST in run_iss(program("request")).stderr and REQUEST in run_selftest(program("request")).stderr


def elf_file(entry: int = LOCAL, address: int = LOCAL, memory_bytes: int = 64, machine: int = RISCV, bits: int = 64, kind: int = 2) -> bytes:
    """An ELF file of one segment, a jump to itself."""
    code = struct.pack("<I", 0x6F)
    header = struct.pack(ELF_HEADER, b"\x7fELF" + bytes([bits // 32, 1, 1]) + bytes(9), kind, machine, 1, entry, 64, 0, 0, 64, 56, 1, 64, 0, 0)
    return header + struct.pack(PROGRAM_HEADER, 1, 7, 120, address, address, len(code), memory_bytes, 4) + code


BAD_FILES = {
    "text": (b"#!/bin/sh\n" * 20, "not an ELF file"),
    "empty": (b"", "empty or unreadable"),
    "short": (b"\x7fELF\x02\x01\x01" + bytes(20), "truncated ELF file"),
    "x86": (elf_file(machine=X86_64), "for another machine (64 bits, e_machine 62), not for 64-bit RISC-V"),
    "rv32": (elf_file(bits=32), "for another machine (32 bits, e_machine 243)"),
    "shared": (elf_file(kind=3), "not an executable at fixed addresses"),
    "entry": (elf_file(entry=0x1000), "the entry 0x1000 is outside what the file loads into memory"),
    "segment": (elf_file(entry=0x4000_0000, address=0x4000_0000), "segment at 0x40000000 of 64 bytes is outside"),
    "bss": (elf_file(memory_bytes=1 << 40), f"segment at {LOCAL:#x} of 1099511627776 bytes is outside"),
    "cut": (elf_file()[:-4], "truncated ELF file"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_are_one_line(run: Callable[..., Done], name: str, tmp_path: Path) -> None:
    content, words = BAD_FILES[name]
    file = tmp_path / f"{name}.elf"
    file.write_bytes(content)
    done = run(file)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and words in done.stderr, done.stderr
    assert words in run_iss(file).stderr


def test_the_file_of_the_bad_ones_is_good(run: Callable[..., Done], tmp_path: Path) -> None:
    file = tmp_path / "good.elf"
    file.write_bytes(elf_file())
    assert "did not end within 3000 cycles" in run(file, max_cycles="3000").stderr


def test_objects_are_refused(run: Callable[..., Done], tmp_path: Path) -> None:
    file = tmp_path / "object.o"
    subprocess.run([TOOLCHAIN / "bin/clang", f"@{BUILD / 'gen/riscv.flags'}", f"-I{BUILD / 'gen'}", "-c", TESTS / "elf" / "pass.S", "-o", file], check=True)
    assert "not an executable at fixed addresses (e_type 1)" in run(file).stderr
