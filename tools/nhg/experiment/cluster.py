# SPDX-License-Identifier: Apache-2.0
"""Measures points as jobs of a cluster (docs/guide/cluster.md). Snakemake submits the jobs and waits for them, by a profile that says how.

Programs are built and what has a record is found here, as for runs on this machine; a job (job.py) only runs. What is told of a job is told by
its record in results/, or by its reason in results/failed: both come from the node, through the shared file system. A job that ended with
neither has its reason from Snakemake.
"""

import fcntl
import json
import os
import pickle
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import yaml

from nhg import paths
from nhg.errors import NhgError
from nhg.experiment import sets
from nhg.experiment.estimate import Estimate
from nhg.experiment.execute import SIDE_BY_SIDE, Outcomes, Prepared, Progress, attempt, failure_of, keep_failure, prepared
from nhg.experiment.schema import Experiment, nearest
from nhg.point import Point
from nhg.programs import call
from nhg.record import name_of, read

PROFILES = paths.ROOT / "experiments/profiles"
SNAKEFILE = Path(__file__).with_name("Snakefile")
# What a job needs of this command's environment; a cluster need not hand it on.
ENVIRONMENT = ("NHG_BUILD", "NHG_RESULTS", "NHG_TOOLCHAIN", "NHG_CONFIG", "LC_ALL", "PYTHONUTF8", "PYTHONNOUSERSITE", "PYTHONPATH")
ERROR = re.compile(r"^Error in rule run:\n(?P<lines>(?: {4}.*\n)+)", re.MULTILINE)
LOOK_SECONDS = 0.5


def folder() -> Path:
    """Of the job files, of Snakemake's own files and of its log."""
    return paths.RESULTS / "cluster"


def log_file() -> Path:
    return folder() / "snakemake.log"


def profile_of(name: str) -> Path:
    """The folder of a profile: one of experiments/profiles by its name, or the user's own."""
    for folder in (PROFILES / name, Path(name)):
        if (folder / "config.yaml").is_file():
            return folder.resolve()
    known = sorted(path.parent.name for path in PROFILES.glob("*/config.yaml"))
    raise NhgError(f"CLUSTER={name} is no profile; {nearest(name, known)}, or the folder of a Snakemake profile (config.yaml)")


def settings_of(profile: Path) -> dict:
    """What a profile says."""
    file = profile / "config.yaml"
    try:
        said = yaml.safe_load(file.read_text())
    except (OSError, yaml.YAMLError) as error:
        raise NhgError(f"{file}: not read ({str(error).splitlines()[0]})") from None
    if not isinstance(said, dict) or "executor" not in said:
        raise NhgError(f"{file}: `executor` is missing; a profile of Snakemake for a cluster names it, as {PROFILES / 'slurm/config.yaml'}")
    if said["executor"] == "slurm" and shutil.which("sbatch") is None:
        raise NhgError("sbatch is not on the PATH: CLUSTER=slurm is for a machine that submits jobs to SLURM; leave CLUSTER out to run here")
    return said


def by_profile(name: str, plans: list[Experiment]) -> Callable[[list[Point], int | None], Outcomes]:
    """What measures points by a profile; says at once what cannot be measured so."""
    for plan in plans:
        for target in plan.values("target"):
            if target not in SIDE_BY_SIDE:
                raise NhgError(f"{plan.name}: TARGET={target} is measured on the machine itself, not by jobs of a cluster; leave CLUSTER out")
    profile = profile_of(name)
    settings = settings_of(profile)
    call([sys.executable, paths.ROOT / "tools/setup", "snakemake"], what="installing Snakemake")
    return lambda points, jobs: measure(points, jobs, profile, settings.get("latency-wait", 5))


def stem(ready: Prepared) -> str:
    """Of the files of a run: that of its record."""
    point = ready.point
    return name_of(point.benchmark.name, point.variant.name, point.target, point.setting.latency_ns, ready.key).removesuffix(".json")


def record_file(ready: Prepared) -> Path:
    return ready.folder / f"{stem(ready)}.json"


class Waiting:
    """The runs whose jobs have not ended, and what those came to that have."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.left: dict[str, Prepared] = {}
        self.outcomes: Outcomes = {}

    def end(self, name: str, reason: str) -> None:
        ready = self.left.pop(name)
        record = None if reason else read(record_file(ready))
        self.outcomes[ready.point.identity] = (record, reason)
        self.progress.ended(ready.point, reason, record.host_wall_seconds if record else 0.0)

    def look(self) -> None:
        """End those that have a record or a reason."""
        for name, ready in list(self.left.items()):
            if read(record_file(ready)):
                self.end(name, "")
            elif failure_of(ready.point).exists():
                self.end(name, json.loads(failure_of(ready.point).read_text())["reason"])

    def give_up(self, errors: dict[str, str], seconds: float) -> None:
        """Every job has ended. What the program said of a failure may come late; the reason for what was ended from outside is Snakemake's."""
        limit = time.monotonic() + seconds
        while any("FAILED" in errors.get(name, "") for name in self.left) and time.monotonic() < limit:
            time.sleep(LOOK_SECONDS)
            self.look()
        for name, ready in list(self.left.items()):
            reason = f"{ready.point.name}: {errors.get(name) or f'no job of it ended with a record; {log_file()} says why'}"
            keep_failure(ready.point, reason)
            self.end(name, reason)


