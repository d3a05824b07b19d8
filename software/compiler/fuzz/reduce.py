# SPDX-License-Identifier: Apache-2.0
"""Makes a failing loop small: shortens and lowers its list of choices as long as it fails in the same way."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from fuzz.oracle import Oracle
from fuzz.source import Unit, choices_of, is_cpp, unit_from_choices, unit_number_of
from fuzz.toolchain import Config, Fault

Interesting = Callable[[list[int]], list[int] | None]


def shorter(choices: list[int]) -> Iterator[list[int]]:
    """Without a chunk, large chunks first and from the end."""
    size = max(1, len(choices) // 2)
    while size:
        for start in range(len(choices) - size, -1, -size):
            yield choices[:start] + choices[start + size :]
        size //= 2


def lower(choices: list[int]) -> Iterator[list[int]]:
    """With smaller numbers: chunks of zeros, then single ones."""
    size = max(1, len(choices) // 4)
    while size:
        for start in range(0, len(choices), size):
            if any(choices[start : start + size]):
                yield choices[:start] + [0] * len(choices[start : start + size]) + choices[start + size :]
        size //= 2
    for position, value in enumerate(choices):
        for smaller in {value // 2, value - 1} - {0, value, -1}:
            yield [*choices[:position], smaller, *choices[position + 1 :]]


def shrink(choices: list[int], interesting: Interesting, seconds: float) -> list[int]:
    """The smallest list found in the time given. `interesting` returns the choices used, or None."""
    deadline = time.monotonic() + seconds
    progress = True
    while progress:
        progress = False
        for proposals in (shorter, lower):
            again = True
            while again:
                again = False
                for candidate in proposals(choices):
                    if time.monotonic() > deadline:
                        return choices
                    used = interesting(candidate)
                    if used is not None and (len(used), used) < (len(choices), choices):
                        choices, again, progress = used, True, True
                        break
    return choices


def reduce_seed(oracle: Oracle, seed: int, config: Config, kind: str, adversary: int, seconds: float) -> Unit | None:
    """The reduced unit, or None if the loop alone does not fail."""
    cpp = is_cpp(unit_number_of(seed))
    tried: dict[str, bool] = {}

    def interesting(choices: list[int]) -> list[int] | None:
        unit, used = unit_from_choices(choices, cpp)
        text = unit.text()
        if text not in tried:
            try:
                findings = oracle.check(unit, f"reduce{seed}", [config], adversary).findings
            except Fault:
                findings = []
            tried[text] = any(finding.kind == kind for finding in findings)
        return used if tried[text] else None

    choices = choices_of(seed)
    if interesting(choices) is None:
        return None
    return unit_from_choices(shrink(choices, interesting, seconds), cpp)[0]


def save(unit: Unit, seed: int, config: Config, kind: str, directory: Path) -> Path:
    """Writes the reduced program as a test of software/compiler/test."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"seed{seed}-{config.name}{unit.suffix}"
    first, _, rest = unit.text().partition("\n")
    path.write_text(f"{first}\n// RUN: %fuzz_check %s --out %t\n// Reduced from seed {seed}: {kind} under {config.name}.\n{rest}")
    return path
