# SPDX-License-Identifier: Apache-2.0
"""`make compare A=... B=...`: the runs of two sets side by side; what changed beyond noise.

A and B are each a set (.csv or .parquet), a folder of sets or of records, or a commit of this repository: its captured sets. Runs on RTL, the
golden model and the board are repeatable: any cycle or instruction is a change. Wall times have changed where the 95 % confidence intervals of their
medians are apart. A point that stands in several sets is compared set by set, and in sets of other names with every value that it has there.
"""

import math
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nhg import paths
from nhg.errors import NhgError
from nhg.experiment import sets
from nhg.origin import git
from nhg.record import Record
from nhg.record import read as read_record
from nhg.variants import with_tasks

CONFIDENCE = 0.95
OPTION = re.compile(r"-fplugin-arg-asyncmem-(\S+)")
EXACT = ("cycles", "instret", "operations")
Found = list[tuple[str, Record]]  # the name of a set, or of a record's file, and a record in it


def identity(record: Record) -> tuple:
    """What two runs have alike that can be compared."""
    return (
        record.bench,
        record.variant,
        tuple(OPTION.findall(record.compiler_flags)),
        record.target,
        record.core,
        record.scale,
        record.pages,
        record.caches,
        tuple(sorted(record.dataset.items())),
        record.latency_ns,
        record.jitter,
        record.jitter_seed,
        record.bandwidth_gbps,
        record.bandwidth_mode,
        record.coroutines,
        tuple((sample.first, sample.operations) for sample in record.samples),
        record.completion_seed,
    )


def name(record: Record) -> str:
    varied = "" if record.jitter == "constant" else f", jitter {record.jitter} seed {record.jitter_seed}"
    limited = "" if record.bandwidth_gbps is None else f", {record.bandwidth_gbps:g} GB/s"
    where = record.target if record.core == "default" else f"{record.target} {record.core}"
    sampled = f", {len(record.samples)} samples" if record.samples else ""
    tasks = with_tasks(record.variant, record.coroutines)
    return f"{record.bench}/{record.variant} {where} {record.scale} {record.latency_ns:g} ns{varied}{limited}{tasks}{sampled}"


def interval(samples: list[int]) -> tuple[int, int] | None:
    """Confidence interval of the median from the samples' order, whatever their distribution; None: too few samples for one."""
    ordered, count = sorted(samples), len(samples)
    outside, tail = (1 - CONFIDENCE) / 2, 0.0
    below = -1  # the greatest index of which that many smaller samples are improbable
    for number in range(count):
        tail += math.comb(count, number) / 2**count
        if tail > outside:
            break
        below = number
    return None if below < 0 else (ordered[below], ordered[count - 1 - below])


@dataclass(frozen=True)
class Difference:
    """Two runs: time of the second over the first, whether that is beyond noise (None: not to be told), and why one says so."""

    name: str
    ratio: float
    changed: bool | None
    said: str

    @property
    def line(self) -> str:
        return f"{self.name}: {self.said}" + ("" if math.isnan(self.ratio) else f" ({self.ratio - 1:+.2%} time)")


def difference(one: Record, other: Record) -> Difference:
    ratio = other.time / one.time if one.time and other.time else math.nan
    if one.target != "x86":
        found = [field for field in EXACT if getattr(one, field) != getattr(other, field)]
        counted = [field for field in found if getattr(one, field) is not None and getattr(other, field) is not None]
        said = ", ".join(f"{field} {getattr(one, field):,} -> {getattr(other, field):,}" for field in counted)
        return Difference(name(one), ratio, bool(found), said or ("equal" if not found else "counted in one only"))
    if one.wall_ns_samples == other.wall_ns_samples:
        return Difference(name(one), ratio, False, "the same samples")
    intervals = [interval(record.wall_ns_samples) for record in (one, other)]
    if None in intervals:
        return Difference(name(one), ratio, None, "too few samples")
    (low, high), (other_low, other_high) = intervals  # type: ignore[misc]
    apart = other_low > high or low > other_high
    said = f"median {low / 1e6:.2f} to {high / 1e6:.2f} ms -> {other_low / 1e6:.2f} to {other_high / 1e6:.2f} ms"
    return Difference(name(one), ratio, apart, said)


def in_folder(folder: Path) -> Found:
    """Of its sets, or where it has none of its records."""
    return sets.in_folder(folder) or [(path.stem, record) for path in sorted(folder.glob("*.json")) if (record := read_record(path))]


def at_commit(commit: str) -> Found | None:
    """The captured sets of a commit; None where there is no such commit."""
    if git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}").returncode:
        return None
    folder = str(sets.CAPTURED.relative_to(paths.ROOT))
    listed = git("ls-tree", "-r", "-z", "--name-only", commit, f"{folder}/").stdout.split("\0")
    with tempfile.TemporaryDirectory() as scratch:
        for file in filter(None, listed):
            place = Path(scratch) / Path(file).relative_to(folder)
            place.parent.mkdir(exist_ok=True)
            place.write_text(git("show", f"{commit}:{file}").stdout)
        return in_folder(Path(scratch))


def records(option: str, text: str) -> dict[tuple, dict[str, Record]]:
    """The records that A or B names: of each point those of each set."""
    if not text:
        raise NhgError(f"{option} is missing: give a set (.csv or .parquet), a folder of sets or records, or a commit")
    place = Path(text)
    if place.is_dir():
        found: Found | None = in_folder(place)
    elif place.exists():
        found = [(place.stem, record) for _, record in sets.read(place) if record]
    else:
        found = at_commit(text)
    if found is None:
        raise NhgError(f"{option}={text}: neither a file, a folder nor a commit")
    if not found:
        raise NhgError(f"{option}={text}: no verified run in it")
    points: dict[tuple, dict[str, Record]] = {}
    for set_name, record in found:
        points.setdefault(identity(record), {})[set_name] = record
    return points


def pairs(ours: dict[str, Record], theirs: dict[str, Record]) -> list[tuple[Record, Record]]:
    """The runs of one point that are compared, alike ones once."""
    common = [(record, theirs[set_name]) for set_name, record in ours.items() if set_name in theirs]
    found = common or [(one, other) for one in ours.values() for other in theirs.values()]
    return list({(one.key, one.time, other.key, other.time): (one, other) for one, other in found}.values())


def compare(first: str, second: str) -> tuple[bool, list[str]]:
    """Whether anything changed, and what to say."""
    ours, theirs = records("A", first), records("B", second)
    points = [key for key in ours if key in theirs]
    if not points:
        raise NhgError(f"A={first} and B={second} have no run in common")
    common = [difference(one, other) for key in points for one, other in pairs(ours[key], theirs[key])]
    changed = sorted((one for one in common if one.changed), key=lambda one: -one.ratio if not math.isnan(one.ratio) else 0)
    lines = [one.line for one in changed]
    unknown = sum(one.changed is None for one in common)
    if unknown:
        least = next(number for number in range(1, 100) if interval(list(range(number))))
        lines.append(f"{unknown} wall times have fewer than {least} samples in A or B, too few for an interval of {CONFIDENCE:.0%}: not compared")
    ratios = [one.ratio for one in common if not math.isnan(one.ratio)]
    mean = f"; geometric mean of time B over A {math.exp(sum(map(math.log, ratios)) / len(ratios)):.4f}" if ratios else ""
    lines.append(f"{len(changed)} of {len(common)} runs changed{mean}; only in A {len(ours) - len(points)}, only in B {len(theirs) - len(points)}")
    return bool(changed), lines
