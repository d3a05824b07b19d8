# SPDX-License-Identifier: Apache-2.0
"""What random programs execute on the RTL: instruction x class of each operand's value, and instruction x trap cause.

usage: instruction_coverage.py [--instructions 1000000] [--first-seed 1] [--jobs 2]

The list of instructions is LLVM's for the core's ISA string, and AMI's. Operand values come from the commit log, whose writes give each register's
content. Prints the totals and what never occurred; build/tests/coverage.csv has every count.
"""

import argparse
import csv
import ctypes
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import rtl
from programs import BUILD, OUT
from test_random import generate

from nhg import paths
from nhg.contention import conditions

PROGRAM_INSTRUCTIONS = 25_000
PLATFORM = tomllib.loads((paths.ROOT / "tools/platform/platform.toml").read_text())
LLVM_MC = paths.TOOLCHAIN / "bin/llvm-mc"
SHOWN = re.compile(r"\s*(\S+)\s*(.*?)\s*# encoding: \[(.*)\]")
AMI_OPCODE = PLATFORM["ami"]["opcode"]
ABI = [
    "zero",
    "ra",
    "sp",
    "gp",
    "tp",
    "t0",
    "t1",
    "t2",
    "s0",
    "s1",
    *(f"a{i}" for i in range(8)),
    *(f"s{i}" for i in range(2, 12)),
    *(f"t{i}" for i in range(3, 7)),
]
FP_ABI = [*(f"ft{i}" for i in range(8)), "fs0", "fs1", *(f"fa{i}" for i in range(8)), *(f"fs{i}" for i in range(2, 12)), *(f"ft{i}" for i in range(8, 12))]
REGISTERS = {**{name: ("x", i) for i, name in enumerate(ABI)}, **{name: ("f", i) for i, name in enumerate(FP_ABI)}}
# An interrupt is taken in place of the instruction.
LINE = re.compile(r"\s*\d+ pc=\w+ inst=(\w{8})(?! trap interrupt)(?: trap cause=(\d+))?(?: ([xf])(\d+)=(\w+))?")
# Compressed instructions that also read the register they write.
TWO_ADDRESS = {f"c.{name}" for name in "add sub and or xor addw subw addi addiw slli srli srai andi".split()}
REQUESTS = "|".join(name for name, each in PLATFORM["ami"]["instructions"].items() if "rd" not in each["operands"])
NO_DESTINATION = re.compile(rf"(c\.)?(b(eqz?|nez?|ltu?|geu?)|f?s[bhwd](sp)?|prefetch\..|fence|{REQUESTS})$|c\.j")
EDGES = {0: "0", 1: "1", 2**64 - 1: "-1", 2**63: "least", 2**63 - 1: "greatest"}
INTEGER_CLASSES = [*EDGES.values(), "positive", "negative", "32 bits"]
FP_CLASSES = [f"{sign}{kind}" for kind in ("0", "subnormal", "normal", "infinity") for sign in "+-"] + ["quiet NaN", "signalling NaN"]
FORMATS = {"s": (8, 23), "d": (11, 52)}


@dataclass(frozen=True)
class Instruction:
    mnemonic: str
    registers: tuple[str, ...]


ILLEGAL = Instruction("illegal", ())
FETCH_FAULT = 1  # mcause; there is no instruction


def attributes() -> str:
    """The core's extensions as llvm-mc wants them."""
    base, *others = PLATFORM["isa"]["string"].split("_")
    return ",".join(f"+{name}" for name in [*base.removeprefix("rv64i"), *others])


def disassemble(encodings: Iterable[int]) -> dict[int, Instruction]:
    """What each legal encoding is: mnemonic without aliases, and the registers in its order. AMI instructions are the golden model's."""
    known: dict[int, Instruction] = {}
    asked = []
    for code in encodings:
        if code & 0x7F == AMI_OPCODE:
            known[code] = ami(code)
        else:
            asked.append(" ".join(f"0x{byte:02x}" for byte in code.to_bytes(4 if code & 3 == 3 else 2, "little")))
    command = [LLVM_MC, "--disassemble", "--triple=riscv64", f"--mattr={attributes()}", "-M", "no-aliases", "--show-encoding"]
    said = subprocess.run(command, input="\n".join(asked), capture_output=True, text=True).stdout
    for line in said.splitlines():
        if match := SHOWN.match(line):
            mnemonic, operands, encoding = match.groups()
            registers = tuple(word for word in re.findall(r"[a-z]+\d*", operands) if word in REGISTERS)
            known[int.from_bytes(bytes(int(byte, 16) for byte in encoding.split(",")), "little")] = Instruction(mnemonic, registers)
    return known


@cache
def ami(code: int) -> Instruction:
    text = ctypes.create_string_buffer(128)
    ctypes.CDLL(str(BUILD / "golden/libgolden.so")).golden_disassemble(code, text, len(text))
    mnemonic, _, operands = text.value.decode().partition(" ")
    return Instruction(mnemonic, tuple(word for word in re.findall(r"[a-z]+\d*", operands) if word in REGISTERS))


def legal() -> set[str]:
    """Every mnemonic that the core's ISA string has."""
    words = (op << 2 | 3 | f3 << 12 | f7 << 25 | rs2 << 20 for op in range(32) for f3 in range(8) for f7 in range(128) for rs2 in (*range(6), 7, 24))
    halves = (half for half in range(1 << 16) if half & 3 != 3)
    prefetches = (0x6013 | kind << 20 for kind in (0, 1, 3))
    environment = (0x73, 0x100073, 0x30200073, 0x10500073)
    return {instruction.mnemonic for instruction in disassemble([*words, *halves, *prefetches, *environment]).values()} - {"unknown"}


