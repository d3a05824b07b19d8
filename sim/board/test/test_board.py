# SPDX-License-Identifier: Apache-2.0
"""The real top of the board, with models of the vendor's IP, driven by the host program as a board would be."""

import os
import random
import time

import pytest
from programs import OUT, TESTS, assemble, directed_sources

from nhg import platform
from nhg.board import image, session
from nhg.board.access import LinkError
from nhg.board.control import Board
from nhg.board.simulated import BUTTON, CATTRIP
from nhg.far_memory import FarMemory
from nhg.result import Result, compute

ROM, LOCAL, FAR = (platform.description()["regions"][name]["base"] for name in ("boot_rom", "local", "far"))
FAR_END = FAR + platform.description()["hbm"]["far_size_local_hbm" if os.environ.get("NHG_BOARD_LOCAL") == "hbm" else "far_size"]
FAR_MEMORY = FarMemory(300)
MAX_CYCLES = 2_000_000
PROGRAMS = {source.stem: source for source in directed_sources()}
BOTH_LINKS = pytest.mark.parametrize("access", ["jtag", "pcie"], indirect=True)


def program(name: str, text: str) -> image.Image:
    """An assembled program, from its instructions; `a1` holds the host interface's address."""
    source = OUT / "board" / f"{name}.S"
    source.parent.mkdir(parents=True, exist_ok=True)
    content = f'#include "platform.h"\n.global _start\n_start:\nli a1, NHG_HOST_BASE\n{text}\n'
    if not source.exists() or source.read_text() != content:
        source.write_text(content)
    return image.read(assemble(source, source.with_suffix(".elf")))


EXIT = "li a0, {}\nsd a0, NHG_HOST_EXIT - NHG_HOST_BASE(a1)\n1: j 1b"
ENDLESS = program("endless", "1: j 1b")


def run(board: Board, what: image.Image, max_cycles: int = MAX_CYCLES) -> tuple[Result, bytes]:
    said = bytearray()
    return compute(session.run(board, what, FAR_MEMORY, max_cycles, said.extend)), bytes(said)


def status(board: Board, name: str) -> bool:
    return board.bit("status", name, board.get("board", "status"))


@BOTH_LINKS
def test_identity_and_memory(access):
    board = Board(access)
    assert board.identity.core_khz == 50_000 and board.identity.counters[:3] == ("cycles", "instret", "far_reads")
    board.wait_for_memory()
    assert board.get("board", "far_bytes") == FAR_END - FAR
    generator = random.Random(3)
    blocks = {
        address: generator.randbytes(size)
        for address, size in ((ROM, 64), (ROM + 0xEFF8, 8), (LOCAL + 8, 40), (LOCAL + 0x7FFF_FF00, 256), (FAR, 4096), (FAR + 0xFE8, 48), (FAR_END - 8, 8))
    }
    for address, data in blocks.items():
        access.write(address, data)
    blocks[FAR] = blocks[FAR][:0xFE8] + blocks[FAR + 0xFE8][:24]
    for address, data in blocks.items():
        assert access.read(address, len(data)) == data, hex(address)


@BOTH_LINKS
def test_nothing_there_is_an_error(access):
    board = Board(access)
    board.wait_for_memory()
    for address in (0x0, platform.description()["regions"]["spm"]["base"], FAR_END, platform.register("board", "id") + 0x4000):
        with pytest.raises(LinkError):
            access.read(address, 8)
        with pytest.raises(LinkError):
            access.write(address, bytes(8))
    assert board.get("board", "id") == platform.description()["board"]["id"]


def test_memory_becomes_ready_and_the_core_waits_for_it(access):
    def read_status() -> int:
        return int.from_bytes(access.read(platform.register("board", "status"), 8), "little")

    def run(value: int) -> None:
        access.write(platform.register("board", "run"), value.to_bytes(8, "little"))

    at_first = read_status()
    run(1)
    waiting = read_status()
    run(0)
    board = Board(access)  # reads the counters' names: by then the memory may be ready
    assert not board.bit("status", "local_ready", at_first) and not board.bit("status", "far_ready", at_first)
    assert not board.bit("status", "running", waiting)
    board.wait_for_memory()
    assert status(board, "local_ready") and status(board, "far_ready") and not status(board, "running")


def test_fill_clears_what_it_was_told_and_nothing_else(access):
    board = Board(access)
    board.wait_for_memory()
    pattern = b"\xa5" * 0x3000
    for base in (LOCAL, FAR + 0x1_0000):
        access.write(base, pattern)
        board.fill(base + 0x600, 0x1E00)
        assert access.read(base, 0x3000) == pattern[:0x600] + bytes(0x1E00) + pattern[0x2400:]
    board.set("board", "fill_base", LOCAL + 8)  # not a multiple of 512
    board.set("board", "fill_bytes", 512)
    assert board.get("board", "fill_bytes") == 0 and access.read(LOCAL, 512) == pattern[:512]


@pytest.mark.parametrize("name", ["config", "aload_astore", "await", "errors", "atomic", "traps"])
def test_directed_programs(access, name):
    result, _ = run(Board(access), image.read(assemble(PROGRAMS[name], OUT / f"{name}.elf")))
    assert result.exit_code == 0, f"check {result.exit_code} of {TESTS}"


def test_console_wraps_and_stalls_without_loss(access):
    characters = 3 * 4096
    put = program(
        "console",
        f"""
        li a2, {characters}
        li a3, 0
    1:  andi a4, a3, 63
        addi a4, a4, 48
        sd a4, NHG_HOST_PUTC - NHG_HOST_BASE(a1)
        addi a3, a3, 1
        bne a3, a2, 1b
        """
        + EXIT.format(7),
    )
    result, said = run(Board(access), put)
    assert result.exit_code == 7 and not result.has_region
    assert said == bytes(48 + number % 64 for number in range(characters))


