# SPDX-License-Identifier: Apache-2.0
"""How the top connects the vendor's IP, checked on the elaborated netlist against the mock's catalogue.

problems(module, ips, catalogue, port_mhz) returns one line for each mistake:
  - a port that the IP does not have, or an input left open
  - a net with two drivers, or an input without a driver, of our own modules, too
  - a clock input that is not driven by a clock, or by one outside the IP's range, or not of the frequency the IP was told
  - a reset input that is always asserted
`module` is the top in Yosys's JSON, `ips` maps IP modules to (name in the catalogue, configuration as the mock wrote it).
"""

from collections import defaultdict
from dataclasses import dataclass

from catalogue import Port, ports


@dataclass(frozen=True)
class Pin:
    cell: str
    port: str

    def __str__(self) -> str:
        return f"{self.cell}.{self.port}"


def read_configuration(text: str) -> tuple[str, dict[str, str]]:
    """(IP, property -> value) from the file the mock writes with generate_target."""
    pairs = dict(line.split("=", 1) for line in text.splitlines())
    return pairs.pop("ip"), pairs


def _without_buffers(module: dict) -> dict:
    """The module with every $buf replaced by a direct connection; a buffer of nothing is no driver."""
    source: dict[int, int | str] = {}
    for cell in module["cells"].values():
        if cell["type"] == "$buf":
            source |= dict(zip(cell["connections"]["Y"], cell["connections"]["A"], strict=True))
    driven = {
        bit
        for cell in module["cells"].values()
        if cell["type"] != "$buf"
        for port, bits in cell["connections"].items()
        if cell["port_directions"][port] == "output"
        for bit in bits
    }

    def origin(bit: int | str) -> int | str:
        while bit in source and bit not in driven:
            bit = source[bit]
        return bit

    cells = {
        name: cell | {"connections": {port: [origin(bit) for bit in bits] for port, bits in cell["connections"].items()}}
        for name, cell in module["cells"].items()
        if cell["type"] != "$buf" or not driven.isdisjoint(cell["connections"]["Y"])
    }
    return module | {"cells": cells}


def _drivers(module: dict) -> dict[int, list[Pin]]:
    drivers: dict[int, list[Pin]] = defaultdict(list)
    for name, port in module["ports"].items():
        if port["direction"] in ("input", "inout"):
            for bit in port["bits"]:
                drivers[bit].append(Pin("port", name))
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                for bit in bits:
                    if isinstance(bit, int):
                        drivers[bit].append(Pin(name, port))
    return drivers


def _clock_mhz(pin: Pin, known: dict[Pin, Port], port_mhz: dict[str, float]) -> float | None:
    if pin.cell == "port":
        return port_mhz.get(pin.port)
    port = known.get(pin)
    return port.mhz if port and port.kind == "clock" else None


def problems(module: dict, ips: dict[str, tuple[str, dict[str, str]]], catalogue: dict, port_mhz: dict[str, float]) -> list[str]:
    found: list[str] = []
    module = _without_buffers(module)
    drivers = _drivers(module)
    found += [f"{pins[0]} and {pins[1]} drive one net" for pins in drivers.values() if len(pins) > 1]

    known: dict[Pin, Port] = {}
    for name, cell in module["cells"].items():
        if cell["type"] in ips:
            ip, configuration = ips[cell["type"]]
            legal = ports(catalogue["ip"][ip], configuration)
        elif cell["type"] in catalogue["primitive"]:
            legal = ports(catalogue["primitive"][cell["type"]], {})
        else:
            ours = {} if cell["type"].startswith("$") else cell["connections"]
            for port, bits in ours.items():
                if cell["port_directions"][port] == "input" and any(bit in ("x", "z") or (isinstance(bit, int) and not drivers[bit]) for bit in bits):
                    found.append(f"{name}.{port} has no driver")
            continue
        connected = cell["connections"]
        found += [f"{name}.{port} does not exist in {cell['type']}" for port in connected if port not in legal]
        for port, entry in legal.items():
            known[Pin(name, port)] = entry
            if len(connected.get(port, ())) not in (entry.width, 0):
                found.append(f"{name}.{port} is {entry.width} bits wide and connected to {len(connected[port])}")
            if entry.direction == "input" and not connected.get(port):
                found.append(f"{name}.{port} is left open")

    for pin, entry in known.items():
        bits = module["cells"][pin.cell]["connections"].get(pin.port, [])
        if entry.direction != "input":
            continue
        for bit in bits:
            if bit in ("x", "z") or (isinstance(bit, int) and not drivers[bit]):
                found.append(f"{pin} has no driver")
                break
        asserted = {"reset_low": "0", "reset_high": "1"}.get(entry.kind)
        if asserted and bits == [asserted]:
            found.append(f"{pin} is always in reset")
        if entry.kind == "clock" and bits:
            sources = drivers[bits[0]] if isinstance(bits[0], int) else []
            mhz = _clock_mhz(sources[0], known, port_mhz) if sources else None
            if mhz is None:
                found.append(f"{pin} is not driven by a clock")
            elif entry.range_mhz and not entry.range_mhz[0] <= mhz <= entry.range_mhz[1]:
                found.append(f"{pin} gets {mhz:g} MHz, it takes {entry.range_mhz[0]} to {entry.range_mhz[1]}")
            elif entry.told_mhz not in (None, mhz):
                found.append(f"{pin} gets {mhz:g} MHz, the IP is told {entry.told_mhz:g}")
    return found
