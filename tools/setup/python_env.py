# SPDX-License-Identifier: Apache-2.0
"""The locked Python environment: a venv filled by pip with --require-hashes.

pip itself comes as a wheel from Debian's signed `python3-pip-whl`, because a
fresh machine has neither pip nor ensurepip.
"""

import re
import sys
from pathlib import Path

import downloads
from errors import SetupError, run

SHEBANG = """#!/bin/sh
'''exec' "$(dirname -- "$(readlink -f -- "$0")")/python3" "$0" "$@"
' '''
"""


@downloads.timed()
def _install(into: Path, pip: Path, requirements: Path, *options: str) -> None:
    """Let pip install what a lock names, with these hashes and nothing else."""
    run(
        [
            into / "bin/python3",
            pip,
            "--disable-pip-version-check",
            "install",
            "--quiet",
            "--no-input",
            "--no-user",
            "--no-cache-dir",
            "--no-compile",
            "--require-hashes",
            *options,
            "-r",
            requirements,
        ],
        what="installing the locked Python packages (is there a network?)",
        pick=("WARNING: Retrying", "Could not fetch", "ERROR:"),
    )


def _without(requirements: Path, left_out: list[str], into: Path) -> tuple[Path, Path]:
    """A lock in two files in `into`: without these packages, and of these alone."""
    entries = re.split(r"(?m)^(?=[A-Za-z])", requirements.read_text())[1:]
    parts: tuple[list[str], list[str]] = ([], [])
    for entry in entries:
        parts[entry.split("==")[0] in left_out].append(entry)
    if len(parts[1]) != len(left_out):
        raise SetupError(f"{requirements.name} does not lock each of {' '.join(left_out)}; correct `sources` in lock.toml")
    places = into / "wheels.txt", into / "sources.txt"
    for place, part in zip(places, parts, strict=True):
        place.write_text("".join(part))
    return places


def missing(venv: Path, requirements: Path) -> list[str]:
    """What a lock names and an environment does not hold, as name==version."""
    found = (place.stem.rsplit("-", 1) for place in venv.glob("lib/python3.*/site-packages/*.dist-info"))
    held = {(re.sub("[-_.]+", "-", name).lower(), version) for name, version in found}
    locked = re.findall(r"(?m)^([\w.-]+)==([^\s;\\]+)", requirements.read_text())
    return [f"{name}=={version}" for name, version in locked if (re.sub("[-_.]+", "-", name).lower(), version) not in held]


def make_venv(into: Path, pip_wheels: Path, requirements: Path, sources: list[str] | None = None) -> None:
    """Fill `into` with an environment that can be moved. `sources`: packages that are published as source only, built by the locked setuptools."""
    wheels = list(pip_wheels.glob("pip-*.whl"))
    if not wheels:
        raise SetupError(f"no pip wheel in {pip_wheels}: remove that folder's part and repeat")
    pip = wheels[0] / "pip"
    run([sys.executable, "-m", "venv", "--without-pip", into], what="creating the Python environment")
    if sources:
        binary, source = _without(requirements, sources, into)
        _install(into, pip, binary, "--no-deps", "--only-binary", ":all:")
        _install(into, pip, source, "--no-deps", "--no-binary", ":all:", "--no-build-isolation")
    else:
        _install(into, pip, requirements, "--only-binary", ":all:")
    if lost := missing(into, requirements):
        raise SetupError(f"pip left out {' '.join(lost)}: repeat")
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
