# SPDX-License-Identifier: Apache-2.0
"""Finds numbers of the platform description that are typed in a source file instead of being taken from what is made from it.

usage: typed_numbers.py [ROOT]    prints one line a finding; exit code 1 if there are any

Found are values that can be told apart wherever they stand (addresses, CSR numbers, the AMI's opcode and instructions, the ISA), and
small ones on a line that says what they are (limits, exit codes, latency, the number of counters). Documentation is checked by
tools/nhg/tests/test_one_truth.py; typed_numbers.toml lists what may stay, with the reason.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import description

HERE = Path(__file__).resolve().parent
SOURCES = {
    ".scala",
    ".sc",
    ".sv",
    ".svh",
    ".v",
    ".c",
    ".cc",
    ".cpp",
    ".h",
    ".S",
    ".py",
    ".toml",
    ".tcl",
    ".xdc",
    ".mk",
    ".ld",
    ".yaml",
    ".cmake",
    ".flags",
    ".sh",
    ".dts",
    "",
}
NOT_SOURCES = ("tools/platform/platform.toml", "tools/setup/", "docs/", ".gitignore", "LICENSE")
TESTS = re.compile(r"(^|/)(tests?|fuzz|checks)/")
# (digits, base) of a number in the languages of the project: C, Scala and Python; SystemVerilog; Chisel.
HEXADECIMAL = (re.compile(r"\b0[xX]([0-9a-fA-F_]+)(?:[uU]?[lL]{0,2})\b"), re.compile(r"'s?[hH]([0-9a-fA-F_]+)\b"), re.compile(r'"h([0-9a-fA-F_]+)"'))
BINARY = (re.compile(r"\b0b([01_]+)\b"), re.compile(r"'s?[bB]([01_]+)\b"), re.compile(r'"b?([01_]+)"'))
DECIMAL = (re.compile(r"(?<![\w.'])(\d[\d_]*)(?:[uU]?[lL]{0,2})\b(?!'|\.\d)"),)
ISA = re.compile(r"\brv64(imac|imafdc|gc)\w*")
DISTINCTIVE_FROM = 1 << 28


@dataclass(frozen=True)
class Finding:
    file: str
    line: int
    text: str
    name: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.name} is typed: {self.text.strip()[:120]}"


@dataclass(frozen=True)
class InContext:
    """A small number on a line that says what it is."""

    value: int
    context: re.Pattern[str]
    name: str


def addresses(platform: dict, values: dict[str, description.Constant]) -> dict[int, str]:
    found = {}
    for name, region in platform["regions"].items():
        found[region["base"]] = f"{name.upper()}_BASE"
        found.setdefault(region["base"] + region["size"], f"the end of {name}")
    for region, registers in platform["registers"].items():
        for name in registers:
            found.setdefault(values[f"{region.upper()}_{name.upper()}"].value, f"{region.upper()}_{name.upper()}")
    return {value: name for value, name in found.items() if value >= DISTINCTIVE_FROM}


def in_context(platform: dict) -> list[InContext]:
    amu = platform["amu"]

    def entry(value: int, context: str, name: str) -> InContext:
        return InContext(value, re.compile(context, re.IGNORECASE), name)

    return [
        *(entry(code, r"exit|\bcode|status|watchdog|mismatch|bad_?input", f"simulator_exit.{name}") for name, code in platform["simulator_exit"].items()),
        *(entry(code, r"\babort|\btrap|exit_?status", f"exit_status.{name}") for name, code in platform["exit_status"].items()),
        entry(amu["max_id"], r"\bids?\b|max_?id|tasks?\b|coroutine|amu", "amu.max_id"),
        entry(amu["cause"], r"cause", "amu.cause"),
        entry(amu["group_requests_max"], r"aset|group", "amu.group_requests_max"),
        entry(amu["slot_bytes_max"], r"spm_?slot|slot_?bytes", "amu.slot_bytes_max"),
        entry(amu["handler_bytes_max"], r"handler", "amu.handler_bytes_max"),
        entry(platform["regions"]["spm"]["size"], r"spm", "SPM_SIZE"),
        entry(platform["memory"]["local_latency_cycles"], r"local.*latency|latency.*local", "memory.local_latency_cycles"),
        entry(len(description.far_counters(platform)), r"counters", "the number of far counters"),
    ]


def numbers(line: str, patterns: tuple[re.Pattern[str], ...], base: int) -> Iterator[int]:
    for pattern in patterns:
        for match in pattern.finditer(line):
            if digits := match[1].replace("_", ""):
                yield int(digits, base)


class Finder:
    """Searches texts for the numbers of one description."""

    def __init__(self, platform: dict) -> None:
        values = description.constants(platform)
        self.addresses = addresses(platform, values)
        csr = platform["csr"]
        self.csrs = {number: f"csr.{name}" for name, number in csr.items()}
        self.csrs |= {csr["amucfg0"] + number: f"csr.amucfg{number}" for number in platform["amu"]["config"].values()}
        opcode = platform["ami"]["opcode"]
        self.opcode_words = re.compile(
            rf"\b0[xX]0?{opcode:x}\b|\b{platform['ami']['opcode_name']}\b|\.insn\s+r\s+(0x|\d)|(?<![01]){opcode:07b}(?![01])", re.IGNORECASE
        )
        self.context = in_context(platform)
        self.counters = {f'"{name}"' for name in description.far_counters(platform)}

    def names(self, line: str, is_test: bool) -> Iterator[str]:
        """What of the description is typed in a line. Tests state limits on purpose: they would not notice a wrong one otherwise."""
        hexadecimal, decimal = list(numbers(line, HEXADECIMAL, 16)), list(numbers(line, DECIMAL, 10))
        binary = list(numbers(line, BINARY, 2))
        for value in (*hexadecimal, *decimal):
            if value in self.addresses:
                yield self.addresses[value]
        for value in hexadecimal:
            if value in self.csrs:
                yield self.csrs[value]
        if self.opcode_words.search(line):
            yield "ami.opcode"
        if ISA.search(line):
            yield "isa.string"
        for entry in self.context:
            own_code = entry.name.startswith("simulator_exit")
            if (not is_test or own_code) and entry.value in (*hexadecimal, *decimal, *binary) and entry.context.search(line):
                yield entry.name

    def search(self, file: str, text: str) -> Iterator[Finding]:
        is_test = TESTS.search(file) is not None
        for number, line in enumerate(text.splitlines(), 1):
            for name in dict.fromkeys(self.names(line, is_test)):
                yield Finding(file, number, line, name)
        spelled = [name for name in self.counters if name in text]
        if len(spelled) > len(self.counters) // 2:
            yield Finding(file, 1, f"{len(spelled)} names of far counters", "the list of far counters")


def source_files(root: Path) -> list[str]:
    """Files that are tracked, or would be."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if Path(name).suffix in SOURCES and not name.startswith(NOT_SOURCES) and (root / name).is_file()]


def typed(root: Path) -> tuple[list[Finding], list[str]]:
    """What is typed and not excused, and excuses that excuse nothing."""
    finder = Finder(description.load(HERE / "platform.toml"))
    excuses = tomllib.loads((HERE / "typed_numbers.toml").read_text())["allowed"]
    used, findings = set(), []
    for name in source_files(root):
        for finding in finder.search(name, (root / name).read_text(errors="replace")):
            matching = [
                index
                for index, excuse in enumerate(excuses)
                if Path(name).match(excuse["file"]) and finding.name in excuse.get("names", (finding.name,)) and excuse.get("line", "") in finding.text
            ]
            used.update(matching)
            if not matching:
                findings.append(finding)
    return findings, [f"{excuse['file']}: {excuse['why']}" for index, excuse in enumerate(excuses) if index not in used]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1]
    findings, unused = typed(root)
    for finding in findings:
        print(finding)
    for excuse in unused:
        print(f"typed_numbers.toml excuses what is not there: {excuse}")
    return 1 if findings or unused else 0


if __name__ == "__main__":
    sys.exit(main())
