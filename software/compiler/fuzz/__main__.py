# SPDX-License-Identifier: Apache-2.0
"""PYTHONPATH=software/compiler python -m fuzz campaign|show|reduce|check|kinds ...

campaign  N generated loops, plain against transformed, on x86-64 and riscv64; resumes where it stopped
show      the loop of a seed
reduce    a failing seed under one configuration, made small
check     kept programs, as the tests do
kinds     the 280 kinds of loop (kinds.py): verdicts and results
Needs: make -C software/compiler, -C software/runtime, -C sim/golden. Exit code 1 when anything differs.
"""

import argparse
import sys
from pathlib import Path

from driver.commands import BUILD
from fuzz.campaign import Campaign
from fuzz.check import check_file
from fuzz.kinds import KINDS, check_kinds
from fuzz.oracle import Oracle
from fuzz.reduce import reduce_seed, save
from fuzz.source import loop_from_seed, unit_number_of
from fuzz.toolchain import PLUGIN, Fault, configs


def campaign(options: argparse.Namespace) -> int:
    rtl = (options.rtl_every, options.rtl_rows)
    first_unit = unit_number_of(options.first_seed)
    work = Campaign(options.out, first_unit, options.programs, options.sanitize_every, options.every_scheduler, *rtl, options.reduce_seconds)
    differences = work.run(options.jobs)
    report = work.report()
    (options.out / "report.md").write_text(report)
    print(report)
    print(f"{work.state['loops'] - differences} passed, {differences} failed")
    return 1 if differences else 0


def show(options: argparse.Namespace) -> int:
    print("\n".join(loop_from_seed(options.seed).lines))
    return 0


def reduce(options: argparse.Namespace) -> int:
    number = unit_number_of(options.seed)
    ways = {config.name: config for config in configs(number, sanitize=True, every_scheduler=True)}
    if options.config not in ways:
        print(f"fuzz: unknown configuration {options.config}: one of {' '.join(ways)}", file=sys.stderr)
        return 2
    config = ways[options.config]
    unit = reduce_seed(Oracle(options.out / "reduce"), options.seed, config, options.kind, number + 1, options.seconds)
    if unit is None:
        print(f"fuzz: seed {options.seed} does not fail under {options.config}", file=sys.stderr)
        return 1
    print(save(unit, options.seed, config, options.kind, options.out / "reduced"))
    return 0


def check(options: argparse.Namespace) -> int:
    wrong = [line for source in options.files for line in check_file(source, options.out)]
    print("\n".join(wrong))
    return 1 if wrong else 0


def kinds(options: argparse.Namespace) -> int:
    wrong = check_kinds(Oracle(options.out / "kinds"))
    print("\n".join([*wrong, f"{2 * len(KINDS) - len(wrong)} passed, {len(wrong)} failed"]))
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description="Differential tests of annotated loops")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("campaign")
    command.set_defaults(do=campaign)
    command.add_argument("--programs", type=int, default=400)
    command.add_argument("--first-seed", type=int, default=0, help="begin with the unit of this seed")
    command.add_argument("--jobs", type=int, default=1, help="units at the same time")
    command.add_argument("--sanitize-every", type=int, default=5, help="every n-th unit also with sanitizers; 0: none")
    command.add_argument("--every-scheduler", action="store_true", help="on riscv64; else one of them, in turn")
    command.add_argument("--rtl-every", type=int, default=0, metavar="N", help="one of N loops also runs on RTL (build/sim/nhg-sim, or NHG_SIM); 0: none")
    command.add_argument("--rtl-rows", action="store_true", help="of these only loops with rows")
    command.add_argument("--reduce-seconds", type=float, default=120, help="for each failing loop; 0: do not reduce")
    command = commands.add_parser("show")
    command.set_defaults(do=show)
    command.add_argument("seed", type=int)
    command = commands.add_parser("reduce")
    command.set_defaults(do=reduce)
    command.add_argument("seed", type=int)
    command.add_argument("config", help="such as x86-static-O2")
    command.add_argument("--kind", default="result", choices=["result", "run", "compile", "split"])
    command.add_argument("--seconds", type=float, default=300)
    command = commands.add_parser("check")
    command.set_defaults(do=check)
    command.add_argument("files", type=Path, nargs="+")
    command = commands.add_parser("kinds")
    command.set_defaults(do=kinds)
    for command in commands.choices.values():
        command.add_argument("--out", type=Path, default=BUILD / "fuzz")
    options = parser.parse_args()
    if not PLUGIN.exists():
        print("fuzz: the plugin is missing: run make -C software/compiler, -C software/runtime, -C sim/golden", file=sys.stderr)
        return 2
    try:
        return options.do(options)
    except Fault as fault:
        print(f"fuzz: {fault.what}: {fault.output[-2000:]}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
