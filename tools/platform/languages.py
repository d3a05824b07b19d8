# SPDX-License-Identifier: Apache-2.0
"""The constants of the platform in the languages of the project: each function returns the text of one file."""

import csrs
from description import FUNCT3_BITS, OPERAND_FIELDS, Constant, amu_errors, funct7, match_and_mask, operation, tick_cycles

LICENCE = "SPDX-License-Identifier: Apache-2.0"
NOTE = "Generated from tools/platform/platform.toml; do not edit."


def _literal(value: int | str) -> str:
    return f'"{value}"' if isinstance(value, str) else f"{value:#x}"


def c_header(values: dict[str, Constant], platform: dict) -> str:
    """Macros that C, C++ and assembler take."""
    lines = [f"// {LICENCE}", f"// {NOTE}", "#ifndef NHG_PLATFORM_H", "#define NHG_PLATFORM_H", ""]
    lines += [f"#define NHG_{name} {_literal(value)} // {doc}" for name, (value, doc) in values.items()]
    registers = platform["registers"]["far_control"].items()
    lines.append(
        "#define NHG_FAR_CONTROL_REGISTERS " + ", ".join(f'{{"{name}", {register["offset"]:#x}, {register.get("count", 1)}}}' for name, register in registers)
    )
    lines.append("#define NHG_AMU_ERROR_TEXTS " + ", ".join(f'"{text}"' for text in platform["amu"]["errors"].values()))
    lines.append(f"#define NHG_AMI_INSTRUCTIONS(X) {' '.join(_ami_rows(platform['ami']))}")
    lines += csrs.c_header(platform["csrs"])
    return "\n".join(lines + ["", "#endif", ""])


def linux_header(platform: dict) -> str:
    """Macros of the memory that Linux is given; not in platform.h, from which simulator and golden model are made."""
    lines = [f"// {LICENCE}", f"// {NOTE}", "#ifndef NHG_LINUX_H", "#define NHG_LINUX_H", ""]
    lines += [f"#define NHG_LINUX_{name.upper()} {value:#x}" for name, value in platform["linux"].items()]
    return "\n".join(lines + ["", "#endif", ""])


def _ami_rows(ami: dict) -> list[str]:
    """X(Name, "name", match, mask, operands as Spike writes them) of each AMI instruction."""
    rows = []
    for name, instruction in ami["instructions"].items():
        match, mask = match_and_mask(ami, instruction)
        operands = ", ".join(f"&{operand.capitalize()}" for operand in instruction["operands"])
        rows.append(f'X({name.capitalize()}, "{name}", {match:#x}, {mask:#x}, {operands})')
    return rows


def assembler_include(platform: dict) -> str:
    """The AMI instructions as macros of the GNU assembler, for programs that the C preprocessor reads."""
    ami = platform["ami"]
    lines = [f"// {LICENCE}", f"// {NOTE}", "#ifndef NHG_AMI_INSTRUCTIONS_H", "#define NHG_AMI_INSTRUCTIONS_H", ""]
    for name, instruction in ami["instructions"].items():
        registers = [f"\\{operand}" if operand in instruction["operands"] else "x0" for operand in OPERAND_FIELDS]
        lines += [
            f"  .macro {name} {', '.join(instruction['operands'])}",
            f"  .insn r {ami['opcode']:#04x}, {instruction['funct3']}, {funct7(ami, instruction)}, {', '.join(registers)}",
            "  .endm",
        ]
    return "\n".join(lines + ["", "#endif", ""])


def verilog_package(values: dict[str, Constant]) -> str:
    lines = [f"// {LICENCE}", f"// {NOTE}", "package nhg_platform;"]
    lines += [f"  localparam logic [63:0] {name} = 64'h{value:x};  // {doc}" for name, (value, doc) in values.items() if isinstance(value, int)]
    return "\n".join(lines + ["endpackage", ""])


def compiler_flags(isa: dict) -> str:
    """Arguments of clang for bare programs, read as @file."""
    return f"--target={isa['target']} -march={isa['string']} -mabi={isa['abi']} -mcmodel={isa['code_model']}\n"


def linker_fragment(platform: dict) -> str:
    lines = [f"/* {LICENCE} */", f"/* {NOTE} */", "MEMORY {"]
    for name in ("local", "far", "boot_rom"):
        region = platform["regions"][name]
        lines.append(f"  {name} (rwx) : ORIGIN = {region['base']:#x}, LENGTH = {region['size']:#x}")
    return "\n".join(lines + ["}", ""])


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _scala_object(name: str, doc: str, members: dict[str, str], kind: str = "Int") -> str:
    values = "".join(f"  val {_camel(member)}: {kind} = {value}\n" for member, value in members.items())
    return f"/** {doc} */\nobject {name} {{\n{values}}}\n"


