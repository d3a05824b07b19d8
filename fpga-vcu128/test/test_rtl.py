# SPDX-License-Identifier: Apache-2.0
"""Test benches of the clock crossings, the HBM guard, the way from PCIe and JTAG to the host port, compiled by Verilator, and board control, in Icarus, too."""

import subprocess

import description
import languages
import pytest

from conftest import FPGA, ROOT, with_mistake

RTL, SHELL = FPGA / "rtl", ROOT / "shell/rtl"
TYPES = (SHELL / "bus_types.sv", RTL / "board_types.sv")
FIFO = (ROOT / "delayer-ip/rtl/forwarding_ram.sv", ROOT / "delayer-ip/rtl/bypass_fifo.sv")


def compiled(folder, bench: str, *files, bench_file: bool = True) -> str:
    """The program made of a bench, test/rtl/<bench>.sv unless it is among `files`, and of the files (or options) it needs beside the platform's constants."""
    folder.mkdir(exist_ok=True)
    constants = folder / "platform_pkg.sv"
    constants.write_text(languages.verilog_package(description.constants(description.load(ROOT / "tools/platform/platform.toml"))))
    command = [
        "verilator",
        "--binary",
        "--timing",
        "--assert",
        "-Wno-fatal",
        "-Wno-lint",
        f"-I{SHELL}",
        "--x-initial",
        "unique",
        "-j",
        "1",
        "--top-module",
        bench,
        "--Mdir",
        str(folder),
        "-o",
        bench,
        str(constants),
        *(str(file) for file in files),
        *([str(FPGA / "test" / "rtl" / f"{bench}.sv")] if bench_file else []),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[-3000:]
    return str(folder / bench)


@pytest.fixture(scope="module")
def fifo(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("fifo"), "async_fifo_tb", RTL / "async_fifo.sv")


@pytest.mark.parametrize(("in_ps", "out_ps"), [(20_000, 10_000), (10_000, 20_000), (4_000, 20_000), (20_000, 4_000), (10_000, 10_002), (7_310, 9_950)])
@pytest.mark.parametrize("busy", [256, 128, 30])
def test_a_crossing_loses_nothing(fifo, in_ps, out_ps, busy):
    result = subprocess.run(
        [fifo, f"+in_ps={in_ps}", f"+out_ps={out_ps}", "+words=5000", f"+busy={busy}"], capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0 and "PASS 5000 words" in result.stdout, result.stdout + result.stderr
    if busy == 256:  # full speed of the slower clock, but for reset and filling
        cycles = int(result.stdout.split(" in ")[1].split()[0])
        assert cycles <= 5030 * max(in_ps, out_ps) / out_ps + 30


CONTROL = tuple(RTL / f"{name}.sv" for name in ("board_control", "console_ring", "counter_banks", "phase_monitor"))


def in_icarus(build, folder, *files) -> subprocess.CompletedProcess:
    """The bench of board control in a simulator that evaluates only what an event reaches."""
    sources = [build / "gen/platform_pkg.sv", *files, FPGA / "test/rtl/board_control_tb.sv"]
    compiled = subprocess.run(
        ["iverilog", "-g2012", "-s", "board_control_tb", "-o", folder / "bench.vvp", *sources], capture_output=True, text=True, check=False
    )
    assert compiled.returncode == 0, compiled.stderr
    return subprocess.run(["vvp", "-n", folder / "bench.vvp"], capture_output=True, text=True, timeout=60, check=False)


def test_board_control(build, tmp_path):
    program = compiled(tmp_path, "board_control_tb", *CONTROL)
    for result in (subprocess.run([program], capture_output=True, text=True, timeout=60, check=False), in_icarus(build, tmp_path, *CONTROL)):
        assert result.returncode == 0 and "PASS 31 checks" in result.stdout, result.stdout + result.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "  assign fill_start = host_writes && reg_index == board(nhg_platform::BOARD_FILL_BYTES);",
            "  function automatic logic write_to(input logic [63:0] address);\n    return host_writes && reg_index == board(address);\n"
            "  endfunction\n  assign fill_start = write_to(nhg_platform::BOARD_FILL_BYTES);",
        ),
        ("if (is_begin) clearing <= 1'b1;", "if (is_begin) {take, take_bank} <= {1'b1, 2'd0};"),
        ("counters_free && !exited)", "counters_free)"),
    ],
    ids=["never_evaluated_again", "far_memory_not_cleared", "snapshot_after_exit"],
)
def test_board_control_finds_mistakes(build, tmp_path, old, new):
    wrong = with_mistake(RTL / "board_control.sv", tmp_path, old, new)
    result = in_icarus(build, tmp_path, wrong, *CONTROL[1:])
    assert result.returncode != 0 and "PASS" not in result.stdout


CROSSING = ("beat_crossing_tb", *TYPES, RTL / "bit_sync.sv", RTL / "async_fifo.sv", RTL / "beat_crossing.sv")


