# SPDX-License-Identifier: Apache-2.0
"""Debian packages without root: a private apt state, download, unpack.

The mirror is the one the machine's own apt sources name; only the suite is
ours. apt verifies the suite's signature and, through the signed index, the
checksum of each package.
"""

import subprocess
from functools import cache
from pathlib import Path

from errors import SetupError, run

KEYRING = Path("/usr/share/keyrings")
PICK = ("E:", "Err:")


def mirror() -> str:
    """Base address of the Debian archive this machine already uses."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)",
               "Created-By: Packages"]
    for line in run(command, what="reading this machine's apt sources", pick=PICK).splitlines():
        address, release, component = (line.split() + ["", "", ""])[:3]
        plain = not release.endswith(("-security", "-updates", "-backports"))
        if component == "main" and plain and "debian" in address and "security" not in address:
            return address
    raise SetupError("this machine's apt sources name no Debian archive (component main): "
                     "add one to /etc/apt/sources.list.d")


def _keyring_option() -> str:
    for name in ("debian-archive-keyring.gpg", "debian-archive-keyring.pgp"):
        if (KEYRING / name).exists():
            return f"[signed-by={KEYRING / name}] "
    return ""


@cache
def _apt_options(state: Path, suite: str) -> tuple[str, ...]:
    """Create a private apt state for one suite, refresh it, return the options that select it."""
    for folder in ("lists/partial", "cache/archives/partial"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    (state / "status").write_text("")
    (state / "sources.list").write_text(f"deb {_keyring_option()}{mirror()} {suite} main\n")
    settings = {
        "Dir::Etc::sourcelist": state / "sources.list", "Dir::Etc::sourceparts": "-",
        "Dir::State": state, "Dir::State::Lists": state / "lists", "Dir::State::status": state / "status",
        "Dir::Cache": state / "cache", "Dir::Log": state, "Debug::NoLocking": "true",
        "APT::Architecture": "amd64", "APT::Architectures": "amd64", "APT::Sandbox::User": "root",
        "Acquire::Languages": "none", "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
        "Acquire::Retries": "3", "APT::Update::Error-Mode": "any",
    }
    options = tuple(f"-o{key}={value}" for key, value in settings.items())
    run(["apt-get", "-q", *options, "update"], what=f"fetching the index of Debian {suite} (is there a network?)",
        pick=PICK)
    return options


def fetch(packages: list[str], suite: str, state: Path, into: Path) -> list[Path]:
    """Download packages of a suite into a folder and return their files."""
    into.mkdir(parents=True, exist_ok=True)
    run(["apt-get", "-q", *_apt_options(state, suite), "download", *packages], cwd=into, pick=PICK,
        what=f"fetching Debian {suite} packages (is there a network?)")
    files = sorted(into.glob("*.deb"))
    if len(files) != len(set(packages)):
        raise SetupError(f"Debian {suite}: {len(set(packages))} packages asked for, {len(files)} received; repeat")
    return files


def require_version(file: Path, version: str) -> None:
    found = run(["dpkg-deb", "-f", file, "Version"], what=f"reading {file.name}").strip()
    if version not in found:
        raise SetupError(f"{file.name}: version {version} expected, Debian offers {found}; "
                         "update tools/setup/lock.toml")


def unpack(file: Path, into: Path, only: list[str] | None = None) -> None:
    """Unpack a package; with `only`, just the paths that match these tar patterns."""
    if only is None:
        run(["dpkg-deb", "-x", file, into], what=f"unpacking {file.name}")
        return
    stream = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(file)], stdout=subprocess.PIPE)
    taken = subprocess.run(["tar", "-x", "-C", str(into), "--wildcards", *only], stdin=stream.stdout,
                           capture_output=True, text=True, check=False)
    stream.stdout.close()
    if stream.wait() != 0 or taken.returncode != 0:
        cause = (taken.stderr.strip().splitlines() or ["broken archive"])[0]
        raise SetupError(f"unpacking {file.name}: {cause}")
