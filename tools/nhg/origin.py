# SPDX-License-Identifier: Apache-2.0
"""Where a result comes from: git state and tool versions."""

import subprocess
from functools import cache
from pathlib import Path

from nhg import paths

TOOLS = {
    "sim": ("clang", "verilator", "firtool"),
    "fpga": ("clang",),
    "iss": ("clang",),
    "x86": ("clang",),
}


def _output(command: list[str | Path]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=paths.ROOT)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


@cache
def git_state() -> tuple[str | None, bool | None]:
    """Commit and whether the work tree differs from it; None outside a git work tree. Captured results do not make a difference to a run."""
    commit = _output(["git", "rev-parse", "HEAD"])
    status = _output(["git", "status", "--porcelain", "--", ":/", ":(exclude,top)results/captured"])
    return commit, None if status is None else bool(status)


@cache
def tool_versions(target: str) -> dict[str, str]:
    versions = {}
    for tool in TOOLS[target]:
        said = _output([paths.TOOLCHAIN / "bin" / tool, "--version"]) or ""
        lines = [line.strip() for line in said.splitlines() if any(c.isdigit() for c in line)]
        versions[tool] = next((line for line in lines if tool in line.lower()), lines[0] if lines else "unknown")
    return versions
