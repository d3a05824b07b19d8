# SPDX-License-Identifier: Apache-2.0
"""LUTs, flip-flops, block RAMs, UltraRAMs and DSP slices of the design's modules, as Yosys maps them to UltraScale+, against budget.toml.

usage: resources.py --build DIR [--check | --part core|shell] [--measured FILE] [--document FILE]

A campaign: measures what was not measured from today's Verilog (long; goes on where it was interrupted), keeps it with date and commit in
FILE, by default checks/measured.json, writes the table of measured.md and compares everything with the budget.
--check is for every change: it holds the modules with a `gate` in budget.toml to their budget, and says of the others how old their numbers
are and what changed since, which is no error.

measured.json: {"recipe": text, "core": {unit: entry}, "shell": {unit: entry}}; an entry counts the unit without the units below it: verilog
(checksum), lut, ff, bram36, uram, dsp, instances (unit -> how many), large_in_logic (see there), seconds of synthesis, date, commit.

An estimate without timing: Yosys does not share a LUT6 between two functions, nor retime, and carries are counted apart.
Exit code 1 when a module is over its budget, has a large memory in LUTs or flip-flops that the budget does not name, cannot be
synthesised, or the sum over the design is over its share of the device; with --check when a module with a gate is over its budget, takes
too long, has a path that clearly misses its time (timing.py), or must be measured again; the last lines say which.
"""

import argparse
import datetime
import json
import re
import resource
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import timing
import units
import yosys
from yosys import KINDS, Resources, over_budget

HERE = Path(__file__).resolve().parent
AGAIN = "run `make -C fpga-vcu128 resources`"
TABLE = re.compile(r"(?<=\n\n)\| module \| LUT \|.*?\n(?=\n)", re.DOTALL)
SECONDS_MOST = 120  # of synthesis of a module with a gate
SHOWN = 6  # modules that are named
# From here a memory is worth a look when it is not block RAM (36 Kbit) or UltraRAM (288 Kbit); shallow ones belong in LUTs.
LARGE_BITS, LARGE_WORDS = 8 * 1024, 64
PARTS = ("core", "shell")


class Part(Protocol):
    top: str

    def today(self, module: str) -> list[str]: ...

    def checksum(self, unit: str) -> str | None: ...

    def measure(self, unit: str, limit_seconds: int | None = None) -> yosys.Measured: ...


@dataclass(frozen=True)
class Total:
    used: Resources
    seconds: int
    large_in_logic: frozenset[str]
    measured: frozenset[str]  # dates and commits, "2026-11-21 f7d30af"
    units: frozenset[str]


def counted(known: dict) -> Resources:
    """Of an entry."""
    return Resources(**{kind: known[kind] for kind in KINDS})


def large_in_logic(memories: list[yosys.Memory]) -> list[str]:
    """Memories that should perhaps be block RAM or UltraRAM."""
    return sorted(
        {
            f"{memory.module.split('$')[0]}.{memory.name.removesuffix('.Memory')} {memory.words}x{memory.width} {memory.kind}"
            for memory in memories
            if memory.bits >= LARGE_BITS and memory.words >= LARGE_WORDS and memory.kind not in ("BRAM", "URAM")
        }
    )


