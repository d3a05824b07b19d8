# SPDX-License-Identifier: Apache-2.0
"""`make boot`: from reset through OpenSBI to user mode and power-off, on the golden model and on RTL in lock-step."""

import sys

import pytest
from programs import OUT, ROOT, run_iss

sys.path.append(str(ROOT / "tools"))
from nhg import boot, platform
from nhg.measure import Setting

# What the console shows, in this order.
LINES = [
    "OpenSBI v1.6",
    "Platform Console Device     : uart8250",
    "Platform Shutdown Device    : syscon-poweroff",
    "Boot HART ISA Extensions    : smstateen,sstc,",
    "payload: supervisor mode, by the firmware's console",
    "payload: hart 0, device tree at 0x82200000, by UART",
    "payload: 3 timer interrupts at 100 Hz",
    "user: hello by a call",
    "payload: 102 calls of user mode",
    "payload: the AMU is illegal in user mode",
    "payload: granted: 1024 updates in ",
    "since reset; ",
]
FAR_NS = 800
TASKS = 128  # of software/boot/boot.h
SETTING = Setting(FAR_NS, bandwidth_gbps=None, max_cycles=boot.CYCLES_MAX, lockstep=True)
GRANT, NOP = ((0x30C0E073).to_bytes(4, "little"), (0x13).to_bytes(4, "little"))  # csrsi mstateen0, 1


@pytest.fixture(scope="module", autouse=True)
def image() -> None:
    boot.build()


def check(booted: boot.Booted, console: str) -> None:
    at = 0
    for line in LINES:
        at = console.find(line, at)
        assert at >= 0, f"not there, or not in its place: {line}\n{console}"
    assert booted.metric("timer_interrupts") >= 4  # one of them in user mode
    assert booted.metric("console_interrupts") >= 10
    assert booted.metric("calls") == 103
    assert 30_000 <= booted.metric("microseconds") < 40_000


def test_golden_model(capfd: pytest.CaptureFixture[str]) -> None:
    booted = boot.on_golden_model(SETTING)
    check(booted, capfd.readouterr().out)
    assert "updates/µs" not in boot.report(booted)


def test_without_the_boot_roms_grant() -> None:
    """OpenSBI does not let supervisor mode use the AMU."""
    image = boot.IMAGE.read_bytes()
    assert image.count(GRANT) == 1
    program = OUT / "boot_without_grant.elf"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_bytes(image.replace(GRANT, NOP))
    ended = run_iss(program)
    assert ended.returncode == 1 and ended.stdout.endswith("payload: WRONG: GUPS on the AMU in user mode\n")


def test_rtl_in_lockstep(capfd: pytest.CaptureFixture[str]) -> None:
    booted = boot.on_rtl(SETTING)
    check(booted, capfd.readouterr().out)
    # Each update is an aload and an astore, and each task has one of them in flight at most.
    microseconds = (booted.region_cycles or 0) / platform.cycles_per_ns() / 1000
    updates = booted.metrics[platform.metric("operations")] / microseconds
    assert 0.7 * TASKS / (2 * FAR_NS / 1000) < updates < TASKS / (2 * FAR_NS / 1000)