def test_a_byte_comes_back_by_interrupt(access):
    """The UART's model has a plug that sends back what is transmitted; its interrupt goes through the PLIC and ends the wfi."""
    uart = program(
        "uart",
        """
        li a5, NHG_PLIC_PRIORITY + 4 * NHG_PLIC_UART_SOURCE
        li a4, 1
        sw a4, 0(a5)
        li a5, NHG_UART_DATA
        sw a4, NHG_UART_INTERRUPT_ENABLE - NHG_UART_DATA(a5)
        li a3, NHG_PLIC_ENABLE_MACHINE
        li a4, 1 << NHG_PLIC_UART_SOURCE
        sw a4, 0(a3)
        li a4, 1 << 11
        csrw mie, a4
        li a4, 65
        sw a4, 0(a5)
        wfi
        li a3, NHG_PLIC_CLAIM_MACHINE
        lw s0, 0(a3)
        lw s1, 0(a5)
        lbu s2, NHG_UART_LINE_STATUS - NHG_UART_DATA(a5)
        add s0, s0, s1
        add s0, s0, s2
        sd s0, NHG_HOST_EXIT - NHG_HOST_BASE(a1)
    1:  j 1b""",
    )
    result, _ = run(Board(access), uart)
    assert result.exit_code == 1 + 65 + 0x60


def test_syscon_ends_the_program_as_exit_does(access):
    power = "li a5, NHG_SYSCON_POWER\nli a4, NHG_SYSCON_{}\nsw a4, 0(a5)\n1: j 1b"
    for value, exit_code in (("POWER_OFF", 0), ("REBOOT", platform.description()["exit_status"]["reboot"])):
        result, _ = run(Board(access), program(f"power_{value.lower()}", power.format(value)))
        assert result.exit_code == exit_code


def test_region_counts_exactly_what_is_inside(access):
    loads, last_line = 5, 4096 - 64  # of its page, in which the prefetcher stays
    counted = program(
        "region",
        f"""
        li a5, NHG_FAR_BASE + {last_line}
        ld t0, 0(a5)
        sd x0, NHG_HOST_ROI_BEGIN - NHG_HOST_BASE(a1)
        fence
        li a2, {loads}
        li a3, 4096
    1:  add a5, a5, a3
        ld t0, 0(a5)
        add a5, a5, t0
        addi a2, a2, -1
        bnez a2, 1b
        fence
        sd x0, NHG_HOST_ROI_END - NHG_HOST_BASE(a1)
        fence
        ld t0, 64(a5)
        sd a5, NHG_HOST_METRIC + 24 - NHG_HOST_BASE(a1)
        """
        + EXIT.format(0),
    )
    result, _ = run(Board(access), counted)
    assert result.has_region and result.far["reads"] == loads and result.far["writes"] == 0
    assert result.far["inflight_integral"] == result.far["busy_cycles"] == loads * FAR_MEMORY.latency_cycles + loads
    assert result.far["inflight_max"] == 1 and result.far["late"] == 0 and result.mlp_mean == 1
    assert result.metrics[3] == FAR + last_line + loads * 4096
    assert result.cycles < result.total_cycles and result.instret < result.total_instret


def test_a_stopped_core_leaves_memory_usable_and_starts_again(access):
    """The core is stopped with far requests in flight, ten times; then a whole program runs."""
    busy = program(
        "busy",
        """
        li a5, NHG_FAR_BASE
    1:  li a2, 16
    2:  ld t0, 0(a5)
        sd t0, 8(a5)
        addi a5, a5, 64
        addi a2, a2, -1
        bnez a2, 2b
        j 1b""",
    )
    board = Board(access)
    board.wait_for_memory()
    board.load(busy, lambda *_: None)
    for _ in range(10):
        board.set("far_control", "latency_cycles", 2400)
        board.start(busy.reset_pc)
        board.stop()
        access.write(FAR + 0x10_0000, b"12345678")
        assert access.read(FAR + 0x10_0000, 8) == b"12345678"
    what = image.read(assemble(PROGRAMS["groups"], OUT / "groups.elf"))
    board.load(what, lambda *_: None)
    board.start(what.reset_pc)
    deadline = time.monotonic() + 120
    while not (state := board.state()).exited and time.monotonic() < deadline:
        access.pause()
    assert state.exited and state.exit_value == 0


def test_memory_belongs_to_the_running_core(access):
    board = Board(access)
    board.wait_for_memory()
    board.load(ENDLESS, lambda *_: None)
    board.start(ENDLESS.reset_pc)
    for address in (ROM, LOCAL, FAR):
        with pytest.raises(LinkError, match="SLVERR"):
            access.read(address, 8)
        with pytest.raises(LinkError, match="SLVERR"):
            access.write(address, bytes(8))
    first = board.state()
    access.pause()
    assert board.state().cycles > first.cycles
    board.stop()
    kept = ENDLESS.segments[0].data
    assert access.read(LOCAL, 8)[: len(kept)] == kept[:8]


def test_a_program_that_does_not_end_is_named(access):
    with pytest.raises(session.Stuck, match="did not end within 20000 cycles \\(ROB"):
        run(Board(access), ENDLESS, max_cycles=20_000)


def test_button_and_overheating(access):
    board = Board(access)
    board.wait_for_memory()
    board.load(ENDLESS, lambda *_: None)
    board.start(ENDLESS.reset_pc)
    access.set_inputs(BUTTON | CATTRIP)
    access.pause()
    assert not status(board, "running") and status(board, "cattrip")
    access.set_inputs(0)
    access.pause()
    assert status(board, "running") and status(board, "cattrip")
    assert board.get("board", "run") == 1
