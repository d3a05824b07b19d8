# SPDX-License-Identifier: Apache-2.0
"""A captured run once more: in a work tree of its commit, asked for as its set does, compared to the cycle. Here a checkout whose make copies a record."""

import json
import subprocess

import pytest
from plans import make_plan

from nhg import paths, reproduce
from nhg.errors import NhgError
from nhg.experiment import dataset, sets
from nhg.experiment.load import load

MAKEFILE = """\
figures:
	@test -f 0.json || { mkdir -p $(NHG_RESULTS)/failed && echo '{"reason": "wrong answer"}' >$(NHG_RESULTS)/failed/x.json; exit 1; }
	@mkdir -p $(NHG_RESULTS) && cp $(CURDIR)/*.json $(NHG_RESULTS)/ && echo "$(CONFIG) $(NHG_TOOLCHAIN) $(TRAINING)." >$(NHG_RESULTS)/asked
"""
OWN = "variants:\n  mine: {scheduler: bafin, options: [near=none]}\n"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """repository(answers): commits a checkout whose runs come to these records; returns the commit."""
    root = tmp_path / "root"
    monkeypatch.setattr(paths, "ROOT", root)
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    monkeypatch.setattr(paths, "TOOLCHAIN", tmp_path / "shared")
    monkeypatch.setattr(sets, "CAPTURED", root / "results/captured")
    identity = ["-c", "user.name=x", "-c", "user.email=x@y", "-c", "core.hooksPath=/dev/null", "-c", "commit.gpgsign=false"]

    def git(*words):
        return subprocess.run(["git", "-C", root, *identity, *words], check=True, capture_output=True, text=True).stdout.strip()

    def commit(*answers):
        files = {"Makefile": MAKEFILE, "experiments/trial.yaml": OWN, "tools/setup/lock.toml": "first\n", ".gitignore": "/results\n"}
        files |= {f"{number}.json": answer.model_dump_json() for number, answer in enumerate(answers)}
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
            git(*words)
        return git("rev-parse", "HEAD")

    return commit


@pytest.fixture
def captured(results_of):
    """captured(plan, fields): a captured set named `trial`, and the keys of its runs by variant."""

    def make(plan, **fields):
        results = results_of(plan, lambda values, tasks: {"git_dirty": False, **fields})
        dataset.capture(results, "trial")
        return [result.record for result in results]

    return make


def test_the_same_to_the_cycle_or_not(repository, captured, make_record, tmp_path, capsys):
    commit = repository(make_record(variant="serial", coroutines=256))
    serial, bafin = captured(make_plan(), git_commit=commit)
    assert reproduce.reproduce(serial.key[:12]) == (True, f"gups/serial sim tiny 800 ns at {commit[:9]}: 3,000 cycles, the same again")
    said = capsys.readouterr().out
    assert said.startswith("reproduce: gups/serial") and said.count("\n") == 1
    asked = tmp_path / f"build/reproduce/{commit[:9]}/results/reproduced/asked"
    assert asked.read_text() == f"default {tmp_path / 'shared'} .\n"
    captured(make_plan(), git_commit=commit, cycles=2999, program_sha256="9" * 64, cycle_breakdown={})
    same, line = reproduce.reproduce(bafin.key)
    assert not same and line.endswith("cycles 2,999 -> 3,000 (another program)")


def test_commits_of_other_locks_share_a_toolchain_of_theirs(repository, captured, make_record, tmp_path):
    used = []
    for commit in (repository(make_record()), repository(make_record(), make_record())):
        (serial, _) = captured(make_plan(), git_commit=commit)
        (paths.ROOT / "tools/setup/lock.toml").write_text("second\n")
        reproduce.reproduce(serial.key)
        used.append((tmp_path / f"build/reproduce/{commit[:9]}/results/reproduced/asked").read_text().split()[1])
    assert used[0] == used[1] and used[0].startswith(str(tmp_path / "build/reproduce/toolchain-"))


def test_it_is_asked_for_as_its_set_does(repository, captured, make_record, tmp_path):
    variants = {"mine": {"scheduler": "bafin", "options": ["near=none"]}}
    sweep = {"variant": "mine", "jitter": "uniform:100", "bandwidth_gbps": 3, "coroutines": 8, "warmup": 9}
    plan = make_plan(sweep=sweep, variants=variants, repetitions=2)
    commit = repository(*(make_record(jitter_seed=seed, cycles=3000 + seed) for seed in range(2)))
    _, second = captured(plan, git_commit=commit, jitter="uniform:100", jitter_seed=1, cycles=3001, cycle_breakdown={}, core="large")
    assert reproduce.reproduce(second.key)[0]
    tree = tmp_path / f"build/reproduce/{commit[:9]}"
    assert (tree / "results/reproduced/asked").read_text().startswith("large ")
    again = load(tree / "reproduce.yaml")
    assert again.variants == plan.variants and again.repetitions == 2 and again.sweep.given == {**plan.sweep.given, "latency_ns": [800]}
    assert "os" not in json.loads((tree / "reproduce.yaml").read_text())["sweep"], "an axis that the commit may not know"


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"git_dirty": True}, "with uncommitted changes; no commit has its sources"),
        ({"git_dirty": None}, "with uncommitted changes"),
        ({"git_commit": "f" * 40}, "commit fffffffff is not in this clone"),
        ({"target": "x86", "emulated_ns": None, "wall_ns": 1}, "gives other times each time"),
    ],
)
def test_what_cannot_be_had_again_is_refused(repository, captured, make_record, fields, says):
    commit = repository(make_record())
    serial, _ = captured(make_plan(), **{"git_commit": commit, **fields})
    with pytest.raises(NhgError, match=says):
        reproduce.reproduce(serial.key)


def test_a_key_names_one_run(repository, captured, make_record):
    captured(make_plan(), git_commit=repository(make_record()))
    for key, says in (("0", "give the first 8 digits"), ("f" * 12, "no captured run has this key"), ("00000000", "2 captured runs begin so; give more digits")):
        with pytest.raises(NhgError, match=says):
            reproduce.reproduce(key)


def test_a_run_that_comes_to_nothing_says_why(repository, captured):
    serial, _ = captured(make_plan(), git_commit=repository())
    with pytest.raises(NhgError, match=r"no record came out \(wrong answer\); .*reproduce.log has all of it"):
        reproduce.reproduce(serial.key)
