# SPDX-License-Identifier: Apache-2.0
"""Tries the set-up on a machine like the one that has Vivado: not Debian 12 or 13, no root for the user, no Debian in its apt sources, or no apt.

usage (root): machine.py ROOT SUITE MIRROR [--keyring FILE] [--certificate FILE] [--python FOLDER] [--no-apt] [PART ...]

ROOT becomes, by debootstrap, a system of SUITE from MIRROR (bullseye of a Debian archive, jammy of Ubuntu's; `--keyring` is the one that debootstrap
checks it by) with a JDK 17 and without apt sources, and stays for the next call. `--python` is the prefix of a Python 3.11 to 3.13 for a system that has
none. --certificate is one more authority to trust, where the machine's network needs one. First it shows what the set-up says without the two
variables, then with them it installs the parts, as a user without root, from the repository as it lies here. Exit code 1 if either is not as it
should be.
"""

import argparse
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from dockerfile import AUTHORITY, BUNDLE, REPOSITORY, Failure, call

PACKAGES = "ca-certificates make gcc git openjdk-17-jdk-headless python3 gpgv"
OWN_PYTHON = {"jammy": "python3.11", "bookworm": "python3.11", "noble": "python3.12"}  # suite -> package
USER, TOOLCHAIN, SOURCE, STORE = "user", "/toolchain", "/source", "/toolchain/trust.jks"
MIRROR, KEYRING = "http://deb.debian.org/debian", "/usr/share/keyrings/debian-archive-keyring.gpg"
ENTER = (
    'mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && mount --bind "$2" "$1$3" && mount -o remount,ro,bind "$1$3" && '
    'cp -L /etc/resolv.conf /etc/hosts "$1/etc" && root=$1 && shift 3 && exec chroot "$root" "$@"'
)


def inside(root: Path, command: str) -> subprocess.CompletedProcess:
    """A command in the system, by root, the repository at SOURCE and read-only; nothing stays mounted."""
    words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER, "sh", str(root), str(REPOSITORY), SOURCE]
    clean = ["env", "-i", "HOME=/root", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive"]
    return subprocess.run([*words, *clean, "sh", "-c", command], capture_output=True, text=True, check=False)


def must(root: Path, command: str) -> str:
    done = inside(root, command)
    if done.returncode:
        raise Failure(f"{command}: {(done.stdout + done.stderr).strip()[-300:]}")
    return done.stdout


def make(root: Path, suite: str, mirror: str, keyring: Path | None, certificate: Path | None) -> None:
    """The system, with what its administrator would have installed."""
    if (root / "home" / USER).is_dir():
        return
    check = [f"--keyring={keyring}"] if keyring else []
    universe = ["--components=main,universe"] if "ubuntu" in mirror else []
    call(["debootstrap", "--variant=minbase", *check, *universe, suite, str(root), mirror], f"debootstrap {suite}")
    (root / SOURCE.lstrip("/")).mkdir(exist_ok=True)
    if universe:
        with (root / "etc/apt/sources.list").open("a") as stream:
            stream.write(f"deb {mirror} {suite}-updates main universe\n")
    if certificate:
        (root / AUTHORITY).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(certificate, root / AUTHORITY)
    must(root, f"apt-get update -qq && apt-get install -qq --no-install-recommends {PACKAGES} {OWN_PYTHON.get(suite, '')} && update-ca-certificates")
    must(root, f"useradd -m {USER} && mkdir {TOOLCHAIN} && chown {USER} {TOOLCHAIN}")
    for sources in (root / "etc/apt/sources.list", *(root / "etc/apt/sources.list.d").glob("*")):
        sources.unlink(missing_ok=True)


def trust(root: Path, certificate: Path) -> None:
    """Java's authorities and that one, for the user."""
    place = root / STORE.lstrip("/")
    place.unlink(missing_ok=True)
    shutil.copy(certificate, place.with_suffix(".crt"))
    java = "$(dirname $(dirname $(readlink -f $(command -v keytool))))/lib/security/cacerts"
    must(
        root,
        f"cp -L {java} {STORE} && chmod 644 {STORE} && "
        f"keytool -importcert -noprompt -alias machine -storepass changeit -keystore {STORE} -file {STORE[:-4]}.crt",
    )


def set_up(root: Path, parts: list[str], variables: dict[str, str]) -> subprocess.CompletedProcess:
    exported = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
    command = f"cd {SOURCE} && env NHG_TOOLCHAIN={TOOLCHAIN} {exported} python3 tools/setup {' '.join(parts)}"
    return inside(root, f"su {USER} -c {shlex.quote(command)}")


def main() -> int:
    parser = argparse.ArgumentParser(description="try the set-up on another machine")
    parser.add_argument("root", type=Path)
    parser.add_argument("suite")
    parser.add_argument("mirror")
    parser.add_argument("--keyring", type=Path)
    parser.add_argument("--certificate", type=Path)
    parser.add_argument("--python", type=Path)
    parser.add_argument("--no-apt", action="store_true")
    parser.add_argument("parts", nargs="*")
    args = parser.parse_intermixed_args()
    root = args.root.resolve()
    try:
        make(root, args.suite, args.mirror, args.keyring, args.certificate)
        shutil.copy(KEYRING, root / "home" / USER / "keyring.gpg")
        variables = {"NHG_DEBIAN_MIRROR": MIRROR, "NHG_DEBIAN_KEYRING": f"/home/{USER}/keyring.gpg"}
        if args.certificate:
            trust(root, args.certificate)
            variables |= {"PIP_CERT": BUNDLE, "JAVA_TOOL_OPTIONS": f"-Djavax.net.ssl.trustStore={STORE}"}
        path = {}
        if args.python:
            shutil.copytree(args.python, root / "opt/python", symlinks=True, dirs_exist_ok=True)
            path = {"PATH": "/opt/python/bin:/usr/bin:/bin"}
        if args.no_apt:
            for program in (root / "usr/bin").glob("apt*"):
                program.unlink()
        shutil.rmtree(root / TOOLCHAIN.lstrip("/") / "base", ignore_errors=True)
        without = set_up(root, ["base"], path)
        print(f"glibc and python: {must(root, 'ldd --version | head -n 1; python3 --version').strip()}")
        print(f"without the variables: {without.stderr.strip().splitlines()[-1]}")
        if without.returncode != 1 or "Traceback" in without.stderr:
            raise Failure("without the variables the set-up did not end with one line and exit code 1")
        done = set_up(root, args.parts, variables | path)
        print(done.stderr, end="")
        if done.returncode:
            raise Failure("with the variables the set-up failed")
    except Failure as failure:
        print(f"machine.py: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
