# SPDX-License-Identifier: Apache-2.0
"""Resets of one side of a clock crossing, under traffic: nothing is carried out twice, and no answer reaches another access than its own.

PCIe's side is reset whenever the machine restarts or resets the slot, and its clock may stand meanwhile; DDR4's when its clock is lost. The core's side
goes on. What the last accesses wrote is overwritten by the other link before the reset ends, so that an access that comes again shows.
"""

import os
import random

import pytest

from nhg import platform
from nhg.board.access import LinkError
from nhg.board.control import Board
from nhg.board.simulated import DDR4_UNSTABLE, PCIE_RESET, PCIE_STANDS

LOCAL, FAR = (platform.description()["regions"][name]["base"] for name in ("local", "far"))
SCRATCH, RUN = (platform.register("board", name) for name in ("scratch", "run"))
DRAIN_CYCLES = 400
JUMP_TO_ITSELF = 0x6F
WITH_DDR4 = pytest.mark.skipif(os.environ.get("NHG_BOARD_LOCAL") == "hbm", reason="no DDR4 in this design")
OVER_PCIE = pytest.mark.parametrize("access", ["pcie"], indirect=True)


def was_cut(access, half_cycles: int, inputs: int, what) -> bool:
    """Whether the reset came before `what`, an access, was done."""
    access.cut_next(half_cycles, inputs)
    try:
        what()
    except LinkError as error:
        assert "response 4" in str(error)
        return True
    access.set_inputs(inputs)
    return False


@OVER_PCIE
def test_a_reset_of_pcie_alone(access):
    jtag = access.over("jtag")
    Board(access).wait_for_memory()
    generator = random.Random(7)
    places = [LOCAL + 0x1000, FAR + 0x2000, SCRATCH, SCRATCH + 8]
    cut = 0
    for round_number in range(40):
        for _ in range(generator.randrange(1, 7)):
            access.write(generator.choice(places), generator.randbytes(8))
        half_cycles, inputs = generator.randrange(1, 60), PCIE_RESET | generator.choice((0, PCIE_STANDS))
        place = generator.choice(places)
        if generator.randrange(2):
            cut += was_cut(access, half_cycles, inputs, lambda place=place: access.write(place, bytes(8)))
        else:
            cut += was_cut(access, half_cycles, inputs, lambda place=place: access.read(place, 8))
        jtag.pass_time(DRAIN_CYCLES)
        kept = {place: generator.randbytes(8) for place in places}
        for place, data in kept.items():
            jtag.write(place, data)
        access.set_inputs(PCIE_RESET)  # the clock is there before the reset ends
        access.pass_time(generator.randrange(1, 40))
        access.set_inputs(0)
        if generator.randrange(2):
            access.pass_time(DRAIN_CYCLES)
        for link in (access, jtag):
            assert {place: link.read(place, 8) for place in places} == kept, f"round {round_number}"
    assert 10 <= cut <= 38


@OVER_PCIE
def test_the_core_runs_through_a_reset_of_pcie(access):
    board, jtag = Board(access), Board(access.over("jtag"))
    board.wait_for_memory()
    access.write(LOCAL, JUMP_TO_ITSELF.to_bytes(8, "little"))
    board.start(LOCAL)
    generator = random.Random(3)
    for _ in range(10):
        before = jtag.state()
        was_cut(access, generator.randrange(1, 60), PCIE_RESET, board.state)
        jtag.access.pass_time(DRAIN_CYCLES)
        access.set_inputs(0)
        after = board.state()
        assert after.cycles - before.cycles < 20_000 and after.cycles > before.cycles and jtag.get("board", "run") == 1
    board.stop()
    access.set_inputs(PCIE_RESET)
    access.pass_time(DRAIN_CYCLES)
    access.set_inputs(0)
    access.pass_time(DRAIN_CYCLES)
    assert jtag.get("board", "run") == 0  # "run 1" was written before


@WITH_DDR4
def test_a_lost_clock_of_ddr4_resets_everything(access):
    """In the midst of a fill, which leaves 16 writes on their way."""
    board = Board(access)
    board.wait_for_memory()
    board.set("board", "run", 0)
    pattern = bytes(range(256)) * 8
    access.write(LOCAL, pattern)
    board.set("board", "fill_base", LOCAL)
    board.set("board", "fill_bytes", 1 << 20)
    access.pass_time(300)
    assert board.get("board", "fill_bytes") > 0
    access.set_inputs(DDR4_UNSTABLE)
    access.pass_time(50)
    access.set_inputs(0)
    access.pass_time(100)
    board = Board(access)
    assert board.get("board", "fill_bytes") == 0 and not board.bit("status", "local_ready", board.get("board", "status"))
    board.wait_for_memory()
    access.write(LOCAL, pattern)
    access.pass_time(DRAIN_CYCLES)
    assert access.read(LOCAL, len(pattern)) == pattern
    assert was_cut(access, 40, DDR4_UNSTABLE, lambda: access.write(LOCAL + 0x4000, pattern[:2048]))
    access.pass_time(50)
    access.set_inputs(0)
    access.pass_time(100)
    Board(access).wait_for_memory()
    assert access.read(LOCAL, len(pattern)) == pattern
