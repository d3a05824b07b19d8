# SPDX-License-Identifier: Apache-2.0
"""LUTs, flip-flops, block RAMs, UltraRAMs and DSP slices of the design's modules, as Yosys maps them to UltraScale+, against budget.toml.

usage: resources.py --build DIR [--check | --repeat-quick] [--measured FILE] [--document FILE]

Measures what was not measured from today's Verilog (long; goes on where it was interrupted), keeps it in FILE, by default
checks/measured.json, writes the table of docs/fpga.md and compares with the budget. --check measures nothing: a unit whose Verilog is not
the one it was measured from is a problem. --repeat-quick synthesises the quick modules again and expects the same numbers.

An estimate without timing: Yosys does not share a LUT6 between two functions, nor retime, and carries are counted apart.
Exit code 1 when a module is over its budget, has a large memory in LUTs or flip-flops that the budget does not name, cannot be
synthesised, was not measured, or the sum over the design is over its share of the device; the last lines say which.
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path

import synthesis
import yosys
from cells import KINDS, Resources
from core_modules import CoreModules
from measurements import AGAIN, PARTS, Measurements, Part, Total, entry
from shell_modules import ShellModules

HERE = Path(__file__).resolve().parent
TABLE = re.compile(r"(?<=\n\n)\| module \| LUT \|.*?\n(?=\n)", re.DOTALL)


def parts(build: Path, budget: dict) -> dict[str, Part]:
    return {"core": CoreModules(build), "shell": ShellModules(build, {name for name, entry in budget.items() if entry["part"] == "shell"})}


def totals(measured: Measurements, design: dict[str, Part], budget: dict) -> dict[str, dict[str, Total]]:
    """module of the budget -> unit (the module with its parameters) -> numbers with everything below it, if all is measured"""
    units = [(name, unit, total) for name in PARTS for unit, _ in measured.units(name, design[name]) if (total := measured.total(name, unit))]
    return {module: {unit: total for name, unit, total in units if (name, unit.split()[0]) == (entry["part"], module)}
            for module, entry in budget.items()}


def over_budget(module: str, used: Resources, budget: dict[str, float]) -> list[str]:
    """A kind without a number in the budget is not compared."""
    return [f"{module}: {getattr(used, kind):g} {kind}, budget {budget[kind]}" for kind in KINDS
            if kind in budget and getattr(used, kind) > budget[kind]]


def unexpected(module: str, found: list[str], listed: list[str], known: set[str]) -> list[str]:
    """Large memories in LUTs or flip-flops that the budget names for no module, and those it names for this one that are not there."""
    return [f"{module}: the memory {memory} should be block RAM or UltraRAM" for memory in found if memory not in known] + \
           [f"{module}: budget.toml names {memory}, which is not there" for memory in listed if memory not in found]


def over_device(total: Resources, device: dict[str, float], share: float) -> list[str]:
    return [f"design: {getattr(total, kind):g} {kind}, {share:.0%} of the device are {share * device[kind]:g}" for kind in KINDS
            if getattr(total, kind) > share * device[kind]]


def of_design(budget: dict, found: dict[str, dict[str, Total]]) -> Resources:
    total = Resources(0, 0, 0, 0, 0)
    for module, limits in budget.items():
        for one in found[module].values() if limits.get("in_sum") else ():
            total = total.plus(one.used)
    return total


def compare(budget: dict, found: dict[str, dict[str, Total]]) -> list[str]:
    """Everything that is wrong with the numbers there are, one line each."""
    problems: list[str] = []
    known = {memory for limits in budget["module"].values() for memory in limits.get("large_in_logic", [])}
    for module, limits in budget["module"].items():
        for unit, total in found[module].items():
            problems += over_budget(unit, total.used, limits)
        memories = sorted(frozenset().union(*(total.large_in_logic for total in found[module].values())))
        problems += unexpected(module, memories, limits.get("large_in_logic", []) if found[module] else [], known)
    device = tomllib.loads((yosys.FPGA.parent / "tools/platform/platform.toml").read_text())["vcu128"]["resources"]
    return problems + over_device(of_design(budget["module"], found), device, budget["share_of_device"])


def not_in_design(budget: dict, found: dict[str, dict[str, Total]]) -> list[str]:
    """Modules of the budget that no unit of the measured design is."""
    return [f"{module}: budget.toml names it, and the design has no such {entry['part']} module that is measured alone"
            for module, entry in budget.items() if not found[module]]


def table(budget: dict, found: dict[str, dict[str, Total]]) -> str:
    """As Markdown, for docs/fpga.md; of parameters those in which the units of a module differ."""
    def row(name: str, used: Resources, seconds: str) -> str:
        return " | ".join([f"| {name}", *(f"{getattr(used, kind):,g}" if getattr(used, kind) else "" for kind in KINDS), f"{seconds} |"])

    lines = ["| module | LUT | flip-flops | BRAM36 | URAM | DSP | s |", "|---|---|---|---|---|---|---|"]
    for module, limits in budget.items():
        common = set.intersection(*(set(unit.split()[1:]) for unit in found[module])) if len(found[module]) > 1 else None
        for unit, total in found[module].items():
            parameters = " ".join(word for word in unit.split()[1:] if common is not None and word not in common)
            lines.append(row(", ".join([module, *filter(None, [limits.get("about", ""), parameters])]), total.used, f"{total.seconds:,}"))
    return "\n".join([*lines, row("**sum** of " + " and ".join(m for m, e in budget.items() if e.get("in_sum")), of_design(budget, found), ""), ""])


def with_table(document: str, new: str) -> str:
    return TABLE.sub(lambda _: new, document, count=1)


def repeat_quick(measured: Measurements, design: dict[str, Part], budget: dict) -> list[str]:
    """Synthesises the quick modules again; their numbers must be those that are kept."""
    problems = []
    for name in PARTS:
        for unit, known in measured.units(name, design[name]):
            if known and budget.get(unit.split()[0], {}).get("quick"):
                again = entry(design[name], unit)
                problems += [f"{unit}: {again[key]} {key}, kept are {known[key]}" for key in (*KINDS, "large_in_logic") if again[key] != known[key]]
                print(f"{unit}: {again['seconds']} s", flush=True)
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description="Resource numbers against the budget")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--check", action="store_true", help="measure nothing")
    parser.add_argument("--repeat-quick", action="store_true", help="synthesise the quick modules again")
    parser.add_argument("--measured", type=Path, default=HERE / "measured.json")
    parser.add_argument("--document", type=Path, default=yosys.FPGA.parent / "docs/fpga.md")
    args = parser.parse_args()
    problems: list[str] = []
    try:
        budget = tomllib.loads((HERE / "budget.toml").read_text())
        measured = Measurements(args.measured, synthesis.recipe())
        design = parts(args.build.resolve(), budget["module"])
        if args.check:
            problems = measured.other_recipe + [line for name in PARTS for line in measured.stale(name, design[name])]
        else:
            for name in PARTS:
                measured.update(name, design[name], lambda line: print(line, flush=True))
        if args.repeat_quick and not problems:
            problems = repeat_quick(measured, design, budget["module"])
    except (yosys.YosysError, ValueError) as error:
        print(f"resources: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("resources: interrupted; the next call goes on from here", file=sys.stderr)
        return 130
    found = totals(measured, design, budget["module"])
    problems = (problems or not_in_design(budget["module"], found)) + compare(budget, found)
    text, new = args.document.read_text(), table(budget["module"], found)
    if not args.check:
        args.document.write_text(with_table(text, new))
        print(new, end="")
    elif with_table(text, new) != text:
        problems.append(f"the table in {args.document.name} is not that of {args.measured.name}: {AGAIN}")
    for problem in problems:
        print(f"resources: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
