# SPDX-License-Identifier: Apache-2.0
"""A step of the compiler begins with its algorithm: what it does, how, and an example, indented, of before and after or of what it finds.

It stands at the head of the step's header, or of its source where one header declares the steps of a folder.
"""
# RUN: %pytest %s

import re
from pathlib import Path

LIB = Path(__file__).resolve().parents[2] / "lib"
FOLDERS = ("frontend", "analysis", "transform", "requests", "tasks", "choice")
FEWEST_LINES = 6
# No steps: two files of a step whose header has the algorithm, and what is told of it.
NONE = {"transform/CheckedAccesses", "transform/CheckedLoop", "tasks/AmuScheduler", "tasks/StaticScheduler", "frontend/MarkChecker"}


def head(text: str) -> list[str]:
    """The lines of the comment in front of everything else, without the license."""
    return [line for line in re.split(r"^#", text, maxsplit=1, flags=re.M)[0].splitlines() if line.startswith("//") and "SPDX" not in line]


def lacks_algorithm(text: str) -> bool:
    lines = head(text)
    return len(lines) < FEWEST_LINES or not any(line.startswith("//   ") for line in lines)


def test_steps_begin_with_their_algorithm() -> None:
    sources = [source for folder in FOLDERS for source in sorted((LIB / folder).glob("*.cpp"))]
    assert len(sources) > 40
    without = []
    for source in sources:
        files = [file for file in (source, source.with_suffix(".h")) if file.exists()]
        if all(lacks_algorithm(file.read_text()) for file in files):
            without.append(str(source.relative_to(LIB).with_suffix("")))
    assert set(without) == NONE


def test_a_head_without_example_is_found() -> None:
    long = "".join(f"// Line {number}.\n" for number in range(FEWEST_LINES))
    assert lacks_algorithm(f"// SPDX-License-Identifier: Apache-2.0\n{long}\n#ifndef X\n//   a -> b\n")
    assert lacks_algorithm("// SPDX-License-Identifier: Apache-2.0\n// Short.\n//   a -> b\n\n#ifndef X\n")
    assert not lacks_algorithm(f"// SPDX-License-Identifier: Apache-2.0\n{long}//\n//   a -> b\n\n#ifndef X\n")
