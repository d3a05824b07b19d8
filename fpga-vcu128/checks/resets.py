# SPDX-License-Identifier: Apache-2.0
"""What drives the reset pins of the vendor's IP and both ends of every asynchronous FIFO, traced on the flattened netlist to where it comes from.

problems(module, ips, catalogue) returns one line for each reset input that
  - is tied to its inactive level, though the catalogue does not allow that
  - comes from anything but a reset: a register with an asynchronous cause (reset_sync), a reset output of an IP, or a pin of the
    board whose name says so, through buffers and inverters only
  - is inactive when its source is in reset, or the other way round
  - is released in another clock than the pin's, as the catalogue has it
one_sided(module) returns one line for each FIFO of which one end can be reset without the other: words that were read would be there again. Its ends
have resets of the same causes, or both belong to one handshake.
`module` is the top in Yosys's JSON, `ips` maps IP modules to (name in the catalogue, configuration as the mock wrote it).
"""

import re
from dataclasses import dataclass

from catalogue import Port, ports

ASSERTED = {"reset_low": 0, "reset_high": 1}
RESET_PIN = re.compile(r"(reset|rst)(_n)?$")


@dataclass(frozen=True)
class Source:
    asserted: int  # level that means reset
    clock: int | None  # net of the clock it is released in; None: asynchronous


