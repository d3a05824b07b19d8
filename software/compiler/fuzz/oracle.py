# SPDX-License-Identifier: Apache-2.0
"""Compares every transformed program with the plain loop, loop by loop."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.source import Unit
from fuzz.toolchain import PLAIN, Config, Fault, Harness, run

SERIAL = re.compile(r":(\d+):\d+: warning: loop left serial: (.*?)(?: \(line \d+(?:, column \d+)?\))? \[-Wpass-failed", re.M)

CRASH = "PLEASE submit a bug report"


@dataclass(frozen=True)
class Finding:
    """A loop that behaves differently under a configuration."""

    loop: str
    config: Config
    kind: str
    detail: str


@dataclass
class Verdict:
    """Of one unit: differences, why each loop that stayed serial did, and the loops that crash Clang without the plugin."""

    findings: list[Finding] = field(default_factory=list)
    serial: dict[tuple[str, str], str] = field(default_factory=dict)
    crashing: list[str] = field(default_factory=list)
    runs: int = 0

    def add(self, other: "Verdict") -> None:
        self.findings += other.findings
        self.serial |= other.serial
        self.crashing += other.crashing
        self.runs += other.runs


def results(printed: str) -> dict[str, list[str]]:
    """Loop -> what it printed for each of its runs."""
    lines: dict[str, list[str]] = {}
    for line in printed.splitlines():
        words = line.split()
        if len(words) == 4 and words[0] == "fuzz":
            lines.setdefault(words[1], []).append(f"n={words[2]}: {words[3]}")
    return lines


def first_missing(unit: Unit, got: dict[str, list[str]], expected: dict[str, list[str]]) -> str:
    """The loop in which a program ended."""
    for function in unit.functions:
        if len(got.get(function.name, [])) < len(expected[function.name]):
            return function.name
    return unit.functions[-1].name


def serial_loops(unit: Unit, warnings: str) -> dict[str, str]:
    """Loop -> reason, from the compiler's warnings."""
    found = {}
    for line, reason in SERIAL.findall(warnings):
        for function in unit.functions:
            first, last = unit.line_of(function.name)
            if first <= int(line) <= last:
                found[function.name] = reason
    return found


class Oracle:
    """Works in `directory`, which it may fill with what it builds. `short`: as the harness."""

    def __init__(self, directory: Path, short: bool = False) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.harness = Harness(directory, short)

    def plain(self, unit: Unit, source: Path) -> dict[str, list[str]]:
        """Raises Fault: then the generator is wrong, not the plugin."""
        program = self.directory / f"{source.stem}-plain"
        self.harness.build(source, program, PLAIN)
        got = results(run(program, PLAIN, 0))
        for function in unit.functions:
            if len(got.get(function.name, [])) != (1 if self.harness.short else len(function.trips) + 1):
                raise Fault("the plain program prints too little", str(got))
        return got

    def check(self, unit: Unit, stem: str, ways: list[Config], seed: int) -> Verdict:
        """Compile and run one unit in every way."""
        source = self.directory / f"{stem}{unit.suffix}"
        source.write_text(unit.text())
        try:
            expected = self.plain(unit, source)
        except Fault as fault:
            if CRASH not in fault.output:
                raise
            if len(unit.functions) == 1:
                return Verdict(crashing=[unit.functions[0].name])
            return self.check_halves(unit, stem, ways, seed)
        verdict = Verdict()
        for config in ways:
            self.check_config(unit, source, config, seed, expected, verdict)
        return verdict

    def check_config(self, unit: Unit, source: Path, config: Config, seed: int, expected: dict[str, list[str]], verdict: Verdict) -> None:
        program = self.directory / f"{source.stem}-{config.name}"
        try:
            warnings = self.harness.build(source, program, config)
        except Fault as fault:
            verdict.findings += self.split(unit, source.stem, config, seed, fault)
            return
        serial = serial_loops(unit, warnings)
        for loop, reason in serial.items():
            verdict.serial[(config.name, loop)] = reason
        for function in unit.functions:
            if function.refused and function.name not in serial:
                verdict.findings.append(Finding(function.name, config, "split", f"not refused in spite of {function.refused}"))
        try:
            got = results(run(program, config, seed))
            ended = None
        except Fault as fault:
            got = results(fault.output)
            ended = fault
        stopped_in = first_missing(unit, got, expected) if ended else None
        for function in unit.functions:
            if ended and function.name == stopped_in:
                verdict.findings.append(Finding(function.name, config, "run", f"{ended.what}\n{ended.output[-2000:]}"))
            elif function.name in got and got[function.name] != expected[function.name]:
                detail = f"plain {expected[function.name]}\ngot   {got[function.name]}"
                verdict.findings.append(Finding(function.name, config, "result", detail))
        if stopped_in and len(unit.functions) > 1:
            position = next(index for index, f in enumerate(unit.functions) if f.name == stopped_in)
            rest = Unit(unit.cpp, unit.functions[position + 1 :])
            if rest.functions:
                verdict.findings += self.check(rest, f"{source.stem}r", [config], seed).findings
        verdict.runs += sum(len(expected[f.name]) for f in unit.functions)

    def split(self, unit: Unit, stem: str, config: Config, seed: int, fault: Fault) -> list[Finding]:
        """Which loops of a unit the compiler fails on."""
        if len(unit.functions) == 1:
            return [Finding(unit.functions[0].name, config, "compile", f"{fault.what}\n{fault.output[-3000:]}")]
        return self.check_halves(unit, stem, [config], seed).findings

    def check_halves(self, unit: Unit, stem: str, ways: list[Config], seed: int) -> Verdict:
        half = len(unit.functions) // 2
        verdict = Verdict()
        for part, functions in enumerate((unit.functions[:half], unit.functions[half:])):
            verdict.add(self.check(Unit(unit.cpp, functions), f"{stem}{'ab'[part]}", ways, seed))
        return verdict
