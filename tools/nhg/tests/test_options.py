# SPDX-License-Identifier: Apache-2.0
"""What stands behind `make`: options that are declared once, and one line for what is none, before anything is installed, built or run."""

import os
import re
import subprocess
import sys

import pytest

from nhg import cli, options, paths

COMMAND = re.compile(r"\bmake ([a-z][a-z-]*)((?: +[A-Z_]+=(?:'[^']*'|\"[^\"]*\"|[^\s`]*))+)")


def make(*words, **environment):
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(["make", "-C", paths.ROOT, *words], capture_output=True, text=True, check=False, env=inherited | environment)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "BENHC=bs"], "BENHC is no option; the nearest is BENCH"),
        (["run", "LAT=200", "CONFG=large"], "CONFG is no option; the nearest is CONFIG"),
        (["run", "bench=bs"], "bench is no option; the nearest is BENCH"),
        (["run", "BEN-CH=bs"], "BEN-CH is no option; the nearest is BENCH"),
        (["run", "ITERATIONS=3"], "ITERATIONS is no option of make run, but of make coremark; leave it out"),
        (["run", "NHG_BULD=x"], "NHG_BULD is no option; the nearest is NHG_BUILD"),
        (["core", "x=1"], "x is no option; the nearest is CONFIG"),
        (["doctor", "x=1"], "x is no option; make doctor has none"),
        (["setup", "test", "SUIT=python"], "SUIT is no option; the nearest is SUITE"),
        (["bitstream", "LOCL=hbm"], "LOCL is no option; the nearest is LOCAL"),
        (["rnu"], "rnu is no command; the nearest is run"),
        (["tools"], "tools is no command; the nearest is"),
    ],
)
def test_what_is_no_option_is_one_line_before_anything_is_done(tmp_path, words, says):
    toolchain = tmp_path / "toolchain"
    done = make(*words, NHG_TOOLCHAIN=str(toolchain))
    ours = [line for line in done.stderr.splitlines() if not line.startswith("make: ***")]
    assert done.returncode == 2 and len(ours) == 1 and ours[0].startswith(f"make: {says}"), done.stderr
    assert done.stdout.count("\n") <= 2 and not toolchain.exists()


def test_options_are_checked_without_what_the_setup_installs(tmp_path):
    (tmp_path / "python3").symlink_to(sys._base_executable)
    done = make("rnu", PATH=f"{tmp_path}:/usr/bin:/bin")
    assert "rnu is no command; the nearest is run" in done.stderr and "Traceback" not in done.stderr


def test_documented_variables_and_those_of_make_pass():
    done = make("help", "SHELL=/bin/bash", "NHG_RESULTS=elsewhere", "MAKEFLAGS=-s")
    assert done.returncode == 0 and "LAT=ns" in done.stdout


def test_help_names_every_command_and_option():
    said = make().stdout
    for command, (_, declared) in options.COMMANDS.items():
        assert f"make {command} " in said and all(f" {option.name}=" in said for option in declared)


def test_values_arrive_as_they_were_typed():
    done = make("run", 'BENCH=it\'s a "x" $$y')
    assert 'nhg: BENCH=it\'s a "x" $y: neither a benchmark nor a directory' in done.stderr


def test_an_option_in_the_environment_is_neither_used_nor_passed_over_in_silence():
    done = make("new-benchmark", NAME="1")
    assert "make: NAME of the environment is not used; write it behind `make new-benchmark`" in done.stderr and "nhg: NAME= is not usable" in done.stderr


def test_documents_name_only_what_there_is():
    wrong, found = [], 0
    for file in [path for path in paths.ROOT.rglob("*.md") if not {"build", ".toolchain", "out"} & set(path.relative_to(paths.ROOT).parts)]:
        for command, words in COMMAND.findall(file.read_text()):
            if command not in options.COMMANDS:
                continue  # of another project
            found += 1
            try:
                options.check([command], re.findall(r" ([A-Z_]+)=", words))
            except options.OptionError as error:
                wrong.append(f"{file}: {error}")
    assert found > 50 and not wrong, wrong


def test_every_command_of_the_command_line_is_there():
    started = {"test", "format", "fuzz", "random", "mutations", "setup", "doctor", "bitstream", "program", "bitstream-check"}
    assert {*options.COMMANDS, *options.HIDDEN} == {*cli.COMMANDS, *started}
