# SPDX-License-Identifier: Apache-2.0
"""Logic depth without Vivado: the longest paths of modules as Yosys maps them, against the core's period.

usage: timing.py --build DIR [UNIT ...]     UNIT: a unit of the core or the shell as measured.json names it; default: the quick ones

Prints the ten longest paths of each by their registers. Paths end at the ports of a unit: one that goes on in another unit is
shown in parts. A path whose estimate is longer than the period is an error (exit code 1): the delays of budget.toml are those of
neighbouring cells, so placement and routing only make it longer. A path below it may still miss its timing in Vivado.
"""

import argparse
import json
import sys
import tomllib
from pathlib import Path

import depth
import resources
import synthesis
import yosys
from measurements import PARTS

SHOWN = 10


def longest(folder: Path, read: str, top: str, delay_ns: dict[str, float]) -> list[depth.Path]:
    """Maps `top` as resources.py does, flattens it and looks for its paths."""
    synthesis.synthesise(read, top, folder, ["flatten", "opt_clean", f"write_json {yosys.inside(folder / 'mapped.json')}"])
    return depth.paths(json.loads((folder / "mapped.json").read_text())["modules"][top], delay_ns)


def table(unit: str, found: list[depth.Path]) -> str:
    return "\n".join([f"{unit}: {found[0].ns:.1f} ns in {found[0].levels} levels" if found else f"{unit}: no paths",
                      *(f"  {path.ns:5.1f} ns {path.levels:3} levels  {path.source} -> {path.sink}" for path in found[:SHOWN])])


def too_long(unit: str, found: list[depth.Path], period_ns: float) -> list[str]:
    return [f"{unit}: {path.source} -> {path.sink} takes {path.ns:.1f} ns in {path.levels} levels even between neighbours, the period is {period_ns:g} ns"
            for path in found if path.ns > period_ns]


def main() -> int:
    parser = argparse.ArgumentParser(description="Longest paths by logic depth")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("units", nargs="*")
    args = parser.parse_args()
    budget = tomllib.loads((resources.HERE / "budget.toml").read_text())
    platform = tomllib.loads((yosys.FPGA.parent / "tools/platform/platform.toml").read_text())
    period_ns = 1000 / platform["clock"]["fpga_mhz"]
    design = resources.parts(args.build.resolve(), budget["module"])
    units = args.units or [name for name, entry in budget["module"].items() if entry.get("quick") and entry["part"] == "core"]
    problems: list[str] = []
    try:
        for unit in units:
            part = next((design[name] for name in PARTS if design[name].checksum(unit)), None)
            if part is None:
                raise yosys.YosysError(f"{unit} is no unit of the design")
            folder = args.build.resolve() / "fpga" / "timing" / unit.replace(" ", "-")
            folder.mkdir(parents=True, exist_ok=True)
            found = longest(folder, part.read_commands(unit, folder), unit.split()[0], budget["delay_ns"])
            print(table(unit, found), flush=True)
            problems += too_long(unit, found, period_ns)
    except (yosys.YosysError, ValueError) as error:
        print(f"timing: {error}", file=sys.stderr)
        return 1
    for problem in problems:
        print(f"timing: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
