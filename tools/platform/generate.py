# SPDX-License-Identifier: Apache-2.0
"""Writes platform.h, platform.py, platform.ld and platform_pkg.sv from platform.toml.

usage: generate.py [--check] OUT_DIR [--source platform.toml]

platform.h   C and assembler constants (NHG_*), usable from .S files
nhg_platform.py  the same names as Python constants
platform.ld  MEMORY regions and symbols for the linker script of software/runtime
platform_pkg.sv  package nhg_platform with the same constants, 64 bits each
platform.tcl, pins.xdc, pcie_pins_<pin of its clock>.xdc, vcu128.dts, memory-map.md   for the board flow and for readers (board_files.py)
With --check nothing is written: a file that is missing or differs from its description is an error.
Overlapping regions or registers, registers outside their region and unaligned ones are errors (exit 1, one line).
"""

import argparse
import sys
import tomllib
from pathlib import Path

import board_files

REGISTER_BYTES = 8
LICENCE = "SPDX-License-Identifier: Apache-2.0"
NOTE = "Generated from tools/platform/platform.toml; do not edit."


def check_registers(region_name: str, registers: dict, sizes: dict[str, int]) -> None:
    """Raises ValueError unless the registers lie side by side in every region that has them; `sizes`: region -> bytes."""
    end_of_previous, previous = 0, "nothing"
    for name, register in sorted(registers.items(), key=lambda item: item[1]["offset"]):
        full, offset, count = f"{region_name}.{name}", register["offset"], register.get("count", 1)
        if offset < 0 or offset % REGISTER_BYTES:
            raise ValueError(f"register {full} at {offset:#x} is unaligned, offsets are multiples of {REGISTER_BYTES}")
        if count < 1:
            raise ValueError(f"register {full} has count = {count}")
        if offset < end_of_previous:
            raise ValueError(f"register {full} at {offset:#x} overlaps {region_name}.{previous}, which ends at {end_of_previous:#x}")
        end_of_previous, previous = offset + REGISTER_BYTES * count, name
        for region, size in sizes.items():
            if end_of_previous > size:
                raise ValueError(f"register {full} ends at {end_of_previous:#x}, outside region {region} of {size:#x} bytes")


def constants(platform: dict) -> dict[str, tuple[int, str]]:
    """Flattens the description into name -> (value, comment), checking it on the way."""
    out: dict[str, tuple[int, str]] = {}
    out["EMULATED_MHZ"] = (platform["clock"]["emulated_mhz"], "MHz")
    out["FPGA_MHZ"] = (platform["clock"]["fpga_mhz"], "MHz")
    out["BYTES_PER_BEAT"] = (platform["clock"]["bytes_per_beat"], "far-memory AXI")
    out["RESET_PC"] = (platform["reset"]["pc"], "plain programs")

    end_of_previous, previous = 0, "nothing"
    for name, region in sorted(platform["regions"].items(), key=lambda item: item[1]["base"]):
        if region["base"] < end_of_previous:
            raise ValueError(f"region {name} overlaps {previous}")
        end_of_previous, previous = region["base"] + region["size"], name
        out[f"{name.upper()}_BASE"] = (region["base"], region["doc"])
        out[f"{name.upper()}_SIZE"] = (region["size"], "bytes")

    for region_name, registers in platform["registers"].items():
        if region_name not in platform["regions"]:
            raise ValueError(f"registers.{region_name} belongs to no region")
        region = platform["regions"][region_name]
        check_registers(region_name, registers, {
            name: other["size"] for name, other in platform["regions"].items() if region_name in (name, other.get("like"))})
        for name, register in registers.items():
            out[f"{region_name.upper()}_{name.upper()}"] = (region["base"] + register["offset"], register["doc"])
            if "count" in register:
                out[f"{region_name.upper()}_{name.upper()}_COUNT"] = (register["count"], "registers")

    for name, index in platform["metrics"].items():
        out[f"METRIC_{name.upper()}"] = (index, "metric index")
    for name, status in platform["exit_status"].items():
        out[f"EXIT_STATUS_{name.upper()}"] = (status, "host.exit")
    board = platform["board"]
    out["BOARD_ID_VALUE"] = (board["id"], "register board.id")
    out["BOARD_CONTRACT_VERSION"] = (board["contract_version"], "register board.version")
    for register in ("status", "marks"):
        for name, bit in board[register].items():
            out[f"BOARD_{register.upper()}_{name.upper()}_BIT"] = (bit, f"bit of board.{register}")
    for name, value in platform["hbm"].items():
        out[f"HBM_{name.upper()}"] = (value, "board memory")
    for group, register in (("jitter", "jitter_model"), ("bandwidth", "bandwidth_mode")):
        for name, value in platform[group].items():
            out[f"{group.upper()}_{name.upper()}"] = (value, f"far_control.{register}")
    amu = platform["amu"]
    for name in ("max_id", "contract_version", "cause"):
        out[f"AMU_{name.upper()}"] = (amu[name], "AMU")
    for name, code in amu["errors"].items():
        out[f"AMU_ERROR_{name.upper()}"] = (code, "mtval[63:56]")
    return out


