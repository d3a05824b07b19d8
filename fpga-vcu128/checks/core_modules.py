# SPDX-License-Identifier: Apache-2.0
"""The core in units: every larger module is synthesised alone, with larger ones below it as black boxes. Small ones belong to
whatever instantiates them; memories, whose every port has a clock input of its own, are flattened into it, since only there
Yosys sees that it is one clock.

The Verilog is made for this from the core's FIRRTL, without the constructs that only read_slang takes: read_slang makes a copy
of a module for each instance.
"""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import synthesis
import yosys
from verilog_text import checksum, synthesised

UNIT_CHARACTERS = 6_000  # of what synthesis sees: a unit of its own
MEMORY = re.compile(r"^\s*reg\b.*\bMemory\[", re.MULTILINE)
FIRTOOL_OPTIONS = ("--split-verilog", "--disable-all-randomization", "--lowering-options=disallowLocalVariables,disallowPackedArrays")


def verilog(build: Path) -> dict[str, Path]:
    """The core's files by module."""
    source, folder = build / "fir" / "NhgSoc.fir", build / "fpga" / "resources" / "core"
    if not folder.is_dir() or folder.stat().st_mtime < source.stat().st_mtime:
        partial = folder.with_name("core.partial")
        for path in (folder, partial):
            shutil.rmtree(path, ignore_errors=True)
        result = subprocess.run(["firtool", str(source), *FIRTOOL_OPTIONS, "-o", str(partial)], capture_output=True, text=True, check=False)
        if result.returncode:
            raise yosys.YosysError(f"firtool: {result.stderr.strip()[:300]}")
        partial.rename(folder)
    return {path.stem: path for path in folder.glob("*.sv")}


class CoreModules:
    top = "NhgSoc"

    def __init__(self, build: Path) -> None:
        self._build, self._files = build, verilog(build)
        self._text = cache(lambda module: synthesised(self._files[module].read_text()))
        self._words = cache(lambda module: set(re.findall(r"\w+", self._text(module))) & self._files.keys())

    def _inside(self, unit: str) -> tuple[list[str], list[str]]:
        """Modules that are synthesised with `unit`, itself among them, and its black boxes."""
        inside, boxes, todo = {unit}, set(), [unit]
        while todo:
            for name in self._words(todo.pop()) - inside:
                if len(self._text(name)) >= UNIT_CHARACTERS:
                    boxes.add(name)
                else:
                    inside.add(name)
                    todo.append(name)
        return sorted(inside), sorted(boxes)

    def checksum(self, unit: str) -> str | None:
        """Of the Verilog whose cells are counted in the unit; None: it is not in the design."""
        if unit not in self._files:
            return None
        return checksum(self._text(module) for module in self._inside(unit)[0])

    def read_commands(self, unit: str, folder: Path) -> str:
        """Yosys' commands that read the unit, with the units below it as black boxes."""
        inside, boxes = self._inside(unit)
        memories = [module for module in inside if module != unit and MEMORY.search(self._files[module].read_text())]
        return "\n".join([*(" ".join([f"read_verilog -sv -DSYNTHESIS{option}", *(yosys.inside(self._files[module]) for module in modules)])
                            for option, modules in ((" -lib", boxes), ("", inside)) if modules),
                          *(f"flatten t:{memory}" for memory in memories)])

    def measure(self, unit: str) -> synthesis.Measured:
        folder = self._build / "fpga" / "resources" / unit
        folder.mkdir(parents=True, exist_ok=True)
        statistics, mapped = synthesis.synthesise(self.read_commands(unit, folder), unit, folder)
        cells = statistics["design"]["num_cells_by_type"]
        return synthesis.Measured(cells, mapped, {module: cells[module] for module in self._inside(unit)[1] if module in cells})
