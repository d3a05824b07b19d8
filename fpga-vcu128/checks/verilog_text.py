# SPDX-License-Identifier: Apache-2.0
"""What of a Verilog text synthesis sees, and a checksum of it.

Comments (firtool writes places in the Scala sources there), blocks for simulation only (`SYNTHESIS` is defined) and layout are left
out, so that the checksum is the same in every clone and changes only where the design may have changed.
"""

import hashlib
import re
from collections.abc import Iterable

COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
CONDITION = re.compile(r"\s*`(ifdef|ifndef|else|endif)\b\s*(\w*)")


def synthesised(text: str) -> str:
    """The text on one line. Both branches of every condition but SYNTHESIS are kept."""
    kept: list[str] = []
    hidden: list[bool | None] = []  # by open condition: is its present branch left out? None: not about SYNTHESIS
    for line in COMMENT.sub(lambda match: match[1] or " ", text).splitlines():
        word, macro = found.groups() if (found := CONDITION.match(line)) else ("", "")
        if word in ("ifdef", "ifndef"):
            hidden.append(word == "ifndef" if macro == "SYNTHESIS" else None)
        directive = bool(word) and hidden[-1] is not None
        if word == "else" and directive:
            hidden[-1] = not hidden[-1]
        elif word == "endif":
            hidden.pop()
        if not directive and not any(hidden):
            kept += line.split()
    return " ".join(kept)


def checksum(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
