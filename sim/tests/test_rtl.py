# SPDX-License-Identifier: Apache-2.0
"""Directed and random programs on the RTL simulator, every commit compared with the golden model.

Needs build/sim/nhg-sim and build/golden/libgolden.so. The environment variable NHG_SIM names another simulator,
NHG_RANDOM_PROGRAMS the number of random programs (default 10 of 50,000 instructions: 500,000 in lock-step).
"""

import os
import subprocess
from pathlib import Path

import mode_coverage
import pytest
import rtl
from programs import LENGTH, OUT, TESTS, TOOLCHAIN, assemble, directed_sources
from test_random import encodings, generate

from nhg.contention import conditions
from nhg.platform import description

PROGRAMS = int(os.environ.get("NHG_RANDOM_PROGRAMS", str(10 * LENGTH)))
INSTRUCTIONS = 50_000
CONTENDED_PROGRAMS = 16
CONTENDED_INSTRUCTIONS = 25_000
INTERRUPTED_PROGRAMS = 3 * LENGTH
INTERRUPTED_INSTRUCTIONS = 6_000
MODE_PROGRAMS = 6
MODE_INSTRUCTIONS = 27_000
PAGE_PROGRAMS = 20
PAGE_INSTRUCTIONS = 23_000
ENCODING_WORDS = 1000 * LENGTH
# Core cycles of far-memory latency: idle memory to 1000 ns; the random programs go through them in turn.
LATENCIES = [0, 30, 300, 3000]
DIRECTED_LATENCIES = [0, 300]
ISA_AND_AMI = {source.stem: source for source in directed_sources()}


def run_rtl(program: Path, *options: str) -> subprocess.CompletedProcess:
    if not rtl.SIM.exists():
        pytest.fail(f"{rtl.SIM} is missing; build the simulator first (make -C sim/harness)", pytrace=False)
    return rtl.run(program, *options)


@pytest.mark.parametrize("name", ISA_AND_AMI)
def test_directed(name: str) -> None:
    """Programs of the AMU at two latencies, of the instruction set at one (with LENGTH=n at both). What leaves far memory alone has one run:
    the second would be the first one to the cycle.
    """
    source = ISA_AND_AMI[name]
    program = assemble(source, OUT / f"{name}.elf")
    both = LENGTH > 1 or source.parent.name == "ami"
    for latency_cycles in DIRECTED_LATENCIES if both else DIRECTED_LATENCIES[1:]:
        result = run_rtl(program, "--far-control", f"latency_cycles={latency_cycles}")
        assert result.returncode == 0, f"latency_cycles={latency_cycles}: {rtl.report(result)}"
        if not rtl.far_accesses(program):
            break


@pytest.mark.parametrize("name", ["store_race", "early_read"])
def test_races_within_rule_6(name: str) -> None:
    """Raced bytes may hold either value, so the program's own check may fail (1); lock-step may not."""
    result = run_rtl(assemble(TESTS / "golden" / f"{name}.S", OUT / f"{name}.elf"), "--far-control", "latency_cycles=300")
    assert result.returncode in (0, 1), rtl.report(result)


@pytest.mark.parametrize("name", ["stale_translation", "stale_root", "stale_global"])
def test_earlier_translations(name: str) -> None:
    """Pages that change without a fence: lock-step accepts what the core has in its TLBs."""
    result = run_rtl(assemble(TESTS / "golden" / f"{name}.S", OUT / f"{name}.elf"))
    assert result.returncode == 0, rtl.report(result)


LOST = {"memory": "0x80400000", "L3": "0x81400040", "L2": "0x82400080", "L1D": "0x834000c0", "SPM": "0x20001048"}


@pytest.mark.parametrize("level", [None, *LOST])
def test_memory_at_the_end(level: str | None) -> None:
    """Of a store that nobody reads again lock-step sees whether it was done, wherever its word has come to."""
    loss = ["--lose-word", LOST[level], "--watchdog-cycles", "5000"] if level else []
    result = run_rtl(assemble(TESTS / "golden" / "unread_store.S", OUT / "unread_store.elf"), *loss)
    if level:
        assert result.returncode == rtl.SIMULATOR_EXIT["mismatch"], rtl.report(result)
        assert f"the word at {LOST[level]}, in {level}, is lost" in result.stderr
        assert f"memory at the end, {LOST[level]}: golden 0x1122334455667788, RTL 0x0" in result.stderr
    else:
        assert result.returncode == 0, rtl.report(result)


