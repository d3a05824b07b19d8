# SPDX-License-Identifier: Apache-2.0
"""Runs programs of tasks, in C, C++ and Rust: each ends with exit code 0, and what it has printed is returned."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build"
GOLDEN_MODEL = BUILD / "golden/nhg-iss"
LENGTH = int(os.environ.get("NHG_TEST_LENGTH", "1"))
LATENCY_CYCLES = 300
MAX_CYCLES = 20_000_000


def call(command: list[str | Path], seconds: int = 900) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def built(file: Path, folder: str) -> Path:
    call(["make", "-s", "-C", ROOT / folder, f"BUILD={BUILD}", file])
    return file


def in_orders_of_completion(file: Path, seeds: int) -> list[str]:
    return [call([GOLDEN_MODEL, "--elf", file, "--adversarial", str(seed)]) for seed in range(1, seeds + 1)]


def on_rtl(file: Path) -> str:
    far = ["--far-control", f"latency_cycles={LATENCY_CYCLES}", "--max-cycles", str(MAX_CYCLES)]
    return call([BUILD / "sim/nhg-sim", "--elf", file, "--lockstep", *far])


def refusal_of(file: Path) -> str:
    """What a program prints that does not end well."""
    done = subprocess.run([GOLDEN_MODEL, "--elf", file], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    return done.stdout
