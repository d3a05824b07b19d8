# SPDX-License-Identifier: Apache-2.0
"""Every reason to leave a loop serial, as the sources of the plugin have it, is one that a loop of ../refused is refused for.

There the loop's module is compared with that of the plugin switched off (../same_as_off.py). A new reason needs such a loop, and one in ../remedies, where what
it proposes is tried.
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
    "it ends in a form that has no plain copy, for threads without the AMU": "LoopSimplify and one exit of all make the latch end in a branch",
    "it may throw": "the callee has been found to throw before",
}
# Reasons without a remedy that could be tried: what the loop computes, or where its data lies, makes it one that tasks cannot help.
WITHOUT_REMEDY = {
    "depends on remote data": "the next iteration needs what this one waits for",
    "depends on the control flow of the iteration": "the next iteration needs what this one decides",
    "is computed by an operation with effects": "iterations are made in order, the operation once for each",
    "is updated by different operations": "their order is what the program computes",
    "whether it ends ": "the values behind these words have their own lines",
    "follows from a variable that a clause lets iterations change in any order": "how many iterations there are depends on their order",
    "a call in it is convergent": "no loop of tasks keeps its meaning",
    "it changes local memory, which an atomic operation of other iterations may reach, too, by a remote pointer": "one pointer for both kinds of memory",
    "it never ends": "tasks end with the loop",
    "use a local variable that shared_var() names, by no recursive callee": "the words before the comma are tried",
    "its code is too large": "compiles for seconds; 'write it as a loop' is tried for other callees",
    " so short that the core overlaps them by itself": "a remark: nothing is lost",
    "optimisation has found that it does not repeat": "there is no loop",
    "optimisation has found that it never runs": "there is no loop",
    ": what it reaches is local, or at one address in all iterations": "there is nothing to wait for",
    ": none through what __builtin_is_remote names is left in it, calls aside": "there is nothing to wait for",
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


def refused(folder: str = "refused") -> list[str]:
    sources = [*(TEST / folder).glob("*.c"), *(TEST / folder).glob("*.cpp")]
    return [reason for source in sources for reason in REFUSED.findall(source.read_text())]


def test_each_reason_has_a_refused_loop() -> None:
    shown = refused()
    here = {text: file for text, file in reasons().items() if text not in GUARDS and text not in ELSEWHERE}
    missing = {text: file for text, file in here.items() if not any(text.strip(" ,;") in reason for reason in shown)}
    assert not missing, f"no loop of test/refused is refused for {missing}"


def test_each_remedy_is_tried() -> None:
    """Or the reason is in the table above, and not needlessly."""
    tried = refused("remedies")
    left = {text for text in reasons() if text not in GUARDS and text not in ELSEWHERE and not any(text.strip(" ,;") in reason for reason in tried)}
    assert left == set(WITHOUT_REMEDY)


def test_exceptions_are_still_needed() -> None:
    known, shown = reasons(), refused()
    for text in [*GUARDS, *ELSEWHERE]:
        assert text in known, f"'{text}' is no reason any more"
        assert not any(text in reason for reason in shown), f"'{text}' has a refused loop"
    for text, file in ELSEWHERE.items():
        assert text.split(",")[0] in (TEST / file).read_text(), f"{file} does not test '{text}'"
