# SPDX-License-Identifier: Apache-2.0
"""`make reproduce RUN=key`: a captured run once more, built and run as its commit says, compared to the cycle.

The commit stands in a work tree of its own in build/reproduce, with all it builds, so that another run of that commit only runs. It is asked by an
experiment of this one point, without captured sets, so that nothing is found that has been measured.
"""

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import yaml

from nhg import paths, variants
from nhg.errors import NhgError
from nhg.experiment import compare, sets
from nhg.experiment.schema import AXES, DEFAULTS
from nhg.origin import git
from nhg.record import Record, read

DIGITS_LEAST = 8  # of a key
# What the set-up installs follows from these; commits of other locks have another toolchain.
LOCKS = ("lock.toml", "requirements.txt", "scala.lock", "snakemake.txt")


def captured(key: str) -> tuple[dict, Record, str]:
    """The row of a captured run, its record, and the name of its set."""
    if len(key) < DIGITS_LEAST:
        raise NhgError(f"RUN={key}: give the first {DIGITS_LEAST} digits or more of a run's key, as figures and tables show it")
    found = [
        (row, record, path.stem) for path in sorted(sets.CAPTURED.glob("*.csv")) for row, record in sets.read(path) if record and record.key.startswith(key)
    ]
    if not found:
        raise NhgError(f"RUN={key}: no captured run has this key; {sets.CAPTURED} has the sets")
    if len({record.key for _, record, _ in found}) > 1:
        raise NhgError(f"RUN={key}: {len(found)} captured runs begin so; give more digits")
    return found[0]


def check(record: Record) -> str:
    """The commit of a run that can be had again to the cycle."""
    if record.target not in sets.REPEATABLE:
        raise NhgError(f"{compare.name(record)}: TARGET={record.target} gives other times each time; there is nothing to compare to the cycle")
    if record.git_commit is None or record.git_dirty is not False:
        raise NhgError(f"{compare.name(record)}: measured at {record.git_commit or 'no commit'} with uncommitted changes; no commit has its sources")
    if git("cat-file", "-e", f"{record.git_commit}^{{commit}}").returncode:
        raise NhgError(f"{compare.name(record)}: commit {record.git_commit[:9]} is not in this clone; git fetch --unshallow, or fetch its branch")
    return record.git_commit


def checked_out(commit: str) -> Path:
    """A work tree of the commit, without captured sets."""
    tree = paths.BUILD / "reproduce" / commit[:9]
    if not (tree / "Makefile").exists():
        done = git("worktree", "add", "--force", "--detach", str(tree), commit)
        if done.returncode:
            raise NhgError(f"{commit[:9]} cannot be checked out in {tree}: {done.stderr.strip().splitlines()[-1]}")
    shutil.rmtree(tree / "results/captured", ignore_errors=True)
    return tree


def toolchain(commit: str) -> Path:
    """Ours where the commit has the same locks; otherwise one that all commits of its locks share."""
    files = [f"tools/setup/{name}" for name in LOCKS]
    if not git("diff", "--quiet", commit, "--", *files).returncode:
        return paths.TOOLCHAIN
    locks = git("ls-tree", commit, "--", *files).stdout
    return paths.BUILD / "reproduce" / f"toolchain-{hashlib.sha256(locks.encode()).hexdigest()[:9]}"


def experiment(row: dict, record: Record, own: dict) -> dict:
    """An experiment of one point: what the set's row asks for, as far as it is not the default. `own`: variants of the run's experiment."""
    asked = {axis: yaml.safe_load(row[f"case_{axis}"]) for axis in AXES if row.get(f"case_{axis}", str(DEFAULTS.get(axis))) != str(DEFAULTS.get(axis))}
    return {
        "name": "reproduce",
        "title": compare.name(record),
        "figure": {"kind": "bars", "quantities": ["cycles_per_operation"], "x": "benchmark"},
        "sweep": asked | {"latency_ns": record.latency_ns, "coroutines": int(row["asked_coroutines"])},
        **({"variants": own} if own else {}),
        **({"repetitions": record.jitter_seed + 1} if record.jitter != DEFAULTS["jitter"] else {}),
    }


def own_variants(tree: Path, record: Record, name: str) -> dict:
    """The run's variant as its experiment has it, if it is one of the experiment's own."""
    if record.variant in variants.VARIANTS:
        return {}
    file = max((file for file in tree.glob("experiments/*.yaml") if name.startswith(file.stem)), key=lambda file: len(file.stem))
    return {record.variant: yaml.safe_load(file.read_text())["variants"][record.variant]}


def measured(tree: Path, record: Record, plan: dict, tools: Path) -> Record:
    """Build and run it there."""
    file, results = tree / "reproduce.yaml", tree / "results/reproduced"
    file.write_text(json.dumps(plan, indent=2) + "\n")
    shutil.rmtree(results, ignore_errors=True)
    places = {"NHG_TOOLCHAIN": str(tools), "NHG_BUILD": str(tree / "build"), "NHG_RESULTS": str(results), "NHG_PLOTS": str(results)}
    log = tree / "reproduce.log"
    with log.open("w") as stream:
        # One run is not worth the profile by which the simulator of an older commit gets faster.
        subprocess.run(
            ["make", "--no-print-directory", "-C", tree, "figures", f"EXP={file}", f"CONFIG={record.core}"],
            env={**os.environ, **places, "TRAINING": ""},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
        )
    found = [one for path in results.glob("*.json") if (one := read(path)) and one.jitter_seed == record.jitter_seed]
    if not found:
        said = [json.loads(path.read_text())["reason"] for path in results.glob("failed/*.json")]
        said += [line for line in log.read_text().splitlines() if line.startswith(("nhg:", "setup:", "make"))]
        raise NhgError(f"{compare.name(record)} at {tree.name}: no record came out ({said[0]}); {log} has all of it")
    return found[0]


def verdict(record: Record, again: Record) -> tuple[bool, str]:
    """Whether both runs are the same to the cycle, and the line that says so."""
    found = compare.difference(record, again)
    where = f"{found.name} at {record.git_commit[:9]}"  # type: ignore[index]
    if not found.changed:
        return True, f"{where}: {record.cycles or record.instret:,} {'cycles' if record.cycles else 'instructions'}, the same again"
    others = [what for what in ("program", "model") if getattr(record, f"{what}_sha256") != getattr(again, f"{what}_sha256")]
    return False, f"{where}: {found.said} ({'another ' + ' and another '.join(others) if others else 'of the same program and model'})"


def reproduce(key: str) -> tuple[bool, str]:
    row, record, name = captured(key)
    commit = check(record)
    tree = checked_out(commit)
    print(f"reproduce: {compare.name(record)}, commit {commit[:9]}: building and running it in {tree}; reproduce.log there says what", flush=True)
    return verdict(record, measured(tree, record, experiment(row, record, own_variants(tree, record, name)), toolchain(commit)))
