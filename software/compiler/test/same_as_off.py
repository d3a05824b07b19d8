# SPDX-License-Identifier: Apache-2.0
"""Checks that a refused loop is compiled as if the plugin were off, module against module.

usage: same_as_off.py SOURCE OUTPUT_DIRECTORY
Every pragma of SOURCE stands below a comment `// REFUSED[ only <configuration>]: <reason>` and must be refused for a
reason that contains the text, in each configuration, whatever its clauses: SOURCE is compiled with the macro CLAUSES as each of
CLAUSES in the configurations WITH_ALL_CLAUSES, which are the two ends of the pipeline, and without any in the others. Its LLVM IR must be
that of sched=none and, without clauses and with all, its assembler code that of a compiler without the plugin, also beside a loop that is split.
Each clause alone at one of the two ends, and CAMPAIGN, are for `make test LENGTH=n`.
"""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from same_results import BUILD, INCLUDES, RISCV, TIMEOUT_SECONDS, TOOLCHAIN

# Of the variables that refused.h declares.
CLAUSES = (
    "",
    "shared_var(s, x)",
    "reduction(+ : s, x)",
    "private(p)",
    "firstprivate(f, p)",
    "lastprivate(l)",
    "lastprivate(k)",
    "private(p) firstprivate(f) lastprivate(l) shared_var(s) reduction(+ : x)",
)
CONFIGURATIONS = {
    "static": ((), "static", "-O2"),
    "static O1": ((), "static", "-O1"),
    "static O3": ((), "static", "-O3"),
    "near": ((), "static", "-Os"),
    "getfin": (RISCV, "getfin", "-O2"),
    "bafin": (RISCV, "bafin", "-O2"),
    "bafin O1": (RISCV, "bafin", "-O1"),
    "getfin on x86": ((), "getfin", "-O2"),
}
WITH_ALL_CLAUSES = ("static", "bafin")
# For which "static O1" stands
CAMPAIGN = ("bafin O1",)
EVERYTHING = int(os.environ.get("NHG_TEST_LENGTH", "1")) > 1
# Refuses every loop; only where a source asks for it.
WITHOUT_AMU = "getfin on x86"
ACCEPTED = """
void accepted_loop(uint64_t *accepted, const uint64_t *at, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(accepted);
    accepted[i] += accepted[at[i] + n];
  }
}
"""
# Or a macro that has one.
PRAGMA = re.compile(r"^(#pragma asyncmem |REFUSED_LOOP\()")
# Why, as a warning, or as a remark where nothing is lost.
REASON = re.compile(r":(\d+):\d+: (?:warning: loop left serial|remark: loop stays as it is): (.*?) \[-[WR]pass-(?:failed|missed)")


