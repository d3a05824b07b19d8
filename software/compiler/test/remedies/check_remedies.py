# SPDX-License-Identifier: Apache-2.0
"""Checks that what the compiler proposes for a refused loop helps.

usage: check_remedies.py SOURCE OUTPUT_DIRECTORY
Every pragma of SOURCE stands below a comment `// REFUSED: <reason>`, which ends with what to do. Without the macro REMEDY each loop must be refused for
its reason, with a place in the source; with it each must be split, and compute the same: x86-64 natively, riscv64 on the golden model.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from same_results import BUILD, TIMEOUT_SECONDS

DRIVER = Path(__file__).resolve().parents[2] / "driver"
RISCV = ["--target=riscv64-unknown-elf"]
SERIAL = re.compile(r":(\d+):\d+: warning: loop left serial: (.*) \(line \d+(?:, column \d+)?\) \[-Wpass-failed\]")


def call(command: list[str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    if done.returncode:
        sys.exit(f"exit code {done.returncode}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done


def expected(source: Path) -> dict[int, str]:
    """Line of each pragma -> why its loop is refused."""
    lines = source.read_text().splitlines()
    reasons = {number: line.split("// REFUSED: ")[1] for number, line in enumerate(lines, 1) if "// REFUSED: " in line}
    pragmas = [number for number, line in enumerate(lines, 1) if line.startswith("#pragma asyncmem ")]
    assert len(pragmas) == len(reasons)
    return {pragma: reasons[max(number for number in reasons if number < pragma)] for pragma in pragmas}


def main(source: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    compiler = [str(DRIVER / ("coroamu-c++" if source.suffix == ".cpp" else "coroamu-cc")), "-O2"]
    compiler += ["-fno-exceptions", "-std=c++20"] if source.suffix == ".cpp" else []
    results = set()
    for name, mode, target in (("x86", "static", []), ("riscv", "full", RISCV)):
        for remedy in (False, True):
            program = folder / f"{name}-{'cured' if remedy else 'refused'}"
            cured = ["-DREMEDY", "-Werror=pass-failed"] if remedy else []
            said = call([*compiler, f"-masync={mode}", *target, *cured, str(source), "-o", str(program)]).stderr
            if not remedy:
                found = {int(line): reason for line, reason in SERIAL.findall(said)}
                for line, reason in expected(source).items():
                    assert reason in found.get(line, ""), f"{source}:{line}: {name}: not refused for '{reason}' but {found.get(line)}\n{said}"
            results.add(call([str(BUILD / "golden/nhg-iss"), "--elf", str(program)] if target else [str(program)]).stdout)
    assert len(results) == 1, f"{source}: results differ: {results}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
