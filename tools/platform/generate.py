# SPDX-License-Identifier: Apache-2.0
"""Writes the platform description platform.toml in the languages that use it; README.md lists the files.

usage: generate.py [--check] [--only NAME] OUT_DIR [--source platform.toml]

With --check nothing is written: a file that is missing or differs from its description is an error.
Overlapping regions or registers, registers outside their region and unaligned ones are errors (exit 1, one line).
"""

import argparse
import sys
from pathlib import Path

import board_files
import csrs
import description
import device_tree
import languages


def outputs(platform: dict) -> dict[str, str]:
    """Name and text of every file."""
    values = description.constants(platform)
    board_files.check(platform)
    csrs.check(platform["csrs"])
    isa = platform["isa"]
    return {
        "linux.h": languages.linux_header(platform),
        "platform.h": languages.c_header(values, platform),
        "ami_instructions.h": languages.assembler_include(platform),
        "Platform.scala": languages.scala_objects(platform),
        "platform.ld": languages.linker_fragment(platform),
        "riscv.flags": languages.compiler_flags(isa | {"string": isa["program_string"]}),
        "platform_pkg.sv": languages.verilog_package(values),
        "platform.tcl": board_files.tcl_variables(platform),
        "pins.xdc": board_files.constraints(platform["vcu128"]["ports"]),
        **{f"pcie_pins_{pin}.xdc": board_files.constraints(board_files.pcie_ports(platform["vcu128"], pin)) for pin in platform["vcu128"]["pcie_refclks"]},
        "ddr4_pins.xdc": board_files.constraints(platform["vcu128"]["ddr4_ports"]),
        "vcu128.dts": device_tree.device_tree(platform),
        "vcu128_local_hbm.dts": device_tree.device_tree(platform, far="far_size_local_hbm"),
        "simulation.dts": device_tree.device_tree(platform, where=device_tree.SIMULATION),
        "linux.dts": device_tree.device_tree(platform, where=device_tree.LINUX),
        "memory-map.md": board_files.memory_map(platform),
    }


def check_fresh(out_dir: Path, files: dict[str, str]) -> int:
    stale = [name for name, text in files.items() if not (out_dir / name).is_file() or (out_dir / name).read_text() != text]
    if stale:
        print(f"generate.py: stale in {out_dir}: {', '.join(stale)}; run generate.py {out_dir}", file=sys.stderr)
    return 1 if stale else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Generate platform headers")
    parser.add_argument("out_dir", type=Path)
    parser.add_argument("--check", action="store_true", help="only check that the files are there and up to date")
    parser.add_argument("--only", metavar="NAME", help="this file only")
    parser.add_argument("--source", type=Path, default=Path(__file__).with_name("platform.toml"))
    args = parser.parse_args()
    try:
        files = outputs(description.load(args.source))
        if args.only:
            files = {args.only: files[args.only]}
    except (OSError, ValueError, KeyError) as error:
        print(f"generate.py: {args.source}: {error}; correct the platform description", file=sys.stderr)
        return 1
    if args.check:
        return check_fresh(args.out_dir, files)
    args.out_dir.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = args.out_dir / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
