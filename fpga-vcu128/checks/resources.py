# SPDX-License-Identifier: Apache-2.0
"""LUTs, flip-flops, block RAMs, UltraRAMs and DSP slices of modules, as Yosys maps them to UltraScale+, against budget.toml.

usage: resources.py --build DIR [--only-quick] [--results FILE] [MODULE ...]

An estimate without timing: Yosys does not share a LUT6 between two functions, nor retime, and carries are counted apart.
Results are kept in FILE (JSON) one module at a time, with a hash of the sources: a run that was interrupted goes on, and
modules whose sources did not change are not done again. Exit code 1 when a module is over its budget, has a large memory in
LUTs or flip-flops that the budget does not name, cannot be synthesised, or the sum over the design is over its share of the
device; the last lines say which.
"""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import synthesis
import yosys

HERE = Path(__file__).resolve().parent
# From here a memory is worth a look when it is not block RAM (36 Kbit) or UltraRAM (288 Kbit); shallow ones belong in LUTs.
LARGE_BITS, LARGE_WORDS = 8 * 1024, 64
# LUTs that a cell takes; cells that are not named here take none
LUTS = {
    **{f"LUT{n}": 1 for n in range(1, 7)}, "SRL16E": 1, "SRLC32E": 1, "INV": 0,
    "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1D": 8, "RAM32M": 4, "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8,
    "RAM64X8SW": 8, "RAM32X16DR8": 8, "RAM256X1S": 4, "RAM512X1S": 8, "RAM64X1S": 1, "RAM32X1S": 1, "RAM128X1S": 2,
}


@dataclass(frozen=True)
class Resources:
    lut: float
    ff: float
    bram36: float
    uram: float
    dsp: float

    @classmethod
    def of(cls, cells: dict[str, int]) -> "Resources":
        return cls(
            lut=sum(LUTS.get(kind, 0) * count for kind, count in cells.items()),
            ff=sum(count for kind, count in cells.items() if kind in ("FDRE", "FDSE", "FDCE", "FDPE")),
            bram36=cells.get("RAMB36E2", 0) + cells.get("RAMB18E2", 0) / 2,
            uram=cells.get("URAM288", 0),
            dsp=cells.get("DSP48E2", 0),
        )


KINDS = [field.name for field in fields(Resources)]


def below(module: str, files: dict[str, Path]) -> list[Path]:
    """The files, one a module, of `module` and of everything it instantiates."""
    found, todo = {module}, [module]
    while todo:
        named = set(re.findall(r"\w+", re.sub(r"//.*", "", files[todo.pop()].read_text()))) & files.keys()
        todo += named - found
        found |= named
    return [files[name] for name in sorted(found)]


