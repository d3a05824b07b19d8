# SPDX-License-Identifier: Apache-2.0
"""What the cells of a mapped netlist are for timing: where paths begin, end, and what goes through from which pin.

`Cells` reads a module as Yosys writes it (write_json) into plain lists. Nets are numbers, as there; constants are left out. A cell type that
is not known here is an error, so that no path ends at one unseen.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

FLIP_FLOP = re.compile(r"FD[CPRS]E(_1)?$")
LUT_RAM = re.compile(r"RAM\d+(M\d*|X\d+[SD]|X8SW|X16DR8)$")
SHIFT_REGISTER = re.compile(r"SRL(16E|C32E)$")
BLOCK_RAM, ULTRA_RAM = ("RAMB18E2", "RAMB36E2"), ("URAM288",)
IGNORED = ("$scopeinfo", "GND", "VCC", "$check", "$print")  # the last two: what is left of assertions
CLOCK = re.compile(r"W?CLK|C|CLK[AB]\w*")
MADE_UP = re.compile(r"(^|\.)_|casez_tmp|\.table_$")  # by firtool
DSP_REGISTERS = ("AREG", "BREG", "CREG", "DREG", "ADREG", "MREG", "PREG")


@dataclass
class Cells:
    """starts: (net, ns, name, clock net); ends: (net, ns, behind a general net?, name, clock net). through: (inputs, net that is driven, 1 for a
    level), an input being (net, ns, behind a general net?)."""

    starts: list[tuple[int, float, str, int | None]] = field(default_factory=list)
    ends: list[tuple[int, float, bool, str, int | None]] = field(default_factory=list)
    through: list[tuple[list[tuple[int, float, bool]], int, int]] = field(default_factory=list)
    inside: list[tuple[str, str, dict[str, list]]] = field(default_factory=list)  # (module, instance, nets by port), for those in `below`
    ports: dict[str, tuple[bool, list]] = field(default_factory=dict)  # (is it an input, nets)


def nets(bits: Iterable) -> list[int]:
    return [bit for bit in bits if isinstance(bit, int)]


def names(module: dict) -> dict[int, str]:
    """The shortest name of each net that is not made up by Yosys, nor by firtool where there is another; without the number of a bit."""
    found: dict[int, str] = {}
    for name, net in module["netnames"].items():
        for bit in () if net.get("hide_name") else nets(net["bits"]):
            if bit not in found or _worth(name) < _worth(found[bit]):
                found[bit] = name
    for cell in module["cells"].values():
        if cell["type"] == "INV":  # a register that starts at one is kept inverted
            before, behind = cell["connections"]["I"][0], cell["connections"]["O"][0]
            if behind in found:
                found.setdefault(before, found[behind])
    return found


def _worth(name: str) -> tuple[bool, int]:
    return bool(MADE_UP.search(name)), len(name)


def made_by_synthesis(name: str) -> str:
    """Of a register, as "the module that it is in, (made by synthesis)"."""
    place, made, _ = name.removeprefix("$flatten").replace("\\", "").partition("$")
    return place + "(made by synthesis)" if made else place


class Reader:
    def __init__(self, module: dict, ns: dict[str, float], below: Iterable[str], boxes: Iterable[str] = ()) -> None:
        """`boxes`: modules whose inside is not known, at whose pins paths end."""
        self._names, self._ns, self._below, self._boxes = names(module), ns, set(below), set(boxes)
        self.cells = Cells(ports={name: (port["direction"] == "input", port["bits"]) for name, port in module["ports"].items()})
        for name, cell in module["cells"].items():
            if cell["type"] not in IGNORED:
                self._add(name, cell)

    def _add(self, name: str, cell: dict) -> None:
        kind, pins = cell["type"], cell["connections"]
        outputs = [pin for pin in pins if cell["port_directions"][pin] == "output"]
        clock = next((bit for pin in pins if CLOCK.fullmatch(pin) for bit in nets(pins[pin])), None)
        data = [pin for pin in pins if pin not in outputs and not CLOCK.fullmatch(pin)]
        if kind in self._below:
            self.cells.inside.append((kind, name, pins))
        elif kind in self._boxes:
            self.cells.starts += [(bit, 0.0, f"{name}.{pin}", None) for pin in outputs for bit in nets(pins[pin])]
            self.cells.ends += [(bit, 0.0, False, f"{name}.{pin}", None) for pin in pins if pin not in outputs for bit in nets(pins[pin])]
        elif FLIP_FLOP.match(kind):
            register = next((self._names[bit] for bit in nets(pins["Q"]) if bit in self._names), made_by_synthesis(name))
            self._clocked(register, pins, outputs, data, self._ns["clock_to_q"], self._ns["setup"], clock, beside=("D",))
        elif kind in BLOCK_RAM:
            self._clocked(name, pins, outputs, data, self._ns["bram_clock_to_q"], self._ns["bram_setup"], clock)
        elif kind in ULTRA_RAM:
            self._clocked(name, pins, outputs, data, self._ns["uram_clock_to_q"], self._ns["uram_setup"], clock)
        elif LUT_RAM.match(kind) or SHIFT_REGISTER.match(kind):
            self._lut_ram(name, pins, outputs, clock)
        elif kind.startswith("DSP48E2"):
            if any(int(str(cell["parameters"].get(register, "0")), 2) for register in DSP_REGISTERS):
                raise ValueError(f"{name}: a DSP slice with registers in it is not known to checks/cells.py")
            self._logic(((pins[pin], self._ns["dsp"], True) for pin in data), nets(pins["P"]))
        elif kind in ("CARRY4", "CARRY8"):
            self._carry(pins)
        elif kind.startswith("MUXF"):
            mux = self._ns["muxf"]
            self._logic([(pins["I0"] + pins["I1"], mux + self._ns["into_muxf"], False), (pins["S"], mux, True)], nets(pins["O"]))
        elif re.match(r"LUT[1-6]$", kind):
            self._logic(((pins[pin], self._ns["lut"], True) for pin in data), nets(pins["O"]))
        elif kind in ("INV", "BUFG", "IBUF", "OBUF", "$buf"):  # an inverter goes into the LUT behind
            self._logic(((bits, 0.0, False) for pin, bits in pins.items() if pin not in outputs), nets(pins[outputs[0]]), level=0)
        else:
            raise ValueError(f"{name}: the cell {kind} is not known to checks/cells.py")

    def _clocked(
        self, name: str, pins: dict, outputs: list[str], data: list[str], out: float, setup: float, clock: int | None, beside: tuple[str, ...] = ()
    ) -> None:
        self.cells.starts += [(bit, out, name, clock) for pin in outputs for bit in nets(pins[pin])]
        self.cells.ends += [(bit, setup, pin not in beside, name, clock) for pin in data for bit in nets(pins[pin])]

    def _logic(self, inputs: Iterable[tuple[list, float, bool]], outputs: list[int], level: int = 1) -> None:
        arcs = [(bit, ns, general) for bits, ns, general in inputs for bit in nets(bits)]
        self.cells.through += [(arcs, bit, level) for bit in outputs]

    def _lut_ram(self, name: str, pins: dict, outputs: list[str], clock: int | None) -> None:
        """A word is read in the cycle of its address, by the address of its own port, and written at the clock."""
        for pin in outputs:
            letter = pin.removeprefix("DO") if pin.startswith("DO") else ""
            address = {"DPO": ["DPRA"], "Q31": []}.get(pin, [f"ADDR{letter}", "A"])
            reads = [bit for port, bits in pins.items() if any(re.fullmatch(rf"{one}\d*", port) for one in address) for bit in bits]
            self._logic([(reads, self._ns["lut"], True)], nets(pins[pin]))
            self.cells.starts += [(bit, self._ns["lutram_clock_to_q"], name, clock) for bit in nets(pins[pin])]
        written = [pin for pin in pins if re.match(r"D(?!O|P)|WE|WSEL|CE|A\d*$|ADDRH", pin)]
        self.cells.ends += [(bit, self._ns["lutram_setup"], True, name, clock) for pin in written for bit in nets(pins[pin])]

    def _carry(self, pins: dict) -> None:
        """Two CARRY4 are a CARRY8 of the device."""
        first, more, last = self._ns["carry_first"], self._ns["carry_bit"], len(pins["S"]) - 1
        below = nets(pins["CI"]) + nets(pins.get("CYINIT", ()))
        through = self._ns["carry_through"] * (last + 1) / 8
        for pin in ("O", "CO"):
            for j, out in enumerate(pins.get(pin, ())):
                if isinstance(out, int):
                    arcs = [(bit, through if (pin, j) == ("CO", last) else self._ns["carry_in"], False) for bit in below]
                    for bits in (pins["S"][: j + 1], pins["DI"][: j + (pin == "CO")]):
                        arcs += [(bit, first + more * (j - i), False) for i, bit in enumerate(bits) if isinstance(bit, int)]
                    self.cells.through.append((arcs, out, 1))
