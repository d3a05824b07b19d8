# SPDX-License-Identifier: Apache-2.0
"""Runs that must not leave a record: wrong answers, programs that do not end, a simulator that stops."""

import json
import os
import subprocess
from types import SimpleNamespace

import pytest
from simulated_result import COUNTS, result

from nhg import benchmark, cli, measure, paths, run, variants
from nhg.board.control import Identity
from nhg.build import Program
from nhg.errors import NhgError
from nhg.point import Point
from nhg.programs import Outcome

GOOD = result(COUNTS)
EXIT = measure.SIMULATOR_EXIT
SETTING = measure.Setting(latency_ns=800, bandwidth_gbps=None)


def script(path, body):
    path.write_text("#!/bin/sh\n" + body)
    path.chmod(0o755)
    path.with_name(paths.DESIGN).write_text("d" * 64 + "\n")
    return path


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A program and a golden model that finds it right and takes its checkpoint."""
    iss = script(
        tmp_path / "iss",
        f"""
while [ $# -gt 0 ]; do
  case $1 in
    --result) echo '{json.dumps({"instret": 1000, "roi_instret": 500, "host_seconds": 0.1, "metrics": GOOD["metrics"], "far_accesses": []})}' > "$2" ;;
    --checkpoint) echo image > "$2" ;;
    --recent-lines) echo lines > "$2" ;;
  esac
  shift
done
""",
    )
    monkeypatch.setattr(paths, "ISS", iss)
    file = tmp_path / "program"
    file.write_text("program")
    return Program(file, "0" * 64, "-O2")


def simulator(tmp_path, monkeypatch, content=None, code=0, says=""):
    """A simulator that writes this result, says this line and ends with this code."""
    monkeypatch.setattr(
        paths,
        "SIMULATOR",
        script(
            tmp_path / "sim",
            f"""
