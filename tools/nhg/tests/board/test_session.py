# SPDX-License-Identifier: Apache-2.0
"""The protocol of a run, over every link, against a board made of a file."""

import json
import struct
from dataclasses import asdict

import pytest
from fake_board import COUNTERS, FakeBoard

from nhg import platform
from nhg.board import image, session
from nhg.board.access import LinkError, WrongBitstream
from nhg.board.control import Board
from nhg.board.image import Image, Segment
from nhg.errors import NhgError
from nhg.far_memory import FarMemory
from nhg.jitter import Jitter
from nhg.result import Result, compute, read, record_fields

FAR_MEMORY = FarMemory(2400, 5 << 16, 1, Jitter("table:test", 4, 0, 0, 77, (1, -1, 2, -2) * 256))
ROM, LOCAL, FAR = (platform.description()["regions"][name]["base"] for name in ("boot_rom", "local", "far"))
IMAGE = Image((Segment(ROM, b"boot"), Segment(LOCAL + 4, b"12345678abc"), Segment(FAR, bytes(range(256)) * 20)), ROM)
COUNTS = {
    "cycles": 1000,
    "instret": 500,
    "far_reads": 10,
    "far_read_bytes": 640,
    "far_inflight_integral": 300,
    "far_busy_cycles": 100,
    "far_inflight_max": 7,
    "far_read_latency_sum": 24000,
    "far_read_latency_min": 2400,
    "far_read_latency_max": 2500,
    "branch_mispredicts": 5,
    "cycles_load": 1000,
}


