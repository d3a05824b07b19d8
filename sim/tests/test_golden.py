# SPDX-License-Identifier: Apache-2.0
"""Tests of the golden model: directed programs, adversarial mode, checkpoints, lock-step library, front end."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from programs import ISS, OUT, PROVOKES_ERRORS, TESTS, assemble, directed_sources, run_iss, run_selftest

from nhg.platform import description

SEEDS = ["1", "2", "3", "4"]
MUTATIONS = {
    "pc": "loadstore",
    "insn": "loadstore",
    "value": "alu",
    "missing-write": "alu",
    "wrong-register": "branch",
    "wrong-class": "alu",
    "fp-value": "fp",
    "fp-missing-write": "fp",
    "load-value": "loadstore",
    "address": "loadstore",
    "extra-trap": "branch",
    "missing-trap": "traps",
    "cause": "errors",
    "tval": "errors",
    "sc-success": "atomic",
    "wrong-id": "groups",
    "privilege": "modes",
    "csr": "modes",
    "mstatus": "modes",
    "false-interrupt": "loadstore",
    "wrong-interrupt": "interrupts",
    "pending": "interrupts",
    "early-wfi": "wfi",
    "claim": "plic",
    "uart-byte": "uart_echo",
    "uart-extra": "uart_echo",
    "lost-store": "loadstore",
    "request-translation": "translation",
    "fetch-translation": "sv39",
    "second-fetch-translation": "sv39",
}


def program(name: str) -> Path:
    """A directed or a golden-model program, built."""
    sources = {source.stem: source for source in [*directed_sources(), *(TESTS / "golden").glob("*.S")]}
    return assemble(sources[name], OUT / f"{name}.elf")


DIRECTED = [source.stem for source in directed_sources()]


@pytest.mark.parametrize("name", DIRECTED)
def test_directed(name: str) -> None:
    result = run_iss(program(name))
    assert result.returncode == 0, f"check {result.returncode} failed: {result.stderr}"


def test_reboot_ends_the_program() -> None:
    status = description()["exit_status"]["reboot"]
    assert run_iss(program("reboot")).returncode == status


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12 a\n3 b\n", ":2: cycle 3 is before that of the line above"),
        ("# x\ntext\n", ":2: give a cycle, a space and text"),
        ("1 \\q\n", ":1: unknown escape; there are"),
        ("1 \\x4\n", ":1: unknown escape; there are"),
    ],
)
def test_input_of_the_uart_that_is_refused(tmp_path: Path, text: str, message: str) -> None:
    given = tmp_path / "given.uart"
    given.write_text(text)
    result = run_iss(program("uart"), "--uart-input", str(given))
    assert result.returncode == 2 and message in result.stderr and result.stderr.count("\n") == 1


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", [source.stem for source in (TESTS / "ami").glob("*.S")])
def test_adversarial(name: str, seed: str) -> None:
    result = run_iss(program(name), "--adversarial", seed)
    if name in PROVOKES_ERRORS:
        assert result.returncode == 3
        assert "AMU error at pc 0x8" in result.stderr and "ID is 0 or above MaxId" in result.stderr
    else:
        assert result.returncode == 0, f"check {result.returncode} failed: {result.stderr}"


@pytest.mark.parametrize("seed", SEEDS)
def test_adversarial_leaves_memory_a_value(seed: str) -> None:
    """Of an astore that is not taken memory has the old bytes or the new ones (contract, rule 6)."""
    result = run_iss(program("store_race"), "--adversarial", seed)
    assert result.returncode == 0, f"check {result.returncode} failed: {result.stderr}"


@pytest.mark.parametrize("seed", SEEDS)
def test_adversarial_finds_early_read(seed: str) -> None:
    assert run_iss(program("early_read")).returncode == 0
    assert run_iss(program("early_read"), "--adversarial", seed).returncode == 1


def test_adversarial_stops_at_busy_id() -> None:
    result = run_iss(program("early_reuse"), "--adversarial", "7")
    assert result.returncode == 3
    assert "ID 77: ID has an outstanding group (code 3)" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["checkpoint", "checkpoint_without_way", "checkpoint_pmp", "checkpoint_triggers", "checkpoint_handler", "checkpoint_user"])
def test_checkpoint_round_trip(name: str, tmp_path: Path) -> None:
    checkpoint = tmp_path / "state.ckpt"
    assert run_iss(program(name)).returncode == 0
    assert run_iss(program(name), "--checkpoint", str(checkpoint)).returncode == 0
    restored = run_iss(checkpoint)
    assert restored.returncode == 0, f"check {restored.returncode} failed after restore"
    # The stub takes the same path in lock-step.
    assert run_selftest(checkpoint).returncode == 0


def test_checkpoint_refused_while_busy(tmp_path: Path) -> None:
    checkpoint = tmp_path / "state.ckpt"
    result = run_iss(program("checkpoint_busy"), "--checkpoint", str(checkpoint))
    assert result.returncode == 2 and "outstanding" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_checkpoint_mark_missing(tmp_path: Path) -> None:
    result = run_iss(program("alu"), "--checkpoint", str(tmp_path / "state.ckpt"))
    assert result.returncode == 5 and "host_checkpoint" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", DIRECTED)
def test_lockstep_accepts_itself(name: str) -> None:
    result = run_selftest(program(name))
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", ["aload_astore", "getfin", "bafin", "groups", "await"])
@pytest.mark.parametrize("seed", SEEDS)
def test_lockstep_accepts_any_completion_order(name: str, seed: str) -> None:
    result = run_selftest(program(name), "--adversarial", seed)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("options", [[]] + [["--adversarial", seed] for seed in SEEDS])
def test_lockstep_accepts_races(options: list[str]) -> None:
    result = run_selftest(program("store_race"), *options)
    assert result.returncode == 0, result.stderr


def test_lockstep_reports_a_load_that_goes_backwards() -> None:
    """Any that returns what was there before the value that an older load of the place saw, an astore under way or not (contract, rule 6)."""
    for index in range(100, 220):  # a turn of the program's loop
        result = run_selftest(program("store_race"), "--mutate", "load-backwards", str(index))
        assert result.returncode == 0 and "lock-step mismatch" in result.stdout, result.stdout + result.stderr


def test_lockstep_reports_an_sc_that_hides_an_astore() -> None:
    result = run_selftest(program("reservation"), "--mutate", "sc-success", "0")
    assert result.returncode == 0 and "lock-step mismatch" in result.stdout, result.stdout + result.stderr


def test_lockstep_prints_nothing_of_its_own() -> None:
    """The console is the core's: here the golden model in its place prints the line."""
    result = run_selftest(program("console"))
    assert result.returncode == 0 and result.stdout.splitlines()[:-1] == ["hello"], result.stdout


