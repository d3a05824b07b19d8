# SPDX-License-Identifier: Apache-2.0
"""Every reason to leave a loop serial, as the sources of the plugin have it, is one that a loop of ../refused is refused for.

There the loop's module is compared with that of the plugin switched off (../same_as_off.py). A new reason needs such a loop.
"""
# RUN: %pytest %s

import ast
import re
from pathlib import Path

TEST = Path(__file__).resolve().parents[1]
LIB = TEST.parent / "lib"
SOURCES = sorted(
    LIB / name for name in ("frontend/AsyncMark.cpp", "frontend/Clauses.cpp", "passes/AsyncSplit.cpp", "passes/LoopPipeline.cpp", "passes/LoopVerdicts.cpp")
)
SOURCES += sorted([*(LIB / "analysis").glob("*.cpp"), *(LIB / "transform").glob("*.cpp")])
SOURCES.remove(LIB / "analysis/RemotePointers.cpp")  # says of pointers why they are remote or not
TOKEN = re.compile(r'//[^\n]*|(?P<text>"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*)')
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
# What an assertion says, what a remark says, an included file, the assembler's.
OTHER = re.compile(r"(&&|<<|#include|asm\(|_FILE)\s*$")
REFUSED = re.compile(r"// REFUSED(?: only [\w ]+)?: (.*)")

# Some configuration splits a loop, so that the module is not that of the plugin switched off.
ELSEWHERE = {
    "it is inside another marked loop, whose tasks run it": "diag/nested.c",
    "it only stores to remote memory": "ir/plain.c",
    "a pass that its trial did not have has taken its tag, as with -fcs-profile-generate; compile the file without": "diag/lost_tags.c",
}
# Reasons that no C or C++ for our targets has been found to reach: they guard what the code behind them relies on.
GUARDS = {
    "a remote access is not 1, 2, 4 or 8 bytes wide": "AccessPieces takes them apart; the front end calls a function for atomic ones",
    "a remote access may be misaligned": "AccessPieces takes them apart; the front end calls a function for atomic ones",
    "the word is wide or misaligned": "AccessPieces takes them apart; the pieces are interleaved updates",
    "a call of it has operands beside its arguments": "operand bundles of other front ends",
    "is never updated": "rotating values are sequential",
    "is needed again after it was updated": "the optimizer moves the older value behind the branch that wants it",
    "depends on another carried value": "a value of no class has been refused before",
    "depends on a computed jump": "a computed jump has been refused before",
    "a loop in it never ends": "every block of a natural loop leads to its latch",
    "it is entered or repeated in more than one place": "LoopSimplify gives it one entry and one latch",
    "it may throw": "the callee has been found to throw before",
}


def reasons() -> dict[str, str]:
    """Text of three words and more -> the file that has it."""
    found = {}
    for source in SOURCES:
        text = source.read_text()
        for token in TOKEN.finditer(text):
            if not token["text"] or OTHER.search(text[: token.start()]):
                continue
            words = "".join(ast.literal_eval(literal) for literal in LITERAL.findall(token["text"]))
            if len(words.split()) >= 3:
                found[words] = source.name
    return found


def refused() -> list[str]:
    sources = [*(TEST / "refused").glob("*.c"), *(TEST / "refused").glob("*.cpp")]
    return [reason for source in sources for reason in REFUSED.findall(source.read_text())]


def test_each_reason_has_a_refused_loop() -> None:
    shown = refused()
    here = {text: file for text, file in reasons().items() if text not in GUARDS and text not in ELSEWHERE}
    missing = {text: file for text, file in here.items() if not any(text.strip(" ,;") in reason for reason in shown)}
    assert not missing, f"no loop of test/refused is refused for {missing}"


def test_exceptions_are_still_needed() -> None:
    known, shown = reasons(), refused()
    for text in [*GUARDS, *ELSEWHERE]:
        assert text in known, f"'{text}' is no reason any more"
        assert not any(text in reason for reason in shown), f"'{text}' has a refused loop"
    for text, file in ELSEWHERE.items():
        assert text.split(",")[0] in (TEST / file).read_text(), f"{file} does not test '{text}'"
