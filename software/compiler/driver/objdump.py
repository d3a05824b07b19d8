# SPDX-License-Identifier: Apache-2.0
"""What coroamu-objdump prints: the toolchain's llvm-objdump, with the AMI instructions where that prints <unknown>.

    coroamu-objdump -d program
All arguments go to llvm-objdump; so does its exit code. Registers are numbered with -M numeric, as llvm-objdump's are.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence

from driver.commands import ROOT, TOOLCHAIN

sys.path.insert(0, str(ROOT / "tools/platform"))

import description

ABI_NAMES = (
    *("zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"),
    *(f"a{number}" for number in range(8)),
    *(f"s{number}" for number in range(2, 12)),
    *("t3", "t4", "t5", "t6"),
)
NUMERIC_NAMES = tuple(f"x{number}" for number in range(32))
NO_BYTES = "--no-show-raw-insn"
LINE = re.compile(r"^(?P<address> *[0-9a-f]+:) (?P<bytes>(?:[0-9a-f]{2} )+) *(?P<text>\t.*)$", re.DOTALL)
UNKNOWN = "\t<unknown>"


def mnemonics() -> dict[tuple[int, int], tuple[str, list[str]]]:
    """(match, mask) of each AMI instruction -> its name and operands."""
    ami = description.load(ROOT / "tools/platform/platform.toml")["ami"]
    return {description.match_and_mask(ami, each): (name, each["operands"]) for name, each in ami["instructions"].items()}


def disassemble(word: int, instructions: dict[tuple[int, int], tuple[str, list[str]]], names: Sequence[str]) -> str | None:
    """The instruction with its operands; None if it is none of the AMU."""
    for (match, mask), (name, operands) in instructions.items():
        if word & mask == match:
            fields = (description.OPERAND_FIELDS[operand] for operand in operands)
            return f"{name}\t" + ", ".join(names[word >> lsb & (1 << bits) - 1] for lsb, bits in fields)
    return None


def rewrite(lines: Iterable[str], names: Sequence[str], with_bytes: bool) -> Iterator[str]:
    """Lines of llvm-objdump, which prints bytes, with AMI instructions; \\p with_bytes keeps the bytes."""
    instructions = mnemonics()
    for line in lines:
        found = LINE.match(line)
        if not found:
            yield line
            continue
        text = found["text"]
        if text.startswith(UNKNOWN):
            word = int.from_bytes(bytes.fromhex(found["bytes"]), "little")
            known = disassemble(word, instructions, names)
            text = f"\t{known}{text.removeprefix(UNKNOWN)}" if known else text
        before = line[: found.start("text")] if with_bytes else f"{found['address']}      "
        yield before + text


def names_for(arguments: Sequence[str]) -> Sequence[str]:
    return NUMERIC_NAMES if any(argument.endswith("numeric") for argument in arguments) else ABI_NAMES


def main(program: str, arguments: Sequence[str]) -> int:
    tool = TOOLCHAIN / "bin/llvm-objdump"
    if not tool.exists():
        print(f"{program}: {tool} is missing: run make setup", file=sys.stderr)
        return 2
    command = [str(tool), *(argument for argument in arguments if argument != NO_BYTES)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        try:
            sys.stdout.writelines(rewrite(process.stdout or (), names_for(arguments), NO_BYTES not in arguments))
        except BrokenPipeError:  # the reader has seen enough
            sys.stderr.close()
            process.terminate()
    return process.returncode
