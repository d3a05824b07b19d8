# SPDX-License-Identifier: Apache-2.0
"""Formatters and linters of every language here: `python tools/style [check|fix] [FILE...]`.

check (default) prints a line per tool and what it found; exit code 1 if anything. fix lets the formatters write, and says
what is left. Without files: every tracked one. The style itself is in .scalafmt.conf, .clang-format and pyproject.toml.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import lines
import types_of_python

ROOT = Path(__file__).resolve().parents[2]
TOOLCHAIN = Path(os.environ.get("NHG_TOOLCHAIN", ROOT / ".toolchain"))
BIN, PYTHON_BIN = TOOLCHAIN / "bin", TOOLCHAIN / "venv/bin"
CPP = (".c", ".cc", ".cpp", ".h", ".hpp")
SHOWN_LINES = 40
FIX = "run `make format`"


@dataclass(frozen=True)
class Tool:
    """What checks some files. `check` returns what is wrong, empty if nothing; `fix` writes, where the tool can; `advice` follows a finding."""

    name: str
    suffixes: tuple[str, ...]
    check: Callable[[list[str]], str]
    fix: Callable[[list[str]], str] | None = None
    advice: str = FIX


def command(*words: str | Path, names_files: bool = False) -> Callable[[list[str]], str]:
    """A check that runs a program with the files; what it says if it fails, only the part that matters."""

    def check(files: list[str]) -> str:
        done = subprocess.run([*map(str, words), *files], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return ""
        said = (done.stdout + done.stderr).strip() or f"{Path(words[0]).name}: exit code {done.returncode}"
        return "\n".join(sorted({file for file in files if file in said})) if names_files and any(file in said for file in files) else said

    return check


def verilator_lint(_files: list[str]) -> str:
    """Whole designs: what a module lacks shows only where it is used. A stand-in for the core; suite bitstream-check has the core itself."""
    folders = ("delayer-ip", "sim/harness", "sim/board")
    return "\n".join(filter(None, (command("make", "-s", "-C", folder, "lint")([]) for folder in folders)))


SCALAFMT = (BIN / "scalafmt", "--non-interactive")
CLANG_FORMAT = (PYTHON_BIN / "clang-format", "--style=file")
RUFF = PYTHON_BIN / "ruff"

TOOLS = (
    Tool("lines", (), lines.check, advice=f"shorten them: at most {lines.LONGEST} characters"),
    Tool("scalafmt", (".scala", ".sc"), command(*SCALAFMT, "--list", names_files=True), command(*SCALAFMT, "--quiet")),
    Tool("clang-format", CPP, command(*CLANG_FORMAT, "--dry-run", "-Werror", names_files=True), command(*CLANG_FORMAT, "-i")),
    Tool(
        "ruff",
        (".py",),
        command(RUFF, "check", "--output-format", "concise"),
        command(RUFF, "check", "--fix", "--output-format", "concise"),
        f"{FIX}, which corrects those with [*]",
    ),
    Tool("ruff-format", (".py",), command(RUFF, "format", "--check", names_files=True), command(RUFF, "format", "--quiet")),
    Tool("mypy", (".py",), types_of_python.check, advice="correct the types; its configuration is in pyproject.toml"),
    Tool("verilator", (".sv", ".v", ".vlt"), verilator_lint, advice="correct the design; waivers are in its .vlt file"),
)


def tracked() -> list[str]:
    """Files that git knows and that are there."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit("style: this is no git clone, so name the files")
    return [name for name in done.stdout.split("\0") if (ROOT / name).is_file()]


def run(tool: Tool, files: list[str], fix: bool) -> tuple[bool, str]:
    """Whether all is well, and the text to print."""
    chosen = [name for name in files if name.endswith(tool.suffixes)] if tool.suffixes else files
    if not chosen:
        return True, f"{tool.name:13} ok: no file\n"
    began = time.monotonic()
    found = tool.fix(chosen) if fix and tool.fix else tool.check(chosen)
    seconds = time.monotonic() - began
    if not found:
        return True, f"{tool.name:13} ok: {len(chosen)} files, {seconds:.0f} s\n"
    said = found.splitlines()
    more = [f"... and {len(said) - SHOWN_LINES} lines more"] if len(said) > SHOWN_LINES else []
    return False, "\n".join([*said[:SHOWN_LINES], *more, f"{tool.name:13} FAILED, see above: {tool.advice}", ""])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="tools/style", description="formatters and linters")
    parser.add_argument("mode", nargs="?", choices=("check", "fix"), default="check")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--tool", action="append", choices=[tool.name for tool in TOOLS], help="only this one")
    options = parser.parse_intermixed_args(arguments)
    files = [os.path.relpath(Path(name).resolve(), ROOT) for name in options.files] or tracked()
    fix = options.mode == "fix"
    tools = [tool for tool in TOOLS if not options.tool or tool.name in options.tool]
    passed = 0
    # Two of them write Python: when fixing, one after the other.
    with concurrent.futures.ThreadPoolExecutor(max_workers=1 if fix else 2) as pool:
        for good, text in pool.map(lambda tool: run(tool, files, fix), tools):
            passed += good
            print(text, end="", flush=True)
    failed = len(tools) - passed
    print(f"{passed} passed, {failed} failed" if failed else f"{passed} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
