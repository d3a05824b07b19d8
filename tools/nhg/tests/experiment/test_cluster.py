# SPDX-License-Identifier: Apache-2.0
"""What a cluster's jobs are told and what they leave, without a cluster; with one: tools/nhg/slurm."""

import json
import os
import pickle
import subprocess
from dataclasses import replace

import pytest
from plans import make_plan

from nhg import paths
from nhg.build import Program, sha256_of
from nhg.errors import NhgError
from nhg.experiment import cluster, execute, job
from nhg.experiment.execute import Prepared, Progress
from nhg.experiment.grid import cases

LOG = """\
Error in rule run:
    message: SLURM-job '4' failed, SLURM status is: 'TIMEOUT'. Detailed failure reason unavailable.
    jobid: 0
    input: /r/cluster/jobs/gups-serial-iss-800ns-0123456789ab.job
    output: /r/gups-serial-iss-800ns-0123456789ab.json
    log: /r/slurm/4.log (check log file(s) for error details)
    shell:
        env nhg
Exiting because a job execution failed. Look above for error messages
"""


@pytest.fixture
def ready(tmp_path, monkeypatch):
    """A point whose program is built, in a results folder of its own."""
    monkeypatch.setattr(paths, "RESULTS", tmp_path)
    program = tmp_path / "program.elf"
    program.write_text("first")
    point = cases(make_plan(sweep={"variant": ["serial"], "target": "iss"}))[0].points[0]
    monkeypatch.setattr(job, "key_of", lambda point, program: "a" * 64)
    return Prepared(point, Program(program, sha256_of(program), ""), "a" * 64, None, None)


@pytest.mark.parametrize("name", ["slurn", "/nowhere"])
def test_a_cluster_without_a_profile_is_refused(name):
    with pytest.raises(NhgError, match=f"CLUSTER={name} is no profile; the nearest legal value is slurm"):
        cluster.by_profile(name, [make_plan()])


def test_what_belongs_to_one_machine_is_refused():
    with pytest.raises(NhgError, match="TARGET=x86 is measured on the machine itself"):
        cluster.by_profile("slurm", [make_plan(sweep={"target": "x86", "variant": ["serial", "coroutine"]})])


def test_without_slurm_one_line_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NhgError, match="sbatch is not on the PATH"):
        cluster.by_profile("slurm", [make_plan()])


def test_a_second_start_finds_the_first_and_the_snakemake_that_outlived_it(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "RESULTS", tmp_path)
    with cluster.alone() as lock:
        with pytest.raises(NhgError, match=rf"{tmp_path} is measured for already, by process {os.getpid()} on .*: wait until"), cluster.alone():
            pass
        snakemake = subprocess.Popen(["sleep", "60"], pass_fds=(lock.fileno(),))
    with pytest.raises(NhgError, match="measured for already"), cluster.alone():
        pass
    snakemake.kill()
    snakemake.wait()
    with cluster.alone():
        pass


def test_a_profile_names_its_executor(tmp_path):
    (tmp_path / "config.yaml").write_text("jobs: 3\n")
    with pytest.raises(NhgError, match="`executor` is missing"):
        cluster.by_profile(str(tmp_path), [make_plan()])


def test_a_job_that_left_nothing_has_snakemakes_reason(ready):
    name = cluster.stem(ready)
    errors = cluster.errors_in(LOG.replace("0123456789ab", ready.key[:12]))
    assert list(errors) == [name] and errors[name].endswith("unavailable. (/r/slurm/4.log)")
    waiting = cluster.Waiting(Progress(1, None, {}))
    waiting.left[name] = ready
    waiting.give_up(errors, 0)
    record, reason = waiting.outcomes[ready.point.identity]
    assert record is None and "SLURM status is: 'TIMEOUT'" in reason and not waiting.left
    assert json.loads(execute.failure_of(ready.point).read_text())["reason"] == reason


def test_a_failure_that_is_seen_late_is_the_jobs_own(ready, monkeypatch):
    waiting = cluster.Waiting(Progress(1, None, {}))
    waiting.left[cluster.stem(ready)] = ready
    monkeypatch.setattr(cluster.time, "sleep", lambda seconds: execute.keep_failure(ready.point, "gups/serial: wrong answer"))
    waiting.give_up({cluster.stem(ready): "SLURM status is: 'FAILED'"}, 30)
    assert waiting.outcomes[ready.point.identity] == (None, "gups/serial: wrong answer")


def test_a_job_runs_only_what_it_was_submitted_with(ready, tmp_path, monkeypatch, make_record):
    file = tmp_path / "x.job"
    file.write_bytes(pickle.dumps((ready, 0)))
    monkeypatch.setattr(execute, "run", lambda point, program, counted: make_record(key=ready.key))
    assert job.main(file) == 0 and [path.name for path in tmp_path.glob("*-aaaaaaaaaaaa.json")]
    ready.program.file.write_text("second")
    assert job.main(file) == 1 and "built anew" in json.loads(execute.failure_of(ready.point).read_text())["reason"]


def test_a_program_that_is_seen_late_is_waited_for(ready, monkeypatch):
    ready.program.file.rename(ready.program.file.with_suffix(".late"))
    monkeypatch.setattr(job, "carry_out", lambda ready: "record")
    monkeypatch.setattr(job.time, "sleep", lambda seconds: ready.program.file.with_suffix(".late").rename(ready.program.file))
    assert job.checked(ready, 30) == "record"


def test_a_model_that_was_built_anew_is_another_also_of_the_same_sources(ready, tmp_path):
    model = tmp_path / "sim"
    model.write_text("first")
    ready = replace(ready, models=((model, sha256_of(model)),))
    assert job.is_here(ready)
    model.write_text("second")
    assert not job.is_here(ready)


def test_what_snakemake_is_told(ready, monkeypatch):
    monkeypatch.setenv("NHG_RESULTS", str(paths.RESULTS))
    words = cluster.options({cluster.stem(ready): ready}, 60)
    assert words[-1] == str(cluster.record_file(ready)) and f"NHG_RESULTS={paths.RESULTS}" in next(word for word in words if word.startswith("command="))
    kept, patience = pickle.loads((paths.RESULTS / f"cluster/jobs/{cluster.stem(ready)}.job").read_bytes())
    assert kept == ready and patience == 60 and words[-1].startswith("/") and words[-1].endswith(".json")