def measured_program(board: FakeBoard) -> None:
    board.put(b"hello\n")
    board.mark("begin", "roi_begin", **{name: value // 10 for name, value in COUNTS.items()})
    board.set("peak_integral", 90)
    board.set("peak_busy", 20)
    board.mark("end", "roi_end", **COUNTS)
    board.set("metric", 11, platform.metric("operations"))
    board.set("metric", 1, platform.metric("verified"))
    board.put(b"done\n")
    board.exit(0, cycles=2000, instret=900)


def run(board: FakeBoard, linked, max_cycles: int = 10**9) -> tuple[Result, bytes]:
    said = bytearray()
    snapshots = session.run(Board(linked(board)), IMAGE, FAR_MEMORY, max_cycles, said.extend)
    return compute(snapshots), bytes(said)


def test_a_run_is_loaded_started_and_measured(tmp_path, linked):
    with FakeBoard(tmp_path / "board", measured_program) as board:
        result, said = run(board, linked)
        assert said == b"hello\ndone\n"
        assert board.read(ROM, 4) == b"boot" and board.read(LOCAL, 16) == b"\0\0\0\x0012345678abc\0"
        assert board.read(FAR, 5120) == IMAGE.segments[2].data
        assert board.get("reset_pc") == ROM and board.get("run") == 0
        regions = platform.description()["regions"]
        assert board.fills == [(regions["local"]["base"], regions["local"]["size"]), (regions["far"]["base"], platform.description()["hbm"]["far_size"])]
        for region, name, index, value in (
            ("far_control", "latency_cycles", 0, 2400),
            ("far_control", "bandwidth", 0, 5 << 16),
            ("far_control", "bandwidth_mode", 0, 1),
            ("far_control", "jitter_model", 0, 4),
            ("far_control", "jitter_seed", 0, 77),
            ("far_control", "jitter_table", 255, 0xFFFE_0002_FFFF_0001),
            ("local_control", "latency_cycles", 0, platform.description()["memory"]["local_latency_cycles"]),
        ):
            assert struct.unpack("<Q", board.read(platform.register(region, name) + 8 * index, 8))[0] == value, name
    assert result.cycles == 900 and result.instret == 450 and result.total_cycles == 2000 and result.has_region
    assert result.far == {
        "reads": 9,
        "writes": 0,
        "read_bytes": 576,
        "write_bytes": 0,
        "inflight_integral": 270,
        "busy_cycles": 90,
        "inflight_max": 7,
        "late": 0,
        "read_latency_sum": 21600,
        "read_latency_min": 2400,
        "read_latency_max": 2500,
    }
    assert result.mlp_mean == 3 and result.mlp_busiest == 4.5 and result.cycle_breakdown == {"load": 900}
    fields = record_fields("test", result)
    assert fields["branch_mispredicts"] == 5 and fields["emulated_ns"] == 300


def test_a_core_that_does_not_say_what_it_retires(tmp_path, linked, monkeypatch):
    """A user's XSTop: no AMU, no instruction count."""
    monkeypatch.setattr("fake_board.COUNTERS", tuple("running_cycles" if name == "instret" else name for name in COUNTERS))
    with FakeBoard(tmp_path / "board", measured_program) as board:
        real = Board(linked(board))
        result = compute(session.run(real, IMAGE, FAR_MEMORY, 10**9, lambda text: None))
    assert not real.identity.has_amu
    assert result.instret is None and result.total_instret is None and result.cycles == 900


def test_memory_is_not_slowed_down_while_it_is_loaded(tmp_path, linked):
    """An earlier run has left its latencies behind."""
    places = [platform.register(region, "latency_cycles") for region in ("far_control", "local_control")]
    seen = []
    with FakeBoard(tmp_path / "board", measured_program) as board:
        for place in places:
            board.write(place, (9999).to_bytes(8, "little"))
        real = Board(linked(board))
        write = real.access.write

        def watched(address: int, data: bytes) -> None:
            if address in (ROM, FAR):
                seen.extend(board.read(place, 8) for place in places)
            write(address, data)

        real.access.write = watched
        session.run(real, IMAGE, FAR_MEMORY, 10**9, lambda text: None)
    assert seen == [bytes(8)] * 4


def test_console_longer_than_the_ring(tmp_path, linked):
    text = b"".join(b"%07d\n" % number for number in range(1200))

    def program(board: FakeBoard) -> None:
        board.put(text)
        board.exit(3)

    with FakeBoard(tmp_path / "board", program) as board:
        result, said = run(board, linked)
    assert said == text and result.exit_code == 3 and not result.has_region


def test_a_core_without_progress_is_stuck(tmp_path, linked):
    def program(board: FakeBoard) -> None:
        board.mark("now", "roi_begin", rob_head_pc=0x8000_1234, rob_head_valid=1)
        board.set("cycles", 300_000)
        board.set("idle_cycles", 200_000)

    with (
        FakeBoard(tmp_path / "board", program) as board,
        pytest.raises(session.Stuck, match="no instruction retired for 200000 cycles at cycle 300000: ROB head pc=0x80001234"),
    ):
        run(board, linked)


def test_a_program_that_does_not_end(tmp_path, linked):
    with (
        FakeBoard(tmp_path / "board", lambda board: board.set("cycles", 5001)) as board,
        pytest.raises(session.Stuck, match="did not end within 5000 cycles") as error,
    ):
        run(board, linked, max_cycles=5000)
    assert error.value.exit_code == 6


@pytest.mark.parametrize(
    ("register", "value", "message"),
    [
        ("id", 0x1234, "not one of this project"),
        ("version", 99, "abcd1234.*version 99 of the board contract, this host program version 2"),
        ("counter_count", 0, "claims 0 counters"),
    ],
)
def test_wrong_bitstream(tmp_path, linked, register, value, message):
    with FakeBoard(tmp_path / "board") as board:
        board.set(register, value)
        with pytest.raises(WrongBitstream, match=message) as error:
            Board(linked(board))
    assert error.value.exit_code == 4 and "\n" not in str(error.value)


def test_identity(tmp_path, linked):
    with FakeBoard(tmp_path / "board") as board:
        identity = Board(linked(board)).identity
    assert identity.commit == "abcd1234" and identity.core_khz == 50_000 and identity.counters == COUNTERS


def test_memory_that_does_not_keep_its_contents(tmp_path, linked):
    with FakeBoard(tmp_path / "board") as board:
        real = Board(linked(board))
        write = real.access.write
        real.access.write = lambda address, data: write(address, bytes(len(data)))
        with pytest.raises(LinkError, match=f"memory at {LOCAL:#x} reads 00.* after ff"):
            real.load(Image((Segment(LOCAL, b"\xff" * 8),), 0), lambda *_: None)


def test_memory_that_is_not_initialised(tmp_path, linked, monkeypatch):
    monkeypatch.setattr("nhg.board.control.STEPS_MAX", 2)
    with FakeBoard(tmp_path / "board") as board:
        board.set("status", 0)
        with pytest.raises(LinkError, match="memory is not initialised \\(local_ready stays 0\\)"):
            Board(linked(board)).wait_for_memory()


def test_images(tmp_path):
    version = platform.description()["checkpoint"]["version"]
    checkpoint = struct.pack("<8sIIQQQ", b"NHGCKPT\0", version, 0, 1, ROM, 5) + struct.pack("<QQQ", LOCAL, 4, 64) + b"data"
    path = tmp_path / "image"
    path.write_bytes(checkpoint)
    assert image.read(path) == Image((Segment(LOCAL, b"data"),), ROM)
    for content, message in (
        (checkpoint[:-1], "truncated"),
        (checkpoint[:30], "truncated"),
        (b"text", "neither"),
        (checkpoint.replace(struct.pack("<I", version), struct.pack("<I", version + 6), 1), f"version {version + 6}"),
        (b"\x7fELF\x02\x01", "truncated"),
    ):
        path.write_bytes(content)
        with pytest.raises(NhgError, match=message):
            image.read(path)
    with pytest.raises(NhgError, match="No such file"):
        image.read(tmp_path / "none")


def test_a_board_and_the_simulator_with_the_same_counters_have_the_same_record(tmp_path, linked):
    with FakeBoard(tmp_path / "board", measured_program) as board:
        snapshots = session.run(Board(linked(board)), IMAGE, FAR_MEMORY, 10**9, lambda text: None)
    written = tmp_path / "result.json"
    written.write_text(json.dumps({"lockstep": False, "seed": 0, **asdict(snapshots)}))
    assert record_fields("test", compute(read("test", written))) == record_fields("test", compute(snapshots))