@pytest.mark.parametrize("index", ["0", "70", "150"])
@pytest.mark.parametrize("kind", MUTATIONS)
def test_lockstep_reports_mutations(kind: str, index: str) -> None:
    result = run_selftest(program(MUTATIONS[kind]), "--mutate", kind, index)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "lock-step mismatch" in result.stdout or "ID" in result.stdout


@pytest.mark.parametrize("index", ["0", "1000"])
def test_lockstep_reports_an_interrupt_that_is_not_taken(index: str) -> None:
    """At once, since the write of a CSR has let it in."""
    result = run_selftest(program("interrupts"), "--mutate", "missing-interrupt", index)
    assert result.returncode == 0 and "lets an interrupt in (mip & mie" in result.stdout and "does not take it at once" in result.stdout, result.stdout


def test_lockstep_reports_interrupts_that_are_not_taken_in_time() -> None:
    """The program waits for one, as an operating system does; lock-step need not."""
    result = run_selftest(program("interrupts"), "--mutate", "held-interrupts", "120")
    assert result.returncode == 0 and "RTL does not take it within 256 instructions" in result.stdout, result.stdout


STALE = 200  # the first instruction of stale_translation.S in supervisor mode
# Of fences that do nothing: whether what follows needs them.
NEEDED_FENCES = {"s1, zero": True, "zero, s5": True, "s1, s5": True, "s0, zero": False, "zero, s6": False, "s1, s6": False, "a3, zero": False}


def test_lockstep_accepts_earlier_translations() -> None:
    """The producer has a TLB."""
    result = run_selftest(program("stale_translation"))
    assert result.returncode == 0 and ", 0 by earlier PTEs" not in result.stdout, result.stdout + result.stderr


def test_lockstep_reports_translations_from_before_a_fence_that_covers_them() -> None:
    reported: dict[str, bool] = {}
    for index in range(STALE, 430, 3):
        result = run_selftest(program("stale_translation"), "--mutate", "lost-fence", str(index))
        if found := re.search(r"lost-fence at commit \d+: sfence.vma (.*)", result.stdout):
            reported[found[1]] = reported.get(found[1], False) or "lock-step mismatch" in result.stdout
    assert reported.items() >= NEEDED_FENCES.items(), reported


@pytest.mark.parametrize("kind", ["page-fault", "fetch-page-fault", "missing-page-fault", "translation"])
def test_lockstep_reports_translations_that_never_were(kind: str) -> None:
    result = run_selftest(program("stale_translation"), "--mutate", kind, str(STALE))
    assert result.returncode == 0 and "lock-step mismatch" in result.stdout, result.stdout + result.stderr


def test_lockstep_finds_a_lost_store_that_nobody_reads() -> None:
    result = run_selftest(program("unread_store"), "--mutate", "lost-store", "0")
    assert result.returncode == 0 and "lost-store at the end: lock-step mismatch: memory at the end, 0x80400000: golden" in result.stdout, result.stdout


def test_result_file(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    assert run_iss(program("bafin"), "--result", str(path)).returncode == 0
    record = json.loads(path.read_text())
    assert record["exit_code"] == 0
    assert record["amu"]["aload"] == record["amu"]["taken"] == 2 + 100 * 40
    assert record["instret"] > 40 * 100


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        (["--elf", "absent.elf"], 2, "No such file"),
        (["--elf", __file__], 2, "not an ELF file"),
        (["--elf"], 2, "needs a value"),
        (["--max-insns", "many"], 2, "needs a number"),
        ([], 2, "usage"),
    ],
)
def test_bad_arguments(arguments: list[str], status: int, text: str) -> None:
    result = subprocess.run([ISS, *arguments], capture_output=True, text=True)
    assert result.returncode == status and text in result.stderr and result.stderr.count("\n") == 1


def test_instruction_limit() -> None:
    result = subprocess.run([ISS, "--elf", program("alu"), "--max-insns", "1000"], capture_output=True, text=True)
    assert result.returncode == 4 and "no exit within 1000 instructions" in result.stderr
