# SPDX-License-Identifier: Apache-2.0
"""mypy over the programs. Modules are imported by name from their own folder, so each folder is a run of its own; tests are left out."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLCHAIN = Path(os.environ.get("NHG_TOOLCHAIN", ROOT / ".toolchain"))
# (folder, what is checked there, further folders whose modules it imports by name)
PROGRAMS: tuple[tuple[str, list[str], list[str]], ...] = (
    ("tools", ["nhg", "mutation", "environment.py", "start.py"], []),
    ("tools/setup", ["."], ["tools"]),
    ("tools/platform", ["."], []),
    ("tools/style", ["."], []),
    ("tools/test", ["__main__.py"], ["tools"]),
    ("tools/container", ["."], []),
    ("shell", ["."], ["tools/platform"]),
    ("software/compiler", ["-p", "driver"], ["tools", "tools/platform"]),
    ("software/compiler", ["-p", "fuzz"], ["tools"]),
)


def check(_files: list[str]) -> str:
    """Whole programs, whichever of their files changed: a type is wrong where it is used."""
    found = []
    for folder, targets, paths in PROGRAMS:
        command = [
            str(TOOLCHAIN / "venv/bin/mypy"),
            "--config-file",
            str(ROOT / "pyproject.toml"),
            "--no-error-summary",
            "--cache-dir",
            str(ROOT / "build/mypy"),
            *targets,
        ]
        environment = {**os.environ, "MYPYPATH": os.pathsep.join(str(ROOT / path) for path in paths)}
        done = subprocess.run(command, cwd=ROOT / folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            found += [f"{folder}/{line}" for line in (done.stdout + done.stderr).splitlines()]
    return "\n".join(found)