def pattern(ami: dict, instruction: dict) -> str:
    match, mask = match_and_mask(ami, instruction)
    return "".join(str(match >> bit & 1) if mask >> bit & 1 else "?" for bit in reversed(range(32)))


def _ami_operations(ami: dict) -> str:
    numbers = {name: operation(ami, each) for name, each in ami["instructions"].items()}
    bits = max(FUNCT3_BITS, max(numbers.values()).bit_length())
    requests = [
        f'AmiRequestForm("{name}", "{pattern(ami, each)}", {numbers[name]}, "{"".join(operand[-1] for operand in each["operands"])}")'
        for name, each in ami["instructions"].items()
        if "rd" not in each["operands"]
    ]
    return (
        "/** An AMI instruction without a result: all 32 bits, its operation, the numbers of its source registers. */\n"
        "case class AmiRequestForm(name: String, pattern: String, operation: Int, operands: String)\n\n"
        f"object AmiRequests {{\n  val all: Seq[AmiRequestForm] = Seq(\n    {(',' + chr(10) + '    ').join(requests)}\n  )\n}}\n\n"
        + _scala_object(
            "AmiOperation", "Which AMI instruction, inside the core.", {name: str(number) for name, number in numbers.items()} | {"bits": str(bits)}
        )
    )


def scala_objects(platform: dict) -> str:
    """What the hardware needs, in package `platform`."""
    ami, amu = platform["ami"], platform["amu"]
    regions = platform["regions"] | {"devices": platform["devices"]}
    parts = [
        f"// {LICENCE}\n// {NOTE}\npackage platform\n",
        "/** Bytes base … end - 1 of the physical address space. */\ncase class Region(base: Long, bytes: Long) {\n  def end: Long = base + bytes\n}\n",
        "/** Bits lsb … msb of a word. */\ncase class Field(lsb: Int, msb: Int) {\n  def bits: Int = msb - lsb + 1\n}\n",
        _scala_object("Isa", "RISC-V, as compilers write it.", {"string": f'"{platform["isa"]["string"]}"'}, "String"),
        _scala_object("Timebase", "Of CSR time.", {"tickCycles": str(tick_cycles(platform["clock"]))}),
        _scala_object("Cores", "Those that one can build.", {"names": f"Seq({', '.join(map(_literal, platform['cores']))})"}, "Seq[String]"),
        _scala_object("PhysicalAddress", "Of the memory map.", {"bits": str(platform["memory"]["address_bits"])}),
        _scala_object("Regions", "The memory map.", {name: f"Region({place['base']:#x}L, {place['size']:#x}L)" for name, place in regions.items()}, "Region"),
        *[
            _scala_object(
                f"{device.capitalize()}Registers",
                "Their offsets in bytes.",
                {name: f"{register['offset']:#x}" for name, register in platform["registers"][device].items()},
            )
            for device in ("clint", "plic")
        ],
        _scala_object("PlicLimits", "Sources are numbered from 1 on.", {name: str(value) for name, value in platform["plic"].items()}),
        _scala_object("Csrs", "Numbers of the CSRs of our own.", {name: f"{number:#x}" for name, number in platform["csr"].items()}),
        csrs.scala_objects(platform["csrs"]),
        _scala_object("Ami", "Encoding of the AMI, R-type.", {name: f"{ami[name]:#x}" for name in ("opcode", "funct7")}),
        _ami_operations(ami),
        _scala_object("AmiFunct3", "Which AMI instruction.", {name: str(each["funct3"]) for name, each in ami["instructions"].items()}),
        _scala_object(
            "AmiPattern", "All 32 bits, free ones as question marks.", {name: f'"{pattern(ami, each)}"' for name, each in ami["instructions"].items()}, "String"
        ),
    ]
    for word, fields in ami["fields"].items():
        name = _camel(word)
        parts.append(
            _scala_object(name[0].upper() + name[1:], f"Fields of {word}.", {field: f"Field({lsb}, {msb})" for field, (lsb, msb) in fields.items()}, "Field")
        )
    parts += [
        _scala_object("AmuLimits", "Limits of the AMU, and what it resets to.", {name: str(value) for name, value in amu.items() if isinstance(value, int)}),
        _scala_object(
            "AmuConfigNumber", "The aconfig registers.", {name: str(number) for name, number in amu["config"].items()} | {"count": str(len(amu["config"]))}
        ),
        _scala_object("AmuErrorCode", "Codes in mtval of an AMU error.", {name: str(code) for name, code in amu_errors(amu).items()}),
    ]
    return "\n".join(parts)