def call(command: list[str]) -> tuple[str, str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    if done.returncode:
        sys.exit(f"exit code {done.returncode}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def compiler(source: Path, target: tuple[str, ...], optimize: str, clauses: str) -> list[str]:
    cpp = source.suffix == ".cpp"
    headers = ["-isystem", f"{TOOLCHAIN}/riscv/include"] if target else []
    return [
        str(TOOLCHAIN / "bin" / ("clang++" if cpp else "clang")),
        *(["-std=c++20"] if cpp else []),
        *target,
        *headers,
        optimize,
        *INCLUDES,
        f"-DCLAUSES={clauses}",
        "-S",
        "-o",
        "-",
        str(source),
    ]


def plugin(scheduler: str) -> list[str]:
    return [f"-fplugin={BUILD}/compiler/asyncmem.so", f"-fplugin-arg-asyncmem-sched={scheduler}"]


def without_flags(module: str) -> str:
    """The compile unit quotes the command line."""
    return re.sub(r'flags: "[^"]*", ', "", module)


def code_of(assembler: str) -> dict[str, list[str]]:
    """Function -> its instructions and labels, numbered from its beginning."""
    functions: dict[str, list[str]] = {}
    name, numbers = "", {}
    for whole_line in assembler.splitlines():
        line = whole_line.split("#")[0].rstrip()
        if begin := re.match(r"^([A-Za-z_]\w*):$", line):
            name, numbers = begin[1], {}
        elif re.match(r"^\s*\.size\b", line):
            name = ""
        elif name and line and not re.match(r"^\s*\.(?!L)|^\.L(func|tmp|pcrel)", line):
            text = re.sub(r"\.L(?!\.)\w+", lambda label, own=numbers: f"L{own.setdefault(label[0], len(own))}", line)
            functions.setdefault(name, []).append(text)
    return functions


def expected_reasons(source: Path, configuration: str) -> dict[int, str]:
    """Line of each pragma -> the reason named above it."""
    found: dict[int, str] = {}
    reason = ""
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if named := re.match(r"^ *// REFUSED(?: only ([\w ]+))?: (.*)$", line):
            reason = named[2] if not named[1] or configuration.startswith(named[1]) else reason
        elif PRAGMA.match(line.strip()):
            found[number], reason = reason, ""
    return found


def check_reasons(source: Path, configuration: str, clauses: str, reasons: str) -> None:
    given = {int(line): reason for line, reason in REASON.findall(reasons)}
    for line, reason in expected_reasons(source, configuration).items():
        if not reason:
            sys.exit(f"{source}:{line}: no reason is named for {configuration}")
        if line not in given:
            sys.exit(f"{source}:{line}: not refused: {configuration}, clauses '{clauses}'\n{reasons}")
        # A clause may be the first thing that cannot be honoured.
        if not clauses and reason not in given[line]:
            sys.exit(f"{source}:{line}: {configuration} refuses because '{given[line]}', not '{reason}'")


@cache
def turned_off(source: Path, configuration: str) -> str:
    """The module of sched=none, in which a pragma's clauses are nothing."""
    target, _, optimize = CONFIGURATIONS[configuration]
    return without_flags(call([*compiler(source, target, optimize, ""), "-emit-llvm", *plugin("none")])[0])


@cache
def plain_code(source: Path, configuration: str) -> dict[str, list[str]]:
    """Of a compiler without the plugin."""
    target, _, optimize = CONFIGURATIONS[configuration]
    return code_of(call([*compiler(source, target, optimize, ""), "-Wno-unknown-pragmas"])[0])


def check(source: Path, directory: Path, configuration: str, clauses: str) -> None:
    target, scheduler, optimize = CONFIGURATIONS[configuration]
    command = compiler(source, target, optimize, clauses)
    where = f"{source}: {configuration}, clauses '{clauses}'"
    module, reasons = call([*command, "-emit-llvm", *plugin(scheduler), "-Rpass-missed=asyncmem"])
    check_reasons(source, configuration, clauses, reasons)
    off = turned_off(source, configuration)
    if without_flags(module) != off:
        (directory / "refused.ll").write_text(module)
        (directory / "off.ll").write_text(off)
        sys.exit(f"{where}: {directory}/refused.ll differs from off.ll")
    if clauses not in (CLAUSES[0], CLAUSES[-1]):
        return
    plain = plain_code(source, configuration)
    if not plain or code_of(call([*command, *plugin(scheduler), "-Wno-pass-failed"])[0]) != plain:
        sys.exit(f"{where}: the code differs from that of a compiler without the plugin")
    both = directory / f"both{source.suffix}"
    both.write_text(f'#include "{source.resolve()}"\n{ACCEPTED}')
    beside = code_of(call([*compiler(both, target, optimize, clauses), *plugin(scheduler), "-Wno-pass-failed"])[0])
    if not any("accepted_loop" in name for name in beside):
        sys.exit(f"{where}: the loop that is split is missing")
    for name, code in plain.items():
        if beside.get(name) != code:
            sys.exit(f"{where}: '{name}' has other code beside a loop that is split")


def configurations_of(source: Path) -> list[str]:
    """Those that a line `// CONFIGURATIONS: <name>, <name>` of SOURCE names."""
    named = re.search(r"^// CONFIGURATIONS: (.*)$", source.read_text(), re.M)
    left_out = (WITHOUT_AMU,) if EVERYTHING else (WITHOUT_AMU, *CAMPAIGN)
    return named[1].split(", ") if named else [name for name in CONFIGURATIONS if name not in left_out]


def clauses_of(configuration: str) -> tuple[str, ...]:
    if configuration not in WITH_ALL_CLAUSES:
        return CLAUSES[:1]
    return CLAUSES if EVERYTHING or configuration == WITH_ALL_CLAUSES[-1] else (CLAUSES[0], CLAUSES[-1])


def main() -> None:
    source, directory = Path(sys.argv[1]), Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    for configuration in configurations_of(source):
        for clauses in clauses_of(configuration):
            check(source, directory, configuration, clauses)


if __name__ == "__main__":
    main()
