# SPDX-License-Identifier: Apache-2.0
"""JITTER: how the latency of far memory varies from request to request.

uniform:NS       LAT - NS to LAT + NS, all alike
normal:NS        bell-shaped around LAT with standard deviation NS (at most 3.46 of them away)
two-point:NS:P   LAT, and in P per cent of the requests LAT + NS
table:FILE       LAT plus an offset drawn from the file: 1 to 1024 numbers, emulated ns, all equally likely
The delayer draws from a seeded generator (JITTER_SEED): one seed, one sequence. docs/reference/delayer-ip.md has the registers.
"""

import hashlib
import math
from dataclasses import dataclass
from pathlib import Path

from nhg import platform
from nhg.errors import NhgError

SEED_MAX = 2**64 - 1
TABLE_ENTRIES = 4 * platform.description()["registers"]["far_control"]["jitter_table"]["count"]  # four a word
OFFSET_MIN, OFFSET_MAX = -(2**15), 2**15 - 1
PROBABILITY_ONE = 2**16
# The delayer's bell is the sum of four uniform numbers: its standard deviation is this part of its half width.
NORMAL_DEVIATION = 1 / math.sqrt(12)
ADVICE = "give uniform:NS, normal:NS, two-point:NS:PERCENT or table:FILE, for example JITTER=uniform:200"


@dataclass(frozen=True)
class Jitter:
    """The delayer's jitter registers, in cycles, and how a record names them."""

    name: str = "constant"
    model: int = 0
    amplitude: int = 0
    probability: int = 0
    seed: int = 0
    table: tuple[int, ...] = ()

    @property
    def longest(self) -> int:
        """What it may add to a latency, cycles."""
        return max(self.table, default=self.amplitude)

    @property
    def shortest(self) -> int:
        """What it may add to a latency at least (negative: takes away), cycles."""
        return min(self.table, default=0 if self.model == model("two_point") else -self.amplitude)

    @property
    def registers(self) -> list:
        """What a run's content address holds of it."""
        return [self.model, self.amplitude, self.probability, self.seed, list(self.table)] if self.model else [0]


def model(name: str) -> int:
    return platform.description()["jitter"][name]


CONSTANT = Jitter()


def check_range(jitter: Jitter, latency_ns: float) -> None:
    """Raise when a latency would leave the delayer's range, where it is cut off."""
    latency = platform.latency_cycles(latency_ns)
    least, most = latency + jitter.shortest, latency + jitter.longest
    if least < 0 or most > platform.LATENCY_CYCLES_MAX:
        per_ns = platform.cycles_per_ns()
        raise NhgError(
            f"JITTER={jitter.name} around LAT={latency_ns:g} gives {least / per_ns:.0f} to {most / per_ns:.0f} ns: "
            f"the delayer has 0 to {platform.latency_ns_max()}; change LAT or JITTER"
        )


def parse_seed(name: str, text: str) -> int:
    """A seed of a 64-bit generator; empty text is 0."""
    if text and not (text.isdecimal() and int(text) <= SEED_MAX):
        raise NhgError(f"{name}={text} is not a whole number from 0 to {SEED_MAX}")
    return int(text or 0)


def parse(text: str, seed: str = "") -> Jitter:
    """Check JITTER and JITTER_SEED; empty texts are constant latency and seed 0."""
    number = parse_seed("JITTER_SEED", seed)
    kind, _, rest = text.partition(":")
    if kind in ("", "constant") and not rest:
        return CONSTANT
    values = rest.split(":")
    if kind == "table" and rest:
        return table(Path(rest), number)
    if kind in ("uniform", "normal") and len(values) == 1:
        half_width = 1.0 if kind == "uniform" else 1 / NORMAL_DEVIATION
        return Jitter(text, model(kind), cycles(text, values[0], half_width), seed=number)
    if kind == "two-point" and len(values) == 2:
        percent = positive(text, values[1])
        probability = round(percent / 100 * PROBABILITY_ONE)
        if not 1 <= probability < PROBABILITY_ONE:
            raise NhgError(f"JITTER={text}: {values[1]} per cent is not between 0 and 100: {ADVICE}")
        return Jitter(text, model("two_point"), cycles(text, values[0], 1.0), probability, number)
    raise NhgError(f"JITTER={text} is not a jitter model: {ADVICE}")


def positive(text: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number > 0):
        raise NhgError(f"JITTER={text}: {value or 'nothing'} is not a positive number: {ADVICE}")
    return number


def cycles(text: str, value: str, scale: float) -> int:
    """A width in emulated ns as the amplitude register takes it."""
    amplitude = round(positive(text, value) * scale * platform.cycles_per_ns())
    if not 1 <= amplitude <= platform.LATENCY_CYCLES_MAX:
        most = int(platform.LATENCY_CYCLES_MAX / platform.cycles_per_ns() / scale)
        raise NhgError(f"JITTER={text}: {value} ns is beyond the delayer's range: give 1 to {most} ns")
    return amplitude


def table(file: Path, seed: int) -> Jitter:
    """Read a user's table and stretch it to the delayer's number of entries."""
    try:
        words = file.read_text().split()
    except (OSError, UnicodeDecodeError) as error:
        raise NhgError(f"JITTER=table:{file}: cannot be read ({getattr(error, 'strerror', None) or 'not text'}); give a text file of offsets in ns") from None
    try:
        offsets = [round(float(word) * platform.cycles_per_ns()) for word in words]
    except (ValueError, OverflowError):
        raise NhgError(f"JITTER=table:{file}: not a list of numbers; give offsets in ns, one a line") from None
    if not 1 <= len(offsets) <= TABLE_ENTRIES or not all(OFFSET_MIN <= offset <= OFFSET_MAX for offset in offsets):
        raise NhgError(f"JITTER=table:{file}: give 1 to {TABLE_ENTRIES} offsets within {int(OFFSET_MAX / platform.cycles_per_ns())} ns")
    entries = tuple(offsets[i * len(offsets) // TABLE_ENTRIES] for i in range(TABLE_ENTRIES))
    digest = hashlib.sha256(repr(entries).encode()).hexdigest()
    return Jitter(f"table:{digest[:12]}", model("table"), seed=seed, table=entries)
