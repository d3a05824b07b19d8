# SPDX-License-Identifier: Apache-2.0
"""A Debian archive read without apt: signed index, checksums, packages, and what is in them.

The mirror is an address (http, https, file) or a folder of the same layout: dists/SUITE/InRelease,
dists/SUITE/main/binary-ARCHITECTURE/Packages.xz (or Packages), and the packages where the index says.
"""

import fnmatch
import hashlib
import io
import lzma
import shutil
import subprocess
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from errors import SetupError

HERE = "amd64"  # the architecture of this machine, as Debian names it
ATTEMPTS, TIMEOUT_SECONDS = 3, 60
SIGNED = b"-----BEGIN PGP SIGNED MESSAGE-----"  # a second one in the file would be another text
AR_MAGIC, AR_HEADER = b"!<arch>\n", 60


@dataclass(frozen=True)
class Package:
    version: str
    path: str
    sha256: str


def _read(mirror: str, path: str) -> bytes | None:
    """A file of the mirror; None when it is not there."""
    if "://" not in mirror:
        file = Path(mirror) / path
        return file.read_bytes() if file.is_file() else None
    address = f"{mirror.rstrip('/')}/{path}"
    for attempt in range(ATTEMPTS):
        try:
            with urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            reason = f"{error.code} {error.reason}"
        except (OSError, ValueError) as error:
            reason = str(getattr(error, "reason", error))
        time.sleep(attempt)
    raise SetupError(f"fetching {address}: {reason} (is there a network? NHG_DEBIAN_MIRROR names the mirror)")


def _matches(data: bytes, size: str, sha256: str) -> bool:
    return len(data) == int(size) and hashlib.sha256(data).hexdigest() == sha256


def _signed(message: bytes, keyring: Path, where: str) -> str:
    """The text of a clear-signed message, as gpgv takes it out, that a key of the keyring has signed. One good signature is enough, as for apt: a keyring
    need not have the keys of the others."""
    if shutil.which("gpgv") is None:
        raise SetupError("gpgv is missing, which verifies a Debian archive: install the package gpgv (of Fedora and RHEL: gnupg2)")
    with tempfile.TemporaryDirectory() as folder:
        signed, text = Path(folder) / "InRelease", Path(folder) / "text"
        signed.write_bytes(message)
        command = ["gpgv", "--homedir", folder, "--keyring", str(keyring.absolute()), "--status-fd", "1", "--output", str(text), str(signed)]
        said = subprocess.run(command, capture_output=True, check=False).stdout.decode()
        if message.count(SIGNED) != 1 or "[GNUPG:] VALIDSIG " not in said or not text.exists():
            raise SetupError(f"{where} is not signed by a key of the keyring: use another mirror, or Debian's present keyring (NHG_DEBIAN_KEYRING)")
        return text.read_text()


@cache
def index(mirror: str, keyring: Path, suite: str, architecture: str = HERE) -> dict[str, Package]:
    """The packages of a suite by name, from its signed index of an architecture."""
    packages = f"main/binary-{architecture}/Packages"
    where = f"{mirror}/dists/{suite}/InRelease"
    message = _read(mirror, f"dists/{suite}/InRelease")
    if message is None:
        raise SetupError(f"{where} is not there: NHG_DEBIAN_MIRROR must name a Debian archive with {suite}")
    text = _signed(message, keyring, where)
    if f"\nCodename: {suite}\n" not in f"\n{text}\n":
        raise SetupError(f"{where} is of another suite: use another mirror")
    sums = {
        path: (size, sha256)
        for sha256, size, path in (line.split() for line in text.partition("\nSHA256:\n")[2].splitlines() if line.startswith(" ") and line.count(" ") >= 3)
    }
    for path, unpack in ((f"{packages}.xz", lzma.decompress), (packages, bytes)):
        data = _read(mirror, f"dists/{suite}/{path}") if path in sums else None
        if data is not None:
            if not _matches(data, *sums[path]):
                raise SetupError(f"{mirror}: dists/{suite}/{path} does not match the signed checksum: the mirror is being updated, repeat")
            return _packages(unpack(data).decode())
    raise SetupError(f"{mirror} has no dists/{suite}/{packages}.xz: use another mirror")


def _packages(text: str) -> dict[str, Package]:
    found = {}
    for stanza in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in stanza.splitlines() if ": " in line and not line.startswith(" "))
        if "Package" in fields:
            found[fields["Package"]] = Package(fields["Version"], fields["Filename"], fields["SHA256"])
    return found


def fetch(mirror: str, keyring: Path, suite: str, packages: list[str], into: Path, architecture: str = HERE) -> list[Path]:
    """Downloads packages into a folder, each checked, and returns their files."""
    known = index(mirror, keyring, suite, architecture)
    into.mkdir(parents=True, exist_ok=True)
    for name in sorted(set(packages)):
        if name not in known:
            raise SetupError(f"Debian {suite} at {mirror} has no package {name}: use another mirror")
        (into / Path(known[name].path).name).write_bytes(read(mirror, known[name].path, known[name].sha256))
    return sorted(into.glob("*.deb"))


def read(mirror: str, path: str, sha256: str) -> bytes:
    """A file that the archive never changes, as the source of a package by its authors, whose checksum is known."""
    data = _read(mirror, path)
    if data is None or hashlib.sha256(data).hexdigest() != sha256:
        raise SetupError(f"{mirror}/{path} {'is not there' if data is None else 'does not match its checksum'}: repeat, or use another mirror")
    return data


def _member(file: Path, prefix: str) -> tarfile.TarFile:
    """The tar file in a package whose name begins so: control.tar or data.tar."""
    with file.open("rb") as stream:
        if stream.read(len(AR_MAGIC)) == AR_MAGIC:
            while len(header := stream.read(AR_HEADER)) == AR_HEADER:
                size = int(header[48:58])
                if header[:16].decode("ascii", "replace").startswith(prefix):
                    return tarfile.open(fileobj=io.BytesIO(stream.read(size)))
                stream.seek(size + size % 2, 1)
    raise SetupError(f"{file.name} is no Debian package: repeat")


def version(file: Path) -> str:
    """What the package's control file says."""
    with _member(file, "control.tar") as control:
        member = control.extractfile("./control")
        text = member.read().decode() if member else ""
    return next(line.split(": ", 1)[1] for line in text.splitlines() if line.startswith("Version: "))


def extract(archive: tarfile.TarFile, into: Path, members: list[tarfile.TarInfo]) -> None:
    """Some members of an archive, with no more rights than they need."""
    if hasattr(tarfile, "tar_filter"):
        archive.extractall(into, members, filter="tar")
        return
    for member in members:  # Python before 3.11.4: the filter's modes, without set-user-ID
        member.mode &= 0o755
    archive.extractall(into, members)


def unpack(file: Path, into: Path, only: list[str] | None) -> None:
    """Unpacks a package; with `only`, the paths that match these patterns, which begin with ./ and whose * matches / too."""
    try:
        with _member(file, "data.tar") as data:
            wanted = [member for member in data if only is None or any(fnmatch.fnmatchcase(member.name, pattern) for pattern in only)]
            if only is not None and not wanted:
                raise SetupError(f"unpacking {file.name}: nothing in it matches {only[0]}")
            extract(data, into, wanted)
    except (tarfile.TarError, lzma.LZMAError) as error:
        shutil.rmtree(into, ignore_errors=True)
        raise SetupError(f"unpacking {file.name}: {error}; repeat") from None
