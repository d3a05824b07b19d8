# SPDX-License-Identifier: Apache-2.0
"""Checks that what the compiler proposes for a refused loop helps.

usage: check_remedies.py SOURCE OUTPUT_DIRECTORY
Every pragma of SOURCE, or the macro that has it, stands below a comment `// REFUSED: <reason>`, which ends with what to do. Without the macro REMEDY each loop
must be refused for its reason; with it each must be split, and compute the same: x86-64 natively, riscv64 on the golden model. `// REMEDY FLAGS: <options>` are
part of the remedy, `// FLAGS: <options>` of both; `// ONLY: x86` or `riscv` leaves the other out, `REFUSED only x86` or `riscv` has another reason there.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from same_results import BUILD, TIMEOUT_SECONDS

DRIVER = Path(__file__).resolve().parents[2] / "driver"
RISCV = ["--target=riscv64-unknown-elf"]
SERIAL = re.compile(r":(\d+):\d+: warning: loop left serial: (.*?)(?: \(line \d+(?:, column \d+)?\))? \[-Wpass-failed\]")
REFUSED = re.compile(r"// REFUSED(?: only (\w+))?: (.*)")


def call(command: list[str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    if done.returncode:
        sys.exit(f"exit code {done.returncode}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done


def expected(lines: list[str], target: str) -> dict[int, str]:
    """Line of each pragma -> why its loop is refused for the target."""
    reasons: dict[int, str] = {}
    above: list[str] = []
    for number, line in enumerate(lines, 1):
        if match := REFUSED.search(line):
            above += [match[2]] if match[1] in (None, target) else []
        elif above:
            reasons[number] = above[-1]
            above = []
    return reasons


def said(lines: list[str], what: str) -> list[str]:
    return [word for line in lines if line.startswith(f"// {what}: ") for word in line.split(": ", 1)[1].split()]


def main(source: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    compiler = [str(DRIVER / ("coroamu-c++" if source.suffix == ".cpp" else "coroamu-cc")), "-O2"]
    lines = source.read_text().splitlines()
    flags = said(lines, "FLAGS")
    compiler += ["-std=c++20", *([] if flags else ["-fno-exceptions"])] if source.suffix == ".cpp" else []
    results = set()
    for name, mode, target in (("x86", "static", []), ("riscv", "full", RISCV)):
        for remedy in (False, True) if name in (said(lines, "ONLY") or [name]) else ():
            program = folder / f"{name}-{'cured' if remedy else 'refused'}"
            cured = ["-DREMEDY", "-Werror=pass-failed", *said(lines, "REMEDY FLAGS")] if remedy else []
            output = call([*compiler, f"-masync={mode}", *target, *cured, str(source), *flags, "-o", str(program)]).stderr
            if not remedy:
                found = {int(line): reason for line, reason in SERIAL.findall(output)}
                wanted = expected(lines, name)
                assert not found.keys() - wanted.keys(), f"{source}: {name}: refused as well\n{output}"
                for line, reason in wanted.items():
                    assert reason in found.get(line, ""), f"{source}:{line}: {name}: not refused for '{reason}' but {found.get(line)}\n{output}"
            results.add(call([str(BUILD / "golden/nhg-iss"), "--elf", str(program)] if target else [str(program)]).stdout)
    assert len(results) == 1, f"{source}: results differ: {results}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
