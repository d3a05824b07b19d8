# SPDX-License-Identifier: Apache-2.0
"""Where a result comes from: git state, hashes of compiler and runtime, tool versions."""

import hashlib
import subprocess
import sys
from functools import cache
from pathlib import Path

from nhg import paths

TOOLS = {
    "sim": ("clang", "verilator", "firtool"),
    "fpga": ("clang",),
    "iss": ("clang",),
    "x86": ("clang",),
}


# What makes no difference to a run: commits that differ here alone give the same results.
WITHOUT_EFFECT = ("results/captured", "plots", "docs")
ARCHIVED = "tools/nhg/commit.txt"  # git writes the commit there when it makes an archive (.gitattributes)


def _output(command: list[str | Path]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=paths.ROOT)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def processor() -> str:
    """Of this machine: its model."""
    models = (line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name"))
    return next(models, "unknown")


def git(*words: str) -> subprocess.CompletedProcess[str]:
    """Git on this checkout and no other: a repository around it does not count, nor who owns the files, nor what the environment says."""
    places = [f"--git-dir={paths.ROOT / '.git'}", f"--work-tree={paths.ROOT}"]
    try:
        return subprocess.run(["git", *places, *words], capture_output=True, text=True, check=False, cwd=paths.ROOT)
    except OSError as error:
        return subprocess.CompletedProcess(["git"], 127, "", f"git: {error.strerror}")


def beside(folders: tuple[str, ...]) -> list[str]:
    """All of the checkout but some folders, as git takes it."""
    return ["--", ":/", *(f":(exclude,top){folder}" for folder in folders)]


def archived() -> str | None:
    """The commit that this archive was made of; None elsewhere."""
    said = (paths.ROOT / ARCHIVED).read_text().strip()
    return None if said.startswith("$") else said


@cache
def say_once(line: str) -> None:
    print(line, file=sys.stderr)


def git_state() -> tuple[str | None, bool | None]:
    """Commit and whether the work tree differs from it, but for what has no effect. Of an archive the commit alone is known, without git nothing."""
    if not (paths.ROOT / ".git").exists():
        return archived(), None
    commit, status = git("rev-parse", "--verify", "HEAD"), git("status", "--porcelain", *beside(WITHOUT_EFFECT))
    failed = next((done for done in (commit, status) if done.returncode), None)
    if failed:
        said = (failed.stderr.strip().splitlines() or [f"exit code {failed.returncode}"])[0]
        say_once(f"nhg: the commit of {paths.ROOT} is not known ({said}); records of its runs name none")
        return None, None
    return commit.stdout.strip(), bool(status.stdout.strip())


def without_effect(file: str) -> bool:
    return file.startswith(tuple(f"{folder}/" for folder in WITHOUT_EFFECT))


def sources_sha256() -> str | None:
    """The same for commits that differ only in what has no effect; None unless this checkout is one of them."""
    if git_state()[1] is not False:
        return None
    listed = git("ls-tree", "-r", "-z", "HEAD").stdout.split("\0")
    return hashlib.sha256("\0".join(entry for entry in listed if not without_effect(entry.partition("\t")[2])).encode()).hexdigest()


def sha256_of_files(places: tuple[str, ...], *texts: str) -> str:
    """Of files by name and content, of folders all but the tests, and of texts beside them."""
    roots = [paths.ROOT / place for place in places]
    files = [file for root in roots for file in ([root] if root.is_file() else root.rglob("*")) if file.is_file()]
    names = {str(file.relative_to(paths.ROOT)): file for file in files}
    parts = [f"{name}\n{hashlib.sha256(names[name].read_bytes()).hexdigest()}" for name in sorted(names) if not {"test", "__pycache__"} & set(Path(name).parts)]
    return hashlib.sha256("\0".join([*texts, *parts]).encode()).hexdigest()


def compiler_sha256() -> str:
    """Of what the compiler's programs follow from, the same on every machine."""
    return sha256_of_files(("software/compiler/lib", "software/compiler/modes.txt"), tool_versions("iss")["clang"])


def runtime_sha256() -> str:
    return sha256_of_files(("software/runtime",))


@cache
def tool_versions(target: str) -> dict[str, str]:
    versions = {}
    for tool in TOOLS[target]:
        said = _output([paths.TOOLCHAIN / "bin" / tool, "--version"]) or ""
        lines = [line.strip() for line in said.splitlines() if any(c.isdigit() for c in line)]
        versions[tool] = next((line for line in lines if tool in line.lower()), lines[0] if lines else "unknown")
    return versions
