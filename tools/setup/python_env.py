# SPDX-License-Identifier: Apache-2.0
"""The locked Python environment: a venv filled by pip with --require-hashes.

pip itself comes as a wheel from Debian's signed `python3-pip-whl`, because a
fresh machine has neither pip nor ensurepip.
"""

import sys
from pathlib import Path

from errors import SetupError, run

SHEBANG = """#!/bin/sh
'''exec' "$(dirname -- "$(readlink -f -- "$0")")/python3" "$0" "$@"
' '''
"""


def make_venv(into: Path, pip_wheels: Path, requirements: Path) -> None:
    """Fill `into` with an environment that can be moved."""
    wheels = list(pip_wheels.glob("pip-*.whl"))
    if not wheels:
        raise SetupError(f"no pip wheel in {pip_wheels}: remove that folder's part and repeat")
    run([sys.executable, "-m", "venv", "--without-pip", into], what="creating the Python environment")
    run(
        [
            into / "bin/python3",
            wheels[0] / "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
            "--no-input",
            "--no-cache-dir",
            "--no-compile",
            "--require-hashes",
            "--only-binary",
            ":all:",
            "-r",
            requirements,
        ],
        what="installing the locked Python packages (is there a network?)",
        pick=("WARNING: Retrying", "Could not fetch", "ERROR:"),
    )
    for script in (into / "bin").iterdir():
        _make_movable(script, into)


def _make_movable(script: Path, prefix: Path) -> None:
    """Replace an absolute `#!` line by one that finds the interpreter beside the script."""
    if script.is_symlink() or not script.is_file():
        return
    if script.name.lower().startswith("activate"):
        script.unlink()
        return
    first, _, rest = script.read_bytes().partition(b"\n")
    if first.startswith(b"#!" + str(prefix).encode()):
        script.write_bytes(SHEBANG.encode() + rest)