def errors_in(log: str) -> dict[str, str]:
    """What Snakemake says of each job that failed, by its name."""
    found = {}
    for error in ERROR.finditer(log):
        lines = dict(line.strip().split(": ", 1) for line in error["lines"].splitlines() if ": " in line)
        if "output" in lines:
            said, own = lines.get("message", "None"), re.search(r"(\S+) \(check log file", lines.get("log", ""))
            found[Path(lines["output"]).stem] = f"{'' if said == 'None' else said}{f' ({own[1]})' if own else ''}"
    return found


def prepare_all(points: list[Point], waiting: Waiting) -> None:
    """Build programs; those that have a record, or cannot be built, need no job."""
    expected = waiting.progress.expected
    for point in sorted(points, key=lambda point: expected[point.identity], reverse=True):
        ready, reason = attempt(point, lambda point=point: prepared(point))  # type: ignore[misc]
        if ready and not ready.known:
            waiting.left[stem(ready)] = ready
            continue
        waiting.outcomes[point.identity] = (ready.known if ready else None, reason)
        waiting.progress.ended(point, reason, 0.0 if reason else None)


def options(runs: dict[str, Prepared], patience: float) -> list[str]:
    """Write the job files; what Snakemake is told of them."""
    jobs = folder() / "jobs"
    shutil.rmtree(jobs, ignore_errors=True)
    jobs.mkdir(parents=True)
    for name, ready in runs.items():
        (jobs / f"{name}.job").write_bytes(pickle.dumps((ready, patience)))
    environment = [f"{name}={os.environ[name]}" for name in ENVIRONMENT if name in os.environ]
    command = shlex.join(["env", *environment, sys.executable, "-m", "nhg.experiment.job"])
    records = [str(record_file(ready)) for ready in runs.values()]
    return ["--config", f"jobs={jobs}", f"results={sets.records()}", f"command={command}", "--directory", str(folder()), "--", *records]


@contextmanager
def alone() -> Iterator[TextIO]:
    """One start at a time works in a results folder; it holds it as long as it, or the Snakemake that it has started, lives."""
    folder().mkdir(parents=True, exist_ok=True)
    with (folder() / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            raise NhgError(
                f"{paths.RESULTS} is measured for already, by {lock.read().strip()}: wait until that has ended, or end it with kill -INT, and repeat"
            ) from None
        lock.truncate(0)
        print(f"process {os.getpid()} on {platform.node()}", end="", file=lock, flush=True)
        yield lock


def measure(points: list[Point], jobs: int | None, profile: Path, latency_wait: float) -> Outcomes:
    """Measure points by jobs; `jobs`: at most so many at a time, otherwise as the profile says."""
    with alone() as lock:
        return submit(points, jobs, profile, latency_wait, lock)


def submit(points: list[Point], jobs: int | None, profile: Path, latency_wait: float, lock: TextIO) -> Outcomes:
    expected = Estimate(paths.RESULTS)
    waiting = Waiting(Progress(len(points), None, {point.identity: expected.seconds(point) for point in points}))
    prepare_all(points, waiting)
    if not waiting.left:
        return waiting.outcomes
    command = [paths.TOOLCHAIN / "snakemake/bin/snakemake", "--snakefile", SNAKEFILE, "--profile", profile, *(["--jobs", jobs] if jobs else [])]
    command += ["--nolock", "--keep-going", "--rerun-incomplete", "--drop-metadata", *options(waiting.left, latency_wait)]
    print(f"{len(waiting.left)} runs go to the cluster by {profile}; {log_file()} says what Snakemake does", flush=True)
    with log_file().open("w") as log:
        # A session of its own: an interruption is handed on once, and Snakemake then cancels its jobs.
        process = subprocess.Popen(
            list(map(str, command)), stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True, pass_fds=(lock.fileno(),)
        )
    print(f" and Snakemake, process {process.pid}", end="", file=lock, flush=True)
    try:
        while process.poll() is None:
            time.sleep(LOOK_SECONDS)
            waiting.look()
    except BaseException:
        process.send_signal(signal.SIGINT)
        process.wait()
        raise
    waiting.look()
    waiting.give_up(errors_in(log_file().read_text(errors="replace")), latency_wait)
    return waiting.outcomes
