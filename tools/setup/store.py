# SPDX-License-Identifier: Apache-2.0
"""Where installed parts live, and how one is put there without a half-way state.

A part is unpacked in `<name>.tmp`, stamped with the hash of its lock entry and
renamed to `<name>`. The stamp is inside the folder, so removing the folder
removes the claim that the part is installed.
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from errors import SetupError, from_os_error

STAMP = ".stamp"
REPOSITORY = Path(__file__).resolve().parents[2]


def sha256_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@dataclass(frozen=True)
class Store:
    """The toolchain folder: one sub-folder per part, `bin` with what users call."""

    root: Path

    @classmethod
    def default(cls) -> "Store":
        """`.toolchain` in the repository, or what NHG_TOOLCHAIN says."""
        return cls(Path(os.environ.get("NHG_TOOLCHAIN", REPOSITORY / ".toolchain")).resolve())

    @property
    def bin(self) -> Path:
        return self.root / "bin"

    def part(self, name: str) -> Path:
        return self.root / name

    def stamp(self, name: str) -> str:
        try:
            return (self.part(name) / STAMP).read_text()
        except OSError:
            return ""

    def on_machine(self, program: str) -> str | None:
        """Where a program is on the PATH outside this toolchain."""
        folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
        outside = [folder for folder in folders if Path(folder).resolve() != self.bin]
        return shutil.which(program, path=os.pathsep.join(outside))

    def require_space(self, mebibytes: int) -> None:
        free = shutil.disk_usage(self.root).free >> 20
        if free < mebibytes:
            raise SetupError(f"{self.root} has {free} MiB free and {mebibytes} MiB are needed: free some space or set NHG_TOOLCHAIN to a folder elsewhere")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Only one installer works in a toolchain folder at a time."""
        try:
            self.bin.mkdir(parents=True, exist_ok=True)
            lock = (self.root / "lock").open("w")
        except OSError as error:
            raise from_os_error(error, self.root) from None
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def install(self, name: str, stamp: str, build: Callable[[Path], None]) -> None:
        """Build a part in a temporary folder, then put it in place with one rename."""
        temporary = self.root / f"{name}.tmp"
        shutil.rmtree(temporary, ignore_errors=True)
        try:
            temporary.mkdir(parents=True)
            build(temporary)
            (temporary / STAMP).write_text(stamp)
            replaced = self.root / f"{name}.old"
            shutil.rmtree(replaced, ignore_errors=True)
            if self.part(name).exists():
                self.part(name).rename(replaced)
            temporary.rename(self.part(name))
            shutil.rmtree(replaced, ignore_errors=True)
        except OSError as error:
            raise from_os_error(error, temporary) from None
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def link(self, name: str, target: Path) -> None:
        """Make `bin/<name>` a relative link into a part."""
        place = self.bin / name
        place.unlink(missing_ok=True)
        place.symlink_to(os.path.relpath(target, self.bin))

    def wrap(self, name: str, body: str) -> None:
        """Write `bin/<name>`, a shell wrapper; `$root` is the toolchain folder."""
        temporary = self.bin / f".{name}.tmp"
        temporary.write_text('#!/bin/sh\nroot=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")\n' + body)
        temporary.chmod(0o755)
        temporary.rename(self.bin / name)


def stamp_of(entry: dict, *files: Path) -> str:
    """Hash of a lock entry and of the lock files it refers to."""
    digest = hashlib.sha256(json.dumps(entry, sort_keys=True).encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
