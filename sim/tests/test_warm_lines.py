# SPDX-License-Identifier: Apache-2.0
"""`CACHES=warm`: the golden model's list of the lines that were used last, and RTL runs that begin with them in L3, in lock-step (docs/design/method.md)."""

import os
import struct
import subprocess
from pathlib import Path

import pytest
from programs import BUILD, TESTS, assemble, run_iss
from rtl import SIM, SIMULATOR_EXIT
from test_latency import CYCLES_PER_NS, NODES

from nhg.far_memory import FarMemory
from nhg.platform import description
from nhg.result import Result, compute, read

FAR_BASE = description()["regions"]["far"]["base"]
STRIDE, HELD = 0x40000, 6  # of victims.S
CLEAN_SET = 0x100
WRITTEN = 1
L3_CYCLES_MAX = 60  # of an access there


def checkpoint(name: str, folder: Path) -> tuple[Path, Path]:
    """Of latency/NAME.S, and the lines."""
    program = assemble(TESTS / "latency" / f"{name}.S", folder / f"{name}.elf")
    image, lines = folder / f"{name}.ckpt", folder / f"{name}.lines"
    done = run_iss(program, "--checkpoint", str(image), "--recent-lines", str(lines))
    assert done.returncode == 0, done.stderr
    return image, lines


def run(image: Path, *options: str | Path, latency_ns: int = 100, time_jump: str = "on") -> subprocess.CompletedProcess:
    golden = ["--lockstep", "--golden-lib", BUILD / "golden" / "libgolden.so"]
    latency = FarMemory(latency_ns * CYCLES_PER_NS).simulator_options
    command = [SIM, "--checkpoint", image, *golden, *latency, "--max-cycles", "2000000", "--result", image.with_suffix(".json"), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, "NHG_TIME_JUMP": time_jump})


def measured(image: Path, *options: str | Path, time_jump: str = "on") -> Result:
    done = run(image, *options, time_jump=time_jump)
    assert done.returncode == 0, done.stderr
    return compute(read(image.stem, image.with_suffix(".json")))


def test_lines_are_those_used_last_and_say_what_was_written(tmp_path: Path) -> None:
    data = checkpoint("victims", tmp_path)[1].read_bytes()
    expected = [line for i in range(HELD) for line in (FAR_BASE + i * STRIDE | WRITTEN, FAR_BASE + i * STRIDE + CLEAN_SET)]
    assert [word for (word,) in struct.iter_unpack("<Q", data)] == expected


def test_a_chase_finds_its_lines_in_l3(tmp_path: Path) -> None:
    image, lines = checkpoint("chase", tmp_path)
    cold, warm = measured(image), measured(image, "--warm-lines", lines)
    print(f"\n{cold.cycles / NODES:.1f} cycles an access, {warm.cycles / NODES:.1f} in L3")
    assert warm.cycles < L3_CYCLES_MAX * NODES < 100 * CYCLES_PER_NS * NODES < cold.cycles


@pytest.mark.parametrize("time_jump", ["on", "check"])
def test_lines_that_were_written_are_written_back(tmp_path: Path, time_jump: str) -> None:
    image, lines = checkpoint("victims", tmp_path)
    assert measured(image, time_jump=time_jump).far["writes"] == 0
    assert 1 <= measured(image, "--warm-lines", lines, time_jump=time_jump).far["writes"] <= HELD


def test_what_is_refused(tmp_path: Path) -> None:
    image, lines = checkpoint("victims", tmp_path)
    for options, said in (
        (["--checkpoint", image, "--warm-lines", tmp_path / "missing"], "cannot be read; nhg-iss --recent-lines writes one"),
        (["--elf", tmp_path / "victims.elf", "--warm-lines", lines], "--warm-lines needs --checkpoint FILE"),
    ):
        done = subprocess.run([SIM, *options], capture_output=True, text=True, timeout=60)
        assert done.returncode == SIMULATOR_EXIT["bad_input"] and said in done.stderr and done.stderr.count("\n") == 1
    program = image.with_suffix(".elf")
    assert run_iss(program, "--recent-lines", str(lines)).returncode == 2
    assert run_iss(program, "--recent-lines", str(lines), "--checkpoint", str(image), "--checkpoint-at", "1").returncode == 2