while [ $# -gt 0 ]; do [ "$1" = --result ] && result=$2; shift; done
{f"echo '{json.dumps(content)}' > $result" if content else ""}
echo '{says}' >&2
exit {code}
""",
        ),
    )


def test_fields_of_a_good_run(tmp_path, monkeypatch, program):
    simulator(tmp_path, monkeypatch, GOOD)
    measured = measure.on_sim("gups/serial", program, SETTING)
    assert measured.fields["emulated_ns"] == 1000 and measured.fields["far_bytes"] == 192
    assert measured.fields["far_write_latency_ns"] == {"min": 800, "mean": 900, "max": 1000}
    assert measured.fields["far_stalls"] == {"read_core": 5}
    assert measured.fields["branch_mispredicts"] == 7 and measured.fields["probes"] == {"x": 1}
    assert measured.fields["mlp_mean"] == 2 and measured.fields["mlp_peak"] == 3 and measured.fields["cycle_breakdown"] == {"retiring": 500, "far_load": 2500}
    assert measured.fields["simulated_khz"] == pytest.approx(10)


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (None, 1, "wrong answer"),
        (None, EXIT["watchdog"], "core is stuck"),
        (None, EXIT["mismatch"], "golden model"),
        (None, EXIT["max_cycles"], "does not terminate"),
        (None, EXIT["assertion"], "trace that cycle"),
        (None, 250, "ended with code 250"),
        (None, 0, "no readable result"),
        ({**GOOD, "counters": []}, 0, "no readable result"),
        ({**GOOD, "metrics": [10, 0, 0, 4, 0]}, 0, "did not report a verified answer"),
        ({**GOOD, "end": None}, 0, "no region of interest"),
        (result({**COUNTS, "cycles_retiring": 501}), 0, "the causes count 3,001 cycles, the region has 3,000"),
    ],
)
def test_bad_runs_are_one_line(tmp_path, monkeypatch, program, content, code, message):
    simulator(tmp_path, monkeypatch, content, code, "nhg-sim: cycle 7: something")
    with pytest.raises(NhgError, match=message) as error:
        measure.on_sim("gups/serial", program, SETTING)
    assert "\n" not in str(error.value)


def test_golden_model_completes_in_an_order_drawn_from_the_seed(tmp_path, monkeypatch, program):
    """Every run of it; what one order gave is kept for this order only."""
    log = tmp_path / "log"
    monkeypatch.setattr(
        paths,
        "ISS",
        script(
            tmp_path / "logging",
            f"""
echo "$@" >> {log}
{paths.ISS} "$@"
""",
        ),
    )
    simulator(tmp_path, monkeypatch, GOOD)
    for seed in (1, 9, 9):
        measured = measure.on_iss("gups/full", program, measure.Setting(800, None, completion_seed=seed))
        assert measured.fields["completion_seed"] == seed and measured.fields["work_instret"] > 0
    measure.on_sim("gups/full", program, SETTING)
    runs = [line for line in log.read_text().splitlines() if "--result" in line]
    orders = [line.split("--adversarial ")[1].split()[0] if "--adversarial" in line else "at once" for line in runs]
    assert orders == ["1", "at once", "9"], "each order once"


def test_wrong_answer_of_the_golden_model_names_the_seed(tmp_path, monkeypatch, program):
    monkeypatch.setattr(paths, "ISS", script(tmp_path / "wrong", f'{paths.ISS} "$@"\nexit 1\n'))
    with pytest.raises(NhgError, match="gups/full on the golden model, SEED=7: wrong answer"):
        measure.on_iss("gups/full", program, measure.Setting(800, None, completion_seed=7))


def test_seed_is_part_of_what_identifies_a_run_on_the_golden_model(program):
    def key(target, seed):
        setting = measure.Setting(800, None, completion_seed=seed)
        return run.key_of(Point(benchmark.load("gups"), variants.VARIANTS["full"], target, setting, "tiny"), program)

    assert key("iss", 1) != key("iss", 2)
    assert key("x86", 1) == key("x86", 2)


def test_a_run_is_identified_by_what_the_models_are_made_of_not_by_their_files(tmp_path, monkeypatch, program):
    """A simulator that is guided by a profile is another file on every machine."""

    def key(simulator_file, simulator_design, golden_design, target="sim"):
        for name, path, design in (("SIMULATOR", tmp_path / "a/sim", simulator_design), ("ISS", tmp_path / "b/iss", golden_design)):
            path.parent.mkdir(exist_ok=True)
            path.write_text(simulator_file)
            path.with_name(paths.DESIGN).write_text(design)
            monkeypatch.setattr(paths, name, path)
        return run.key_of(Point(benchmark.load("gups"), variants.VARIANTS["full"], target, SETTING, "tiny"), program)

    assert key("one", "d", "g") == key("other", "d", "g")
    assert len({key("one", "d", "g"), key("one", "e", "g"), key("one", "d", "h"), key("one", "d", "g", "iss")}) == 4
    assert key("one", "d", "g", "iss") == key("one", "e", "g", "iss") and key("one", "d", "g", "x86") == key("one", "e", "h", "x86")
    (tmp_path / "a" / paths.DESIGN).unlink()
    with pytest.raises(NhgError, match="design.sha256 is missing, which is made with sim; run make"):
        run.key_of(Point(benchmark.load("gups"), variants.VARIANTS["full"], "sim", SETTING, "tiny"), program)


def test_program_that_does_not_end_is_found_by_the_golden_model(tmp_path, monkeypatch, program):
    monkeypatch.setattr(paths, "ISS", script(tmp_path / "endless", "echo 'nhg-iss: no exit within 9 instructions' >&2; exit 4"))
    with pytest.raises(NhgError, match="no exit within 9 instructions"):
        measure.on_sim("gups/serial", program, SETTING)


def test_wrong_answer_leaves_no_record(tmp_path, monkeypatch):
    results = tmp_path / "results"
    monkeypatch.setattr(paths, "RESULTS", results)
    monkeypatch.setattr(cli, "prepare", lambda point: None)

    def wrong(point, program):
        measure.check_answer(point.name, Outcome(1, "answer differs", []), None)

    monkeypatch.setattr(cli, "run", wrong)
    with pytest.raises(NhgError, match="wrong answer"):
        cli.run_command(variant="serial", out=str(tmp_path / "run.json"))
    assert not results.exists() and not (tmp_path / "run.json").exists()


def test_pair_of_runs_is_written_with_its_speedup(tmp_path, monkeypatch, make_record):
    monkeypatch.setattr(paths, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(cli, "prepare", lambda point: None)
    monkeypatch.setattr(
        cli,
        "run",
        lambda point, program: make_record(
            variant=point.variant.name, key=point.variant.name.ljust(64, "0"), emulated_ns=1000.0 if point.variant.name == "serial" else 50.0
        ),
    )
    cli.run_command(out=str(tmp_path / "run.json"))
    written = json.loads((tmp_path / "run.json").read_text())
    assert written["speedup"] == 20 and [run["variant"] for run in written["runs"]] == ["serial", "full"]
    assert len(list((tmp_path / "results").iterdir())) == 2


def test_options_of_make_do_not_reach_the_makefiles_below(tmp_path):
    """OUT names a file for the record, and is also a variable of the makefiles that are called."""
    out = tmp_path / "run.json"
    done = subprocess.run(
        ["make", "-C", paths.ROOT, "run", "TARGET=x86", "VARIANT=coroutine", "SCALE=tiny", f"OUT={out}"],
        env={**os.environ, "NHG_RESULTS": str(tmp_path / "results")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(out.read_text())["verified"] is True


def test_an_amu_variant_is_refused_on_a_core_without_one(monkeypatch):
    board = SimpleNamespace(identity=Identity("00000000", 50_000, ("cycles", "running_cycles")))
    monkeypatch.setattr(run, "connected", lambda: board)
    point = Point(benchmark.load("gups"), variants.VARIANTS["full"], "fpga", SETTING, "tiny")
    with pytest.raises(NhgError, match="VARIANT=full needs an AMU.*VARIANT=serial"):
        run.prepare(point)
