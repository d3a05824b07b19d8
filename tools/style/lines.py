# SPDX-License-Identifier: Apache-2.0
"""No line longer than the project's limit in any tracked text file, no space at its end, a line end at the end of the file."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 160
# Data that programs write: locks, measurements, Debian's files as they are
DATA = ("tools/setup/scala.lock", "tools/setup/requirements.txt", "fpga-vcu128/checks/measured.json", "tools/setup/tests/mirror/", "results/captured/")
# A directive of lit or FileCheck is one line, however long what it expects.
DIRECTIVE = re.compile(r"^ *// [A-Z0-9-]+: ")


def problems(name: str, content: bytes) -> list[str]:
    """Of one file; none of a file that is no text."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return []
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LONGEST and not (name.startswith("software/compiler/test/") and DIRECTIVE.match(line)):
            found.append(f"{name}:{number}: {len(line)} characters")
        if line != line.rstrip():
            found.append(f"{name}:{number}: white space at the end")
    if text and not text.endswith("\n"):
        found.append(f"{name}: no line end at the end of the file")
    return found


def check(files: list[str]) -> str:
    return "\n".join(problem for name in files if not name.startswith(DATA) for problem in problems(name, (ROOT / name).read_bytes()))
