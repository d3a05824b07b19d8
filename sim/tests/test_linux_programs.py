# SPDX-License-Identifier: Apache-2.0
"""Public programs with a pragma at their loops (software/linux/examples), in far memory on the AMU: each says itself that its results are right."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from programs import ROOT

sys.path.append(str(ROOT / "tools"))
from nhg import linux, linux_command, paths
from nhg.measure import Setting

PROGRAMS = paths.BUILD / "linux/examples"
BYTES = 128 << 10
SETTING = Setting(latency_ns=800, bandwidth_gbps=None)


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    linux.build()
    subprocess.run(["make", "-s", "-C", ROOT / "software/linux/examples"], check=True)


def test_right_on_the_amu(capfd: pytest.CaptureFixture[str]) -> None:
    """With their data in far memory, whose node counts more than the last program needs for its table."""
    commands = [f"far hpcc stream {BYTES}", f"far hpcc randomaccess {BYTES}", "cat /sys/devices/system/node/node1/numastat", "far nothing"]
    code = linux_command.run(linux_command.Command(f"set -e; {'; '.join(commands)}", PROGRAMS, "command"), "iss", SETTING)
    said = capfd.readouterr().out
    assert "Solution Validates" in said and "Found 0 errors in 16384 locations (passed)" in said, said
    switches, far_pages = (re.findall(words, said) for words in (r"task switches: (\d+)", r"numa_hit (\d+)"))
    assert len(switches) == 2 and all(int(number) > 1000 for number in switches), said
    assert int(far_pages[0]) * 4096 > BYTES, said
    assert code == 127 and "nothing: No such file" in said, said


def test_nothing_of_others_is_in_the_patch() -> None:
    patch = (Path(ROOT) / "software/linux/examples/hpcc/pragmas.patch").read_text().splitlines()
    added = [line for line in patch if not re.match(r"(---|\+\+\+|@@) ", line)]
    assert set(added) == {"+#pragma asyncmem", "+      __builtin_is_remote(Table);"}