def integer_class(value: int) -> str:
    if value in EDGES:
        return EDGES[value]
    if value < 2**32:
        return "32 bits"
    return "negative" if value >> 63 else "positive"


def fp_class(value: int, fmt: str) -> str:
    exponent_bits, fraction_bits = FORMATS[fmt]
    if fmt == "s":
        if value >> 32 != 0xFFFFFFFF:
            return "not boxed"
        value &= 0xFFFFFFFF
    fraction, exponent = value & ((1 << fraction_bits) - 1), value >> fraction_bits & ((1 << exponent_bits) - 1)
    sign = "-" if value >> (exponent_bits + fraction_bits) & 1 else "+"
    if exponent == (1 << exponent_bits) - 1 and fraction:
        return "quiet NaN" if fraction >> (fraction_bits - 1) else "signalling NaN"
    if exponent == (1 << exponent_bits) - 1:
        return sign + "infinity"
    return sign + ("normal" if exponent else "subnormal" if fraction else "0")


@dataclass
class Seen:
    counts: Counter[str] = field(default_factory=Counter)
    operands: defaultdict[tuple[str, int], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    causes: Counter[tuple[str, int]] = field(default_factory=Counter)

    def add(self, other: "Seen") -> None:
        self.counts += other.counts
        self.causes += other.causes
        for key, classes in other.operands.items():
            self.operands[key] += classes


def read_log(lines: list[str]) -> Seen:
    seen = Seen()
    values = {"x": [0] * 32, "f": [0] * 32}
    matches = [match for match in map(LINE.match, lines) if match]
    matches = [match for match in matches if match.group(2) != str(FETCH_FAULT)]
    known = disassemble({int(match.group(1), 16) for match in matches})
    for match in matches:
        code, cause, kind, number, written = match.groups()
        instruction = known.get(int(code, 16), ILLEGAL)
        mnemonic, names = instruction.mnemonic, instruction.registers
        seen.counts[mnemonic] += 1
        if cause is not None:
            seen.causes[mnemonic, int(cause)] += 1
        sources = names if NO_DESTINATION.match(mnemonic) or mnemonic in TWO_ADDRESS else names[1:]
        for position, name in enumerate(sources):
            file, index = REGISTERS[name]
            value = values[file][index]
            fmt = "s" if mnemonic.endswith((".s", "sw", ".x.w")) else "d"
            seen.operands[mnemonic, position][integer_class(value) if file == "x" else fp_class(value, fmt)] += 1
        if kind is not None and (kind, number) != ("x", "0"):
            values[kind][int(number)] = int(written, 16)
    return seen


def measure(seed: int) -> tuple[Seen, int]:
    """What a seed's program executes, in lock-step, and how many instructions that are."""
    program = generate(f"coverage/{seed}", "--seed", str(seed), "--instructions", str(PROGRAM_INSTRUCTIONS), *(["--contended"] if seed % 4 == 0 else []))
    log = program.with_suffix(".log")
    result = rtl.run(program, *conditions(seed), "--commit-log", str(log))
    if result.returncode:
        raise RuntimeError(f"seed {seed}: {rtl.report(result)}")
    lines = log.read_text().splitlines()
    for leftover in (program, log, program.with_suffix(".json"), OUT / "src/coverage" / f"{seed}.S"):
        leftover.unlink(missing_ok=True)
    return read_log(lines), len(lines)


def classes_of(mnemonic: str, position: int, seen: Seen) -> list[str]:
    """The classes that an operand can have: those of its register's kind."""
    is_integer = not any(c in FP_CLASSES and c not in INTEGER_CLASSES for c in seen.operands[mnemonic, position])
    return INTEGER_CLASSES if is_integer else FP_CLASSES


def write_csv(seen: Seen, file: Path) -> None:
    with file.open("w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["instruction", "operand", "class or cause", "count"])
        table.writerows([mnemonic, "", "", count] for mnemonic, count in sorted(seen.counts.items()))
        table.writerows([m, position, name, count] for (m, position), classes in sorted(seen.operands.items()) for name, count in sorted(classes.items()))
        table.writerows([mnemonic, "trap", cause, count] for (mnemonic, cause), count in sorted(seen.causes.items()))


def report(seen: Seen, total: int) -> str:
    universe = legal()
    missing = sorted(universe - set(seen.counts))
    possible = {key: classes_of(*key, seen) for key in seen.operands}
    pairs = sum(len(classes) for classes in possible.values())
    hit = sum(sum(name in seen.operands[key] for name in classes) for key, classes in possible.items())
    causes = Counter(cause for _, cause in seen.causes.elements())
    return "\n".join(
        [
            f"{total:,} instructions; {len(universe) - len(missing)} of {len(universe)} legal mnemonics; never: {' '.join(missing) or 'none'}",
            f"instruction x operand x class of its value: {hit:,} of {pairs:,} ({hit / max(pairs, 1):.1%})",
            f"instruction x trap cause: {len(seen.causes)} pairs; traps by cause: "
            + ", ".join(f"{cause}: {count:,}" for cause, count in sorted(causes.items())),
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="coverage of random programs on the RTL")
    parser.add_argument("--instructions", type=int, default=1_000_000)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    seeds = range(args.first_seed, args.first_seed + max(1, args.instructions // PROGRAM_INSTRUCTIONS))
    seen, total = Seen(), 0
    with ProcessPoolExecutor(args.jobs) as pool:
        for done, (part, count) in enumerate(pool.map(measure, seeds), 1):
            seen.add(part)
            total += count
            if done % 10 == 0:
                print(f"{done} of {len(seeds)} programs", file=sys.stderr, flush=True)
    write_csv(seen, OUT / "coverage.csv")
    print(report(seen, total))
    return 0


if __name__ == "__main__":
    sys.exit(main())
