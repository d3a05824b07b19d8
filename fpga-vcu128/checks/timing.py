# SPDX-License-Identifier: Apache-2.0
"""Timing without Vivado: logic depth and the longest paths as Yosys maps the design, against the periods of its clocks.

usage: timing.py --build DIR [--document FILE] [UNIT ...]     UNIT: a unit of the core or the shell as measured.json names it

Without UNIT, for the whole core: the depth of each unit alone, then the ten longest paths from register to register through all of them, one from
each register into each instance; writes the tables of measured.md. With UNIT: the ten longest paths of each, which end at its ports and the units below.
Units that `make resources` or an earlier call has mapped from the same Verilog are taken as they are; the others are mapped.

Two delays for each path, with the delays of delays.toml, where their sources are. A path that is too long with nets as short as they ever are
(`at least`) is an error, exit code 1; one that is too long with usual ones (`likely`) is named. A path below both may still miss its
time: a high fan-out and the way between dies are not known here. On the other hand Vivado maps for speed where it must, Yosys does not.
(Levels are counted here and not by Yosys' `ltp`, which takes the registers and memories of a mapped netlist for logic.)
"""

import argparse
import datetime
import itertools
import re
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import units
import yosys
from cells import Cells, Reader
from paths import PORT, Design
from paths import Path as Longest

HERE = Path(__file__).resolve().parent
TILE = "tile."  # what every name of the core begins with
MEMORY = "_ext.table_"  # what that of a memory ends with
SHOWN = 10
PASSED = 3  # instances that a line of the table names
NUMBER = re.compile(r"\d+")
TABLE = re.compile(r"(?<=<!-- timing -->\n).*?(?=<!-- /timing -->)", re.DOTALL)


@dataclass(frozen=True)
class Delays:
    """In ns; `period` by clock, "" for those that are not named."""

    cell: dict[str, float]
    at_least: float
    likely: float
    period: dict[str, float]


def delays() -> Delays:
    table = tomllib.loads((HERE / "delays.toml").read_text())
    mhz = tomllib.loads((units.FPGA.parent / "tools/platform/platform.toml").read_text())["clock"]["fpga_mhz"]
    return Delays(table["cell"], table["net"]["at_least"], table["net"]["likely"], {"": 1000 / mhz} | table["clock_ns"])


@dataclass(frozen=True)
class Found:
    """The longest paths with each of the two delays of nets, longest first."""

    at_least: list[Longest]
    likely: list[Longest]


def found(design: Design, known: Delays) -> Found:
    return Found(design.longest(known.at_least), design.longest(known.likely))


def alone(module: dict, boxes: Iterable[str], known: Delays) -> Found:
    """Of one module; paths end at its ports and at `boxes`."""
    return found(Design({"": Reader(module, known.cell, (), boxes).cells}, ""), known)


def of_unit(part: units.Design, unit: str, known: Delays) -> Found:
    return alone(units.netlist(part, unit)[0], part.boxes(unit), known)


def period(path: Longest, known: Delays) -> float:
    return known.period.get(path.clock, known.period[""])


def too_long(name: str, paths: list[Longest], known: Delays) -> list[str]:
    """Clear misses, alike ones once."""
    return [
        f"{name}: {path.source} -> {path.sink} takes {path.ns:.1f} ns in {path.levels} levels with nets as short as they ever are, "
        f"the period is {period(path, known):g} ns: put a register into it"
        for path in distinct([path for path in paths if path.ns > period(path, known)])
    ]


def tell_risks(name: str, both: Found, known: Delays) -> None:
    """Prints the paths that usual nets make too long, alike ones once."""
    risks = distinct([path for path in both.likely if path.ns > period(path, known)])
    for path in risks[:SHOWN]:
        print(f"timing: at risk: {name}: {path.source} -> {path.sink}, likely {path.ns:.1f} ns in {path.levels} levels of {period(path, known):g} ns")
    if len(risks) > SHOWN:
        print(f"timing: at risk: {name}: {len(risks) - SHOWN} more")


def distinct(paths: list[Longest]) -> list[Longest]:
    """The first of those from one register, whatever its number, into one instance."""
    seen: dict[tuple[str, str], Longest] = {}
    for path in paths:
        end = (path.through[-1] if path.through else "") or path.sink
        seen.setdefault((NUMBER.sub("", path.source), NUMBER.sub("", end)), path)
    return list(seen.values())


def between_registers(paths: list[Longest]) -> list[Longest]:
    return [path for path in paths if not path.source.startswith(PORT) and not path.sink.startswith(PORT)]


