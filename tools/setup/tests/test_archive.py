# SPDX-License-Identifier: Apache-2.0
"""A Debian archive without apt: gpgv's signatures, checksums, packages, and which way is taken. `mirror/` is a small archive signed by a
key of its own (keyring.gpg); other.gpg is another key."""

import hashlib
import lzma
import os
import shutil
import subprocess
import sys
from pathlib import Path

import archive
import debian
import parts
import pytest
from errors import SetupError
from store import Store

SETUP = Path(__file__).resolve().parents[1]
MIRROR = Path(__file__).parent / "mirror"
KEYRING = MIRROR / "keyring.gpg"
PACKAGES = "dists/testing/main/binary-amd64/Packages.xz"


@pytest.fixture
def mirror(tmp_path):
    return Path(shutil.copytree(MIRROR, tmp_path / "mirror"))


def in_release(mirror) -> Path:
    return mirror / "dists/testing/InRelease"


@pytest.mark.parametrize("address", ["{}", "file://{}"])
def test_packages_come_from_a_folder_or_an_address(mirror, tmp_path, address):
    files = archive.fetch(address.format(mirror), KEYRING, "testing", ["hello", "hello"], tmp_path / "debs")
    assert [file.name for file in files] == ["hello_1.2-3_amd64.deb"] and archive.version(files[0]) == "1.2-3"
    archive.unpack(files[0], tmp_path / "all", None)
    program = tmp_path / "all/usr/bin/hello"
    assert subprocess.run([program.with_name("hi")], capture_output=True, text=True, check=True).stdout == "hello\n"
    assert not program.stat().st_mode & 0o4000
    archive.unpack(files[0], tmp_path / "some", ["./usr/share/*"])
    assert sorted(path.name for path in (tmp_path / "some/usr").iterdir()) == ["share"]


def test_an_index_that_is_not_compressed(mirror, tmp_path):
    packed = mirror / "dists/testing/main/binary-amd64/Packages.xz"
    packed.with_suffix("").write_bytes(lzma.decompress(packed.read_bytes()))
    packed.unlink()
    assert archive.index(str(mirror), KEYRING, "testing")["hello"].version == "1.2-3"


def changed(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    assert content.count(old) >= 1
    path.write_bytes(content.replace(old, new, 1))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda mirror: changed(in_release(mirror), b"Origin: Debian", b"Origin: Other"), "is not signed by a key of the keyring"),
        (lambda mirror: changed(in_release(mirror), b"\n\n", b"\n\nPackage: evil\n"), "is not signed by a key of the keyring"),
        (lambda mirror: in_release(mirror).write_bytes(b"Codename: testing\n"), "is not signed by a key of the keyring"),
        (lambda mirror: in_release(mirror).unlink(), "must name a Debian archive with testing"),
        (lambda mirror: (mirror / PACKAGES).write_bytes(lzma.compress(b"Package: evil\n")), "does not match the signed checksum"),
        (lambda mirror: (mirror / PACKAGES).unlink(), "has no dists/testing/main/binary-amd64/Packages.xz"),
        (lambda mirror: changed(mirror / "pool/hello_1.2-3_amd64.deb", b"debian-binary", b"debian-binarz"), "does not match its checksum"),
        (lambda mirror: (mirror / "pool/hello_1.2-3_amd64.deb").unlink(), "is not there"),
    ],
)
def test_whatever_is_wrong_with_the_archive_is_one_line(mirror, tmp_path, change, reason):
    change(mirror)
    with pytest.raises(SetupError, match=reason) as failure:
        archive.fetch(str(mirror), KEYRING, "testing", ["hello"], tmp_path / "debs")
    assert "\n" not in str(failure.value) and not list((tmp_path / "debs").glob("*"))


def test_what_stands_outside_the_signature_is_left_out(mirror):
    message = in_release(mirror).read_bytes()
    shutil.copytree(mirror / "dists/testing", mirror / "dists/evil")
    (mirror / "dists/evil/InRelease").write_bytes(b"Codename: evil\n" + message)
    with pytest.raises(SetupError, match="is of another suite"):
        archive.index(str(mirror), KEYRING, "evil")


def test_two_signed_texts_in_one_file_are_refused(mirror):
    in_release(mirror).write_bytes(2 * in_release(mirror).read_bytes())
    with pytest.raises(SetupError, match="is not signed by a key of the keyring"):
        archive.index(str(mirror), KEYRING, "testing")


def test_a_machine_without_gpgv_says_what_to_install(mirror, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SetupError, match="gpgv is missing.*install the package gpgv"):
        archive.index(f"{mirror}/.", KEYRING, "testing")


def test_another_key_and_another_suite_are_refused(mirror):
    with pytest.raises(SetupError, match="not signed by a key of the keyring"):
        archive.index(str(mirror), MIRROR / "other.gpg", "testing")
    shutil.copytree(mirror / "dists/testing", mirror / "dists/trixie")
    with pytest.raises(SetupError, match="is of another suite"):
        archive.index(str(mirror), KEYRING, "trixie")
    with pytest.raises(SetupError, match="has no package goodbye"):
        archive.fetch(str(mirror), KEYRING, "testing", ["goodbye"], mirror)
    with pytest.raises(SetupError, match="has no dists/testing/main/binary-riscv64/Packages.xz"):
        archive.fetch(str(mirror), KEYRING, "testing", ["hello"], mirror, "riscv64")


