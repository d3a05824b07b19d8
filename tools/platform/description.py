# SPDX-License-Identifier: Apache-2.0
"""Reads the platform description, refuses one that contradicts itself, and flattens it into named constants."""

import tomllib
from pathlib import Path
from typing import NamedTuple

import csrs

REGISTER_BYTES = 8
FIRST_FAR_COUNTER, LAST_FAR_COUNTER = "reads", "cycles"
# Where R-type instructions hold what is not opcode, as (lowest bit, bits).
OPERAND_FIELDS = {"rd": (7, 5), "rs1": (15, 5), "rs2": (20, 5)}
FUNCT3_LSB, FUNCT3_BITS, FUNCT7_LSB = 12, 3, 25
R_TYPE_MASK = 0xFE00_707F


class Constant(NamedTuple):
    value: int | str
    doc: str


def load(source: Path) -> dict:
    """The platform; as `csrs` what csrs.toml says."""
    platform = tomllib.loads(source.read_text())
    platform["csrs"] = tomllib.loads(Path(__file__).with_name("csrs.toml").read_text())
    return platform


def check_registers(region_name: str, registers: dict, sizes: dict[str, int], register_bytes: int = REGISTER_BYTES) -> None:
    """Raises ValueError unless the registers lie side by side in every region that has them; `sizes`: region -> bytes."""
    end_of_previous, previous = 0, "nothing"
    for name, register in sorted(registers.items(), key=lambda item: item[1]["offset"]):
        full, offset, count = f"{region_name}.{name}", register["offset"], register.get("count", 1)
        if offset < 0 or offset % register_bytes:
            raise ValueError(f"register {full} at {offset:#x} is unaligned, offsets are multiples of {register_bytes}")
        if count < 1:
            raise ValueError(f"register {full} has count = {count}")
        if offset < end_of_previous:
            raise ValueError(f"register {full} at {offset:#x} overlaps {region_name}.{previous}, which ends at {end_of_previous:#x}")
        end_of_previous, previous = offset + register_bytes * count, name
        for region, size in sizes.items():
            if end_of_previous > size:
                raise ValueError(f"register {full} ends at {end_of_previous:#x}, outside region {region} of {size:#x} bytes")


def far_counters(platform: dict) -> list[str]:
    """Names of the delayer's counters, in its order; their registers lie side by side."""
    registers = platform["registers"]["far_control"]
    first, last = (registers[name]["offset"] for name in (FIRST_FAR_COUNTER, LAST_FAR_COUNTER))
    found = sorted((register["offset"], name) for name, register in registers.items() if first <= register["offset"] <= last)
    if [offset for offset, _ in found] != list(range(first, last + 1, REGISTER_BYTES)):
        raise ValueError(f"the counters of far_control, {FIRST_FAR_COUNTER} to {LAST_FAR_COUNTER}, have gaps")
    return [name for _, name in found]


def match_and_mask(ami: dict, instruction: dict) -> tuple[int, int]:
    """Which bits of an instruction word are fixed, and how: registers that are no operands are x0."""
    mask = R_TYPE_MASK
    for operand, (lsb, bits) in OPERAND_FIELDS.items():
        if operand not in instruction["operands"]:
            mask |= ((1 << bits) - 1) << lsb
    return ami["opcode"] | instruction["funct3"] << FUNCT3_LSB | funct7(ami, instruction) << FUNCT7_LSB, mask


def funct7(ami: dict, instruction: dict) -> int:
    """Its own, or that of all."""
    return instruction.get("funct7", ami["funct7"])


def operation(ami: dict, instruction: dict) -> int:
    """The number of an AMI instruction inside the core: its funct3, and above it how far its funct7 is from that of all."""
    return instruction["funct3"] | (funct7(ami, instruction) - ami["funct7"]) << FUNCT3_BITS


def amu_errors(amu: dict) -> dict[str, int]:
    """Codes of the AMU's errors by their names."""
    return {name: code for code, name in enumerate(amu["errors"], start=1)}


