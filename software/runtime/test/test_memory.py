# SPDX-License-Identifier: Apache-2.0
"""memcpy, memmove, memset, memcmp and strlen of NH-G: right at every alignment and length, and the ones that programs get.

python -m pytest software/runtime/test --target iss|sim
"""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build"
DRIVER = ROOT / "software/compiler/driver"
LATENCY_CYCLES = 30
MAX_CYCLES = 20_000_000
FUNCTIONS = ("memcpy", "memmove", "memset", "memcmp", "strlen")
RIGHT = "every case is right\n"

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
int main(int count, char **) {
  static char from[100] = "text", to[100];
  memset(from + 10, count, sizeof from - 10);
  memcpy(to, from, 50 + count);
  memmove(to + 1 + count, to, 50);
  printf("%d %d\n", memcmp(to, from, 50 + count) != 0, (int)strlen(from + count));
}
"""


def call(command: list[str | Path], seconds: int = 600) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def built(name: str) -> Path:
    program = BUILD / "runtime/test" / name
    call(["make", "-s", "-C", ROOT / "software/runtime", f"BUILD={BUILD}", program])
    return program


def test_every_alignment_and_length(target: str) -> None:
    if target == "iss":
        assert call([BUILD / "golden/nhg-iss", "--elf", built("memory.elf")]) == RIGHT
    else:
        assert (
            call(
                [
                    BUILD / "sim/nhg-sim",
                    "--elf",
                    built("memory-few.elf"),
                    "--lockstep",
                    "--far-control",
                    f"latency_cycles={LATENCY_CYCLES}",
                    "--max-cycles",
                    str(MAX_CYCLES),
                ]
            )
            == RIGHT
        )


@pytest.mark.parametrize("compiler", ["coroamu-cc", "coroamu-c++"])
@pytest.mark.parametrize("optimise", ["-O0", "-O2"])
def test_programs_get_the_functions_by_words(compiler: str, optimise: str, target: str, tmp_path: Path) -> None:
    """The C library has functions of the same names, which its own functions call, too."""
    if target != "iss":
        pytest.skip("as on the golden model")
    source, places = tmp_path / ("program.cc" if compiler.endswith("++") else "program.c"), tmp_path / "program.map"
    source.write_text(PROGRAM)
    call([DRIVER / compiler, "-masync=off", "--target=riscv64-unknown-elf", optimise, source, f"-Wl,-Map={places}", "-o", tmp_path / "program.elf"])
    assert call([BUILD / "golden/nhg-iss", "--elf", tmp_path / "program.elf"]) == "1 4\n"
    for name in FUNCTIONS:
        objects = [line.split()[-1] for line in places.read_text().splitlines() if line.endswith(f":(.text.{name})")]
        assert len(objects) == 1 and "libnhg.a(memory.o)" in objects[0], f"{name}: {objects}"


def test_loops_are_not_calls_of_themselves(target: str, tmp_path: Path) -> None:
    if target != "iss":
        pytest.skip("as on the golden model")
    built("memory.elf")
    call(["llvm-ar", "x", "--output", tmp_path, BUILD / "runtime/riscv/libnhg.a", "memory.o"])
    symbols = [line.split()[1:] for line in call(["llvm-nm", "--defined-only", tmp_path / "memory.o"]).splitlines()]
    assert {name for kind, name in symbols if kind == "T"} == set(FUNCTIONS)
    assert call(["llvm-nm", "--undefined-only", tmp_path / "memory.o"]) == ""
    code = call(["llvm-objdump", "-dr", "--no-show-raw-insn", tmp_path / "memory.o"])
    assert not [line for line in code.splitlines() if "R_RISCV_CALL" in line]
