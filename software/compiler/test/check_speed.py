# SPDX-License-Identifier: Apache-2.0
"""Compares the time of a source's loops under -masync=check with that of the plain ones, run in turn.

usage: check_speed.py SOURCE OUTPUT_DIRECTORY
The program prints the name of each loop and its time. The aim is 20 times; the limit leaves room for other jobs on the machine.
"""

import subprocess
import sys
from pathlib import Path

DRIVER = Path(__file__).resolve().parents[1] / "driver/coroamu-cc"
LIMIT = 35
RUNS = 6


def main() -> None:
    source, directory = Path(sys.argv[1]), Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    for mode in ("off", "check"):
        subprocess.run([DRIVER, f"-masync={mode}", "-O2", "-Werror=pass-failed", source, "-o", directory / mode], check=True)
    best: dict[tuple[str, str], float] = {}
    for _ in range(RUNS):
        for mode in ("off", "check"):
            printed = subprocess.run([directory / mode], capture_output=True, text=True, check=True).stdout
            for name, seconds in (line.split() for line in printed.splitlines()):
                best[mode, name] = min(float(seconds), best.get((mode, name), 1.0))
    ratios = {name: best["check", name] / seconds for (mode, name), seconds in best.items() if mode == "off"}
    print(*(f"{name} {ratio:.1f}" for name, ratio in ratios.items()), sep="\n")
    slow = [name for name, ratio in ratios.items() if ratio > LIMIT]
    sys.exit(f"more than {LIMIT} times slower than plain: {', '.join(slow)}" if slow or not ratios else 0)


if __name__ == "__main__":
    main()
