# SPDX-License-Identifier: Apache-2.0
"""Logic depth without Vivado: the longest paths of modules as Yosys maps them, against the core's period.

usage: timing.py --build DIR [UNIT ...]     UNIT: a unit of the core or the shell as measured.json names it; default: the quick ones of the core

Prints the ten longest paths of each by their registers. Paths end at the ports of a unit: one that goes on in another unit is
shown in parts. A path whose estimate is longer than the period is an error (exit code 1): the delays of budget.toml are those of
neighbouring cells, so placement and routing only make it longer. A path below it may still miss its timing in Vivado.
Cells are also counted, as levels. (Yosys' `ltp` does not serve: it takes the registers of a mapped netlist for logic.)
"""

import argparse
import json
import re
import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import resources
import units
import yosys

BIT = re.compile(r"\[\d+\]$")
CLOCKED = re.compile(r"FD[CPRS]E(_1)?|LD[CP]E|RAMB|URAM|FIFO|\$_?S?DFF")
COMBINATIONAL = re.compile(r"LUT[1-6]|CARRY[48]|MUXF[789]|INV|RAM\d+X\d+|RAM\d+M|SRL|DSP48|BUF|\$_")
CLOCK_PINS = ("C", "CLK", "WCLK", "CLKARDCLK", "CLKBWRCLK")
SHOWN = 10


@dataclass(frozen=True)
class Longest:
    """Delay in ns, combinational cells on the way, and the names of both ends."""

    ns: float
    levels: int
    source: str
    sink: str


def kind_of(cell: str, delay_ns: dict[str, float]) -> float:
    """Delay of a cell by the longest prefix of its type that `delay_ns` has."""
    return next((delay_ns[name] for name in sorted(delay_ns, key=len, reverse=True) if cell.startswith(name)), delay_ns["LUT"])


def names(module: dict) -> dict[int, str]:
    """The shortest name of each net bit that is not made up by Yosys."""
    found: dict[int, str] = {}
    for name, net in module["netnames"].items():
        if net.get("hide_name"):
            continue
        wide = len(net["bits"]) > 1
        for place, bit in enumerate(net["bits"]):
            label = f"{name}[{place}]" if wide else name
            if isinstance(bit, int) and (bit not in found or len(label) < len(found[bit])):
                found[bit] = label
    return found


def paths(module: dict, delay_ns: dict[str, float]) -> list[Longest]:
    """The longest to each end, longest first. Raises ValueError when the combinational cells make a loop."""
    known = names(module)
    driver: dict[int, str] = {}
    cells = {name: cell for name, cell in module["cells"].items() if cell["type"] not in ("$scopeinfo", "GND", "VCC")}
    combinational = {name for name, cell in cells.items() if COMBINATIONAL.match(cell["type"])}
    begins: dict[int, tuple[float, int, str]] = {}
    ends: list[tuple[int, str]] = []
    for name, port in module["ports"].items():
        for bit in port["bits"]:
            if not isinstance(bit, int):
                continue
            if port["direction"] == "input":
                begins[bit] = (0.0, 0, f"port {name}")
            else:
                ends.append((bit, f"port {name}"))
    inputs: dict[str, list[int]] = defaultdict(list)
    for name, cell in cells.items():
        clocked = name not in combinational
        for port, bits in cell["connections"].items():
            for bit in bits:
                if not isinstance(bit, int) or port in CLOCK_PINS:
                    continue
                if cell["port_directions"][port] == "output":
                    if clocked:
                        register = known.get(bit, name) if CLOCKED.match(cell["type"]) else f"{cell['type']} {name}"
                        begins[bit] = (kind_of(cell["type"], delay_ns) if CLOCKED.match(cell["type"]) else 0.0, 0, register)
                    else:
                        driver[bit] = name
                elif clocked:
                    out = next((bit for pin in ("Q", "O") for bit in cell["connections"].get(pin, ())), None)
                    ends.append((bit, known.get(out, name) if CLOCKED.match(cell["type"]) else f"{cell['type']} {name}"))
                else:
                    inputs[name].append(bit)
    order = TopologicalSorter({name: {driver[bit] for bit in inputs[name] if bit in driver} for name in combinational})
    arrival = dict(begins)
    try:
        for name in order.static_order():
            ns, levels, source = max((arrival[bit] for bit in inputs[name] if bit in arrival), default=(0.0, 0, "constant"))
            delay = kind_of(cells[name]["type"], delay_ns)
            for port, bits in cells[name]["connections"].items():
                if cells[name]["port_directions"][port] == "output":
                    arrival |= {bit: (ns + delay, levels + 1, source) for bit in bits if isinstance(bit, int)}
    except CycleError as loop:
        raise ValueError(f"combinational loop through {', '.join(sorted(set(loop.args[1]))[:4])}") from None
    longest: dict[str, Longest] = {}
    for bit, sink in ends:
        ns, levels, source = arrival.get(bit, (0.0, 0, "constant"))
        one = Longest(round(ns + delay_ns["setup"], 3), levels, BIT.sub("", source), BIT.sub("", sink))
        if source != "constant" and (one.sink not in longest or one.ns > longest[one.sink].ns):
            longest[one.sink] = one
    return sorted(longest.values(), key=lambda path: (-path.ns, path.sink))


def longest(folder: Path, read: str, top: str, delay_ns: dict[str, float]) -> list[Longest]:
    """Maps `top` as resources.py does, flattens it and looks for its paths."""
    yosys.synthesise(read, top, folder, ["flatten", "opt_clean", f"write_json {yosys.inside(folder / 'mapped.json')}"])
    return paths(json.loads((folder / "mapped.json").read_text())["modules"][top], delay_ns)


def table(unit: str, found: list[Longest]) -> str:
    return "\n".join(
        [
            f"{unit}: {found[0].ns:.1f} ns in {found[0].levels} levels" if found else f"{unit}: no paths",
            *(f"  {path.ns:5.1f} ns {path.levels:3} levels  {path.source} -> {path.sink}" for path in found[:SHOWN]),
        ]
    )


def too_long(unit: str, found: list[Longest], period_ns: float) -> list[str]:
    return [
        f"{unit}: {path.source} -> {path.sink} takes {path.ns:.1f} ns in {path.levels} levels even between neighbours, the period is {period_ns:g} ns"
        for path in found
        if path.ns > period_ns
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Longest paths by logic depth")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("units", nargs="*")
    args = parser.parse_args()
    budget = tomllib.loads((resources.HERE / "budget.toml").read_text())
    platform = tomllib.loads((units.FPGA.parent / "tools/platform/platform.toml").read_text())
    period_ns = 1000 / platform["clock"]["fpga_mhz"]
    design = resources.parts(args.build.resolve(), budget["module"])
    names = args.units or [name for name, entry in budget["module"].items() if entry.get("gate") == "synthesis" and entry["part"] == "core"]
    problems: list[str] = []
    try:
        for unit in names:
            part = next((design[name] for name in resources.PARTS if design[name].checksum(unit)), None)
            if part is None:
                raise yosys.YosysError(f"{unit} is no unit of the design")
            folder = args.build.resolve() / "fpga" / "timing" / unit.replace(" ", "-")
            folder.mkdir(parents=True, exist_ok=True)
            found = longest(folder, part.read_commands(unit, folder), unit.split()[0], budget["delay_ns"])
            print(table(unit, found), flush=True)
            problems += too_long(unit, found, period_ns)
    except (yosys.YosysError, ValueError) as error:
        print(f"timing: {error}", file=sys.stderr)
        return 1
    for problem in problems:
        print(f"timing: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
