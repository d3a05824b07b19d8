# SPDX-License-Identifier: Apache-2.0
"""Cycles and instructions a list of a run that the Makefile made: `print_list.py NAME RESULT.json`."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "tools"))
from nhg import platform, result

name, file = sys.argv[1:]
run = result.compute(result.read(name, Path(file)))
numbers = platform.description()["metrics"]
operations = run.metrics[numbers["operations"]]
verified = "" if run.metrics[numbers["verified"]] == 1 else ", NOT verified"
print(f"{name}: {run.cycles / operations:.1f} cycles, {(run.instret or 0) / operations:.0f} instructions a list{verified}")