def way(path: Longest) -> str:
    """The instances it passes, those above others left out, without what all have in common; the first of them."""
    inner = [place for place in path.through if place and not any(other.startswith(place + ".") for other in path.through)]
    names = [name for name, _ in itertools.groupby(place.rsplit(".", 1)[-1] for place in inner)]
    return " > ".join(names[:PASSED]) + (" > ..." if len(names) > PASSED else "")


def depth(both: Found) -> str:
    """Of the longest paths."""
    if not both.likely:
        return "no paths"
    return f"at least {both.at_least[0].ns:.1f} ns, likely {both.likely[0].ns:.1f} ns, {max(path.levels for path in both.likely)} levels"


def listed(name: str, both: Found) -> str:
    """The ten longest, one line each."""
    shortest = {path.sink: path.ns for path in both.at_least}
    lines = [
        f"  {shortest.get(path.sink, 0):5.1f} {path.ns:5.1f} ns {path.levels:3} levels  {path.source} -> {path.sink}" for path in distinct(both.likely)[:SHOWN]
    ]
    return "\n".join([f"{name}: {depth(both)}", *lines])


def table(alone_paths: dict[str, Found], whole: Found, measured: str) -> str:
    """As Markdown."""
    shortest = {path.sink: path.ns for path in whole.at_least}
    deepest = sorted(alone_paths.items(), key=lambda item: -item[1].likely[0].ns if item[1].likely else 0)
    lines = [
        f"Measured {measured}. The ten longest paths, one from each register into each instance:",
        "",
        "| at least, ns | likely, ns | levels | from | to | through |",
        "|---|---|---|---|---|---|",
    ]

    def ends(path: Longest) -> str:
        return " | ".join(f"`{name.removeprefix(TILE).removesuffix(MEMORY)}`" for name in (path.source, path.sink))

    lines += [
        f"| {shortest.get(path.sink, 0):.1f} | {path.ns:.1f} | {path.levels} | {ends(path)} | {way(path)} |"
        for path in distinct(between_registers(whole.likely))[:SHOWN]
    ]
    lines += ["", "The ten deepest modules, each alone (paths end at its ports):", "", "| module | at least, ns | likely, ns | levels |", "|---|---|---|---|"]
    lines += [
        f"| {name} | {both.at_least[0].ns:.1f} | {both.likely[0].ns:.1f} | {max(path.levels for path in both.likely)} |" for name, both in deepest[:SHOWN]
    ]
    return "\n".join([*lines, ""])


def hierarchy(part: units.CoreModules, known: Delays) -> tuple[dict[str, Cells], dict[str, Found]]:
    """Every unit below the top, for the whole, and the paths of each alone; prints a line for each."""
    cells: dict[str, Cells] = {}
    paths: dict[str, Found] = {}
    todo = [part.top]
    while todo:
        unit = todo.pop(0)
        if unit in cells:
            continue
        below = sorted(part.boxes(unit))
        module, mapped = units.netlist(part, unit)
        cells[unit] = Reader(module, known.cell, below).cells
        both = alone(module, below, known)
        if both.likely:
            paths[unit] = both
            print(f"{unit}: {depth(both)}" + (" (mapped now)" if mapped else ""), flush=True)
        todo += below
    return cells, paths


def of_core(part: units.CoreModules, known: Delays, document: Path, commit: str) -> list[str]:
    """The whole core; problems, one line each."""
    cells, paths = hierarchy(part, known)
    whole = found(Design(cells, part.top), known)
    text = table(paths, whole, f"{datetime.datetime.now(datetime.UTC).date().isoformat()} {commit}")
    print(text, end="")
    if document.is_file():
        document.write_text(TABLE.sub(lambda _: text, document.read_text(), count=1))
    tell_risks(part.top, whole, known)
    return too_long(part.top, whole.at_least, known)


def main() -> int:
    parser = argparse.ArgumentParser(description="Longest paths by logic depth")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--document", type=Path, default=HERE / "measured.md")
    parser.add_argument("units", nargs="*")
    args = parser.parse_args()
    problems: list[str] = []
    try:
        known = delays()
        design = units.parts(args.build.resolve(), tomllib.loads((HERE / "budget.toml").read_text())["module"])
        for unit in args.units:
            part = next((part for part in design.values() if part.checksum(unit)), None)
            if part is None:
                raise yosys.YosysError(f"{unit} is no unit of the design")
            both = of_unit(part, unit, known)
            print(listed(unit, both), flush=True)
            tell_risks(unit, both, known)
            problems += too_long(unit, both.at_least, known)
        if not args.units:
            problems = of_core(design["core"], known, args.document, units.commit())
    except (yosys.YosysError, ValueError) as error:
        print(f"timing: {error}", file=sys.stderr)
        return 1
    for problem in problems:
        print(f"timing: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
