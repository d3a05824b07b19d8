# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of the Dockerfile in a Debian of debootstrap, where there is no Docker.

usage (root): dockerfile.py ROOT [--certificate FILE] [--steps N]

ROOT is the folder of the new system; each step that succeeded is noted there, so that a repeated call goes on behind it.
COPY takes the commit that is checked out, not the work tree. --certificate is one more authority to trust, where the
machine's network needs one. --steps ends after so many further RUN lines. Exit code 1 and one line if a step fails.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
INHERITED = ("http_proxy", "https_proxy", "no_proxy", "NHG_IVY_SETTINGS", "PIP_INDEX_URL")
AUTHORITY = "usr/local/share/ca-certificates/machine.crt"
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"


# In a mount namespace of its own, so that nothing stays mounted; the first argument is the root.
ENTER = 'mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && exec chroot "$@"'


class Failure(Exception):
    """A step that did not succeed, as one line."""


def instructions(text: str) -> list[tuple[str, str]]:
    """(name, arguments) of each line of a Dockerfile, continued lines joined, comments left out."""
    joined = re.sub(r"\\\n", "", text)
    lines = [line.strip() for line in joined.splitlines()]
    pairs = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    return [(name.upper(), arguments) for name, arguments in pairs]


def call(command: list[str], what: str) -> None:
    """Run a command that must succeed."""
    if shutil.which(command[0]) is None:
        raise Failure(f"{command[0]} is not on this machine; install it and repeat")
    if code := subprocess.run(command, check=False).returncode:
        raise Failure(f"{what}: exit code {code}")


class Root:
    """The new system: its folder, its working directory, the stages it has been built from."""

    def __init__(self, folder: Path, certificate: Path | None) -> None:
        self.folder = folder
        self.certificate = certificate
        self.directory = "/"
        self.stages: list[str] = []

    def start(self, image: str, stage: str) -> None:
        """FROM: another stage goes on where it ended, as each stage here is built on the one before."""
        if image not in self.stages:
            suite = image.removeprefix("debian:")
            if suite == image or self.stages:
                raise Failure(f"FROM {image}: only debian:SUITE first and then stages built on it are understood")
            if not (self.folder / "etc/debian_version").exists():
                call(["debootstrap", "--variant=minbase", suite, str(self.folder)], f"debootstrap {suite}")
            if self.certificate:
                (self.folder / AUTHORITY).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.certificate, self.folder / AUTHORITY)
        self.stages.append(stage)

    def enter(self, directory: str) -> None:
        self.directory = directory
        (self.folder / directory.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def copy(self, arguments: str) -> None:
        if arguments.split() != [".", "."]:
            raise Failure(f"COPY {arguments}: only `COPY . .` is understood")
        place = self.folder / self.directory.lstrip("/")
        call(["git", "clone", "-q", "--depth", "1", f"file://{REPOSITORY}", str(place)], "copying the repository")

    def run(self, command: str) -> None:
        environment = [f"{name}={os.environ[name]}" for name in INHERITED if name in os.environ]
        if self.certificate:
            environment += [f"PIP_CERT={BUNDLE}", f"SSL_CERT_FILE={BUNDLE}"]
        words = [
            "unshare",
            "--mount",
            "--propagation",
            "private",
            "sh",
            "-c",
            ENTER,
            "sh",
            str(self.folder),
            "env",
            "-i",
            "HOME=/root",
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            *environment,
            "sh",
            "-c",
            f"cd {shlex.quote(self.directory)} && {command}",
        ]
        call(words, f"RUN {command}")


def carry_out(root: Root, steps: int) -> None:
    """Every instruction in order, RUN and COPY only where they have not been carried out yet; `steps` ends after so many."""
    noted = root.folder / ".steps"
    done = noted.read_text().splitlines() if noted.exists() else []
    for name, arguments in instructions((REPOSITORY / "Dockerfile").read_text()):
        if name == "FROM":
            image, _, stage = arguments.partition(" AS ")
            root.start(image, stage or image)
        elif name == "WORKDIR":
            root.enter(arguments)
        elif name in ("RUN", "COPY"):
            step = f"{name} {arguments}"
            if step in done:
                continue
            if name == "RUN" and steps == 0:
                return
            steps -= name == "RUN"
            began = time.monotonic()
            (root.run if name == "RUN" else root.copy)(arguments)
            print(f"{step}: {time.monotonic() - began:.0f} s", flush=True)
            with noted.open("a") as stream:
                stream.write(f"{step}\n")
        elif name != "CMD":
            raise Failure(f"{name}: not understood; teach it to {Path(__file__).name}")


def main() -> int:
    parser = argparse.ArgumentParser(description="run the steps of the Dockerfile in a chroot")
    parser.add_argument("root", type=Path)
    parser.add_argument("--certificate", type=Path)
    parser.add_argument("--steps", type=int, default=-1)
    options = parser.parse_args()
    try:
        if os.geteuid() != 0:
            raise Failure("debootstrap and chroot need root")
        carry_out(Root(options.root.resolve(), options.certificate), options.steps)
    except Failure as failure:
        print(f"dockerfile.py: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
