# SPDX-License-Identifier: Apache-2.0
"""What the board's flow reads, from the platform description: Tcl variables, pin constraints, documentation. device_tree.py has the device tree.

Each function takes the parsed platform.toml and returns the text of one file; a description that contradicts itself
(a package pin used twice, a clock that the MMCM cannot make) is a ValueError.
"""

from languages import LICENCE, NOTE

MMCM_VCO_MHZ = (800, 1600)  # UltraScale+, -2 speed grade (DS923)


def check(platform: dict) -> None:
    """Raises ValueError when pins collide or a clock cannot be made from the oscillator."""
    board = platform["vcu128"]
    seen: dict[str, str] = {}
    ports = board["ports"] | board["ddr4_ports"] | {port: entry for port, entry in board["pcie_ports"].items() if "pins" in entry}
    for pair in board["pcie_refclks"].items():
        ports[f"the reference clock {pair[0]}"] = {"pins": pair}
    for port, entry in ports.items():
        for pin in entry["pins"]:
            if pin in seen:
                raise ValueError(f"package pin {pin} is given to {seen[pin]} and {port}")
            seen[pin] = port
    if board["pcie_refclk"] not in board["pcie_refclks"]:
        raise ValueError(f"pcie_refclk = {board['pcie_refclk']} is none of pcie_refclks")
    vco_mhz = 12 * board["board_mhz"]
    if not MMCM_VCO_MHZ[0] <= vco_mhz <= MMCM_VCO_MHZ[1]:
        raise ValueError(f"the clock generator's VCO would run at {vco_mhz} MHz")
    for name, mhz in (("fpga_mhz", platform["clock"]["fpga_mhz"]), ("hbm_mhz", board["hbm_mhz"])):
        if vco_mhz % mhz:
            raise ValueError(f"{name} = {mhz} MHz cannot be divided from the VCO's {vco_mhz} MHz")
    if not 50 <= board["hbm_mhz"] <= 100:
        raise ValueError(f"hbm_mhz = {board['hbm_mhz']}: the HBM's APB port takes 50 to 100 MHz")
    far = platform["regions"]["far"]
    if max(platform["hbm"].values()) > far["size"]:
        raise ValueError("hbm: far memory is larger than the far region")


def tcl_variables(platform: dict) -> str:
    board, clock = platform["vcu128"], platform["clock"]
    values = {
        "part": board["part"],
        "vivado_oldest": board["vivado_oldest"],
        "vivado_newest": board["vivado_newest"],
        "vivado_newest_pcie": board["vivado_newest_pcie"],
        "board_mhz": board["board_mhz"],
        "core_mhz": clock["fpga_mhz"],
        "hbm_mhz": board["hbm_mhz"],
        "pcie_mhz": board["pcie_mhz"],
        "pcie_refclk": board["pcie_refclk"],
        **{f"{name}_available": count for name, count in board["resources"].items()},
    }
    lines = [f"# {LICENCE}", f"# {NOTE}", "namespace eval platform {"]
    lines += [f"    variable {name} {{{value}}}" for name, value in values.items()]
    for name, region in platform["regions"].items():
        lines.append(f"    variable {name}_base {region['base']:#x}")
        lines.append(f"    variable {name}_size {region['size']:#x}")
    return "\n".join(lines + ["}", ""])


def pcie_ports(board: dict, refclk: str) -> dict:
    """Ports of PCIe with the reference clock at package pin `refclk` and its partner."""
    pins = {"pcie_refclk_p": [refclk], "pcie_refclk_n": [board["pcie_refclks"][refclk]]}
    return {port: {"pins": pins[port]} | entry if port in pins else entry for port, entry in board["pcie_ports"].items()}


def _bits(port: str, entry: dict) -> list[tuple[str, str]]:
    """(name of the bit, package pin)"""
    if len(entry["pins"]) == 1:
        return [(port, entry["pins"][0])]
    return [(f"{port}[{bit}]", pin) for bit, pin in enumerate(entry["pins"])]


def constraints(ports: dict) -> str:
    """Pins, I/O standards, input clocks and the ports without timing, as XDC.

    A port without timing gets a delay of 0 ns before its false path: check_timing counts ports that have none.
    """
    lines = [f"# {LICENCE}", f"# {NOTE}"]
    for port, entry in ports.items():
        for bit, pin in _bits(port, entry):
            lines.append(f"set_property PACKAGE_PIN {pin} [get_ports {{{bit}}}]")
            if "standard" in entry:
                lines.append(f"set_property IOSTANDARD {entry['standard']} [get_ports {{{bit}}}]")
            if "pull" in entry:
                lines.append(f"set_property PULLTYPE PULL{entry['pull']} [get_ports {{{bit}}}]")
    for port, entry in ports.items():
        if "clock_mhz" in entry:
            lines.append(f"create_clock -name {port.removesuffix('_p')} -period {1000 / entry['clock_mhz']:.3f} [get_ports {port}]")
        pattern = port if len(entry["pins"]) == 1 else f"{{{port}[*]}}"
        if entry.get("slow") in ("in", "both"):
            lines.append(f"set_input_delay -clock clk_100mhz 0.000 [get_ports {pattern}]")
            lines.append(f"set_false_path -from [get_ports {pattern}]")
        if entry.get("slow") in ("out", "both"):
            lines.append(f"set_output_delay -clock clk_100mhz 0.000 [get_ports {pattern}]")
            lines.append(f"set_false_path -to [get_ports {pattern}]")
    return "\n".join(lines + [""])


def memory_map(platform: dict) -> str:
    """The memory map and the registers as Markdown."""
    lines = [
        "# Memory map and registers",
        "",
        NOTE,
        "Physical addresses of the core, which are also the host's on the board. Registers are 64 bits wide, those of plic and uart 32.",
        "",
        "| base | bytes | region | what |",
        "|---|---|---|---|",
    ]
    for name, region in sorted(platform["regions"].items(), key=lambda item: item[1]["base"]):
        lines.append(f"| {region['base']:#x} | {region['size']:#x} | {name} | {region['doc']} |")
    sizes = platform["hbm"]
    lines += [
        "",
        f"On the board far memory has {sizes['far_size']:#x} bytes, both stacks of HBM; with local memory in HBM, too, {sizes['far_size_local_hbm']:#x},"
        " the upper stack.",
    ]
    for region_name, registers in platform["registers"].items():
        lines += ["", f"## {region_name}", "", "| offset | register | what |", "|---|---|---|"]
        for name, register in registers.items():
            count = f" × {register['count']}" if "count" in register else ""
            lines.append(f"| {register['offset']:#05x} | {name}{count} | {register['doc']} |")
    return "\n".join(lines + [""])
