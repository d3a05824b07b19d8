# SPDX-License-Identifier: Apache-2.0
"""measured.json: the resources of every unit of the design, each with a checksum of the Verilog they were measured from.

{"recipe": text, "core": {unit: entry}, "shell": {unit: entry}}; an entry counts the unit without the units below it: verilog (checksum),
lut, ff, bram36, uram, dsp, instances (unit -> how many), large_in_logic (see there), seconds of synthesis. A part is an object with
`top`, `checksum(unit)` and `measure(unit)`: CoreModules, ShellModules.
"""

import json
import resource
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import synthesis
from cells import KINDS, Resources

# From here a memory is worth a look when it is not block RAM (36 Kbit) or UltraRAM (288 Kbit); shallow ones belong in LUTs.
LARGE_BITS, LARGE_WORDS = 8 * 1024, 64
PARTS = ("core", "shell")
AGAIN = "run `make -C fpga-vcu128 resources`"


class Part(Protocol):
    top: str

    def checksum(self, unit: str) -> str | None: ...

    def measure(self, unit: str) -> synthesis.Measured: ...


@dataclass(frozen=True)
class Total:
    used: Resources
    seconds: int
    large_in_logic: frozenset[str]


def counted(known: dict) -> Resources:
    """Of an entry."""
    return Resources(**{kind: known[kind] for kind in KINDS})


def large_in_logic(memories: list[synthesis.Memory]) -> list[str]:
    """Memories that should perhaps be block RAM or UltraRAM."""
    return sorted({f"{memory.module.split('$')[0]}.{memory.name.removesuffix('.Memory')} {memory.words}x{memory.width} {memory.kind}"
                   for memory in memories if memory.bits >= LARGE_BITS and memory.words >= LARGE_WORDS and memory.kind not in ("BRAM", "URAM")})


def _seconds_of_programs() -> float:
    """Processor time of the programs that were run, so that other jobs of the machine do not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def entry(part: Part, unit: str) -> dict:
    """Measures the unit."""
    begin = _seconds_of_programs()
    measured = part.measure(unit)
    return {"verilog": part.checksum(unit), **asdict(Resources.of(measured.cells)), "instances": measured.instances,
            "large_in_logic": large_in_logic(measured.memories), "seconds": round(_seconds_of_programs() - begin)}


class Measurements:
    def __init__(self, file: Path, recipe: str) -> None:
        """Numbers of another recipe are not taken over; `other_recipe` says so."""
        self._file, self._recipe = file, recipe
        try:
            kept = json.loads(file.read_text()) if file.is_file() else {"recipe": recipe}
        except json.JSONDecodeError as error:
            raise ValueError(f"{file.name} is damaged ({error}): take the last version from git, then {AGAIN}") from error
        same = kept["recipe"] == recipe
        self.other_recipe = [] if same else [f"{file.name} was measured with {kept['recipe']}, this is {recipe}"]
        self._entries: dict[str, dict[str, dict]] = {name: kept.get(name, {}) if same else {} for name in PARTS}

    def save(self) -> None:
        lines = ["{", f' "recipe": {json.dumps(self._recipe)},']
        for name in PARTS:
            units = [f"  {json.dumps(unit)}: {json.dumps(found)}" for unit, found in sorted(self._entries[name].items())]
            lines += [f' "{name}": {{', ",\n".join(units), " }" + ("," if name != PARTS[-1] else "")]
        partial = self._file.with_name(self._file.name + ".partial")
        partial.write_text("\n".join([*lines, "}", ""]))
        partial.replace(self._file)

    def units(self, name: str, part: Part) -> Iterator[tuple[str, dict | None]]:
        """The units of a part from its top, as far as they are known, with their entries; each once, before those below it."""
        seen, todo = {part.top}, [part.top]
        while todo:
            unit = todo.pop(0)
            yield unit, self._entries[name].get(unit)
            new = self._entries[name].get(unit, {}).get("instances", {}).keys() - seen
            seen |= new
            todo += sorted(new)

    def _outdated(self, name: str, part: Part) -> tuple[dict[str, dict | None], set[str]]:
        """Units that must be measured with what is known of them, and all units of the design."""
        outdated, in_design = {}, set()
        for unit, known in self.units(name, part):
            if checksum := part.checksum(unit):
                in_design.add(unit)
                if known is None or known["verilog"] != checksum:
                    outdated[unit] = known
        return outdated, in_design

    def stale(self, name: str, part: Part) -> list[str]:
        """One line for each unit that must be measured; when there is none, for each that is measured and not in the design."""
        outdated, in_design = self._outdated(name, part)
        found = [f"{unit} were {'never measured' if known is None else 'measured from other Verilog'}" for unit, known in outdated.items()] \
            or [f"{unit} are kept, but it is not in the design" for unit in sorted(self._entries[name].keys() - in_design)]
        return [f"resources of {line}: {AGAIN}" for line in found]

    def update(self, name: str, part: Part, tell: Callable[[str], None]) -> None:
        """Measures what was not measured from today's Verilog and keeps each unit as soon as it is done; then drops what is not in the
        design. `tell` gets a line for each."""
        while outdated := self._outdated(name, part)[0]:
            unit = next(iter(outdated))
            self._entries[name][unit] = entry(part, unit)
            self.save()
            left = list(self._outdated(name, part)[0].values())
            seconds = sum(known["seconds"] for known in left if known)
            tell(f"{unit}: {self._entries[name][unit]['seconds']} s; {len(left)} units of the {name} left"
                 + (f", about {seconds} s as the last time" if all(left) else ""))
        in_design = self._outdated(name, part)[1]
        self._entries[name] = {unit: known for unit, known in self._entries[name].items() if unit in in_design}
        self.save()

    def total(self, name: str, unit: str) -> Total | None:
        """The unit with everything below it; None while one of those was not measured."""
        known = self._entries[name].get(unit)
        if known is None:
            return None
        result = Total(counted(known), known["seconds"], frozenset(known["large_in_logic"]))
        for below, count in known["instances"].items():
            more = self.total(name, below)
            if more is None:
                return None
            result = Total(result.used.plus(more.used, count), result.seconds + more.seconds, result.large_in_logic | more.large_in_logic)
        return result
