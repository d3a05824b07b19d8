# SPDX-License-Identifier: Apache-2.0
"""The design in units that are synthesised alone, and what Yosys reads of it.

CoreModules: every larger module of the core, with larger ones below it as black boxes. Small ones belong to whatever
instantiates them; memories, whose every port has a clock input of its own, are flattened into it, since only there Yosys sees
that it is one clock. The Verilog is made for this from the core's FIRRTL, without the constructs that only read_slang takes:
read_slang makes a copy of a module for each instance.
ShellModules: everything else: the top, and the modules that budget.toml names, each once for every set of parameters it is
instantiated with, as "module NAME=value ...". The vendor's IP and the core are black boxes.

The checksum of a unit covers what synthesis sees: comments (firtool writes places in the Scala sources there), blocks for simulation
only (`SYNTHESIS` is defined) and layout are left out, so that it is the same in every clone and changes only where the design may have.
"""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache, cached_property
from pathlib import Path
from typing import Protocol

FPGA = Path(__file__).resolve().parent.parent
SHELL = FPGA.parent / "shell/rtl"
sys.path += [str(FPGA), str(FPGA.parent / "tools/synthesis")]
import banks  # noqa: E402
import yosys  # noqa: E402

COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
CONDITION = re.compile(r"\s*`(ifdef|ifndef|else|endif)\b\s*(\w*)")
UNIT_CHARACTERS = 6_000  # of what synthesis sees: a unit of its own
MEMORY = re.compile(r"^\s*reg\b.*\bMemory(_\d+)?\[", re.MULTILINE)  # firtool's, and banks.py's
FIRTOOL_OPTIONS = ("--split-verilog", "--disable-all-randomization", "--lowering-options=disallowLocalVariables,disallowPackedArrays")
OPTIONS = ("-DNHG_XDMA", "--keep-hierarchy")
MAPPED, STAMP = "mapped.json", "mapped.stamp"  # in the folder of a unit: its netlist, and what it was made from
DECLARED = re.compile(r"^\s*(?:module|package)\s+(\w+)", re.MULTILINE)
CONSTANT = re.compile(r"localparam logic \[63:0\] (\w+) = 64'h[0-9a-f]+;")  # of the platform package
INCLUDED = re.compile(r'`include\s+"([^"]+)"')


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


def core_black_box(build: Path, folder: Path) -> Path:
    """NhgSoc with its ports and nothing in it."""
    text = (core_folder(build) / "NhgSoc.sv").read_text()
    header = re.search(r"module NhgSoc\s*\(.*?\);", text, flags=re.S)
    stub = folder / "NhgSoc.sv"
    stub.write_text(f"(* blackbox *)\n{header.group(0)}\nendmodule\n")
    return stub


def sources(build: Path) -> list[Path]:
    return [Path(line) for line in (build / "fpga" / "sources.txt").read_text().split()]


def core_folder(build: Path) -> Path:
    return next(path.parent for path in sources(build) if path.name == "NhgSoc.sv")


def shell_sources(build: Path) -> list[Path]:
    """The design without the core."""
    core = core_folder(build)
    return [path for path in sources(build) if path.parent != core]


def read_command(build: Path, files: list[Path], top: str, *options: str) -> str:
    words = ["read_slang", "--threads", "1", "-DSYNTHESIS", "-I", yosys.inside(build / "fpga"), "-I", yosys.inside(SHELL), "--top", top, *options]
    return " ".join([*words, *(yosys.inside(path) for path in files)])


def read_shell(build: Path, folder: Path, top: str, *options: str, replaced: dict[str, Path] | None = None) -> str:
    """Command that reads everything but the core; `replaced` gives another path for a file name."""
    files = [(replaced or {}).get(path.name, path) for path in shell_sources(build)]
    black_boxes = sorted((FPGA / "blackbox").glob("*.sv"))
    return read_command(build, [*files, *black_boxes, core_black_box(build, folder)], top, *options)


