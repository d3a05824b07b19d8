# SPDX-License-Identifier: Apache-2.0
"""The longest paths of a hierarchy of mapped modules, each of which is read once and stands where it is instantiated."""

from array import array
from dataclasses import dataclass

from cells import Cells, nets

PORT = "port "


@dataclass(frozen=True)
class Path:
    """Delay in ns, cells on the way, both ends by instance and register, the modules' instances it passes, and the clock that takes it."""

    ns: float
    levels: int
    source: str
    sink: str
    through: tuple[str, ...]
    clock: str


class Design:
    """All instances below `top`. A net of an instance is a number of the whole design."""

    def __init__(self, units: dict[str, Cells], top: str) -> None:
        self._units = units
        self._count = 0
        self.starts: list[tuple[int, float, str, int | None]] = []
        self.ends: list[tuple[int, float, bool, str, int | None]] = []
        self._arcs: list[tuple[list[tuple[int, float, bool]], int, int]] = []
        self._where = array("l")  # of an arc: the instance
        self._instances: list[str] = []
        for name, (is_input, bits) in self._place(top, "", {}, {}).items():
            for bit in nets(bits):
                if is_input:
                    self.starts.append((bit, 0.0, PORT + name, None))
                else:
                    self.ends.append((bit, 0.0, False, PORT + name, None))
        self._sources = {bit: name.removeprefix(PORT) for bit, _, name, clock in self.starts if clock is None}

    def _place(self, unit: str, path: str, outside: dict[str, list], parent: dict[int, int]) -> dict[str, tuple[bool, list]]:
        """One instance, whose port `p` is connected to `outside[p]`; returns its ports with the design's numbers of their nets."""
        cells = self._units[unit]
        place = len(self._instances)
        self._instances.append(path)
        number: dict[int, int] = {}
        again: list[tuple[int, int]] = []  # nets of this instance that are two nets outside
        for is_input in (True, False):
            for port, bits in outside.items():
                if port not in cells.ports or cells.ports[port][0] != is_input:
                    continue
                for bit, net in zip(cells.ports[port][1], bits, strict=False):  # bits of a port may be open
                    if not isinstance(bit, int) or not isinstance(net, int):
                        continue
                    if bit in number:
                        again.append((number[bit], parent[net]))
                    else:
                        number[bit] = parent[net]

        def of(bit: int) -> int:
            if bit not in number:
                number[bit] = self._count
                self._count += 1
            return number[bit]

        def named(name: str) -> str:
            return f"{path}.{name}" if path else name

        self.starts += [(of(bit), ns, named(name), clock if clock is None else of(clock)) for bit, ns, name, clock in cells.starts]
        self.ends += [(of(bit), ns, general, named(name), clock if clock is None else of(clock)) for bit, ns, general, name, clock in cells.ends]
        arcs = [([(of(bit), ns, general) for bit, ns, general in inputs], of(out), level) for inputs, out, level in cells.through]
        arcs += [([(inner, 0.0, False)], outer, 0) for inner, outer in again]
        self._arcs += arcs
        self._where.extend([place] * len(arcs))
        for module, name, pins in cells.inside:
            for bits in pins.values():
                for bit in nets(bits):
                    of(bit)
            self._place(module, named(name), pins, number)
        return {name: (is_input, [of(bit) if isinstance(bit, int) else bit for bit in bits]) for name, (is_input, bits) in cells.ports.items()}

    def _order(self) -> list[int]:
        """Arcs so that each comes after those that drive its inputs. Raises ValueError when they make a loop."""
        drivers: dict[int, int] = {}
        for arc, (_, out, _) in enumerate(self._arcs):
            drivers[out] = arc
        waiting = array("l", [0]) * len(self._arcs)
        behind: dict[int, list[int]] = {}
        for arc, (inputs, _, _) in enumerate(self._arcs):
            for bit, *_ in inputs:
                if bit in drivers:
                    behind.setdefault(drivers[bit], []).append(arc)
                    waiting[arc] += 1
        order = [arc for arc, count in enumerate(waiting) if count == 0]
        for arc in order:
            for after in behind.get(arc, ()):
                waiting[after] -= 1
                if waiting[after] == 0:
                    order.append(after)
        if len(order) < len(self._arcs):
            inside = sorted({self._instances[self._where[arc]] or "the top" for arc, count in enumerate(waiting) if count})
            raise ValueError(f"combinational loop in {', '.join(inside[:4])}")
        return order

    def _clock(self, net: int | None, drivers: dict[int, int]) -> str:
        """Name of the port or the pin that a clock comes from."""
        while net is not None and net in drivers:
            net = next((bit for bit, *_ in self._arcs[drivers[net]][0]), None)
        return self._sources.get(net, "") if net is not None else ""

    def longest(self, net_ns: float) -> list[Path]:
        """The longest path to each register and port, longest first; a general net takes `net_ns`."""
        best = array("d", [-1.0]) * self._count
        came = array("l", [-1]) * self._count  # the arc; below -1: -2 - index of the start
        before = array("l", [-1]) * self._count
        levels = array("l", [0]) * self._count
        for index, (bit, ns, _, _) in enumerate(self.starts):
            if ns > best[bit]:
                best[bit], came[bit] = ns, -2 - index
        for arc in self._order():
            inputs, out, level = self._arcs[arc]
            for bit, ns, general in inputs:
                here = best[bit]
                if here >= 0 and here + ns + (net_ns if general else 0.0) > best[out]:
                    best[out] = here + ns + (net_ns if general else 0.0)
                    came[out], before[out], levels[out] = arc, bit, levels[bit] + level
        drivers = {out: arc for arc, (_, out, level) in enumerate(self._arcs) if level == 0}
        worst: dict[str, tuple[float, int, int | None]] = {}
        for bit, ns, general, name, clock in self.ends:
            if best[bit] >= 0 and (total := best[bit] + ns + (net_ns if general else 0.0)) > worst.get(name, (-1.0,))[0]:
                worst[name] = (total, bit, clock)

        def traced(total: float, bit: int, sink: str, clock: int | None) -> Path:
            through: list[str] = []
            end = bit
            while came[bit] >= 0:
                instance = self._instances[self._where[came[bit]]]
                if not through or through[-1] != instance:
                    through.append(instance)
                bit = before[bit]
            start = self.starts[-2 - came[bit]]
            return Path(round(total, 3), levels[end], start[2], sink, tuple(reversed(through)), self._clock(clock, drivers))

        found = sorted(worst.items(), key=lambda item: (-item[1][0], item[0]))
        return [traced(total, bit, sink, clock) for sink, (total, bit, clock) in found]