def core_verilog(build: Path) -> dict[str, Path]:
    """The core as Yosys' own reader takes it, by module; that reader synthesises a module once for all its instances."""
    source, folder = build / "fir" / "NhgSoc.fir", build / "fpga" / "resources" / "core"
    if not folder.is_dir() or folder.stat().st_mtime < source.stat().st_mtime:
        shutil.rmtree(folder, ignore_errors=True)
        partial = folder.with_name("core.partial")
        command = ["firtool", str(source), "--split-verilog", "-o", str(partial), "--disable-all-randomization",
                   "--lowering-options=disallowLocalVariables,disallowPackedArrays"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            raise yosys.YosysError(f"firtool: {result.stderr.strip()[:300]}")
        partial.rename(folder)
    return {path.stem: path for path in folder.glob("*.sv")}


def design_of(build: Path, folder: Path, module: str, part: str) -> tuple[list[Path], str]:
    """Sources of a module of the core, or of the shell with the core as a black box; and the command that reads them."""
    if part == "core":
        files = below(module, core_verilog(build))
        return files, " ".join(["read_verilog -sv -DSYNTHESIS", *map(yosys.inside, files)])
    files = [*yosys.shell_sources(build), *sorted((yosys.FPGA / "blackbox").glob("*.sv")), yosys.core_black_box(build, folder)]
    return files, yosys.read_command(build, files, module, "--keep-hierarchy")


def measure(folder: Path, module: str, read: str) -> dict:
    """Synthesises one module with everything below it: its resources, and its large memories outside block RAM and UltraRAM."""
    statistics, memories = synthesis.synthesise(read, module, folder)
    return {**asdict(Resources.of(statistics["design"]["num_cells_by_type"])),
            "large_in_logic": sorted({f"{memory.module.split('$')[0]} {memory.words}x{memory.width} {memory.kind}"
                                      for memory in memories if memory.bits >= LARGE_BITS and memory.words >= LARGE_WORDS
                                      and memory.kind not in ("BRAM", "URAM")})}


def over_budget(module: str, used: Resources, budget: dict[str, float]) -> list[str]:
    """A kind without a number in the budget is not compared."""
    return [f"{module}: {getattr(used, kind):g} {kind}, budget {budget[kind]}" for kind in KINDS
            if kind in budget and getattr(used, kind) > budget[kind]]


def unexpected(module: str, found: list[str], allowed: list[str]) -> list[str]:
    """Large memories in LUTs or flip-flops that the budget does not name, and those it names that are not there."""
    return [f"{module}: the memory {memory} should be block RAM or UltraRAM" for memory in found if memory not in allowed] + \
           [f"{module}: budget.toml names {memory}, which is not there" for memory in allowed if memory not in found]


def over_device(total: dict[str, float], device: dict[str, float], share: float) -> list[str]:
    return [f"design: {total[kind]:g} {kind}, {share:.0%} of the device are {share * device[kind]:g}" for kind in KINDS
            if total[kind] > share * device[kind]]


def digest(files: list[Path]) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description="Resource numbers against the budget")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--only-quick", action="store_true", help="modules that take a few seconds")
    parser.add_argument("--results", type=Path)
    parser.add_argument("modules", nargs="*")
    args = parser.parse_args()
    build = args.build.resolve()
    budget = tomllib.loads((HERE / "budget.toml").read_text())
    chosen = {name: entry for name, entry in budget["module"].items()
              if (not args.modules or name in args.modules) and (not args.only_quick or entry.get("quick"))}
    if missing := [name for name in args.modules if name not in chosen]:
        print(f"resources: {missing[0]} has no entry in checks/budget.toml", file=sys.stderr)
        return 2
    kept = json.loads(args.results.read_text()) if args.results and args.results.is_file() else {}
    problems: list[str] = []
    total = dict.fromkeys(KINDS, 0.0)
    print(f"{'module':24}" + "".join(f"{kind:>10}" for kind in KINDS) + "   seconds")
    for done, (name, entry) in enumerate(chosen.items()):
        folder = build / "fpga" / "resources" / name
        folder.mkdir(parents=True, exist_ok=True)
        files, read = design_of(build, folder, name, entry["part"])
        sources = digest(files)
        if kept.get(name, {}).get("sources") != sources:
            begin = time.monotonic()
            try:
                measured = measure(folder, name, read)
            except yosys.YosysError as error:
                problems.append(f"{name}: {error}")
                continue
            kept[name] = {"sources": sources, "seconds": round(time.monotonic() - begin), **measured}
            if args.results:
                args.results.write_text(json.dumps(kept, indent=1) + "\n")
        used = Resources(**{kind: kept[name][kind] for kind in KINDS})
        print(f"{name:24}" + "".join(f"{getattr(used, kind):10g}" for kind in KINDS)
              + f"{kept[name]['seconds']:10}   {done + 1}/{len(chosen)}", flush=True)
        problems += over_budget(name, used, entry)
        problems += unexpected(name, kept[name]["large_in_logic"], entry.get("large_in_logic", []))
        if entry.get("in_sum"):
            total = {kind: total[kind] + getattr(used, kind) for kind in KINDS}
    if all(name in chosen for name, entry in budget["module"].items() if entry.get("in_sum")):
        print(f"{'design':24}" + "".join(f"{total[kind]:10g}" for kind in KINDS))
        device = tomllib.loads((yosys.FPGA.parent / "tools/platform/platform.toml").read_text())["vcu128"]["resources"]
        problems += over_device(total, device, budget["share_of_device"])
    for problem in problems:
        print(f"resources: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