class Resets:
    def __init__(self, module: dict, ips: dict[str, tuple[str, dict[str, str]]], catalogue: dict) -> None:
        self._module = module
        self._driver = {
            bit: (name, port, index)
            for name, cell in module["cells"].items()
            for port, bits in cell["connections"].items()
            if cell["port_directions"][port] == "output"
            for index, bit in enumerate(bits)
        }
        self._pin = {port["bits"][0]: name for name, port in module["ports"].items() if port["direction"] == "input"}
        self._ports = {
            name: ports(catalogue["ip"][ips[cell["type"]][0]], ips[cell["type"]][1]) for name, cell in module["cells"].items() if cell["type"] in ips
        }

    def _origin(self, bit: int | str) -> tuple[int | str, int]:
        """Where a net comes from through buffers and inverters, and 1 if it is inverted."""
        inverted = 0
        while bit in self._driver:
            name, _, index = self._driver[bit]
            cell = self._module["cells"][name]
            into = cell["connections"].get("A", [])
            if cell["type"] not in ("$buf", "$pos", "$not", "$logic_not") or index >= len(into) or (cell["type"] == "$logic_not" and len(into) > 1):
                break
            inverted ^= cell["type"] in ("$not", "$logic_not")
            bit = into[index]
        return bit, inverted

    def _name(self, bit: int | str) -> str:
        """The shortest name of a net; "logic" when it has none."""
        origin = self._origin(bit)
        names = [name for name, net in self._module["netnames"].items() if "$" not in name and len(net["bits"]) == 1 and self._origin(net["bits"][0]) == origin]
        return min(names, key=lambda name: (name.count("."), len(name)), default="logic")

    def _source(self, bit: int) -> Source | None:
        """The reset that the net is, None when it is none."""
        if pin := self._pin.get(bit):
            return Source(asserted=0 if pin.endswith("_n") else 1, clock=None) if RESET_PIN.search(pin) else None
        if bit not in self._driver:
            return None
        name, port, index = self._driver[bit]
        cell = self._module["cells"][name]
        if name in self._ports:
            entry = self._ports[name][port]
            return Source(ASSERTED[entry.kind], self._clock(name, entry)) if entry.kind in ASSERTED else None
        connections = cell["connections"]
        if cell["type"] == "$aldff":
            cause, value = connections["ALOAD"][0], connections["AD"][index]
        elif cell["type"] == "$adff":
            cause, value = connections["ARST"][0], cell["parameters"]["ARST_VALUE"][-1 - index]
        else:
            return None
        if self._origin(cause)[0] in ("0", "1") or value not in ("0", "1"):
            return None
        return Source(int(value), self._origin(connections["CLK"][0])[0])

    def _clock(self, cell: str, entry: Port) -> int | None:
        return self._origin(self._module["cells"][cell]["connections"][entry.clock][0])[0] if entry.clock else None

    def problem(self, cell: str, port: str, entry: Port) -> str | None:
        """What is wrong with a reset input; open ones and those that are always asserted are netlist.py's."""
        bits = self._module["cells"][cell]["connections"].get(port, [])
        if len(bits) != 1 or bits[0] in ("x", "z"):
            return None
        origin, inverted = self._origin(bits[0])
        if origin in ("0", "1"):
            never = (int(origin) ^ inverted) != ASSERTED[entry.kind] and not entry.tied
            return f"{cell}.{port} is never reset" if never else None
        source, name = self._source(origin), self._name(bits[0])
        if source is None:
            return f"{cell}.{port} gets {name}, which is no reset"
        if source.asserted ^ inverted != ASSERTED[entry.kind]:
            return (
                f"{cell}.{port} gets {name}, which is {'high' if source.asserted ^ inverted else 'low'} in reset, the pin is active"
                f" {'high' if ASSERTED[entry.kind] else 'low'}"
            )
        clock = self._clock(cell, entry)
        if clock is not None and source.clock is None:
            return f"{cell}.{port} gets {name}, which is asynchronous, the pin belongs to {self._name(clock)}"
        if clock is not None and source.clock != clock:
            return f"{cell}.{port} gets {name}, which is released in {self._name(source.clock)}, the pin belongs to {self._name(clock)}"
        return None

    def problems(self) -> list[str]:
        found = [
            self.problem(cell, port, entry)
            for cell, known in self._ports.items()
            for port, entry in known.items()
            if entry.direction == "input" and entry.kind in ASSERTED
        ]
        return [line for line in found if line]

    def _registers(self, bit: int | str) -> set[tuple[str, str]]:
        """Cells and ports that a net comes from through logic; none for a constant, a pin of the board by its name."""
        found, seen, todo = set(), set(), [bit]
        while todo:
            bit = todo.pop()
            if bit in seen or isinstance(bit, str):
                continue
            seen.add(bit)
            name, port, _ = self._driver.get(bit, (self._pin.get(bit, "?"), "", 0))
            if port == "Y":
                todo += [into for input_port, bits in self._module["cells"][name]["connections"].items() if input_port != "Y" for into in bits]
            else:
                found.add((name, port))
        return found

    def _causes(self, reset: int | str) -> set[str]:
        """Of a reset_sync what resets it, of another register the instance that it is in."""
        causes = set()
        for name, port in self._registers(reset):
            cell = self._module["cells"].get(name, {"connections": {}})
            asynchronous = cell["connections"].get("ALOAD") or cell["connections"].get("ARST")
            if asynchronous:
                causes |= {f"{source}.{pin}" for source, pin in self._registers(asynchronous[0])}
            else:
                causes.add(name.removeprefix("$driver$").rpartition(".")[0] or f"{name}.{port}")
        return causes

    def one_sided(self) -> list[str]:
        nets = self._module["netnames"]
        found = []
        for fifo in sorted(name.removesuffix(".in_reset") for name in nets if name.endswith(".in_reset")):
            ends = [self._causes(nets[f"{fifo}.{end}_reset"]["bits"][0]) for end in ("in", "out")]
            if ends[0] != ends[1] or not ends[0]:
                one, other = (" or ".join(sorted(end)) or "nothing" for end in ends)
                found.append(f"{fifo} is reset by {one} at one end, by {other} at the other")
        return found


def one_sided(module: dict) -> list[str]:
    return Resets(module, {}, {}).one_sided()


def problems(module: dict, ips: dict[str, tuple[str, dict[str, str]]], catalogue: dict) -> list[str]:
    return Resets(module, ips, catalogue).problems()
