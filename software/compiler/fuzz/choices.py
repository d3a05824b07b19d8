# SPDX-License-Identifier: Apache-2.0
"""The generator's only source of decisions: a list of small numbers that can be recorded, replayed and made smaller.

0 is always the simplest alternative, so that a shorter list, or one with smaller numbers, gives a simpler program.
"""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Draws from a seed, or replays `recorded` (zeros behind its end). `made` holds what was drawn."""

    def __init__(self, seed: int | None = None, recorded: Sequence[int] | None = None) -> None:
        self._random = None if seed is None else random.Random(seed)
        self._recorded = recorded or ()
        self.made: list[int] = []

    def below(self, count: int) -> int:
        """A number in 0 ... count - 1."""
        if self._random is not None:
            value = self._random.randrange(count)
        else:
            position = len(self.made)
            value = min(self._recorded[position], count - 1) if position < len(self._recorded) else 0
        self.made.append(value)
        return value

    def pick(self, alternatives: Sequence[T]) -> T:
        """One of the alternatives, the simplest first."""
        return alternatives[self.below(len(alternatives))]

    def chance(self, percent: int) -> bool:
        """True in about `percent` of a hundred draws."""
        return self.below(100) >= 100 - percent

    def weighted(self, alternatives: Sequence[tuple[int, T]]) -> T:
        """One of the (weight, alternative) pairs."""
        value = self.below(sum(weight for weight, _ in alternatives))
        for weight, alternative in alternatives:
            if value < weight:
                return alternative
            value -= weight
        raise AssertionError("weights are positive")