def test_an_address_without_an_answer_is_one_line(monkeypatch):
    monkeypatch.setattr(archive, "ATTEMPTS", 1)
    with pytest.raises(SetupError, match="is there a network"):
        archive.index("http://127.0.0.1:9", KEYRING, "testing")


@pytest.mark.parametrize(
    ("variables", "apt", "reason"),
    [
        ({}, False, "no apt on this machine: name one with NHG_DEBIAN_MIRROR"),
        ({}, True, "the apt sources of this machine name no Debian archive: name one"),
        ({"NHG_DEBIAN_MIRROR": "x", "NHG_DEBIAN_KEYRING": "/nowhere.gpg"}, False, "NHG_DEBIAN_KEYRING=/nowhere.gpg is no file"),
        ({"NHG_DEBIAN_MIRROR": "x"}, False, "this machine has no keyring of Debian"),
    ],
)
def test_a_machine_that_knows_no_debian_says_what_to_name(monkeypatch, tmp_path, variables, apt, reason):
    tools = tmp_path / "bin"
    tools.mkdir()
    if apt:
        (tools / "apt-get").write_text("#!/bin/sh\necho http://archive.ubuntu.com/ubuntu jammy main\n")
        (tools / "apt-get").chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setattr(debian, "KEYRING", tmp_path)
    for name in ("NHG_DEBIAN_MIRROR", "NHG_DEBIAN_KEYRING"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SetupError, match=reason):
        debian.fetch(["hello"], "testing", tmp_path / "state", tmp_path / "debs")


def test_the_named_archive_comes_before_apt(monkeypatch, tmp_path):
    monkeypatch.setenv("NHG_DEBIAN_MIRROR", str(MIRROR))
    monkeypatch.setenv("NHG_DEBIAN_KEYRING", str(KEYRING))
    verifier = shutil.which("gpgv")
    assert verifier
    (tmp_path / "gpgv").symlink_to(verifier)
    monkeypatch.setenv("PATH", str(tmp_path))
    files = debian.fetch(["hello"], "testing", tmp_path / "state", tmp_path / "debs")
    debian.require_version(files[0], "1.2")
    with pytest.raises(SetupError, match="version 9 expected, Debian offers 1.2-3"):
        debian.require_version(files[0], "9")


def test_authors_files_are_checked(monkeypatch):
    monkeypatch.setenv("NHG_DEBIAN_MIRROR", str(MIRROR))
    content = (MIRROR / PACKAGES).read_bytes()
    assert debian.source(PACKAGES, hashlib.sha256(content).hexdigest()) == content
    with pytest.raises(SetupError, match="does not match its checksum"):
        debian.source(PACKAGES, "0" * 64)
    with pytest.raises(SetupError, match="is not there"):
        debian.source("pool/none.orig.tar.gz", "0" * 64)


def test_an_old_python_is_named_or_passed_over(tmp_path):
    """A python3 that says it is 3.9 reads what every command begins with."""
    script = tmp_path / "start.py"
    lines = f"import sys\nsys.version_info = (3, 9, 2)\nsys.path.append({str(SETUP.parent)!r})\nimport environment\nenvironment.enter('setup')\n"
    script.write_text(f"{lines}print('went on')\n")
    environment = {name: value for name, value in os.environ.items() if name != "PATH"}
    done = subprocess.run([sys.executable, script], env=environment | {"PATH": "/nowhere"}, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith("setup: python3 is 3.9 and 3.11 to 3.13 is needed") and done.stderr.count("\n") == 1
    newer = tmp_path / "python3.12"
    newer.write_text('#!/bin/sh\necho "newer $@"\n')
    newer.chmod(0o755)
    done = subprocess.run([sys.executable, script], env=environment | {"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.stdout == f"newer {script}\n"


@pytest.mark.parametrize(("version", "here"), [("8", False), ("8.5.0", False), ("11", True), ("12.2.0", True), ("what", False)])
def test_a_compiler_that_is_too_old_is_as_good_as_none(monkeypatch, tmp_path, version, here):
    compiler = tmp_path / "g++"
    compiler.write_text(f"#!/bin/sh\necho {version}\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert parts.is_current(Store(tmp_path / "toolchain"), "gxx", {"unless": "g++", "oldest": 10}) == here


@pytest.mark.parametrize(("version", "old"), [("2.17", True), ("2.27", True), ("2.28", False), ("2.36", False), ("", False)])
def test_a_c_library_that_is_too_old_is_named(version, old):
    if old:
        with pytest.raises(SetupError, match=f"C library of this machine is glibc {version}, 2.28 is the oldest"):
            parts.require_glibc(version)
    else:
        parts.require_glibc(version)
