# SPDX-License-Identifier: Apache-2.0
"""The longest paths of a mapped netlist, from register to register, with an estimate of their delay.

paths(module, delay_ns) -> the longest path to each register or port, longest first, by the names of its ends.
`module` is a flattened module in Yosys's JSON; ends are registers, memories with a clock, ports, and black boxes, whose insides
are measured on their own. `delay_ns` says what a cell with the net behind it takes (checks/budget.toml): no placement is known,
so the numbers there are what neighbours would take, and a path that is too long with them is too long.
Cells are also counted, as levels. (Yosys' `ltp` does not serve: it takes the registers of a mapped netlist for logic.)
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

BIT = re.compile(r"\[\d+\]$")
CLOCKED = re.compile(r"FD[CPRS]E(_1)?|LD[CP]E|RAMB|URAM|FIFO|\$_?S?DFF")
COMBINATIONAL = re.compile(r"LUT[1-6]|CARRY[48]|MUXF[789]|INV|RAM\d+X\d+|RAM\d+M|SRL|DSP48|BUF|\$_")
CLOCK_PINS = ("C", "CLK", "WCLK", "CLKARDCLK", "CLKBWRCLK")


@dataclass(frozen=True)
class Path:
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


def paths(module: dict, delay_ns: dict[str, float]) -> list[Path]:
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
    longest: dict[str, Path] = {}
    for bit, sink in ends:
        ns, levels, source = arrival.get(bit, (0.0, 0, "constant"))
        one = Path(round(ns + delay_ns["setup"], 3), levels, BIT.sub("", source), BIT.sub("", sink))
        if source != "constant" and (one.sink not in longest or one.ns > longest[one.sink].ns):
            longest[one.sink] = one
    return sorted(longest.values(), key=lambda path: (-path.ns, path.sink))
