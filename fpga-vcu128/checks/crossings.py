# SPDX-License-Identifier: Apache-2.0
"""Every place where a signal goes from one clock to another, found on the flattened netlist.

read_rules(path) reads crossings.toml: (port_clocks, rules).
find(module, port_clocks) returns {(source, sink, source clock, sink clock)}: register (or memory, or port of a black box)
that launches, the one that captures. A path through logic counts for each of its sources. `port_clocks` says which clock
the ports of black boxes and of the top belong to: (cell type or "top", pattern) -> clock; "static" never changes.
loops(module, port_clocks) returns the combinational loops of the same netlist.
unexplained(crossings, rules) compares them with crossings.toml: those that no rule allows, and rules that allow nothing.
"""

import tomllib
from collections import defaultdict
from fnmatch import fnmatchcase
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

STATIC = "static"
BITWISE = {"$and", "$or", "$xor", "$xnor", "$not", "$buf", "$pos", "$mux", "$bwmux"}

Crossing = tuple[str, str, str, str]


class Netlist:
    """Flattened module with its clocks."""

    def __init__(self, module: dict, port_clocks: dict[tuple[str, str], str]) -> None:
        self.module = module
        self.port_clocks = port_clocks
        self.clock_of: dict[int, str] = {}  # clock of the source that drives a bit
        self.source_of: dict[int, str] = {}  # its name
        self.inputs_of: dict[int, list[int]] = {}  # bits that a combinational bit depends on
        self.sinks: list[tuple[str, str, list[int]]] = []  # name, clock, bits captured
        self._scan()

    def _port_clock(self, kind: str, port: str) -> str:
        for (wanted, pattern), clock in self.port_clocks.items():
            if wanted == kind and fnmatchcase(port, pattern):
                return clock
        raise KeyError(f"the clock of {kind}.{port} is not stated")

    def _clock_name(self, bit: int | str) -> str:
        return self.clock_names[self._origin(bit)]

    def _origin(self, bit: int) -> int:
        while bit in self.buffer_of:
            bit = self.buffer_of[bit]
        return bit

    def _scan(self) -> None:
        self.buffer_of = {
            out: into
            for cell in self.module["cells"].values()
            if cell["type"] == "$buf"
            for out, into in zip(cell["connections"]["Y"], cell["connections"]["A"], strict=True)
            if isinstance(into, int)
        }
        self.clock_names: dict[int, str] = {}
        for name in ("local_clock", "core_clock", "hbm_clock", "pcie_clock"):  # local memory may have another's
            self.clock_names[self._origin(self.module["netnames"][name]["bits"][0])] = name

        for name, port in self.module["ports"].items():
            clock = self._port_clock("top", name)
            if port["direction"] == "input":
                self._source(name, clock, port["bits"])
            else:
                self.sinks.append((name, clock, port["bits"]))
        for name, cell in self.module["cells"].items():
            self._cell(name, cell)

    def _source(self, name: str, clock: str, bits: list) -> None:
        for bit in bits:
            if isinstance(bit, int):
                self.clock_of[bit] = clock
                self.source_of[bit] = name

    def _cell(self, name: str, cell: dict) -> None:
        connections, directions = cell["connections"], cell["port_directions"]
        kind = cell["type"]
        if not kind.startswith("$"):
            for port, bits in connections.items():
                clock = self._port_clock(kind, port)
                if directions[port] == "output":
                    self._source(f"{name}.{port}", clock, bits)
                else:
                    self.sinks.append((f"{name}.{port}", clock, bits))
            return
        if kind == "$mem_v2":
            self._memory(name, cell)
        elif "CLK" in connections:
            clock = self._clock_name(connections["CLK"][0])
            register = name.removeprefix("$driver$")  # the reader names the cell after the register
            self._source(register, clock, connections["Q"])
            for port, bits in connections.items():
                if directions[port] == "input" and port != "CLK":
                    self.sinks.append((register, clock, bits))
        elif "Y" in connections:
            self._logic(cell)

    def _logic(self, cell: dict) -> None:
        """Combinational cell: bit by bit where it works so, else every output on every input."""
        connections, outputs = cell["connections"], cell["connections"]["Y"]
        inputs = [bits for port, bits in connections.items() if port != "Y"]
        for index, out in enumerate(outputs):
            if cell["type"] in BITWISE and all(len(bits) in (1, len(outputs)) for bits in inputs):
                into = {bits[index if len(bits) > 1 else 0] for bits in inputs}
            else:
                into = {bit for bits in inputs for bit in bits}
            self.inputs_of[out] = [bit for bit in into if isinstance(bit, int)]

    def _memory(self, name: str, cell: dict) -> None:
        """Written by its clock; a read port without a clock passes the contents and its address on."""
        connections, parameters = cell["connections"], cell["parameters"]
        memory = parameters["MEMID"].lstrip("\\")
        clock = self._clock_name(connections["WR_CLK"][0])
        for port in ("WR_ADDR", "WR_DATA", "WR_EN"):
            self.sinks.append((memory, clock, connections[port]))
        ports = int(parameters["RD_PORTS"], 2)
        clocked = [digit == "1" for digit in reversed(parameters["RD_CLK_ENABLE"])]
        width, address_bits = int(parameters["WIDTH"], 2), int(parameters["ABITS"], 2)
        for index in range(ports):
            data = connections["RD_DATA"][width * index : width * (index + 1)]
            address = connections["RD_ADDR"][address_bits * index : address_bits * (index + 1)]
            if clocked[index]:
                read_clock = self._clock_name(connections["RD_CLK"][index])
                self._source(memory, read_clock, data)
                self.sinks.append((memory, read_clock, address))
            else:
                contents = ("contents", memory)
                self.clock_of[contents] = clock
                self.source_of[contents] = memory
                into = [contents, *(bit for bit in address if isinstance(bit, int))]
                for bit in data:
                    self.inputs_of[bit] = into

    def _domains(self) -> dict:
        """Clocks of all sources of every bit, carried forward until nothing changes."""
        users: dict = defaultdict(list)
        for bit, into in self.inputs_of.items():
            for source in into:
                users[source].append(bit)
        domains: dict = defaultdict(frozenset)
        domains |= {bit: frozenset({clock}) for bit, clock in self.clock_of.items()}
        todo = list(domains)
        while todo:
            bit = todo.pop()
            for user in users[bit]:
                if not domains[bit] <= domains[user]:
                    domains[user] |= domains[bit]
                    todo.append(user)
        return domains

    def crossings(self) -> set[Crossing]:
        domains = self._domains()

        def foreign_sources(start, clock: str) -> set[tuple[str, str]]:
            found, seen, stack = set(), set(), [start]
            while stack:
                bit = stack.pop()
                if bit in seen or domains[bit] <= {clock, STATIC}:
                    continue
                seen.add(bit)
                if bit in self.clock_of:
                    found.add((self.source_of[bit], self.clock_of[bit]))
                else:
                    stack += self.inputs_of.get(bit, ())
            return found

        result: set[Crossing] = set()
        for sink, clock, bits in self.sinks:
            if clock == STATIC:
                continue
            for bit in bits:
                if isinstance(bit, int) and not domains[bit] <= {clock, STATIC}:
                    result |= {(source, sink, source_clock, clock) for source, source_clock in foreign_sources(bit, clock)}
        return result


