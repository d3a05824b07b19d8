# SPDX-License-Identifier: Apache-2.0
"""Runs the loops of a source under -masync=check, one by one, and compares the reports with what comments say.

usage: check_promises.py SOURCE OUTPUT_DIRECTORY
A comment behind a statement says "earlier read|written", "later reads|writes" or both, and after a colon a word of the advice. It
counts for the next of the functions in the table `loops`; one without such comments must run to its end. Every loop is also run with
the checker off, and prints the same then, and none may be left serial for the compiler's own reasons.
"""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

COMPILER = Path(__file__).resolve().parents[1]
EXIT_CODE = 66
LEVELS = ("-O1", "-O2", "-O3")
REPORT = re.compile(
    r"^\S+:(?P<pragma>\d+): asyncmem: iteration \d+ of the loop (?P<does>reads|writes) \d+ bytes at 0x[0-9a-f]+ \(\S+?:(?P<later>\d+):\d+\), "
    r"which iteration \d+ has (?P<did>read|written) \(\S+?:(?P<earlier>\d+):\d+\); "
    r"(?P<advice>.*)$"
)
FUNCTION = re.compile(r"^static void (\w+)\(void\) \{")
COMMENT = re.compile(r"// (?:.*: )?(?:earlier (?P<did>read|written))?(?:, )?(?:later (?P<does>reads or writes|reads|writes))?(?:: (?P<advice>\w+))?$")


@dataclass
class Expected:
    """Lines, with what is done there, that the report on a loop may name; none: no report."""

    earlier: set[tuple[int, str]] = field(default_factory=set)
    later: set[tuple[int, str]] = field(default_factory=set)
    advice: str = ""


def expectations(source: str) -> dict[str, Expected]:
    names = set(re.findall(r"LOOP\((\w+)\)", source))
    found: dict[str, Expected] = {}
    region, name = Expected(), ""
    for number, line in enumerate(source.splitlines(), 1):
        function = FUNCTION.match(line)
        if function and function[1] in names:
            name = function[1]
        comment = COMMENT.search(line)
        if comment and comment["did"]:
            region.earlier.add((number, comment["did"]))
        if comment and comment["does"]:
            region.later |= {(number, does) for does in comment["does"].split(" or ")}
            region.advice = comment["advice"] or ""
        if name and (line == "}" or (function and line.endswith("}"))):
            found[name] = region
            region, name = Expected(), ""
    return found


def compiled(source: Path, program: Path, mode: str, level: str) -> Path:
    driver = COMPILER / "driver" / ("coroamu-c++" if source.suffix == ".cpp" else "coroamu-cc")
    options = [f"-masync={mode}", level, "-Werror=pass-failed", f"-I{source.parent}", *(["-std=c++20"] if source.suffix == ".cpp" else [])]
    done = subprocess.run([driver, *options, source, "-o", program], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{mode} {level}: {done.stderr}")
    return program


def difference(expected: Expected, done: subprocess.CompletedProcess[str], plain: str, source: list[str]) -> str:
    """What is wrong with a run; empty if nothing is."""
    if not expected.later:
        return "" if done.returncode == 0 and done.stdout == plain else f"reports, or differs from the plain loop: {done.returncode} {done.stderr}"
    report = REPORT.match(done.stderr)
    if done.returncode != EXIT_CODE or not report or done.stderr.count("\n") != 1:
        return f"no report of one line: {done.returncode} {done.stderr}"
    pragma = source[int(report["pragma"]) - 1]
    if not pragma.startswith("#pragma asyncmem") or "num_task" not in pragma:
        return f"iterations of another loop: {done.stderr}"
    later, earlier = (int(report["later"]), report["does"]), (int(report["earlier"]), report["did"])
    if later not in expected.later or earlier not in expected.earlier or expected.advice not in report["advice"]:
        return f"another report than {expected}: {done.stderr}"
    return ""


def main() -> None:
    source, directory = Path(sys.argv[1]), Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    text = source.read_text()
    cases = expectations(text)
    plain_program = compiled(source, directory / "plain", "off", "-O2")
    plain = {name: subprocess.run([plain_program, name], capture_output=True, text=True, check=True).stdout for name in cases}
    wrong = []
    for level in LEVELS:
        program = compiled(source, directory / f"check{level}", "check", level)
        for name, expected in cases.items():
            done = subprocess.run([program, name], capture_output=True, text=True, check=False)
            why = difference(expected, done, plain[name], text.splitlines())
            wrong += [f"{name} {level}: {why}"] if why else []
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
