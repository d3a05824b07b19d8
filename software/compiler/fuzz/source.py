# SPDX-License-Identifier: Apache-2.0
"""Translation units of generated loops. A loop is named by its seed, and the seed gives all of it."""

from dataclasses import dataclass

from fuzz.choices import Choices
from fuzz.loops import Function, loop

LOOPS_PER_UNIT = 40


@dataclass(frozen=True)
class Unit:
    """One source file."""

    cpp: bool
    functions: tuple[Function, ...]

    @property
    def suffix(self) -> str:
        return ".cpp" if self.cpp else ".c"

    def line_of(self, name: str) -> tuple[int, int]:
        """First and last line of a function in `text`."""
        line = len(header(self)) + 1
        for function in self.functions:
            end = line + len(function.lines) - 1
            if function.name == name:
                return line, end
            line = end + 1
        raise KeyError(name)

    def text(self) -> str:
        linkage = 'extern "C" ' if self.cpp else ""
        rows = ",\n".join(f'    {{"{f.name}", {f.name}, {{{", ".join(map(str, f.trips))}}}, {max(f.longest, *f.trips)}}}' for f in self.functions)
        lines = [
            *header(self),
            *(line for f in self.functions for line in f.lines),
            f"{linkage}const struct entry fuzz_entries[] = {{",
            f"{rows}}};",
            f"{linkage}const unsigned fuzz_entry_count = {len(self.functions)};",
        ]
        return "\n".join(lines) + "\n"


def header(unit: Unit) -> list[str]:
    return ["// SPDX-License-Identifier: Apache-2.0", '#include "harness.h"']


def is_cpp(unit_number: int) -> bool:
    """Every third unit is C++."""
    return unit_number % 3 == 2


def unit_number_of(seed: int) -> int:
    return seed // LOOPS_PER_UNIT


def campaign_unit(number: int) -> Unit:
    """Unit `number` of every campaign."""
    first = number * LOOPS_PER_UNIT
    return Unit(is_cpp(number), tuple(loop_from_seed(seed) for seed in range(first, first + LOOPS_PER_UNIT)))


def loop_from_seed(seed: int) -> Function:
    return loop(Choices(seed=seed), f"loop_{seed}", is_cpp(unit_number_of(seed)))


def choices_of(seed: int) -> list[int]:
    """What the generator chose for a seed."""
    choices = Choices(seed=seed)
    loop(choices, f"loop_{seed}", is_cpp(unit_number_of(seed)))
    return choices.made


def unit_from_choices(recorded: list[int], cpp: bool) -> tuple[Unit, list[int]]:
    """A unit of one loop replayed from its choices, and those that it really used."""
    choices = Choices(recorded=recorded)
    return Unit(cpp, (loop(choices, "reduced", cpp),)), choices.made