@pytest.mark.parametrize(("name", "outcome"), [("isa/wfi", None), ("isa/wfi_sv39", None), ("isa/uart_echo", None), ("golden/asleep", "watchdog")])
def test_sleep_beyond_the_watchdog(name: str, outcome: str | None) -> None:
    """A wfi is no hang while a timer or input that is enabled is to come."""
    result = run_rtl(assemble(TESTS / f"{name}.S", OUT / "sleep" / f"{Path(name).name}.elf"), "--watchdog-cycles", "2000")
    assert result.returncode == (rtl.SIMULATOR_EXIT[outcome] if outcome else 0), rtl.report(result)


def test_reboot_ends_the_program() -> None:
    result = run_rtl(assemble(TESTS / "golden" / "reboot.S", OUT / "reboot.elf"))
    assert result.returncode == description()["exit_status"]["reboot"], rtl.report(result)


def test_code_changed_without_fence_i() -> None:
    program = assemble(TESTS / "golden" / "unfenced_code.S", OUT / "unfenced_code.elf")
    result = run_rtl(program)
    symbols = subprocess.run([TOOLCHAIN / "bin" / "llvm-nm", program], capture_output=True, text=True, check=True).stdout
    store = next(int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" store"))
    assert result.returncode == rtl.SIMULATOR_EXIT["mismatch"], rtl.report(result)
    assert f"without a fence.i since, the instruction at pc {store:#x} has changed this line of code" in result.stderr


@pytest.mark.parametrize("number", range(PROGRAMS))
def test_random(number: int) -> None:
    options = ["--no-ami"] if number % 5 == 4 else []
    program = generate(f"rtl_{number}", "--seed", str(5000 + number), "--instructions", str(INSTRUCTIONS), *options)
    result = run_rtl(program, "--far-control", f"latency_cycles={LATENCIES[number % len(LATENCIES)]}", "--seed", str(number))
    assert result.returncode == 0, rtl.report(result)


@pytest.mark.parametrize("number", range(CONTENDED_PROGRAMS))
def test_contended(number: int) -> None:
    """Every kind of access on a few lines at once; campaign.py runs millions of instructions of it."""
    program = generate(f"contended_{number}", "--seed", str(number), "--instructions", str(CONTENDED_INSTRUCTIONS), "--contended")
    result = run_rtl(program, *conditions(number))
    assert result.returncode == 0, rtl.report(result)


@pytest.mark.parametrize("number", range(MODE_PROGRAMS))
def test_modes(number: int) -> None:
    """M, S and U mode without translation."""
    options = ["--no-ami"] if number % 5 == 4 else []
    program = generate(f"modes_rtl_{number}", "--seed", str(8000 + number), "--instructions", str(MODE_INSTRUCTIONS), "--modes", *options)
    result = run_rtl(program, *conditions(number))
    assert result.returncode == 0, rtl.report(result)


@pytest.mark.parametrize("number", range(PAGE_PROGRAMS))
def test_pages(number: int) -> None:
    """M, S and U mode with page tables that change, more than 500,000 instructions; campaign.py --modes --pages runs millions."""
    options = ["--no-ami"] if number % 5 == 4 else []
    program = generate(f"pages_rtl_{number}", "--seed", str(8200 + number), "--instructions", str(PAGE_INSTRUCTIONS), "--modes", "--pages", *options)
    result = run_rtl(program, *conditions(number))
    assert result.returncode == 0, rtl.report(result)


@pytest.mark.parametrize("number", range(INTERRUPTED_PROGRAMS))
def test_contended_and_interrupted(number: int) -> None:
    """Contended code in M, S and U mode with interrupts in between, at two virtual addresses; campaign.py --contended --modes runs more of it."""
    pages = ["--pages"] if number % 3 else []
    options = ["--seed", str(8500 + number), "--instructions", str(INTERRUPTED_INSTRUCTIONS), "--contended", "--modes", *pages]
    program = generate(f"interrupted_rtl_{number}", *options)
    result = run_rtl(program, *conditions(number))
    assert result.returncode == 0, rtl.report(result)


def test_encodings() -> None:
    """Reserved, custom and hint encodings in three modes, and prefetches of anywhere; coverage_page.py tries 100,000."""
    program, log = encodings("encodings_rtl", 1, ENCODING_WORDS), OUT / "encodings_rtl.log"
    result = run_rtl(program, "--commit-log", str(log))
    assert result.returncode == 0, rtl.report(result)
    causes = mode_coverage.read_log(log.read_text().splitlines()).causes
    assert min(causes[mode, mode_coverage.ILLEGAL] for mode in mode_coverage.MODES) > ENCODING_WORDS / 10
