# SPDX-License-Identifier: Apache-2.0
"""Builds the assembler test programs and runs them on the golden model.

Shared by the golden model's tests and by the RTL lock-step tests. Paths follow the repository layout; the
toolchain is .toolchain at the root or the folder NHG_TOOLCHAIN names.
"""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "sim" / "tests"
BUILD = ROOT / "build"
OUT = BUILD / "tests"
TOOLCHAIN = Path(os.environ.get("NHG_TOOLCHAIN", ROOT / ".toolchain"))
ISS = BUILD / "golden" / "nhg-iss"
SELFTEST = BUILD / "golden" / "lockstep_selftest"
LENGTH = int(os.environ.get("NHG_TEST_LENGTH", "1"))  # `make test LENGTH=n`: random tests are so many times as long

# Provokes errors of rule 9 on purpose, which adversarial mode stops at.
PROVOKES_ERRORS = {"errors"}


def assemble(source: Path, out: Path) -> Path:
    """Assembles and links one program at the reset pc; out is rebuilt when it is older than its inputs."""
    uart_input = source.with_suffix(".uart")
    if uart_input.exists():  # what the UART receives in this program's runs
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(uart_input, out.with_suffix(".uart"))
    inputs = [source, *(TESTS / "include").glob("*.h"), *(BUILD / "gen" / name for name in ("platform.h", "ami_instructions.h", "riscv.flags"))]
    if out.exists() and all(out.stat().st_mtime > path.stat().st_mtime for path in inputs):
        return out
    out.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [
            TOOLCHAIN / "bin" / "clang",
            f"@{BUILD / 'gen/riscv.flags'}",
            "-nostdlib",
            "-static",
            f"-fuse-ld={TOOLCHAIN / 'bin' / 'ld.lld'}",
            "-Wl,--build-id=none",
            f"-L{BUILD / 'gen'}",
            "-T",
            ROOT / "software" / "runtime" / "riscv" / "program.ld",
            f"-I{BUILD / 'gen'}",
            f"-I{TESTS / 'include'}",
            source,
            "-o",
            out,
        ],
        check=True,
    )
    return out


@functools.cache
def op_table_sources() -> list[Path]:
    """Generated ISA programs: arithmetic on corner values, overlapping stores and loads, floating point on special values,
    fields of CSRs."""
    out = OUT / "src"
    for generator in ("op_tables.py", "bit_tables.py", "forward_tables.py", "fp_tables.py", "warl_tables.py"):
        subprocess.run([sys.executable, TESTS / "isa" / generator, out], check=True)
    return [out / "alu.S", out / "muldiv.S", out / "bitmanip.S", out / "forward.S", out / "fp_ops.S", out / "warl.S"]


def directed_sources() -> list[Path]:
    """Every self-checking program: EXIT 0 on the golden model and on the RTL."""
    return sorted((TESTS / "ami").glob("*.S")) + sorted((TESTS / "isa").glob("*.S")) + op_table_sources()


def uart_options(program: Path) -> list[str | Path]:
    """Of simulator and golden model: input of the UART, if the program has some beside it."""
    uart_input = program.with_suffix(".uart")
    return ["--uart-input", uart_input] if uart_input.exists() else []


def run_iss(program: Path, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run([ISS, "--elf", program, "--max-insns", "50000000", *uart_options(program), *options], capture_output=True, text=True, timeout=120)


def run_selftest(program: Path, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run([SELFTEST, program, *uart_options(program), *options], capture_output=True, text=True, timeout=120)
