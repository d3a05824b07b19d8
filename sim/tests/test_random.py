# SPDX-License-Identifier: Apache-2.0
"""Random programs on the golden model: they end, are reproducible, and lock-step accepts them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from programs import OUT, TESTS, assemble, run_iss, run_selftest

GENERATOR = TESTS / "random" / "generate.py"


def generate(name: str, *options: str) -> Path:
    """A random program, built."""
    source = OUT / "src" / f"{name}.S"
    subprocess.run([sys.executable, GENERATOR, source, *options], check=True)
    return assemble(source, OUT / f"{name}.elf")


def encodings(name: str, seed: int, words: int) -> Path:
    """A program of reserved, custom and hint encodings, built."""
    source = OUT / "src" / f"{name}.S"
    subprocess.run([sys.executable, GENERATOR.with_name("encoding_words.py"), source, "--seed", str(seed), "--words", str(words)], check=True)
    return assemble(source, OUT / f"{name}.elf")


def committed(stdout: str) -> int:
    return int(re.match(r"(\d+) commits match", stdout)[1])


@pytest.mark.parametrize("seed", range(100, 108))
def test_lockstep(seed: int) -> None:
    program = generate(f"random_{seed}", "--seed", str(seed), "--instructions", "20000")
    assert run_iss(program).returncode == 0
    result = run_selftest(program)
    assert result.returncode == 0, result.stderr
    assert 10000 < committed(result.stdout) < 60000


@pytest.mark.parametrize("seed", range(200, 208))
def test_any_completion_order(seed: int) -> None:
    program = generate(f"ordered_{seed}", "--seed", str(seed), "--instructions", "20000", "--no-ami-errors")
    for order in ("1", "2"):
        assert run_iss(program, "--adversarial", order).returncode == 0
        result = run_selftest(program, "--adversarial", order)
        assert result.returncode == 0, result.stderr


def test_without_ami() -> None:
    program = generate("plain_300", "--seed", "300", "--no-ami")
    result = run_selftest(program)
    assert result.returncode == 0, result.stderr


def test_modes() -> None:
    """Each mode executes a good part of such programs."""
    commits = [0, 0, 0, 0]  # all, user, supervisor, machine mode
    for seed in range(400, 404):
        program = generate(f"modes_{seed}", "--seed", str(seed), "--instructions", "20000", "--modes")
        assert run_iss(program).returncode == 0
        result = run_selftest(program)
        assert result.returncode == 0, result.stderr
        commits = [total + int(count) for total, count in zip(commits, re.findall(r"\d+", result.stdout)[:4], strict=True)]
    assert min(commits) > 0.03 * commits[0], commits


def test_pages() -> None:
    """S and U mode execute a good part of such programs, too."""
    commits = [0, 0, 0, 0]
    for seed in range(500, 502):
        program = generate(f"pages_{seed}", "--seed", str(seed), "--instructions", "20000", "--modes", "--pages")
        assert run_iss(program).returncode == 0
        result = run_selftest(program)
        assert result.returncode == 0, result.stderr
        commits = [total + int(count) for total, count in zip(commits, re.findall(r"\d+", result.stdout)[:4], strict=True)]
    assert min(commits) > 0.03 * commits[0], commits


def test_reproducible(tmp_path: Path) -> None:
    texts = []
    for name in ("a.S", "b.S"):
        subprocess.run([sys.executable, GENERATOR, tmp_path / name, "--seed", "5"], check=True)
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1]


@pytest.mark.parametrize("kind", ["value", "load-value", "address", "missing-trap"])
def test_late_mutation_is_reported(kind: str) -> None:
    program = generate("random_101", "--seed", "101", "--instructions", "20000")
    result = run_selftest(program, "--mutate", kind, "9000")
    assert result.returncode == 0 and "lock-step mismatch" in result.stdout