def _seconds_of_programs() -> float:
    """Processor time of the programs that were run, so that other jobs of the machine do not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def entry(part: Part, unit: str, limit_seconds: int | None = None) -> dict:
    """Measures the unit."""
    begin = _seconds_of_programs()
    measured = part.measure(unit, limit_seconds)
    return {
        "verilog": part.checksum(unit),
        **asdict(Resources.of(measured.cells)),
        "instances": measured.instances,
        "large_in_logic": large_in_logic(measured.memories),
        "seconds": round(_seconds_of_programs() - begin),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": units.commit(),
    }


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

    def of(self, name: str, unit: str) -> dict | None:
        return self._entries[name].get(unit)

    def changed(self, name: str, part: Part) -> set[str]:
        """Units whose Verilog is not the one they were measured from, or that were never measured, or left the design."""
        outdated, in_design = self._outdated(name, part)
        return outdated.keys() | (self._entries[name].keys() - in_design)

    def update(self, name: str, part: Part, tell: Callable[[str], None]) -> None:
        """Measures what was not measured from today's Verilog and keeps each unit as soon as it is done; then drops what is not in the
        design. `tell` gets a line for each."""
        while outdated := self._outdated(name, part)[0]:
            unit = next(iter(outdated))
            self._entries[name][unit] = entry(part, unit)
            self.save()
            left = list(self._outdated(name, part)[0].values())
            seconds = sum(known["seconds"] for known in left if known)
            tell(
                f"{unit}: {self._entries[name][unit]['seconds']} s; {len(left)} units of the {name} left"
                + (f", about {seconds} s as the last time" if all(left) else "")
            )
        in_design = self._outdated(name, part)[1]
        self._entries[name] = {unit: known for unit, known in self._entries[name].items() if unit in in_design}
        self.save()

    def total(self, name: str, unit: str) -> Total | None:
        """The unit with everything below it; None while one of those was not measured."""
        known = self._entries[name].get(unit)
        if known is None:
            return None
        result = Total(
            counted(known), known["seconds"], frozenset(known["large_in_logic"]), frozenset({f"{known['date']} {known['commit']}"}), frozenset({unit})
        )
        for below, count in known["instances"].items():
            more = self.total(name, below)
            if more is None:
                return None
            result = Total(
                result.used.plus(more.used, count),
                result.seconds + more.seconds,
                result.large_in_logic | more.large_in_logic,
                result.measured | more.measured,
                result.units | more.units,
            )
        return result


def totals(measured: Measurements, design: dict[str, Part], budget: dict) -> dict[str, dict[str, Total]]:
    """module of the budget -> unit (the module with its parameters) -> numbers with everything below it, if all is measured"""
    found = [(name, unit, total) for name in PARTS for unit, _ in measured.units(name, design[name]) if (total := measured.total(name, unit))]
    return {module: {unit: total for name, unit, total in found if (name, unit.split()[0]) == (entry["part"], module)} for module, entry in budget.items()}


def unexpected(module: str, found: list[str], listed: list[str], known: set[str]) -> list[str]:
    """Large memories in LUTs or flip-flops that the budget names for no module, and those it names for this one that are not there."""
    return [f"{module}: the memory {memory} should be block RAM or UltraRAM" for memory in found if memory not in known] + [
        f"{module}: budget.toml names {memory}, which is not there" for memory in listed if memory not in found
    ]


def over_device(total: Resources, device: dict[str, float], share: float) -> list[str]:
    return [
        f"design: {getattr(total, kind):g} {kind}, {share:.0%} of the device are {share * device[kind]:g}"
        for kind in KINDS
        if getattr(total, kind) > share * device[kind]
    ]


def of_design(budget: dict, found: dict[str, dict[str, Total]]) -> Resources:
    total = Resources(0, 0, 0, 0, 0)
    for module, entry in budget.items():
        for one in found[module].values() if entry.get("in_sum") else ():
            total = total.plus(one.used)
    return total


def compare(budget: dict, found: dict[str, dict[str, Total]]) -> list[str]:
    """Everything that is wrong with the numbers there are, one line each."""
    problems: list[str] = []
    known = {memory for entry in budget["module"].values() for memory in entry.get("large_in_logic", [])}
    for module, entry in budget["module"].items():
        for unit, total in found[module].items():
            problems += over_budget(unit, total.used, entry)
        memories = sorted(frozenset().union(*(total.large_in_logic for total in found[module].values())))
        problems += unexpected(module, memories, entry.get("large_in_logic", []) if found[module] else [], known)
    device = tomllib.loads((units.FPGA.parent / "tools/platform/platform.toml").read_text())["vcu128"]["resources"]
    return problems + over_device(of_design(budget["module"], found), device, budget["share_of_device"])


def not_in_design(budget: dict, found: dict[str, dict[str, Total]]) -> list[str]:
    """Modules of the budget that no unit of the measured design is."""
    return [
        f"{module}: budget.toml names it, and the design has no such {entry['part']} module that is measured alone"
        for module, entry in budget.items()
        if not found[module]
    ]


def oldest(total: Total) -> str:
    """Date and commit of the measurement that was first."""
    return min(total.measured)


def table(budget: dict, found: dict[str, dict[str, Total]]) -> str:
    """As Markdown, for measured.md; of parameters those in which the units of a module differ."""

    def row(name: str, used: Resources, seconds: str, measured: str) -> str:
        return " | ".join([f"| {name}", *(f"{getattr(used, kind):,g}" if getattr(used, kind) else "" for kind in KINDS), seconds, f"{measured} |"])

    lines = ["| module | LUT | flip-flops | BRAM36 | URAM | DSP | s | measured |", "|---|---|---|---|---|---|---|---|"]
    for module, entry in budget.items():
        common = set.intersection(*(set(unit.split()[1:]) for unit in found[module])) if len(found[module]) > 1 else None
        for unit, total in found[module].items():
            parameters = " ".join(word for word in unit.split()[1:] if common is not None and word not in common)
            lines.append(row(", ".join([module, *filter(None, [entry.get("about", ""), parameters])]), total.used, f"{total.seconds:,}", oldest(total)))
    return "\n".join([*lines, row("**sum** of " + " and ".join(m for m, e in budget.items() if e.get("in_sum")), of_design(budget, found), "", ""), ""])


def with_table(document: str, new: str) -> str:
    return TABLE.sub(lambda _: new, document, count=1)


def gate(measured: Measurements, design: dict[str, Part], budget: dict) -> list[str]:
    """What is wrong with the modules that every change must keep within their budget. Those with gate "synthesis" are synthesised as they
    are today, each within SECONDS_MOST; those with "checksum" must be measured from today's Verilog."""
    problems: list[str] = []
    known_delays = timing.delays()
    for module, limits in budget.items():
        name = limits["part"]
        todays = design[name].today(module) if "gate" in limits else []
        if "gate" in limits and not todays:
            problems.append(f"{module}: budget.toml names it, and the design has no such {name} module")
        for unit in todays:
            known, checksum = measured.of(name, unit), design[name].checksum(unit)
            unchanged = known is not None and known["verilog"] == checksum
            if limits["gate"] == "checksum":
                now = known
                if not unchanged:
                    problems.append(f"{unit} was {'measured from other Verilog' if known else 'never measured'}: {AGAIN}")
            else:
                now = entry(design[name], unit, SECONDS_MOST)
                paths = timing.of_unit(design[name], unit, known_delays)
                print(f"{unit}: {now['seconds']} s; {timing.depth(paths)}", flush=True)
                problems += timing.too_long(unit, paths.at_least, known_delays)
                if unchanged:
                    problems += [f"{unit}: {now[key]} {key}, kept are {known[key]}" for key in (*KINDS, "large_in_logic") if now[key] != known[key]]
            problems += over_budget(unit, counted(now), limits) if now else []
    return problems


