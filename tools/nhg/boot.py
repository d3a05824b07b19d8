# SPDX-License-Identifier: Apache-2.0
"""`make boot`: from reset through OpenSBI to user mode and power-off (software/boot), on RTL in lock-step or on the golden model alone."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from nhg import paths, platform
from nhg.build import build_models, make
from nhg.elf import run_elf
from nhg.errors import NhgError
from nhg.measure import Setting, read_json
from nhg.programs import execute

IMAGE = paths.BUILD / "boot/boot.elf"
# Of the metrics, from the first free one on, as software/boot/main.c has them.
METRICS = ("microseconds", "timer_interrupts", "console_interrupts", "calls")
# More than the whole takes, on both.
INSTRUCTIONS_MAX = 100_000_000
CYCLES_MAX = 1_000_000_000
# Registers without reset begin with random values, as on a board: a boot ROM that leaves one to its successor undefined is found.
SEED = "1"


@dataclass(frozen=True)
class Booted:
    """What a boot that ended well counted; without cycles on the golden model."""

    instructions: int
    cycles: int | None
    region_cycles: int | None  # of GUPS in user mode
    metrics: list[int]

    def metric(self, name: str) -> int:
        return self.metrics[platform.metric("first_free") + METRICS.index(name)]


def build() -> None:
    make(["-C", str(paths.ROOT / "software/boot")], "building the boot image")


def on_rtl(setting: Setting) -> Booted:
    ended = run_elf(IMAGE, setting, options=("--seed", SEED))
    check(ended.exit_code, ended.result.metrics)
    return Booted(ended.result.total_instret or 0, ended.result.total_cycles, ended.result.cycles, ended.result.metrics)


def on_golden_model(setting: Setting) -> Booted:
    build_models("iss", with_plugin=False)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "result.json"
        outcome = execute(
            [paths.ISS, "--elf", IMAGE, "--adversarial", str(setting.completion_seed), "--max-insns", str(INSTRUCTIONS_MAX), "--result", file],
            what="boot on the golden model",
            show_output=True,
        )
        if not file.exists():
            raise NhgError(f"boot: {outcome.cause()}")
        written = read_json("boot", file)
    check(written["exit_code"], written["metrics"])
    return Booted(written["instret"], None, None, written["metrics"])


def check(exit_code: int, metrics: list[int]) -> None:
    if exit_code or metrics[platform.metric("verified")] != 1:
        raise NhgError(f"boot: the payload did not end well (exit code {exit_code}); its last line says what went wrong (software/boot/main.c)")


def report(booted: Booted) -> str:
    lines = [f"instructions: {booted.instructions:,}"]
    if booted.cycles:
        lines += [f"cycles: {booted.cycles:,}"]
    lines += [
        f"emulated: {booted.metric('microseconds') / 1000:.3f} ms",
        f"interrupts: {booted.metric('timer_interrupts')} of the timer, {booted.metric('console_interrupts')} of the console",
        f"calls of user mode: {booted.metric('calls')}",
    ]
    if booted.region_cycles:
        updates = booted.metrics[platform.metric("operations")]
        microseconds = booted.region_cycles / platform.cycles_per_ns() / 1000
        lines += [f"GUPS on the AMU in user mode: {updates / microseconds:.1f} updates/µs"]
    return "\n".join(f"boot: {line}" for line in lines)


def boot(target: str, setting: Setting) -> str:
    """Boot, its console on stdout; the report."""
    if target not in ("sim", "iss"):
        raise NhgError(f"TARGET={target}: give sim (RTL) or iss (golden model)")
    if paths.CONFIG == "no-amu":
        raise NhgError("CONFIG=no-amu: the boot's user program needs the AMU; choose another core")
    build()
    return report(on_rtl(setting) if target == "sim" else on_golden_model(setting))
