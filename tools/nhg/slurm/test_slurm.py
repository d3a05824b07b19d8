# SPDX-License-Identifier: Apache-2.0
"""`make figures CLUSTER=` against a real slurmctld and two slurmd on this machine (loopback.py), with runs on the golden model.

One experiment of five runs goes through what a cluster does to jobs: one is preempted, one requeued, one loses its node, one is cancelled, one gives a
wrong answer; files of the nodes come late all the while. Then the same is asked for again.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import yaml
from loopback import Cluster, Server, wait_for

from nhg import paths
from nhg.record import read

LATE_SECONDS = 3.0
# Latencies of GUPS; what happens to the run of each.
DISTURBED = {REQUEUED := 100, PREEMPTED := 200, LOST := 300, CANCELLED := 400}
PROFILE = {
    "executor": "slurm",
    "jobs": 10,
    "latency-wait": 20,
    "default-resources": {"mem_mb": 500, "runtime": 10, "slurm_partition": "low"},
    "slurm-no-account": True,
    "slurm-requeue": True,
    "slurm-status-command": "squeue",
    "slurm-init-seconds-before-status-checks": 2,
    "slurm-keep-successful-logs": True,
}


def wrong(folder: Path) -> Path:
    """A benchmark whose answer is never right."""
    place = folder / "wrong"
    shutil.copytree(paths.ROOT / "tools/nhg/template", place)
    for file in list(place.iterdir()):
        file.write_text(file.read_text().replace("@NAME@", "wrong").replace("@UPPER@", "WRONG"))
        file.rename(file.with_name(file.name.replace("NAME", "wrong")))
    data = place / "data.c"
    data.write_text(data.read_text().replace("  return true;", "  return count == 0;"))
    return place


def experiment(folder: Path, region_length: int) -> Path:
    """Four runs of GUPS of some seconds each, and one that fails."""
    latencies = [REQUEUED, PREEMPTED, LOST, CANCELLED]
    sweep = {"benchmark": ["gups", str(wrong(folder))], "scale": "tiny", "target": "iss", "latency_ns": latencies, "variant": "serial"}
    drop = [{"benchmark": [str(folder / "wrong")], "latency_ns": latencies[1:], "because": "one wrong answer is enough"}]
    content = {"name": "trial", "title": "Trial", "figure": {"kind": "bars"}, "sweep": {**sweep, "region_length": region_length}, "drop": drop}
    (folder / "trial.yaml").write_text(yaml.safe_dump(content))
    return folder / "trial.yaml"


class Campaign:
    """The experiment on the cluster, as a user starts it, in a results folder of its own."""

    def __init__(self, folder: Path, cluster: Cluster, results: Path) -> None:
        self.cluster, self.results = cluster, results
        profile = folder / "profile"
        profile.mkdir()
        (profile / "config.yaml").write_text(yaml.safe_dump({**PROFILE, "slurm-logdir": str(folder / "slurm-logs")}))
        path = f"{cluster.commands}{os.pathsep}{os.environ['PATH']}"
        own = {"NHG_RESULTS": str(results), "NHG_PLOTS": str(folder / "plots"), "PYTHONPATH": str(paths.ROOT / "tools"), "PATH": path}
        self.environment = {**os.environ, **own}
        # What ended well on the golden model is not run twice: a program of this time alone, or there may be no model to hold.
        length = random.randrange(60000, 70000)
        self.command = [sys.executable, "-m", "nhg", "figures", f"EXP={experiment(folder, length)}", f"CLUSTER={profile}"]
        self.said = folder / "said"

    def start(self) -> subprocess.Popen:
        with self.said.open("w") as stream:
            # Ctrl-C works in it also where these tests run behind a shell's `&`, which has it ignored.
            return subprocess.Popen(
                self.command,
                env=self.environment,
                stdout=stream,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
            )

    def job_of(self, latency: int) -> str:
        """The number of SLURM's job for a run; empty while there is none."""
        log = self.results / "cluster/snakemake.log"
        text = log.read_text() if log.exists() else ""
        ids = {record: job for job, record in re.findall(r"SLURM jobid (\d+) \(log: \S*/rule_run/([^/]+)/", text)}
        return next((job for record, job in ids.items() if record.startswith(f"gups-serial-iss-{latency}ns-")), "")

    def record_of(self, latency: int):  # type: ignore[no-untyped-def]
        return next((record for path in self.results.glob(f"gups-serial-iss-{latency}ns-*.json") if (record := read(path))), None)

    def held(self, job: str) -> bool:
        """Stop the model of a job, so that what is done to the job meets a run that computes; whether it was found."""
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if (process / "cmdline").read_bytes().startswith(bytes(paths.ISS)) and f"SLURM_JOB_ID={job}\0".encode() in (process / "environ").read_bytes():
                    os.kill(int(process.name), signal.SIGSTOP)
                    return True
            except OSError:
                continue  # ended meanwhile, or another user's
        return False

    def hold(self, process: subprocess.Popen, met: dict[int, str]) -> None:
        """Hold the first try of each run as soon as it computes, whatever else is being done meanwhile; its job's number goes into `met`."""
        while len(met) < len(DISTURBED) and process.poll() is None:
            for latency in DISTURBED - met.keys():
                job = self.job_of(latency)
                if job and self.held(job):
                    met[latency] = job
            time.sleep(0.1)

    def disturb(self, process: subprocess.Popen) -> dict[int, str]:
        """Do to each run, while it computes, what it is there for; its job's number."""
        met: dict[int, str] = {}
        threading.Thread(target=self.hold, args=(process, met), daemon=True).start()
        still, limit, tended = set(DISTURBED), time.monotonic() + 400, 0.0
        while still:
            assert time.monotonic() < limit and process.poll() is None, self.unmet(still)
            for latency in sorted(still & met.keys()):
                self.disturb_one(latency, met[latency])
                still.discard(latency)
            if time.monotonic() > tended + 2:
                tended = time.monotonic()
                self.cluster.tend()
            time.sleep(0.1)
        return met

    def unmet(self, still: set[int]) -> str:
        """One line: what the summary of a failure shows."""
        said = " | ".join(self.said.read_text().splitlines())
        return f"not met while they computed: {sorted(still)} ns; number and node of SLURM's jobs: {self.cluster.jobs('all')}; said: {said}"

    def disturb_one(self, latency: int, job: str) -> None:
        node = self.cluster.jobs("RUNNING")[job]
        if latency == REQUEUED:
            self.cluster.say("scontrol", "requeue", job)
        elif latency == PREEMPTED:
            self.cluster.say("sbatch", "--parsable", "--partition=high", f"--nodelist={node}", "--output=/dev/null", "--wrap=sleep 1")
            wait_for(lambda: job not in self.cluster.jobs("RUNNING"), 20, "preemption")
        elif latency == LOST:
            self.cluster.lose_node(node)
        else:
            self.cluster.say("scancel", job)


