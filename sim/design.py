# SPDX-License-Identifier: Apache-2.0
"""Writes what the results of a simulator follow from, as one hash: its sources, and the tools that give them a meaning.

usage: design.py OUT TOOL... -- FILE...

Runs are found again by this hash (tools/nhg/run.py), so it is the same on every machine, of whichever folder, compiler and profile the
simulator was made. Of a file only its name and its text count, without comments, ends of lines and empty lines; comments that Verilator reads
stay. TOOL is any text: a version, an option. A missing file is an error (exit 1, one line).
"""

import hashlib
import re
import sys
from pathlib import Path

STRING = r'"(?:\\.|[^"\\\n])*"'
# A character: not the tick of a number in Verilog or C++ (8'h20, 1'000'000)
CHARACTER = r"'(?:\\[^\n]+?|[^'\\\n])'"
COMMENT = r"//[^\n]*|/\*.*?\*/"
VERILOG = re.compile(f"{STRING}|(?P<comment>{COMMENT})", re.DOTALL)
CXX = re.compile(f"{STRING}|{CHARACTER}|(?P<comment>{COMMENT})", re.DOTALL)
LANGUAGES = {".sv": VERILOG, ".svh": VERILOG, ".v": VERILOG, ".cc": CXX, ".h": CXX, ".inc": CXX}


def without_comments(text: str, language: re.Pattern[str]) -> str:
    """A comment is a space; strings are left alone."""
    return language.sub(lambda found: found[0] if found["comment"] is None or "verilator" in found[0] else " ", text)


def meaning(path: Path) -> str:
    """The text of a file as far as it counts."""
    text = path.read_text()
    if path.suffix in LANGUAGES:
        text = without_comments(text, LANGUAGES[path.suffix])
    return "\n".join(stripped for line in text.splitlines() if (stripped := line.rstrip()))


def digest(tools: list[str], files: list[Path]) -> str:
    """The order of files does not count, nor the folder they are in."""
    parts = [*tools, *sorted(f"{path.name}\n{hashlib.sha256(meaning(path).encode()).hexdigest()}" for path in files)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def main(arguments: list[str]) -> None:
    out, end = Path(arguments[0]), arguments.index("--")
    try:
        out.write_text(digest(arguments[1:end], [Path(name) for name in arguments[end + 1 :]]) + "\n")
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}; no hash of the design was written")


if __name__ == "__main__":
    main(sys.argv[1:])