def verilog(build: Path) -> dict[str, Path]:
    """The core's files by module."""
    source, folder = build / "fir" / "NhgSoc.fir", build / "fpga" / "resources" / "core"
    if not folder.is_dir() or folder.stat().st_mtime < max(path.stat().st_mtime for path in (source, FPGA / "banks.py")):
        partial = folder.with_name("core.partial")
        for path in (folder, partial):
            shutil.rmtree(path, ignore_errors=True)
        result = subprocess.run(["firtool", str(source), *FIRTOOL_OPTIONS, "-o", str(partial)], capture_output=True, text=True, check=False)
        if result.returncode:
            raise yosys.YosysError(f"firtool: {result.stderr.strip()[:300]}")
        for path in partial.glob("*.sv"):
            path.write_text(banks.in_banks(path.read_text()))
        partial.rename(folder)
    return {path.stem: path for path in folder.glob("*.sv")}


def commit() -> str:
    """Of the tree that is measured; + when files differ from it."""

    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(FPGA), *words], capture_output=True, text=True, check=False).stdout.strip()

    return git("rev-parse", "--short=7", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


class Design(Protocol):
    def folder(self, unit: str) -> Path: ...

    def checksum(self, unit: str) -> str | None: ...

    def boxes(self, unit: str) -> set[str]: ...

    def measure(self, unit: str, limit_seconds: int | None = None) -> yosys.Measured: ...


def stamp(design: Design, unit: str) -> str:
    return f"{design.checksum(unit)} {yosys.recipe()}"


def synthesise(design: Design, unit: str, read: str, limit_seconds: int | None) -> tuple[dict, list[yosys.Memory]]:
    """Maps the unit and keeps its netlist, for timing.py, flat but for the units below it."""
    folder, top = design.folder(unit), unit.split(maxsplit=1)[0]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / STAMP).unlink(missing_ok=True)
    then = ["flatten", "opt_clean", f"select {top}", f"write_json -selected {yosys.inside(folder / MAPPED)}"]
    result = yosys.synthesise(read, top, folder, then, limit_seconds)
    (folder / STAMP).write_text(stamp(design, unit))
    return result


def netlist(design: Design, unit: str) -> tuple[dict, bool]:
    """The mapped unit as Yosys writes it, and whether it had to be mapped for that."""
    file = design.folder(unit) / STAMP
    kept = file.is_file() and file.read_text() == stamp(design, unit)
    if not kept:
        design.measure(unit)
    return json.loads((design.folder(unit) / MAPPED).read_text())["modules"][unit.split(maxsplit=1)[0]], not kept


