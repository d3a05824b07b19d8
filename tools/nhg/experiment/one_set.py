# SPDX-License-Identifier: Apache-2.0
"""The rule of the captured sets: together they are one set, so that a point has one value in all figures.

One set has equal hashes of sources, compiler and runtime, of each model and of each program, and wall times of one machine; its commits are clean, and differ
only in what has no effect on a run (origin.py). `make figures CAPTURE=1` keeps each run in results/captured/runs as soon as it has ended; another clone that
has these files goes on from there.
"""

from collections.abc import Iterable

from nhg import paths
from nhg.build import build_guided_simulator, build_models, design_of
from nhg.errors import NhgError
from nhg.experiment import compare, sets
from nhg.experiment.compare import Found
from nhg.origin import WITHOUT_EFFECT, beside, compiler_sha256, git, git_state, processor, runtime_sha256, sources_sha256
from nhg.record import Record
from nhg.run import models_of

ANEW = "git rm -r -q results/captured, commit, and capture everything anew"


def short(sha256: str | None) -> str:
    return sha256[:9] if sha256 else "unknown"


def several(found: Found, what: str) -> list[str]:
    """One line where a hash of the records is not the same in all of them, or not known."""
    hashes = {getattr(record, f"{what}_sha256") for _, record in found}
    return [f"hashes of {what} differ or are unknown ({' '.join(sorted(map(short, hashes)))})"] if len(hashes) > 1 or None in hashes else []


def apart(groups: Iterable[tuple[tuple, str, Record]], what: str) -> list[str]:
    """One line where what belongs together has several hashes; of each: what it belongs to, the hash, a record."""
    hashes: dict[tuple, dict[str, Record]] = {}
    for key, sha256, record in groups:
        hashes.setdefault(key, {}).setdefault(sha256, record)
    split = [found for found in hashes.values() if len(found) > 1]
    if not split:
        return []
    return [
        f"{len(split)} of {len(hashes)} {what} have several hashes, as that of {compare.name(next(iter(split[0].values())))} ({' '.join(map(short, split[0]))})"
    ]


def programs(found: Found) -> list[str]:
    builds = ((record.bench, record.variant, record.target == "x86", record.compiler_flags, len(record.samples)) for _, record in found)
    return apart(((build, record.program_sha256, record) for build, (_, record) in zip(builds, found, strict=True)), "programs")


def models(found: Found) -> list[str]:
    """Of wall times the model is the program itself."""
    return apart((((record.target, record.core), record.model_sha256, record) for _, record in found if record.target != "x86"), "models")


def processors(found: Found) -> set[str]:
    """Machines that measured wall times; old records do not say which."""
    return {record.processor for _, record in found if record.processor}


def machines(found: Found) -> list[str]:
    """One line where wall times are of several machines."""
    names = sorted(processors(found))
    return [f"wall times are of {len(names)} machines ({', '.join(names)})"] if len(names) > 1 else []


def value(record: Record) -> str:
    return f"{record.cycles:,} cycles" if record.cycles else f"{record.wall_ns:,} ns" if record.wall_ns else f"{record.instret:,} instructions"


def values(found: Found) -> list[str]:
    """A point that stands in several sets is one run there."""
    points: dict[tuple, dict[str, Record]] = {}
    for name, record in found:
        points.setdefault(compare.identity(record), {})[name] = record
    several = [point for point in points.values() if len(point) > 1]
    split = [point for point in several if any(record != next(iter(point.values())) for record in point.values())]
    if not split:
        return []
    differ = [point for point in split if len({value(record) for record in point.values()}) > 1]
    (first, one), *others = (differ or split)[0].items()
    said = ", ".join(f"{value(record)} in {name}" for name, record in [(first, one), *others])
    return [
        f"{len(split)} of {len(several)} points that stand in several sets are several runs, {len(differ)} with different values ({compare.name(one)}: {said})"
    ]


def faults(found: Found) -> list[str]:
    """Why records are not one set, one line a reason."""
    dirty = [(name, record) for name, record in found if record.git_commit is None or record.git_dirty is not False]
    lines = [f"{len(dirty)} runs are of no clean commit, as {compare.name(dirty[0][1])} in {dirty[0][0]}"] if dirty else []
    commits = {(record.git_commit, record.sources_sha256) for _, record in found}
    if len({sources or commit for commit, sources in commits}) > 1:
        names = sorted({short(commit) for commit, _ in commits})
        lines.append(f"{len(names)} commits that differ in more than {', '.join(WITHOUT_EFFECT)} ({' '.join(names)})")
    return [*lines, *several(found, "compiler"), *several(found, "runtime"), *models(found), *programs(found), *machines(found), *values(found)]


def sources_of(record: Record) -> tuple:
    return (record.git_dirty, record.sources_sha256, record.compiler_sha256, record.runtime_sha256)


def here() -> tuple:
    """What a record of this checkout says of its sources."""
    return (git_state()[1], sources_sha256(), compiler_sha256(), runtime_sha256())


def takes(record: Record) -> bool:
    """Whether a record of this machine was measured at what is being captured."""
    return sources_of(record) == here()


def changed() -> str:
    """What keeps this checkout from being a commit."""
    lines = git("status", "--porcelain", *beside(WITHOUT_EFFECT)).stdout.splitlines()
    return f"{len(lines)} files differ from it, the first is {lines[0][3:]}" if lines else "it has none"


def begin(targets: Iterable[str]) -> None:
    """Capture from now on; raises where the set would not be one."""
    if git_state()[1] is not False:
        raise NhgError(f"CAPTURE=1 keeps runs of a commit, and this checkout is none ({changed()}): commit, then repeat")
    found = sets.in_folder(sets.CAPTURED)
    if lines := faults(found):
        raise NhgError(f"CAPTURE=1: {sets.CAPTURED} is not one set ({lines[0]}): {ANEW}")
    mine = here()
    other = next((record for _, record in found if sources_of(record) != mine), None)
    if other:
        differs = git("diff", "--name-only", str(other.git_commit), "HEAD", *beside(WITHOUT_EFFECT)).stdout.splitlines()
        said = f"{len(differs)} files differ here, the first is {differs[0]}" if differs else "compiler, runtime or sources differ here"
        raise NhgError(f"CAPTURE=1 would mix: what is captured is of commit {short(other.git_commit)}, and {said}: check that out, or {ANEW}")
    if "x86" in targets and (elsewhere := processors(found) - {processor()}):
        raise NhgError(f"CAPTURE=1 would mix: captured wall times are of {elsewhere.pop()}, and this machine is {processor()}: go on there, or {ANEW}")
    for target in set(targets) & set(sets.REPEATABLE):
        build_models(target, with_plugin=True)
        if target == "sim":
            build_guided_simulator()
        model = design_of(models_of(target)[0])
        others = {record.model_sha256 for _, record in found if (record.target, record.core) == (target, paths.CONFIG)} - {model}
        if others:
            raise NhgError(f"CAPTURE=1 would mix: TARGET={target} is model {short(model)} here and {short(others.pop())} in what is captured: make doctor")
    sets.capturing = True


def end() -> None:
    """What was captured is one set."""
    if lines := faults(sets.in_folder(sets.CAPTURED)):
        raise NhgError(f"{sets.CAPTURED} is not one set: {lines[0]}")
