# SPDX-License-Identifier: Apache-2.0
"""A step of the compiler begins with its algorithm, in the header: what it does, how, and an example, indented, of before and after or of what it finds."""
# RUN: %pytest %s

import re
from pathlib import Path

LIB = Path(__file__).resolve().parents[2] / "lib"
FOLDERS = ("frontend", "analysis", "transform", "requests", "tasks", "choice")
FEWEST_LINES = 6
# No steps: the words that the compiler and the policy share.
NONE = {"choice/AdaptInterface.h"}


def head(text: str) -> list[str]:
    """The lines of the comment in front of everything else, without the license."""
    return [line for line in re.split(r"^#", text, maxsplit=1, flags=re.M)[0].splitlines() if line.startswith("//") and "SPDX" not in line]


def lacks_algorithm(text: str) -> bool:
    lines = head(text)
    return len(lines) < FEWEST_LINES or not any(line.startswith("//   ") for line in lines)


def test_steps_begin_with_their_algorithm() -> None:
    headers = [header for folder in FOLDERS for header in sorted((LIB / folder).glob("*.h"))]
    assert len(headers) > 40
    assert [name for header in headers if (name := str(header.relative_to(LIB))) not in NONE and lacks_algorithm(header.read_text())] == []


def test_a_head_without_example_is_found() -> None:
    long = "".join(f"// Line {number}.\n" for number in range(FEWEST_LINES))
    assert lacks_algorithm(f"// SPDX-License-Identifier: Apache-2.0\n{long}\n#ifndef X\n//   a -> b\n")
    assert lacks_algorithm("// SPDX-License-Identifier: Apache-2.0\n// Short.\n//   a -> b\n\n#ifndef X\n")
    assert not lacks_algorithm(f"// SPDX-License-Identifier: Apache-2.0\n{long}//\n//   a -> b\n\n#ifndef X\n")