def ages(measured: Measurements, design: dict[str, Part], budget: dict, found: dict[str, dict[str, Total]]) -> list[str]:
    """How old the numbers of the other modules are, one line each."""
    lines = []
    for module, limits in budget.items():
        changed = measured.changed(limits["part"], design[limits["part"]]) if "gate" not in limits else set()
        for unit, total in found[module].items() if "gate" not in limits else ():
            since = sorted(changed & total.units)
            modules = list(dict.fromkeys(name.split()[0] for name in since))
            shown = ", ".join(modules[:SHOWN]) + (", ..." if len(modules) > SHOWN else "")
            lines.append(f"{unit}: measured {oldest(total)}, {f'{len(since)} of {len(total.units)} units changed since: {shown}' if since else 'unchanged'}")
        if "gate" not in limits and not found[module]:
            lines.append(f"{module}: never measured as a whole")
    return lines


def campaign(measured: Measurements, design: dict[str, Part], budget: dict, names: list[str]) -> list[str]:
    """Measures what changed; problems of all numbers."""
    for name in names:
        measured.update(name, design[name], lambda line: print(line, flush=True))
    found = totals(measured, design, budget["module"])
    return not_in_design(budget["module"], found) + compare(budget, found)


def main() -> int:
    parser = argparse.ArgumentParser(description="Resource numbers against the budget")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--check", action="store_true", help="gate the quick modules, tell how old the other numbers are")
    parser.add_argument("--part", choices=PARTS, help="measure this part only")
    parser.add_argument("--measured", type=Path, default=HERE / "measured.json")
    parser.add_argument("--document", type=Path, default=HERE / "measured.md")
    args = parser.parse_args()
    try:
        budget = tomllib.loads((HERE / "budget.toml").read_text())
        measured = Measurements(args.measured, yosys.recipe())
        design = units.parts(args.build.resolve(), budget["module"])
        if args.check:
            problems = gate(measured, design, budget["module"])
        else:
            problems = campaign(measured, design, budget, [args.part] if args.part else list(PARTS))
    except (yosys.YosysError, ValueError) as error:
        print(f"resources: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("resources: interrupted; the next call goes on from here", file=sys.stderr)
        return 130
    found = totals(measured, design, budget["module"])
    text, new = args.document.read_text(), table(budget["module"], found)
    if args.check:
        for line in measured.other_recipe + ages(measured, design, budget["module"], found):
            print(f"resources: {line}")
        if not measured.other_recipe and with_table(text, new) != text:
            problems.append(f"the table in {args.document.name} is not that of {args.measured.name}: {AGAIN}")
    else:
        args.document.write_text(with_table(text, new))
        print(new, end="")
    for problem in problems:
        print(f"resources: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
