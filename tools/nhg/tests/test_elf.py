# SPDX-License-Identifier: Apache-2.0
"""`make run ELF=file` with a stand-in for the simulator: the table, exit codes, and one line for what cannot be run."""

import json

import pytest
from simulated_result import result

from nhg import cli, elf, paths
from nhg.errors import NhgError
from nhg.measure import SIMULATOR_EXIT
from nhg.result import compute, parse

OWN_CODES = SIMULATOR_EXIT["first_own"]
COUNTS = {
    "cycles": 4000,
    "instret": 6000,
    "far_reads": 7,
    "far_writes": 8,
    "far_inflight_integral": 25,
    "far_busy_cycles": 10,
    "branches": 500,
    "branch_mispredicts": 25,
    "stall_registers": 400,
    "loads": 9,
    "cycles_far_load": 1000,
    "cycles_execution": 3000,
}


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A file, and a function that puts a simulator in place which writes COUNTS and ends with this code after these lines."""
    monkeypatch.setattr(elf, "build_models", lambda target, with_plugin: None)
    file = tmp_path / "program.elf"
    file.write_text("program")

    def simulator(code=0, says=(), region=False):
        script = tmp_path / "sim"
        content = json.dumps(result(COUNTS, region, exit_code=code))
        writes = f"echo '{content}' > $result\n" if code < OWN_CODES else ""
        script.write_text(
            '#!/bin/sh\necho "$@" > ' + str(tmp_path / "arguments") + "\necho from the program\n"
            'while [ $# -gt 0 ]; do [ "$1" = --result ] && result=$2; shift; done\n'
            + writes
            + "".join(f"echo '{line}' >&2\n" for line in says)
            + f"exit {code}\n"
        )
        script.chmod(0o755)
        monkeypatch.setattr(paths, "SIMULATOR", script)
        return file

    return simulator


def test_table(program, capfd):
    cli.run_command(elf=str(program()), lat="100", lockstep="1")
    said = capfd.readouterr().out
    assert "from the program" in said and "program.elf, target sim, far latency 100 ns, in lock-step" in said
    shown = {left.strip(): right.strip() for left, right in (line.strip("│").split("│") for line in said.splitlines() if line.startswith("│"))}
    assert shown == {
        "measured": "whole program",
        "cycles": "4,000",
        "instructions": "6,000",
        "instructions per cycle (IPC)": "1.500",
        "branches": "500",
        "branch mispredicts": "25 (5.00% of branches)",
        "cycles: far load": "1,000 (25.0%)",
        "cycles: execution": "3,000 (75.0%)",
        "rename stalled: registers": "400 (10.0%)",
        "far reads": "7",
        "far writes": "8",
        "far in flight, mean": "2.5",
        "exit code": "0",
    }


def test_options_reach_the_simulator(program, tmp_path):
    cli.run_command(elf=str(program()), lat="100", max_cycles="77", lockstep="1", target="sim")
    arguments = (tmp_path / "arguments").read_text()
    assert "--far-control latency_cycles=300 " in arguments and "--max-cycles 77 --lockstep" in arguments
    cli.run_command(elf=str(program()))
    arguments = (tmp_path / "arguments").read_text()
    assert "--far-control latency_cycles=2400 " in arguments and f"--max-cycles {elf.MAX_CYCLES}\n" in arguments


def test_a_program_without_branches_or_cycles_has_a_table():
    table = dict(elf.rows(compute(parse(result(COUNTS | {"cycles": 0, "branches": 0, "branch_mispredicts": 0})))))
    assert table["instructions per cycle (IPC)"] == "6000.000" and table["branch mispredicts"] == "0 (0.00% of branches)"


def test_exit_code_is_the_programs(program, capfd):
    with pytest.raises(SystemExit) as end:
        cli.run_command(elf=str(program(code=5)))
    assert end.value.code == 5
    said = capfd.readouterr()
    assert "exit code" in said.out and said.err == "nhg: program.elf ended with exit code 5\n"


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        *zip(
            (SIMULATOR_EXIT[name] for name in ("bad_input", "watchdog", "mismatch", "max_cycles")),
            ("check the arguments", "stuck", "golden model", "MAX_CYCLES"),
            strict=True,
        ),
        (250, "simulator"),
    ],
)
def test_no_end_is_one_line(program, capfd, code, advice):
    file = program(code=code, says=["nhg-sim: cycle 7, 3 instructions", "nhg-sim: what happened", "last 20 instructions", "1 pc=80000000 error"])
    with pytest.raises(NhgError, match=rf"^program.elf: what happened; .*{advice}") as error:
        cli.run_command(elf=str(file))
    assert "\n" not in str(error.value)
    assert capfd.readouterr().out.splitlines() == ["from the program", "nhg-sim: cycle 7, 3 instructions", "last 20 instructions", "1 pc=80000000 error"]


def test_missing_file_is_one_line(tmp_path):
    with pytest.raises(NhgError, match="^ELF=.*none.elf: no such file"):
        cli.run_command(elf=str(tmp_path / "none.elf"))


def test_options_of_benchmarks_are_refused(program):
    with pytest.raises(NhgError, match="leave out VARIANT and TARGET$"):
        cli.run_command(elf=str(program()), variant="full", target="iss")
