# SPDX-License-Identifier: Apache-2.0
"""Linux: boot to the shell and power-off on the golden model; the kernel's first instructions on RTL in lock-step; a benchmark as one of its programs."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import rtl
from programs import ROOT, run_iss
from test_checkpoints import machine

sys.path.append(str(ROOT / "tools"))
from nhg import benchmark, linux, linux_boot, linux_command, platform, run, variants
from nhg.errors import NhgError
from nhg.measure import Setting
from nhg.point import Point

# What the console shows, in this order.
LINES = [
    "OpenSBI v1.6",
    "Linux version 6.12.",
    "Run /init as init process",
    "init: nothing to run, so this is a shell",
    "Linux 6.12.",
    "riscv64",
    "0-1",
    "reboot: Power down",
]
# Where OpenSBI jumps to, above itself.
KERNEL = platform.description()["regions"]["local"]["base"] + (2 << 20)
FIRMWARE_INSTRUCTIONS_MAX = 20_000_000
KERNEL_INSTRUCTIONS = 2_000_000


@pytest.fixture(scope="module", autouse=True)
def image() -> None:
    linux.build()


def test_boot(capfd: pytest.CaptureFixture[str]) -> None:
    linux_boot.on_golden_model(linux_boot.COMMAND)
    console, at = capfd.readouterr().out, 0
    for line in LINES:
        at = console.find(line, at)
        assert at >= 0, f"not there, or not in its place: {line}\n{console}"


def pc_behind(instructions: int) -> int:
    stopped = run_iss(linux.IMAGE, "--max-insns", str(instructions))
    found = re.search(r"pc 0x([0-9a-f]+)", stopped.stderr)
    assert found, stopped.stderr
    return int(found[1], 16)


def firmware_instructions() -> int:
    """From reset to the kernel's first instruction."""
    least, most = 0, FIRMWARE_INSTRUCTIONS_MAX
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if pc_behind(middle) >= KERNEL else (middle, most)
    return most


def test_the_kernels_first_instructions_on_rtl(tmp_path: Path) -> None:
    """The instructions of OpenSBI before them are those of test_boot.py. What the golden model is then is what a restored one is."""
    first, (start, end, again) = firmware_instructions(), (tmp_path / name for name in ("start", "end", "again"))
    run_iss(linux.IMAGE, "--checkpoint", str(start), "--checkpoint-at", str(first), "--max-insns", str(first + 1))
    command = [rtl.SIM, "--checkpoint", start, "--lockstep", "--stop-after", str(KERNEL_INSTRUCTIONS), "--final", end]
    stopped = subprocess.run(command, capture_output=True, text=True)
    assert stopped.returncode == 0, rtl.report(stopped)
    restored = run_iss(end, "--checkpoint", str(again), "--checkpoint-at", "0", "--max-insns", "100000")
    assert machine(again) == machine(end), restored.stderr


def point(variant: str, target: str, os: str) -> Point:
    return Point(benchmark.load("hj"), variants.VARIANTS[variant], target, Setting(latency_ns=800, bandwidth_gbps=None), "tiny", os=os)


def test_the_region_of_a_benchmark_is_that_without_linux() -> None:
    """Page faults are those of the first accesses, in the warm-up."""
    bare, hosted = (run.run(one, run.prepare(one)) for one in (point("serial", "iss", system) for system in variants.SYSTEMS))
    assert abs((hosted.instret or 0) - (bare.instret or 0)) < 50
    assert (hosted.os, bare.os, bare.page_faults) == ("linux", "", None)
    assert hosted.page_faults is not None and hosted.page_faults < 10


def test_a_benchmark_on_rtl() -> None:
    """With the AMU, whose requests are the program's in user mode: as many reads of far memory as operations, most of them at once. With few tasks,
    whose frames lie in pages of the stack that the warm-up has touched."""
    one = replace(point("full", "sim", "linux"), coroutines=128)
    record = run.run(one, run.prepare(one))
    assert record.verified and record.kernel_cycles == 0
    assert (record.inflight_max or 0) > 64 and (record.switches or 0) > record.operations


def test_a_command_with_files_of_its_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below/words").write_text("one two\n")
    setting = Setting(latency_ns=800, bandwidth_gbps=None)
    command = linux_command.Command("wc -w below/words; exit 3", tmp_path, "command")
    assert linux_command.run(command, "iss", setting) == 3
    assert "2 below/words" in capfd.readouterr().out


def test_a_file_that_does_not_fit(tmp_path: Path) -> None:
    with pytest.raises(NhgError, match="Linux's init takes 268,435,456"):
        linux.with_programs(linux.booted(), bytes(256 << 20), False, tmp_path / "out")