@pytest.fixture(scope="module")
def crossing(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("crossing"), *CROSSING)


@pytest.mark.parametrize(("s_ps", "m_ps"), [(2_003, 10_000), (11_000, 3_000), (10_000, 10_001), (1_000, 40_000)])
@pytest.mark.parametrize("resets", ["+s_resets=1 +m_resets=0", "+s_resets=0 +m_resets=1", "+s_resets=1 +m_resets=1"])
def test_a_crossing_whose_sides_are_reset(crossing, s_ps, m_ps, resets):
    options = [f"+s_ps={s_ps}", f"+m_ps={m_ps}", *resets.split(), "+verilator+seed+3"]
    result = subprocess.run([crossing, *options], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0 and "PASS 3000 accesses" in result.stdout, result.stdout + result.stderr


def test_the_guard(tmp_path):
    guard = compiled(tmp_path, "hbm_guard_tb", *TYPES, *FIFO, SHELL / "bypass_register.sv", RTL / "hbm_guard.sv")
    result = subprocess.run([guard], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr


def test_the_splitter_obeys_axi(tmp_path):
    """W does not wait for AWREADY, whichever of the two a memory wants first, and every beat goes where its address is."""
    files = (SHELL / "bus_types.sv", *FIFO, SHELL / "bypass_register.sv", SHELL / "memory_splitter.sv")
    splitter = compiled(tmp_path, "memory_splitter_tb", *files)
    result = subprocess.run([splitter], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr


REORDER = ("hbm_reorder_tb", *TYPES, RTL / "hbm_reorder.sv")


@pytest.fixture(scope="module")
def reorder(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("reorder"), *REORDER)


@pytest.mark.parametrize(("busy", "seed"), [(256, 1), (128, 2)])
def test_the_reordering(reorder, busy, seed):
    result = bench(reorder, 20_000, busy, seed)
    assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr


def test_a_core_without_dma_answers_every_burst_with_an_error(tmp_path):
    program = compiled(tmp_path, "axi_error_port_tb", *TYPES, RTL / "axi_error_port.sv", FPGA / "test/rtl/dma_driver.sv")
    for seed in range(1, 4):
        result = subprocess.run([program, f"+verilator+seed+{seed}"], capture_output=True, text=True, timeout=60, check=False)
        assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr


MEMORY = FPGA / "test/rtl/memory64.sv"
PCIE_PATH = ("pcie_path_tb", *TYPES, RTL / "axi_to_beats.sv", RTL / "beat_to_axi64.sv", MEMORY)
ARBITER = ("axi_serial_arbiter_tb", *TYPES, RTL / "axi_serial_arbiter.sv", MEMORY)


def bench(program: str, bursts: int, busy: int, seed: int) -> subprocess.CompletedProcess:
    return subprocess.run([program, f"+bursts={bursts}", f"+busy={busy}", f"+verilator+seed+{seed}"], capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def pcie_path(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("pcie_path"), *PCIE_PATH)


@pytest.fixture(scope="module")
def arbiter(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("arbiter"), *ARBITER)


@pytest.mark.parametrize(("busy", "seed"), [(256, 1), (200, 2), (60, 3)])
def test_the_way_from_pcie(pcie_path, busy, seed):
    result = bench(pcie_path, 4000, busy, seed)
    assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr


@pytest.mark.parametrize(("busy", "seed"), [(256, 1), (200, 2), (60, 3)])
def test_the_arbiter(arbiter, busy, seed):
    result = bench(arbiter, 4000, busy, seed)
    assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("sources", "file", "old", "new"),
    [
        (PCIE_PATH, "beat_to_axi64.sv", "block & (32'hffff_ffff << request.addr[4:0])", "block"),
        (CROSSING, "beat_crossing.sv", "close && (emptying || !under_way)", "close"),
        (CROSSING, "beat_crossing.sv", "(open && response_valid)", "response_valid"),
        (CROSSING, "beat_crossing.sv", "CLOSING: if (stopped_seen)", "CLOSING: if (1'b1)"),
        (REORDER, "hbm_reorder.sv", "write_room && overlaps == '0", "write_room"),
        (ARBITER, "axi_serial_arbiter.sv", "if (wants[2'(grant + 2'(i))]) next_grant = grant + 2'(i)", "if (wants[2'(i)]) next_grant = 2'(i)"),
    ],
    ids=["words", "not_drained", "answers_of_before", "not_stopped", "overlapping_writes", "turns"],
)
def test_the_benches_find_mistakes(tmp_path, sources, file, old, new):
    name, *files = sources
    mistaken = with_mistake(RTL / file, tmp_path, old, new)
    wrong = compiled(tmp_path / "obj", name, *(mistaken if path.name == file else path for path in files))
    assert bench(wrong, 1000, 200, 1).returncode != 0
