# SPDX-License-Identifier: Apache-2.0
"""LUTs, flip-flops, block RAMs, UltraRAMs and DSP slices of modules, as Yosys maps them to UltraScale+, against budget.toml.

usage: resources.py --build DIR [--only-quick] [--results FILE] [MODULE ...]

An estimate without timing: Yosys does not share a LUT6 between two functions, nor retime, and carries are counted apart.
Results are kept in FILE (JSON) one module at a time, with a hash of the sources: a run that was interrupted goes on, and
modules whose sources did not change are not done again. Exit code 1 when a module is over its budget, has a large memory in
LUTs or flip-flops that the budget does not name, cannot be synthesised, or the sum over the design is over its share of the
device; the last lines say which.
"""

import argparse
import hashlib
import json
import sys
import time
import tomllib
from dataclasses import asdict
from pathlib import Path

import synthesis
import yosys
from cells import KINDS, Resources
from core_modules import CoreModules, large_in_logic

HERE = Path(__file__).resolve().parent


def shell_module(build: Path, module: str, kept: dict) -> dict:
    """A module of the shell with everything below it, the core as a black box."""
    folder = build / "fpga" / "resources" / module
    folder.mkdir(parents=True, exist_ok=True)
    files = [*yosys.shell_sources(build), *sorted((yosys.FPGA / "blackbox").glob("*.sv")), yosys.core_black_box(build, folder)]
    sources = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    if kept.get(module, {}).get("sources") != sources:
        begin = time.monotonic()
        statistics, memories = synthesis.synthesise(yosys.read_command(build, files, module, "--keep-hierarchy"), module, folder)
        kept[module] = {"sources": sources, **asdict(Resources.of(statistics["design"]["num_cells_by_type"])),
                        "large_in_logic": sorted(set(large_in_logic(memories))), "seconds": round(time.monotonic() - begin)}
    return kept[module]


def over_budget(module: str, used: Resources, budget: dict[str, float]) -> list[str]:
    """A kind without a number in the budget is not compared."""
    return [f"{module}: {getattr(used, kind):g} {kind}, budget {budget[kind]}" for kind in KINDS
            if kind in budget and getattr(used, kind) > budget[kind]]


def unexpected(module: str, found: list[str], listed: list[str], known: set[str]) -> list[str]:
    """Large memories in LUTs or flip-flops that the budget names for no module, and those it names for this one that are not there."""
    return [f"{module}: the memory {memory} should be block RAM or UltraRAM" for memory in found if memory not in known] + \
           [f"{module}: budget.toml names {memory}, which is not there" for memory in listed if memory not in found]


def over_device(total: dict[str, float], device: dict[str, float], share: float) -> list[str]:
    return [f"design: {total[kind]:g} {kind}, {share:.0%} of the device are {share * device[kind]:g}" for kind in KINDS
            if total[kind] > share * device[kind]]


def main() -> int:
    parser = argparse.ArgumentParser(description="Resource numbers against the budget")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--only-quick", action="store_true", help="modules that take a few seconds")
    parser.add_argument("--results", type=Path)
    parser.add_argument("modules", nargs="*")
    args = parser.parse_args()
    build = args.build.resolve()
    budget = tomllib.loads((HERE / "budget.toml").read_text())
    chosen = {name: entry for name, entry in budget["module"].items()
              if (not args.modules or name in args.modules) and (not args.only_quick or entry.get("quick"))}
    if missing := [name for name in args.modules if name not in chosen]:
        print(f"resources: {missing[0]} has no entry in checks/budget.toml", file=sys.stderr)
        return 2
    known = {memory for entry in budget["module"].values() for memory in entry.get("large_in_logic", [])}
    kept = json.loads(args.results.read_text()) if args.results and args.results.is_file() else {"core": {}, "shell": {}}
    core: CoreModules | None = None

    def save() -> None:
        if args.results:
            partial = args.results.with_name(args.results.name + ".partial")
            partial.write_text(json.dumps(kept, indent=1) + "\n")
            partial.replace(args.results)

    problems: list[str] = []
    total = dict.fromkeys(KINDS, 0.0)
    print(f"{'module':24}" + "".join(f"{kind:>10}" for kind in KINDS) + "   seconds")
    for done, (name, entry) in enumerate(chosen.items()):
        try:
            if entry["part"] == "core":
                core = core or CoreModules(build, kept["core"], save)
                measured = core.total(name)
            else:
                measured = shell_module(build, name, kept["shell"])
                save()
        except yosys.YosysError as error:
            problems.append(f"{name}: {error}")
            continue
        used = Resources(**{kind: measured[kind] for kind in KINDS})
        print(f"{name:24}" + "".join(f"{getattr(used, kind):10g}" for kind in KINDS)
              + f"{measured['seconds']:10}   {done + 1}/{len(chosen)}", flush=True)
        problems += over_budget(name, used, entry)
        problems += unexpected(name, measured["large_in_logic"], entry.get("large_in_logic", []), known)
        if entry.get("in_sum"):
            total = {kind: total[kind] + getattr(used, kind) for kind in KINDS}
    if all(name in chosen for name, entry in budget["module"].items() if entry.get("in_sum")):
        print(f"{'design':24}" + "".join(f"{total[kind]:10g}" for kind in KINDS))
        device = tomllib.loads((yosys.FPGA.parent / "tools/platform/platform.toml").read_text())["vcu128"]["resources"]
        problems += over_device(total, device, budget["share_of_device"])
    for problem in problems:
        print(f"resources: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
