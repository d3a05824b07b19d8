# SPDX-License-Identifier: Apache-2.0
"""Where a result comes from: git state and tool versions."""

import subprocess
import sys
from functools import cache
from pathlib import Path

from nhg import paths

TOOLS = {
    "sim": ("clang", "verilator", "firtool"),
    "fpga": ("clang",),
    "iss": ("clang",),
    "x86": ("clang",),
}


# What makes no difference to a run: commits that differ here alone give the same results.
WITHOUT_EFFECT = ("results/captured", "plots", "docs")
ARCHIVED = "tools/nhg/commit.txt"  # git writes the commit there when it makes an archive (.gitattributes)


def _output(command: list[str | Path]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=paths.ROOT)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def git(*words: str) -> subprocess.CompletedProcess[str]:
    """Git on this checkout and no other: a repository around it does not count, nor who owns the files, nor what the environment says."""
    places = [f"--git-dir={paths.ROOT / '.git'}", f"--work-tree={paths.ROOT}"]
    try:
        return subprocess.run(["git", *places, *words], capture_output=True, text=True, check=False, cwd=paths.ROOT)
    except OSError as error:
        return subprocess.CompletedProcess(["git"], 127, "", f"git: {error.strerror}")


def beside(folders: tuple[str, ...]) -> list[str]:
    """All of the checkout but some folders, as git takes it."""
    return ["--", ":/", *(f":(exclude,top){folder}" for folder in folders)]


def archived() -> str | None:
    """The commit that this archive was made of; None elsewhere."""
    said = (paths.ROOT / ARCHIVED).read_text().strip()
    return None if said.startswith("$") else said


@cache
def git_state() -> tuple[str | None, bool | None]:
    """Commit and whether the work tree differs from it, but for what has no effect. Of an archive the commit alone is known, without git nothing."""
    if not (paths.ROOT / ".git").exists():
        return archived(), None
    commit, status = git("rev-parse", "--verify", "HEAD"), git("status", "--porcelain", *beside(WITHOUT_EFFECT))
    failed = next((done for done in (commit, status) if done.returncode), None)
    if failed:
        said = (failed.stderr.strip().splitlines() or [f"exit code {failed.returncode}"])[0]
        print(f"nhg: the commit of {paths.ROOT} is not known ({said}); records of its runs name none", file=sys.stderr)
        return None, None
    return commit.stdout.strip(), bool(status.stdout.strip())


@cache
def tool_versions(target: str) -> dict[str, str]:
    versions = {}
    for tool in TOOLS[target]:
        said = _output([paths.TOOLCHAIN / "bin" / tool, "--version"]) or ""
        lines = [line.strip() for line in said.splitlines() if any(c.isdigit() for c in line)]
        versions[tool] = next((line for line in lines if tool in line.lower()), lines[0] if lines else "unknown")
    return versions
