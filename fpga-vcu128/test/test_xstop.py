# SPDX-License-Identifier: Apache-2.0
"""A user's XSTop in the shell, with a stand-in of its ports: `make sources CORE=`, lint, the wrapper's bench, the flow, misfits."""

import subprocess

import pytest
from conftest import FPGA, with_mistake
from test_lint import lint
from test_rtl import compiled

STAND_IN = FPGA / "test" / "xstop" / "XSTop.v"


def sources(folder, *cores) -> subprocess.CompletedProcess:
    command = ["make", "--no-print-directory", "-C", str(FPGA), "sources", f"BUILD={folder}", "CORE=" + " ".join(map(str, cores))]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def design(tmp_path_factory):
    """A build folder whose design has the stand-in for a core."""
    folder = tmp_path_factory.mktemp("xstop")
    result = sources(folder, STAND_IN)
    assert result.returncode == 0, result.stderr
    return folder / "fpga-core"


@pytest.mark.parametrize("options", [[], ["-DNHG_XDMA"]], ids=["jtag", "pcie"])
def test_the_top_with_it_is_clean(design, options):
    result = lint(design, *options)
    assert result.returncode == 0, result.stderr[:3000]


def wrapper_bench(design, folder, wrapper=FPGA / "xstop/soc_xstop.sv") -> str:
    return compiled(folder, "soc_xstop_tb", f"-I{design}", design.parent / "gen/platform_pkg.sv", FPGA / "xstop/xstop_peripheral.sv", wrapper,
                    STAND_IN, FPGA / "test/rtl/dma_driver.sv", FPGA / "test/xstop/soc_xstop_tb.sv", bench_file=False)


def run(bench: str, seed: int) -> subprocess.CompletedProcess:
    return subprocess.run([bench, f"+verilator+seed+{seed}"], capture_output=True, text=True, timeout=60, check=False)


def test_the_wrapper(design, tmp_path):
    bench = wrapper_bench(design, tmp_path)
    for seed in range(1, 4):
        result = run(bench, seed)
        assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr


@pytest.mark.parametrize(("old", "new"), [
    ("assign dma_bid = 14'(from_dma_bid)", "assign dma_bid = 14'(from_dma_rid)"),
    (".dma_0_awcache(4'd3)", ".dma_0_awcache(4'd0)"),
], ids=["id", "cache"])
def test_its_bench_finds_mistakes_at_the_dma_port(design, tmp_path, old, new):
    wrong = with_mistake(FPGA / "xstop/soc_xstop.sv", tmp_path, old, new)
    assert run(wrapper_bench(design, tmp_path / "obj", wrong), 1).returncode != 0


def test_lights_and_resets(design, tmp_path):
    """Of the shell; the stand-in is the smallest core for it."""
    files = [path for path in (design / "sources.txt").read_text().split() if not path.endswith("/vcu128_top.sv")]
    bench = compiled(tmp_path, "board_lights_tb", f"-I{design}", *files)
    result = subprocess.run([bench], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr


@pytest.mark.parametrize("pcie", ["0", "1"])
def test_the_flow_takes_it(flow, design, tmp_path, pcie):
    result = flow(sources=str(design / "sources.txt"), include=str(design), pcie=pcie)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "vcu128_top.bit").is_file()
    used = (design / "sources.txt").read_text().split()
    assert str(STAND_IN) in used and not [path for path in used if path.endswith(("soc_nhg.sv", "NhgSoc.sv"))]


@pytest.mark.parametrize(("old", "new", "message"), [
    ("  input          memory_0_awready,\n", "", "memory_0_awready is missing"),
    ("output [35:0]  memory_0_awaddr", "output [47:0]  memory_0_awaddr", "memory_0_awaddr has 48 bits instead of 36"),
    ("input  [63:0]  io_extIntrs", "input  [149:0] io_extIntrs", "io_extIntrs has 150 bits instead of 64"),
    ("input          dma_0_wvalid", "output         dma_0_wvalid", "dma_0_wvalid is an output, not an input"),
    ("input          io_rtc_clock", "input          io_rtc_tick", "io_rtc_tick is an input that the shell does not know"),
    ("input  [13:0]  memory_0_rid", "input  [12:0]  memory_0_rid", "memory_0_*id have different widths"),
    ("output [1:0]   peripheral_0_awid", "output [9:0]   peripheral_0_awid", "peripheral_0_awid has 10 bits instead of 1 to 8"),
    ("module XSTop(", "module XSSoc(", "no module XSTop with a port list in"),
    ("_0_ar", "_0_ar_bits_", "its names still have _bits_"),
])
def test_a_misfit_is_named_in_one_line(tmp_path, old, new, message):
    wrong = with_mistake(STAND_IN, tmp_path, old, new)
    result = sources(tmp_path / "build", wrong)
    lines = [line for line in result.stderr.splitlines() if line.startswith("core: ")]
    assert result.returncode == 2 and "Error 19" in result.stderr and len(lines) == 1 and message in lines[0]
    assert not (tmp_path / "build/fpga-core/sources.txt").exists()


def test_a_file_that_is_not_there(tmp_path):
    assert "core: /nowhere/XSTop.v: No such file or directory" in sources(tmp_path, "/nowhere/XSTop.v").stderr


def test_older_and_narrower_tops_fit(tmp_path):
    """Without reset-vector and time-base ports, with other ID and address widths."""
    text = STAND_IN.read_text()
    for old, new in ((",\n  input          io_rtc_clock", ""), ("input  [13:0]  memory_0_", "input  [9:0]   memory_0_"),
                     ("output [13:0]  memory_0_", "output [9:0]   memory_0_"), ("14'h2abc, 14'h1def", "10'h2bc, 10'h1ef"),
                     (",\n  input  [37:0]  io_riscv_rst_vec_0", ""), ("peripheral_0_rdata[63:0] == {26'd0, io_riscv_rst_vec_0} ? LOAD : FAULT", "LOAD")):
        assert old in text
        text = text.replace(old, new)
    older = tmp_path / "XSTop.v"
    older.write_text(text)
    assert sources(tmp_path, older).returncode == 0
    result = lint(tmp_path / "fpga-core")
    assert result.returncode == 0, result.stderr[:3000]