class CoreModules:
    top = "NhgSoc"

    def __init__(self, build: Path) -> None:
        self._build, self._files = build, verilog(build)
        self._text = cache(lambda module: synthesised(self._files[module].read_text()))
        self._words = cache(lambda module: set(re.findall(r"\w+", self._text(module))) & self._files.keys())
        self._is_memory = cache(lambda module: bool(MEMORY.search(self._files[module].read_text())))

    def _inside(self, unit: str) -> tuple[list[str], list[str]]:
        """Modules that are synthesised with `unit`, itself among them, and its black boxes."""
        inside, boxes, todo = {unit}, set(), [unit]
        while todo:
            for name in self._words(todo.pop()) - inside:
                if len(self._text(name)) >= UNIT_CHARACTERS and not self._is_memory(name):
                    boxes.add(name)
                else:
                    inside.add(name)
                    todo.append(name)
        return sorted(inside), sorted(boxes)

    def today(self, module: str) -> list[str]:
        """The units that a module is in the design as it is now."""
        return [module] if module in self._files else []

    def checksum(self, unit: str) -> str | None:
        """Of the Verilog whose cells are counted in the unit; None: it is not in the design."""
        if unit not in self._files:
            return None
        return yosys.checksum(self._text(module) for module in self._inside(unit)[0])

    def read_commands(self, unit: str, folder: Path) -> str:
        """Yosys' commands that read the unit, with the units below it as black boxes."""
        inside, boxes = self._inside(unit)
        memories = [module for module in inside if module != unit and self._is_memory(module)]
        return "\n".join(
            [
                *(
                    " ".join([f"read_verilog -sv -DSYNTHESIS{option}", *(yosys.inside(self._files[module]) for module in modules)])
                    for option, modules in ((" -lib", boxes), ("", inside))
                    if modules
                ),
                *(f"flatten t:{memory}" for memory in memories),
            ]
        )

    def folder(self, unit: str) -> Path:
        return self._build / "fpga" / "resources" / unit

    def boxes(self, unit: str) -> set[str]:
        """The units that are black boxes in this one."""
        return set(self._inside(unit)[1])

    def measure(self, unit: str, limit_seconds: int | None = None) -> yosys.Measured:
        statistics, memories = synthesise(self, unit, self.read_commands(unit, self.folder(unit)), limit_seconds)
        cells = statistics["design"]["num_cells_by_type"]
        return yosys.Measured(cells, memories, {module: cells[module] for module in sorted(self.boxes(unit)) if module in cells})


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
        self._files = [*shell_sources(build), *sorted((FPGA / "blackbox").glob("*.sv")), core_black_box(build, folder)]
        self._text: dict[str, str] = {}  # by module or package
        for path in self._files:
            raw = path.read_text()
            included = [(SHELL / name if (SHELL / name).is_file() else build / "fpga" / name).read_text() for name in INCLUDED.findall(raw)]
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
        return yosys.checksum([*OPTIONS, *used])

    def _read(self, unit: str, folder: Path) -> tuple[str, list[dict]]:
        """Yosys' commands that read the unit, and its instances of units below it."""
        module, *parameters = unit.split()
        design, as_json = folder / "design.il", folder / "design.json"
        boxes = [word for name in sorted(self._units - {module}) for word in ("--blackboxed-module", name)]
        values = [word for parameter in parameters for word in ("-G", _literal(parameter))]
        yosys.run(
            [
                read_command(self._build, self._files, module, *OPTIONS, *boxes, *values),
                f"write_rtlil {yosys.inside(design)}",
                f"write_json {yosys.inside(as_json)}",
            ],
            folder,
        )
        found = [cell for inside in json.loads(as_json.read_text())["modules"].values() for cell in inside["cells"].values() if cell["type"] in self._units]
        # Mapping takes no parameters of black boxes.
        without = {f"setparam -unset {name} t:{cell['type']}" for cell in found for name in cell["parameters"]}
        return "\n".join([f"read_rtlil {yosys.inside(design)}", *sorted(without)]), found

    def read_commands(self, unit: str, folder: Path) -> str:
        return self._read(unit, folder)[0]

    def today(self, module: str) -> list[str]:
        """The units that a module is in the design as it is now."""
        return sorted({unit for unit in self._instances if unit.split()[0] == module})

    @cached_property
    def _instances(self) -> list[str]:
        folder = self._build / "fpga" / "resources" / "today"
        folder.mkdir(parents=True, exist_ok=True)
        return [key(cell["type"], cell["parameters"]) for cell in self._read(self.top, folder)[1]]

    def folder(self, unit: str) -> Path:
        return self._build / "fpga" / "resources" / re.sub(r"\W+", "-", unit)

    def boxes(self, unit: str) -> set[str]:
        """Modules that are black boxes in units. A netlist does not tell which of the parameters one has."""
        return self._units | {path.stem for path in (FPGA / "blackbox").glob("*.sv")} | {CoreModules.top}

    def measure(self, unit: str, limit_seconds: int | None = None) -> yosys.Measured:
        self.folder(unit).mkdir(parents=True, exist_ok=True)
        read, found = self._read(unit, self.folder(unit))
        statistics, memories = synthesise(self, unit, read, limit_seconds)
        return yosys.Measured(statistics["design"]["num_cells_by_type"], memories, dict(Counter(key(cell["type"], cell["parameters"]) for cell in found)))


def _literal(parameter: str) -> str:
    """NAME=0x1f as Verilog has it."""
    name, _, value = parameter.partition("=")
    return f"{name}=64'h{value.removeprefix('0x')}"


def parts(build: Path, budget: dict) -> dict[str, CoreModules | ShellModules]:
    """Of the design, with the modules of the budget."""
    return {"core": CoreModules(build), "shell": ShellModules(build, {name for name, entry in budget.items() if entry["part"] == "shell"})}