def memory_constants(platform: dict) -> dict[str, Constant]:
    """Regions and registers."""
    out: dict[str, Constant] = {}
    devices = platform["devices"]
    end_of_previous, previous = 0, "nothing"
    for name, region in sorted(platform["regions"].items(), key=lambda item: item[1]["base"]):
        end = region["base"] + region["size"]
        if region["base"] < end_of_previous:
            raise ValueError(f"region {name} overlaps {previous}")
        if name in platform["registers"] and not devices["base"] <= region["base"] <= end <= devices["base"] + devices["size"]:
            raise ValueError(f"region {name} has registers and is not inside the devices' range")
        if end > 1 << platform["memory"]["address_bits"]:
            raise ValueError(f"region {name} has addresses of more than {platform['memory']['address_bits']} bits")
        end_of_previous, previous = end, name
        out[f"{name.upper()}_BASE"] = Constant(region["base"], region["doc"])
        out[f"{name.upper()}_SIZE"] = Constant(region["size"], "bytes")
    out["DEVICES_BASE"] = Constant(devices["base"], "not cached, in order")
    out["DEVICES_SIZE"] = Constant(devices["size"], "bytes")

    for region_name, registers in platform["registers"].items():
        if region_name not in platform["regions"]:
            raise ValueError(f"registers.{region_name} belongs to no region")
        region = platform["regions"][region_name]
        sizes = {name: other["size"] for name, other in platform["regions"].items() if region_name in (name, other.get("like"))}
        check_registers(region_name, registers, sizes, region.get("register_bytes", REGISTER_BYTES))
        for name, register in registers.items():
            out[f"{region_name.upper()}_{name.upper()}"] = Constant(region["base"] + register["offset"], register["doc"])
            if "count" in register:
                out[f"{region_name.upper()}_{name.upper()}_COUNT"] = Constant(register["count"], "registers")
    return out


def device_constants(platform: dict) -> dict[str, Constant]:
    """Sizes and values of PLIC, UART and syscon."""
    if platform["registers"]["plic"]["priority"]["count"] != platform["plic"]["sources"] + 1:
        raise ValueError("registers.plic.priority: count is not one more than the sources of [plic]")
    devices = ("plic", "uart", "syscon")
    return {f"{device.upper()}_{name.upper()}": Constant(value, f"[{device}]") for device in devices for name, value in platform[device].items()}


def ami_constants(platform: dict) -> dict[str, Constant]:
    """CSRs, instructions, fields of their words, limits and errors of the AMU."""
    out = {f"CSR_{name.upper()}": Constant(number, "CSR") for name, number in platform["csr"].items()}
    ami, amu = platform["ami"], platform["amu"]
    out["AMI_OPCODE"] = Constant(ami["opcode"], "R-type")
    out["AMI_OPCODE_NAME"] = Constant(ami["opcode_name"], "of the assembler")
    out["AMI_FUNCT7"] = Constant(ami["funct7"], "of every AMI instruction")
    for name, instruction in ami["instructions"].items():
        match, mask = match_and_mask(ami, instruction)
        out[f"AMI_{name.upper()}_FUNCT3"] = Constant(instruction["funct3"], " ".join([name, *instruction["operands"]]))
        if "funct7" in instruction:
            out[f"AMI_{name.upper()}_FUNCT7"] = Constant(instruction["funct7"], name)
        out[f"AMI_{name.upper()}_MATCH"] = Constant(match, "instruction & mask")
        out[f"AMI_{name.upper()}_MASK"] = Constant(mask, "bits that are fixed")
    for word, fields in ami["fields"].items():
        for field, (lsb, msb) in fields.items():
            out[f"AMI_{word.upper()}_{field.upper()}_LSB"] = Constant(lsb, f"bits [{msb}:{lsb}]")
            out[f"AMI_{word.upper()}_{field.upper()}_BITS"] = Constant(msb - lsb + 1, "width")
    out |= {f"AMU_{name.upper()}": Constant(value, "AMU") for name, value in amu.items() if isinstance(value, int)}
    out |= {f"AMU_CONFIG_{name.upper()}": Constant(number, "aconfig register") for name, number in amu["config"].items()}
    out["AMU_CONFIG_COUNT"] = Constant(len(amu["config"]), "aconfig registers")
    out |= {f"AMU_ERROR_{name.upper()}": Constant(code, f"code in mtval: {amu['errors'][name]}") for name, code in amu_errors(amu).items()}
    return out


