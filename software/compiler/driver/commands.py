# SPDX-License-Identifier: Apache-2.0
"""What coroamu-cc and coroamu-c++ run: the toolchain's clang with the plugin, the runtime's headers and libraries.

    coroamu-cc  [-masync=static|getfin|bafin|full|check|off] [-masync-tasks=N] clang's arguments
-masync chooses the scheduler (default static, which runs on any CPU; the others need --target=riscv64-unknown-elf, a
program for NH-G, or --target=riscv64-linux-gnu, a static one for Linux on NH-G); check leaves them plain and checks what the pragmas promise, on x86-64 only;
off compiles the marked loops as plain loops. -masync-tasks replaces every num_task. Errors: one line, exit code 2.
"""

import itertools
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TOOLCHAIN = Path(os.environ.get("NHG_TOOLCHAIN", ROOT / ".toolchain"))
sys.path.append(str(ROOT / "tools"))
import environment  # noqa: E402

BUILD = ROOT / "build"
LINUX_SYSROOT = TOOLCHAIN / "linux/sysroot"
PLUGIN = BUILD / "compiler/asyncmem.so"


def read_modes() -> dict[str, list[str]]:
    """Options of the plugin by mode, from the table that the CMake package and tools/nhg read, too."""
    lines = (ROOT / "software/compiler/modes.txt").read_text().splitlines()
    return {name: options for name, *options in (line.split() for line in lines if not line.startswith("#"))}


MODES = {**read_modes(), "off": []}
NEEDS_AMU = ("getfin", "bafin", "full")
CHECKER = "check"
DEFAULT_MODE = "static"

RISCV_TARGET = "riscv64-unknown-elf"
LINUX_TARGET = "riscv64-linux-gnu"
# Folders of the runtime's libraries; "" is this machine.
RUNTIMES = {"": "x86", RISCV_TARGET: "riscv", LINUX_TARGET: "linux"}
TASKS = range(1, 513)
# With one of these clang does not link.
NO_LINK = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version", "-v", "-###", "-dumpversion", "-dumpmachine", "--help", "-print-search-dirs"}
NO_LINK |= {"--analyze", "--precompile", "-emit-ast"}
# Clang precompiles them.
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".H")
# Before a file that is no input.
NO_INPUT = {"-o", "-include", "-imacros", "-include-pch", "-MF", "-MT", "-MQ"}


class DriverError(Exception):
    """A wrong command line; the message says what to do."""


@dataclass(frozen=True)
class Request:
    """A command line taken apart."""

    mode: str
    tasks: str | None
    target: str
    links: bool
    clang_arguments: tuple[str, ...]


def target_of(arguments: Sequence[str]) -> str:
    """The last target named on the command line, of either spelling; empty if there is none."""
    named = [argument.removeprefix("--target=") for argument in arguments if argument.startswith("--target=")]
    named += [value for name, value in itertools.pairwise(arguments) if name in ("-target", "--target")]
    return named[-1] if named else ""


def expanded(arguments: Sequence[str]) -> list[str]:
    """The arguments with those of files (@FILE) in their place, as clang reads them."""
    found: list[str] = []
    for argument in arguments:
        path = Path(argument[1:])
        found += expanded(shlex.split(path.read_text())) if argument.startswith("@") and path.is_file() else [argument]
    return found


def links(arguments: Sequence[str]) -> bool:
    inputs = [name for before, name in itertools.pairwise(["", *arguments]) if before not in NO_INPUT and (name == "-" or not name.startswith("-"))]
    languages = [value for name, value in itertools.pairwise(arguments) if name == "-x"]
    languages += [argument[2:] for argument in arguments if argument.startswith("-x") and argument != "-x"]
    are_headers = any(language.endswith("-header") for language in languages) or any(name.endswith(HEADERS) for name in inputs)
    return bool(inputs) and not NO_LINK & set(arguments) and not are_headers


def check(mode: str, target: str, arguments: Sequence[str]) -> None:
    """Refuses what clang would accept and do something else with."""
    if target not in RUNTIMES:
        raise DriverError(f"--target={target} has no runtime library; use --target={RISCV_TARGET}, --target={LINUX_TARGET} or none, for x86-64")
    if mode in NEEDS_AMU and not target:
        raise DriverError(f"-masync={mode} needs the AMU; add --target={RISCV_TARGET} or use -masync=static")
    if mode == CHECKER and target:
        raise DriverError(f"-masync={mode} runs natively: what it checks is the same on every target; leave --target={target} out")
    for argument in arguments:
        if mode != "off" and argument.startswith(("-save-temps", "--save-temps")):
            raise DriverError(f"{argument} compiles in steps, the later ones without the plugin; use -E, -S or -S -emit-llvm")