@pytest.fixture(scope="module")
def done(tmp_path_factory):  # type: ignore[no-untyped-def]
    """What is left after the experiment, and what was said."""
    folder = tmp_path_factory.mktemp("slurm")
    results, server = folder / "results", folder / "server"
    results.mkdir(), server.mkdir()
    with Cluster(folder / "cluster", Server(results, server, LATE_SECONDS)) as cluster:
        campaign = Campaign(folder, cluster, results)
        process = campaign.start()
        try:
            campaign.jobs = campaign.disturb(process)
            while process.poll() is None:
                cluster.tend()
                time.sleep(0.5)
        finally:
            process.send_signal(signal.SIGINT)  # only reaches one that this test could not bring to its end
        cluster.return_nodes()
        campaign.code, campaign.first = process.wait(60), campaign.said.read_text()
        campaign.controller = (cluster.folder / "slurmctld.log").read_text()
        campaign.restarts = {latency: int(cluster.fact(job, "Restarts")) for latency, job in campaign.jobs.items()}
        yield campaign


def test_runs_are_submitted_and_their_records_land(done):  # type: ignore[no-untyped-def]
    """Four of five had something done to them; three of these, and the time left after each."""
    assert "[5/5]" in done.first and re.search(r"verified in \d+ s; about [\d.]+ (s|min|h) left", done.first), done.first
    for latency in (REQUEUED, PREEMPTED, LOST):
        assert done.record_of(latency), f"{latency} ns: {done.first}"
    assert not list(done.results.glob(".*")), "a record is there whole or not at all"


def test_a_preempted_run_is_begun_again(done):  # type: ignore[no-untyped-def]
    assert f"preempted JobId={done.jobs[PREEMPTED]} has been requeued" in done.controller
    assert done.restarts[PREEMPTED] >= 1 and done.cluster.fact(done.jobs[PREEMPTED], "JobState") == "COMPLETED"


def test_a_requeued_run_is_begun_again(done):  # type: ignore[no-untyped-def]
    assert done.restarts[REQUEUED] >= 1 and done.cluster.fact(done.jobs[REQUEUED], "JobState") == "COMPLETED"


def test_the_run_of_a_lost_node_is_begun_again(done):  # type: ignore[no-untyped-def]
    assert f"requeue job JobId={done.jobs[LOST]} due to failure of node" in done.controller
    assert done.restarts[LOST] >= 1 and done.cluster.fact(done.jobs[LOST], "JobState") == "COMPLETED"


def test_files_that_come_late_are_waited_for(done):  # type: ignore[no-untyped-def]
    """Every record was on the nodes' side of the file system first."""
    assert done.cluster.server.late >= 3


def test_a_run_that_fails_is_kept_with_its_reason_and_stops_no_other(done):  # type: ignore[no-untyped-def]
    reasons = {path.name: json.loads(path.read_text()) for path in (done.results / "failed").glob("*.json")}
    (answer,) = (reason for name, reason in reasons.items() if name.startswith("wrong"))
    assert "wrong/serial" in answer["reason"] and "nhg-iss" in Path(answer["log"]).read_text(), "of the node, with its log"
    (cancelled,) = (reason for name, reason in reasons.items() if name.startswith("gups"))
    assert re.search(f"SLURM-job '{done.jobs[CANCELLED]}' failed, SLURM status is: 'CANCELLED'", cancelled["reason"])
    assert len(reasons) == 2 and done.code == 1 and "2 of 5 points have no verified record" in done.first


def test_an_interruption_cancels_the_jobs(done):  # type: ignore[no-untyped-def]
    """After the tests above, which look at what the first time left."""
    process = done.start()
    wait_for(lambda: len(done.cluster.jobs("PENDING,RUNNING")) == 2, 120, "jobs of the two runs without a record")
    process.send_signal(signal.SIGINT)
    assert process.wait(120) == 130, "the exit code of what was interrupted"
    wait_for(lambda: not done.cluster.jobs("PENDING,RUNNING"), 60, "no job")


def test_the_same_again_runs_only_what_has_no_record(done):  # type: ignore[no-untyped-def]
    again = done.start()
    assert again.wait(300) == 1
    said = done.said.read_text()
    assert said.count("already measured") == 3 and "2 runs go to the cluster" in said, said
    assert done.record_of(CANCELLED) and "1 of 5 points have no verified record" in said
