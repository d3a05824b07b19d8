# SPDX-License-Identifier: Apache-2.0
"""The compiler's programs of remote atomics and locks on RTL in lock-step with the golden model, with every scheduler that
uses the AMU (on the golden model and x86-64 the compiler's own tests run them). They print what the plain loops print."""

import subprocess
from pathlib import Path

import pytest

from nhg import paths
from nhg.build import build_models

COMPILER = paths.ROOT / "software/compiler"
ITERATIONS = 64
LATENCY_CYCLES = 300
MAX_CYCLES = 5_000_000
SECONDS = 120


def call(command: list[str | Path]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr[-4000:]}"
    return done.stdout


def build(name: str, mode: str, directory: Path) -> Path:
    program = directory / f"{name}-{mode}.elf"
    call([COMPILER / "driver/coroamu-cc", f"-masync={mode}", "--target=riscv64-unknown-elf", "-O2", "-Werror=pass-failed",
          f"-DCOUNT={ITERATIONS}", COMPILER / f"test/exec/{name}.c", "-o", program])
    return program


@pytest.mark.parametrize("mode", ["getfin", "bafin", "full"])
@pytest.mark.parametrize("name", ["atomics", "locks"])
def test_in_lockstep(name: str, mode: str, target: str, tmp_path: Path) -> None:
    if target != "sim":
        pytest.skip("software/compiler/test/exec runs it here")
    build_models(target, with_plugin=True)
    expected = call([paths.ISS, "--elf", build(name, "off", tmp_path)])
    assert len(expected.splitlines()) >= 3
    printed = call([paths.SIMULATOR, "--elf", build(name, mode, tmp_path), "--lockstep", "--golden-lib",
                    paths.BUILD / "golden/libgolden.so", "--latency-cycles", str(LATENCY_CYCLES),
                    "--max-cycles", str(MAX_CYCLES), "--result", tmp_path / "result.json"])
    assert printed == expected