def parse(arguments: Sequence[str]) -> Request:
    mode, tasks, rest = DEFAULT_MODE, None, []
    for argument in expanded(arguments):
        name, _, value = argument.partition("=")
        if name == "-masync":
            if value not in MODES:
                raise DriverError(f"{argument}: unknown scheduler; use -masync={'|'.join(MODES)}")
            mode = value
        elif name == "-masync-tasks":
            if not value.isdecimal() or int(value) not in TASKS:
                raise DriverError(f"{argument}: use -masync-tasks=N with N from {TASKS[0]} to {TASKS[-1]}")
            tasks = value
        else:
            rest.append(argument)
    named = target_of(rest)
    target = "" if named.startswith("x86_64") else named
    check(mode, target, rest)
    return Request(mode, tasks, target, links(rest), tuple(rest))


def plugin_flags(mode: str, tasks: str | None) -> list[str]:
    if mode == "off":
        return []
    options = [*MODES[mode], *([f"tasks={tasks}"] if tasks else [])]
    # The plugin defines it, too, but not for -E; what that writes can be compiled.
    return ["-D__ASYNCMEM__=1", f"-fplugin={PLUGIN}", *(f"-fplugin-arg-asyncmem-{option}" for option in options)]


def include_flags() -> list[str]:
    return ["-isystem", f"{ROOT}/software/runtime/include", "-isystem", f"{BUILD}/gen"]


def flag_file(name: str) -> str:
    """Clang's argument for a file of arguments that software/runtime/flags.mk reads, too."""
    return f"@{ROOT}/software/runtime/riscv/{name}.flags"


def compile_flags(request: Request, cpp: bool) -> list[str]:
    """Flags before the user's own ones, which may change them."""
    flags = [*plugin_flags(request.mode, request.tasks), *include_flags()]
    if not request.target:
        return flags
    flags += [f"@{BUILD}/gen/riscv.flags"]
    if request.target == LINUX_TARGET:
        return flags + [f"--sysroot={LINUX_SYSROOT}", *(["-std=c++20"] if cpp else [])]
    headers = [*([f"{TOOLCHAIN}/riscv/include/c++/v1"] if cpp else []), f"{TOOLCHAIN}/riscv/include"]
    flags += [*([flag_file("cxx")] if cpp else []), flag_file("compile")]
    return flags + [flag for header in headers for flag in ("-isystem", header)]


def link_flags(request: Request, cpp: bool) -> tuple[list[str], list[str]]:
    """(before, behind) the user's arguments."""
    if not request.links:
        return [], []
    lld = ["-fuse-ld=lld", f"--ld-path={TOOLCHAIN}/bin/ld.lld"]
    # The libraries are not in the language of the sources (-x).
    behind = ["-x", "none"] if any(argument.startswith("-x") for argument in request.clang_arguments) else []
    # In front of what benchmarks in C++ have of the runtime, which is less.
    behind += ["-lstdc++"] if cpp and request.target == LINUX_TARGET else []
    behind += [f"{BUILD}/runtime/{RUNTIMES[request.target]}/libnhg.a"]
    if not request.target:
        return lld, behind
    if request.target == LINUX_TARGET:
        return ["-static", *lld], behind
    before = [flag_file("link"), *lld, f"-L{BUILD}/gen", "-T", f"{ROOT}/software/runtime/riscv/program.ld", f"{BUILD}/runtime/riscv/crt0.o"]
    return before, [*behind, f"-L{TOOLCHAIN}/riscv/lib", "-lc", "-lgcc"]


def required_files(request: Request) -> list[Path]:
    files = [TOOLCHAIN / "bin/clang", BUILD / "gen/platform.h"]
    files += [PLUGIN] if request.mode != "off" else []
    return files + ([BUILD / f"runtime/{RUNTIMES[request.target]}/libnhg.a"] if request.links else [])


def command(arguments: Sequence[str], cpp: bool) -> list[str]:
    """The clang command for the driver's arguments."""
    request = parse(arguments)
    for path in required_files(request):
        if not path.exists():
            if path.parent.name == "linux":
                raise DriverError(f"{path} is missing: run make setup PART=linux and make -C software/runtime linux")
            raise DriverError(f"{path} is missing: run make setup, make -C software/runtime and make -C software/compiler")
    before, behind = link_flags(request, cpp)
    return [
        str(TOOLCHAIN / "bin" / ("clang++" if cpp else "clang")),
        "--start-no-unused-arguments",
        *compile_flags(request, cpp),
        *before,
        "--end-no-unused-arguments",
        *request.clang_arguments,
        # Behind -Wall, which asks for the warning.
        *(["-Wno-unknown-pragmas"] if request.mode == "off" else []),
        *behind,
    ]


def main(program: str, arguments: Sequence[str]) -> int:
    try:
        # What a user's environment says of headers and libraries is about this machine.
        own = environment.ours(os.environ) if parse(arguments).target else None
        return subprocess.run(command(arguments, program.endswith("++")), check=False, env=own).returncode
    except DriverError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2