def loops(module: dict, port_clocks: dict[tuple[str, str], str]) -> list[str]:
    """Combinational loops, bit by bit, each by the names on it; at most one is found."""
    inputs_of = Netlist(module, port_clocks).inputs_of
    try:
        TopologicalSorter(inputs_of).prepare()
    except CycleError as loop:
        on_it = set(loop.args[1])
        return [", ".join(sorted(name for name, net in module["netnames"].items() if "$" not in name and on_it & set(net["bits"]))[:6])]
    return []


def read_rules(path: Path) -> tuple[dict[tuple[str, str], str], list[dict]]:
    table = tomllib.loads(path.read_text())
    clocks = {(kind, pattern): clock for kind, patterns in table["clocks"].items() for pattern, clock in patterns.items()}
    return clocks, table["crossing"]


def find(module: dict, port_clocks: dict[tuple[str, str], str]) -> set[Crossing]:
    return Netlist(module, port_clocks).crossings()


def unexplained(crossings: set[Crossing], rules: list[dict]) -> list[str]:
    """One line for every crossing no rule allows and for every rule that allows none."""
    used: dict[int, int] = defaultdict(int)
    found = []
    for source, sink, source_clock, sink_clock in sorted(crossings):
        for index, rule in enumerate(rules):
            if (
                fnmatchcase(source, rule["source"])
                and fnmatchcase(sink, rule["sink"])
                and fnmatchcase(source_clock, rule.get("from", "*"))
                and fnmatchcase(sink_clock, rule.get("to", "*"))
            ):
                used[index] += 1
                break
        else:
            found.append(f"{source} ({source_clock}) reaches {sink} ({sink_clock}) without a rule")
    found += [f"rule '{rule['source']}' to '{rule['sink']}' allows nothing" for index, rule in enumerate(rules) if not used[index]]
    return found
