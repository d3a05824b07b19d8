# SPDX-License-Identifier: Apache-2.0
"""Debian packages without root: from the archive that this machine's own apt sources name, or from one that the user names.

With apt a private apt state, whose suite is ours: apt verifies the suite's signature and, through the signed index, the
checksum of each package. On a machine whose apt sources name no Debian archive, or without apt (Ubuntu, RHEL), two variables
say where it is, and archive.py does what apt does:
  NHG_DEBIAN_MIRROR    address of a Debian archive, for example http://deb.debian.org/debian, or a folder with a copy of one
  NHG_DEBIAN_KEYRING   Debian's keyring, debian-archive-keyring.gpg from the package of that name; default: the machine's, if it has one
"""

import os
import re
import shutil
from functools import cache
from pathlib import Path

import archive
import downloads
from errors import SetupError, run

KEYRING = Path("/usr/share/keyrings")
PICK = ("E:", "Err:")
# Of the packages of a Debian archive, in a line of `apt-get update --print-uris`
INDEX = re.compile(r"'(?P<address>[^']*debian[^']*)/dists/(?P<release>[^/']+)/main/binary-amd64/Packages")


def mirror() -> str:
    """Base address of the Debian archive that this machine's apt sources name; empty where there is none. Asks what apt would fetch,
    since what it has fetched may have been removed, as in an image of a container."""
    if shutil.which("apt-get") is None:
        return ""
    command = ["apt-get", "-q", "-oDebug::NoLocking=true", "update", "--print-uris"]
    for line in run(command, what="reading this machine's apt sources", pick=PICK).splitlines():
        if (found := INDEX.match(line)) and not found["release"].endswith(("-security", "-updates", "-backports")):
            return found["address"]
    return ""


def _machines_keyring() -> Path | None:
    return next((KEYRING / name for name in ("debian-archive-keyring.gpg", "debian-archive-keyring.pgp") if (KEYRING / name).exists()), None)


def _keyring() -> Path:
    """Of the archive that the user names."""
    named = os.environ.get("NHG_DEBIAN_KEYRING")
    keyring = Path(named) if named else _machines_keyring()
    if keyring is None or not keyring.is_file():
        raise SetupError(
            f"{f'NHG_DEBIAN_KEYRING={named} is no file' if named else 'this machine has no keyring of Debian'}: name "
            "debian-archive-keyring.gpg, which is in the package debian-archive-keyring, with NHG_DEBIAN_KEYRING"
        )
    return keyring


@cache
def _apt_options(state: Path, suite: str, architecture: str) -> tuple[str, ...]:
    """Create a private apt state for one suite and architecture, refresh it, return the options that select it."""
    for folder in ("lists/partial", "cache/archives/partial"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    (state / "status").write_text("")
    signed_by = f"[signed-by={_machines_keyring()}] " if _machines_keyring() else ""
    (state / "sources.list").write_text(f"deb {signed_by}{mirror()} {suite} main\n")
    settings = {
        "Dir::Etc::sourcelist": state / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State": state,
        "Dir::State::Lists": state / "lists",
        "Dir::State::status": state / "status",
        "Dir::Cache": state / "cache",
        "Dir::Log": state,
        "Debug::NoLocking": "true",
        "APT::Architecture": architecture,
        "APT::Architectures": architecture,
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
        "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
        "Acquire::Retries": "3",
        "APT::Update::Error-Mode": "any",
    }
    options = tuple(f"-o{key}={value}" for key, value in settings.items())
    run(["apt-get", "-q", *options, "update"], what=f"fetching the index of Debian {suite} (is there a network?)", pick=PICK)
    return options


def _require_mirror() -> str:
    if not mirror():
        raise SetupError(
            f"{'no apt on this machine' if shutil.which('apt-get') is None else 'the apt sources of this machine name no Debian archive'}: name "
            "one with NHG_DEBIAN_MIRROR (for example http://deb.debian.org/debian, or a folder), and its keyring with NHG_DEBIAN_KEYRING"
        )
    return mirror()


@downloads.timed()
def source(path: str, sha256: str) -> bytes:
    """What a source package has of its authors, by its place in the archive."""
    return archive.read(os.environ.get("NHG_DEBIAN_MIRROR") or _require_mirror(), path, sha256)


@downloads.timed()
def fetch(packages: list[str], suite: str, state: Path, into: Path, architecture: str = archive.HERE) -> list[Path]:
    """Download packages of a suite into a folder and return their files. `state` is of this suite and architecture alone."""
    if named := os.environ.get("NHG_DEBIAN_MIRROR"):
        return archive.fetch(named, _keyring(), suite, packages, into, architecture)
    _require_mirror()
    into.mkdir(parents=True, exist_ok=True)
    run(
        ["apt-get", "-q", *_apt_options(state, suite, architecture), "download", *packages],
        cwd=into,
        pick=PICK,
        what=f"fetching Debian {suite} packages (is there a network?)",
    )
    files = sorted(into.glob("*.deb"))
    if len(files) != len(set(packages)):
        raise SetupError(f"Debian {suite}: {len(set(packages))} packages asked for, {len(files)} received; repeat")
    return files


def require_version(file: Path, version: str) -> None:
    found = archive.version(file)
    if version not in found:
        raise SetupError(f"{file.name}: version {version} expected, Debian offers {found}; update tools/setup/lock.toml")


def unpack(file: Path, into: Path, only: list[str] | None = None) -> None:
    """Unpack a package; with `only`, just the paths that match these patterns."""
    archive.unpack(file, into, only)