def c_header(values: dict[str, tuple[int, str]]) -> str:
    lines = [f"// {LICENCE}", f"// {NOTE}", "#ifndef NHG_PLATFORM_H", "#define NHG_PLATFORM_H", ""]
    lines += [f"#define NHG_{name} {value:#x} // {doc}" for name, (value, doc) in values.items()]
    return "\n".join(lines + ["", "#endif", ""])


def python_module(values: dict[str, tuple[int, str]]) -> str:
    lines = [f"# {LICENCE}", f'"""{NOTE}"""', ""]
    lines += [f"{name} = {value:#x}  # {doc}" for name, (value, doc) in values.items()]
    return "\n".join(lines + [""])


def verilog_package(values: dict[str, tuple[int, str]]) -> str:
    lines = [f"// {LICENCE}", f"// {NOTE}", "package nhg_platform;"]
    lines += [f"  localparam logic [63:0] {name} = 64'h{value:x};  // {doc}" for name, (value, doc) in values.items()]
    return "\n".join(lines + ["endpackage", ""])


def linker_fragment(platform: dict) -> str:
    lines = [f"/* {LICENCE} */", f"/* {NOTE} */", "MEMORY {"]
    for name in ("local", "far"):
        region = platform["regions"][name]
        lines.append(f"  {name} (rwx) : ORIGIN = {region['base']:#x}, LENGTH = {region['size']:#x}")
    return "\n".join(lines + ["}", ""])


def check_fresh(out_dir: Path, outputs: dict[str, str]) -> int:
    stale = [name for name, text in outputs.items() if not (out_dir / name).is_file() or (out_dir / name).read_text() != text]
    if stale:
        print(f"generate.py: stale in {out_dir}: {', '.join(stale)}; run generate.py {out_dir}", file=sys.stderr)
    return 1 if stale else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Generate platform headers")
    parser.add_argument("out_dir", type=Path)
    parser.add_argument("--check", action="store_true", help="only check that the files are there and up to date")
    parser.add_argument("--source", type=Path, default=Path(__file__).with_name("platform.toml"))
    args = parser.parse_args()
    try:
        platform = tomllib.loads(args.source.read_text())
        values = constants(platform)
        board_files.check(platform)
    except (OSError, ValueError, KeyError) as error:
        print(f"generate.py: {args.source}: {error}; correct the platform description", file=sys.stderr)
        return 1
    outputs = {
        "platform.h": c_header(values),
        "nhg_platform.py": python_module(values),
        "platform.ld": linker_fragment(platform),
        "platform_pkg.sv": verilog_package(values),
        "platform.tcl": board_files.tcl_variables(platform),
        "pins.xdc": board_files.constraints(platform["vcu128"]["ports"]),
        **{f"pcie_pins_{pin}.xdc": board_files.constraints(board_files.pcie_ports(platform["vcu128"], pin))
           for pin in platform["vcu128"]["pcie_refclks"]},
        "vcu128.dts": board_files.device_tree(platform),
        "memory-map.md": board_files.memory_map(platform),
    }
    if args.check:
        return check_fresh(args.out_dir, outputs)
    args.out_dir.mkdir(parents=True, exist_ok=True)
    for name, text in outputs.items():
        path = args.out_dir / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
