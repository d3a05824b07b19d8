# SPDX-License-Identifier: Apache-2.0
"""What a commit log shows of modes: which trap causes are taken from which mode, which fields of CSRs change while an instruction of which mode runs, and
which bits of them rise and fall."""

import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from nhg import paths

PLATFORM = paths.ROOT / "tools/platform"
sys.path.append(str(PLATFORM))
import csrs  # noqa: E402
import description  # noqa: E402

TABLE = description.load(PLATFORM / "platform.toml")["csrs"]
REGISTERS = {register.name: register for register in csrs.registers(TABLE)}
VIEWS = {view.number: view for view in csrs.views(TABLE)}
NUMBERS = {register.number: name for name, register in REGISTERS.items()} | {number: view.of.name for number, view in VIEWS.items()}
LINE = re.compile(r"\s*\d+ pc=\w+ inst=(\w+)(?: trap (cause|interrupt)=(\d+))?")
USER, SUPERVISOR, MACHINE = 0, 1, 3
MODES = {USER: "U", SUPERVISOR: "S", MACHINE: "M"}
INTERRUPT = 1 << 63
SYSTEM = 0x73
EXCEPTIONS = [1, 2, 3, 4, 5, 6, 7, 13, 15, 24]
FETCH_PAGE_FAULT = 12  # not in M mode; its loads and stores have page faults under MPRV
PAGE_FAULTS = [FETCH_PAGE_FAULT, 13, 15]
ECALL = 8  # and the mode
ILLEGAL = 2
SUPERVISOR_INTERRUPTS, MACHINE_INTERRUPTS = [1, 5, 9], [3, 7, 11]
# What traps, returns and floating point change, beside instructions that name the CSR.
BY_TRAP = {"mstatus": ["mie", "mpie", "mpp", "sie", "spie", "spp", "fs"]} | {name: ["value"] for name in ("mepc", "mcause", "mtval", "sepc", "scause", "stval")}
BY_RETURN = {SUPERVISOR: {"mstatus": ["mprv"]}}
NEVER = {("mstatus", "mpp", USER)}  # the mret before U mode has left it at U, as a trap from there does

Cause = tuple[int, int]  # mode, mcause
Change = tuple[str, str, int]  # CSR, field, mode


@dataclass
class Seen:
    causes: Counter[Cause] = field(default_factory=Counter)
    changes: Counter[Change] = field(default_factory=Counter)
    rose: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))  # bits, by CSR
    fell: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, other: "Seen") -> None:
        self.causes += other.causes
        self.changes += other.changes
        for name in REGISTERS:
            self.rose[name] |= other.rose[name]
            self.fell[name] |= other.fell[name]


def accessed(code: int) -> str | None:
    """The register that a CSR instruction names, itself or by a view."""
    if code & 0x7F != SYSTEM or code >> 12 & 3 == 0:
        return None
    return NUMBERS.get(code >> 20)


def read_log(lines: list[str]) -> Seen:
    """A line has the CSRs that differ from the line before: by its own instruction if that has written them, otherwise by the one before."""
    seen = Seen()
    values = dict.fromkeys(REGISTERS, 0)
    mode = MACHINE
    for number, line in enumerate(lines):
        plain, _, changed = line.partition(" ; ")
        if not (match := LINE.match(plain)):
            continue
        before = mode
        named = dict(word.split("=") for word in changed.split())
        mode = int(named.pop("mode", mode))
        code, trap = int(match[1], 16), match[2]
        own = None if trap else accessed(code)
        for name, text in named.items():
            value = int(text, 16)
            if number:
                seen.rose[name] |= value & ~values[name]
                seen.fell[name] |= values[name] & ~value
            for each in REGISTERS[name].fields:
                if number and (values[name] ^ value) & each.mask:
                    seen.changes[name, each.name, mode if name == own else before] += 1
            values[name] = value
        if trap:
            seen.causes[mode, int(match[3]) | (INTERRUPT if trap == "interrupt" else 0)] += 1
    return seen


def possible_causes() -> set[Cause]:
    exceptions = {(mode, cause) for mode in MODES for cause in [*EXCEPTIONS, ECALL + mode]}
    exceptions |= {(mode, FETCH_PAGE_FAULT) for mode in (USER, SUPERVISOR)}
    return exceptions | {(mode, INTERRUPT | number) for mode in MODES for number in [*SUPERVISOR_INTERRUPTS, *MACHINE_INTERRUPTS]}


def possible_changes() -> set[Change]:
    """M mode changes every field, S mode those of its own numbers and views, each mode those of traps."""
    found = {(name, each.name, MACHINE) for name, register in REGISTERS.items() for each in register.fields}
    found |= {(name, each.name, SUPERVISOR) for name, register in REGISTERS.items() for each in register.fields if register.number >> 8 & 3 == SUPERVISOR}
    found |= {(view.of.name, each.name, SUPERVISOR) for view in VIEWS.values() for each in view.of.fields if each.name in view.writable}
    found |= {(name, each, mode) for mode in MODES for name, fields in BY_TRAP.items() for each in fields}
    found |= {(name, each, mode) for mode, changes in BY_RETURN.items() for name, fields in changes.items() for each in fields}
    return found - NEVER


def toggles(seen: Seen) -> str:
    """How many bits have risen and have fallen, of those that can; those that are locked once set do not fall."""
    never = Counter[str]()
    total = 0
    for name, register in REGISTERS.items():
        rises = register.write_mask | sum(register.derived.values())
        falls = rises & ~sum(each.mask for each in register.fields if each.name.rstrip("0123456789") in register.sticky)
        total += rises.bit_count() + falls.bit_count()
        never[name] = (rises & ~seen.rose[name]).bit_count() + (falls & ~seen.fell[name]).bit_count()
    done = total - never.total()
    most = ", ".join(f"{name} {count}" for name, count in never.most_common() if count)
    return f"bits of CSRs x rises, falls: {done:,} of {total:,} ({done / total:.1%}); never: {most or 'none'}"


def cause_name(cause: Cause) -> str:
    mode, number = cause
    return f"{MODES[mode]} {'interrupt ' if number & INTERRUPT else ''}{number & ~INTERRUPT}"


def report(seen: Seen) -> list[str]:
    causes, changes = possible_causes(), possible_changes()
    no_cause = sorted(cause_name(each) for each in causes - set(seen.causes))
    no_change = sorted(f"{name}.{each} {MODES[mode]}" for name, each, mode in changes - set(seen.changes))
    page_faults = [f"{cause_name(each)}: {seen.causes[each]:,}" for each in sorted(causes) if each[1] in PAGE_FAULTS]
    return [
        f"page faults: {', '.join(page_faults)}",
        f"trap cause x mode: {len(causes) - len(no_cause)} of {len(causes)}; never: {', '.join(no_cause) or 'none'}",
        f"CSR field changed x mode: {len(changes) - len(no_change)} of {len(changes)} ({1 - len(no_change) / len(changes):.1%}); "
        f"never: {', '.join(no_change) or 'none'}",
        toggles(seen),
    ]
