# SPDX-License-Identifier: Apache-2.0
"""Everything but the core in units: the top, and the modules that budget.toml names, each synthesised once for every set of
parameters it is instantiated with, as "module NAME=value ...". The vendor's IP and the core are black boxes.
"""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import synthesis
import yosys
from verilog_text import checksum, synthesised

OPTIONS = ("-DNHG_XDMA", "--keep-hierarchy")
DECLARED = re.compile(r"^\s*(?:module|package)\s+(\w+)", re.MULTILINE)
CONSTANT = re.compile(r"localparam logic \[63:0\] (\w+) = 64'h[0-9a-f]+;")  # of the platform package
INCLUDED = re.compile(r'`include\s+"([^"]+)"')


def key(module: str, parameters: dict[str, str]) -> str:
    """`parameters` with their values in binary, as Yosys writes them."""
    return " ".join([module, *(f"{name}={int(value, 2):#x}" for name, value in sorted(parameters.items()))])


class ShellModules:
    top = "vcu128_top"

    def __init__(self, build: Path, units: set[str]) -> None:
        """`units`: names of the modules that are units of their own."""
        self._build, self._units = build, units | {self.top}
        folder = build / "fpga" / "resources"
        folder.mkdir(parents=True, exist_ok=True)
        self._files = [*yosys.shell_sources(build), *sorted((yosys.FPGA / "blackbox").glob("*.sv")), yosys.core_black_box(build, folder)]
        self._text: dict[str, str] = {}  # by module or package
        for path in self._files:
            raw = path.read_text()
            included = [(build / "fpga" / name).read_text() for name in INCLUDED.findall(raw)]
            text = synthesised("\n".join([raw, *included]))
            self._text |= dict.fromkeys(DECLARED.findall(raw), text)
        self._words = cache(lambda module: set(re.findall(r"\w+", self._text[module])) & self._text.keys())

    def checksum(self, unit: str) -> str | None:
        """Of the Verilog whose cells are counted in the unit and of the ports of black boxes; None: it is not in the design. Constants
        of the platform that none of it uses do not count."""
        top = unit.split(maxsplit=1)[0]
        if top not in self._text:
            return None
        inside, todo = {top}, [top]
        while todo:
            new = self._words(todo.pop()) - inside - self._units
            inside |= new
            todo += new
        words = {word for module in inside for word in re.findall(r"\w+", CONSTANT.sub("", self._text[module]))}
        used = (CONSTANT.sub(lambda found: found[0] if found[1] in words else "", self._text[module]) for module in sorted(inside))
        return checksum([*OPTIONS, *used])

    def _read(self, unit: str, folder: Path) -> tuple[str, list[dict]]:
        """Yosys' commands that read the unit, and its instances of units below it."""
        module, *parameters = unit.split()
        design, as_json = folder / "design.il", folder / "design.json"
        boxes = [word for name in sorted(self._units - {module}) for word in ("--blackboxed-module", name)]
        values = [word for parameter in parameters for word in ("-G", _literal(parameter))]
        yosys.run([yosys.read_command(self._build, self._files, module, *OPTIONS, *boxes, *values),
                   f"write_rtlil {yosys.inside(design)}", f"write_json {yosys.inside(as_json)}"], folder)
        found = [cell for inside in json.loads(as_json.read_text())["modules"].values() for cell in inside["cells"].values()
                 if cell["type"] in self._units]
        # Mapping takes no parameters of black boxes.
        without = {f"setparam -unset {name} t:{cell['type']}" for cell in found for name in cell["parameters"]}
        return "\n".join([f"read_rtlil {yosys.inside(design)}", *sorted(without)]), found

    def read_commands(self, unit: str, folder: Path) -> str:
        return self._read(unit, folder)[0]

    def measure(self, unit: str) -> synthesis.Measured:
        folder = self._build / "fpga" / "resources" / re.sub(r"\W+", "-", unit)
        folder.mkdir(parents=True, exist_ok=True)
        read, found = self._read(unit, folder)
        statistics, mapped = synthesis.synthesise(read, unit.split(maxsplit=1)[0], folder)
        return synthesis.Measured(statistics["design"]["num_cells_by_type"], mapped, dict(Counter(key(cell["type"], cell["parameters"]) for cell in found)))


def _literal(parameter: str) -> str:
    """NAME=0x1f as Verilog has it."""
    name, _, value = parameter.partition("=")
    return f"{name}=64'h{value.removeprefix('0x')}"