def board_constants(platform: dict) -> dict[str, Constant]:
    board = platform["board"]
    out = {
        "BOARD_ID_VALUE": Constant(board["id"], "register board.id"),
        "BOARD_CONTRACT_VERSION": Constant(board["contract_version"], "register board.version"),
    }
    for register in ("status", "marks"):
        for name, bit in board[register].items():
            out[f"BOARD_{register.upper()}_{name.upper()}_BIT"] = Constant(bit, f"bit of board.{register}")
    return out | {f"HBM_{name.upper()}": Constant(value, "board memory") for name, value in platform["hbm"].items()}


def tick_cycles(clock: dict) -> int:
    """Of CSR time; even, so that half a tick is whole cycles, too (soc_xstop.sv)."""
    cycles, rest = divmod(clock["emulated_mhz"], clock["timebase_mhz"])
    if rest or cycles % 2:
        raise ValueError(f"timebase_mhz = {clock['timebase_mhz']}: a tick must be an even number of cycles of {clock['emulated_mhz']} MHz")
    return cycles


def constants(platform: dict) -> dict[str, Constant]:
    """Every constant by its name, the same in all languages. Raises ValueError for a description that contradicts itself."""
    clock = platform["clock"]
    out = {
        "EMULATED_MHZ": Constant(clock["emulated_mhz"], "MHz"),
        "TICK_CYCLES": Constant(tick_cycles(clock), "core cycles of a tick of CSR time"),
        "FPGA_MHZ": Constant(clock["fpga_mhz"], "MHz"),
        "BYTES_PER_BEAT": Constant(clock["bytes_per_beat"], "far-memory AXI"),
        "RESET_PC": Constant(platform["reset"]["pc"], "plain programs"),
        "MEMORY_ADDRESS_BITS": Constant(platform["memory"]["address_bits"], "of a physical address"),
        "LOCAL_LATENCY_CYCLES": Constant(platform["memory"]["local_latency_cycles"], "local memory and boot ROM"),
    }
    out |= {f"ISA_{name.upper()}": Constant(text, "RISC-V") for name, text in platform["isa"].items()}
    out |= memory_constants(platform) | device_constants(platform)
    names = far_counters(platform)
    out["FAR_COUNTERS"] = Constant(len(names), "counters of far_control")
    out |= {f"FAR_COUNTER_{name.upper()}": Constant(index, "index of the counter") for index, name in enumerate(names)}
    out |= {f"METRIC_{name.upper()}": Constant(index, "metric index") for name, index in platform["metrics"].items()}
    out |= {f"EXIT_STATUS_{name.upper()}": Constant(status, "host.exit") for name, status in platform["exit_status"].items()}
    out |= {f"SIMULATOR_EXIT_{name.upper()}": Constant(status, "exit status of nhg-sim") for name, status in platform["simulator_exit"].items()}
    out |= board_constants(platform)
    out["CHECKPOINT_VERSION"] = Constant(platform["checkpoint"]["version"], "of the file of a checkpoint")
    out["PRIVILEGED_CSR_COUNT"] = Constant(len(csrs.registers(platform["csrs"])), "registers of csrs.toml")
    for group, register in (("jitter", "jitter_model"), ("bandwidth", "bandwidth_mode")):
        out |= {f"{group.upper()}_{name.upper()}": Constant(value, f"far_control.{register}") for name, value in platform[group].items()}
    return out | ami_constants(platform)
