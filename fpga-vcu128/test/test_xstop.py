# SPDX-License-Identifier: Apache-2.0
"""A user's XSTop in the shell, with a stand-in of its ports: `make sources CORE=`, lint, the wrapper's bench, the flow, misfits."""

import subprocess
from pathlib import Path

import latches
import pytest
from test_lint import lint
from test_rtl import TYPES, compiled

from conftest import DESIGNS, FPGA, ROOT, with_mistake

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


@DESIGNS
def test_the_top_with_it_is_clean(design, options):
    result = lint(design, *options)
    assert result.returncode == 0, result.stderr[:3000]


def wrapper_bench(design, folder, wrapper=FPGA / "xstop/soc_xstop.sv", core=(STAND_IN,)) -> str:
    return compiled(
        folder,
        "soc_xstop_tb",
        f"-I{design}",
        *TYPES,
        FPGA / "xstop/xstop_peripheral.sv",
        wrapper,
        *core,
        FPGA / "test/rtl/dma_driver.sv",
        FPGA / "test/xstop/soc_xstop_tb.sv",
        bench_file=False,
    )


def run(bench: str, seed: int) -> subprocess.CompletedProcess:
    return subprocess.run([bench, f"+verilator+seed+{seed}"], capture_output=True, text=True, timeout=60, check=False)


def test_the_wrapper(design, tmp_path):
    bench = wrapper_bench(design, tmp_path)
    for seed in range(1, 4):
        result = run(bench, seed)
        assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("r.id = MEMORY_ID_BITS'(dma_rid)", "r.id = MEMORY_ID_BITS'(dma_bid)"),
        (".dma_0_awcache(4'd3)", ".dma_0_awcache(4'd0)"),
    ],
    ids=["id", "cache"],
)
def test_its_bench_finds_mistakes_at_the_dma_port(design, tmp_path, old, new):
    wrong = with_mistake(FPGA / "xstop/soc_xstop.sv", tmp_path, old, new)
    assert run(wrapper_bench(design, tmp_path / "obj", wrong), 1).returncode != 0


LATCH = """
module {name} (input TE, input E, input CK{more}, output Q);
  reg enabled;
  {block}
  assign Q = CK & enabled;
endmodule
"""
IF_LOW = "if (!CK) enabled = TE | E;"
# What different versions of the generator have, and one that is empty for synthesis
GATES = {
    "always_latch": LATCH.format(name="STD_CLKGT_func", more="", block=f"always_latch begin {IF_LOW} end"),
    "with test ports": LATCH.format(name="STD_CLKGT_func", more=", input dft_l3dataram_clk, input dft_l3dataramclk_bypass", block=f"always @(*) {IF_LOW}"),
    "empty": "\nmodule STD_CLKGT_func (\n  input  wire TE,\n  input  wire E,\n  input  wire CK,\n  output wire Q\n);\nendmodule\n",
    "not there": "",
}


def gated_stand_in(folder, gate: str):
    """The stand-in with its state machine behind a clock gate, whose module is in the same file."""
    text = STAND_IN.read_text()
    main = "  always @(posedge io_clock)\n    if (io_reset) begin\n"
    assert text.count(main) == 1
    tests = ".dft_l3dataram_clk(1'b0), .dft_l3dataramclk_bypass(1'b0), " if "dft_" in gate else ""
    instance = f"  wire gated;\n  STD_CLKGT_func gate (.TE(1'b0), .E(1'b1), .CK(io_clock), {tests}.Q(gated));\n"
    text = text.replace(main, instance + main.replace("io_clock", "gated"))
    core = folder / "Gated.v"
    core.write_text(text + gate)
    return core


@pytest.mark.parametrize("kind", list(GATES))
def test_the_generators_clock_gate_is_replaced(tmp_path, kind):
    core = gated_stand_in(tmp_path, GATES[kind])
    result = sources(tmp_path, core)
    assert result.returncode == 0, result.stderr
    design = tmp_path / "fpga-core"
    compiled_files = [Path(line) for line in (design / "core_files.txt").read_text().split()]
    assert sum("module STD_CLKGT_func" in path.read_text() for path in compiled_files) == 1
    assert "enabled" not in "".join(path.read_text() for path in compiled_files)
    if "test ports" in kind:  # one of them in the bench, for its time
        result = run(wrapper_bench(design, tmp_path / "obj", core=compiled_files), 1)
        assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr


@pytest.mark.parametrize(
    "block",
    [
        f"always_latch {IF_LOW}",
        f"always_latch\n    begin\n    {IF_LOW} end",
        f"always @(*) {IF_LOW}",
        f"always @(CK or TE or E) {IF_LOW}",
        f"always @* begin\n    {IF_LOW}\n  end",
        f"always_comb {IF_LOW}",
    ],
)
def test_another_latch_is_found(block):
    text = STAND_IN.read_text() + LATCH.format(name="EICG_wrapper", more="", block=block)
    line = 1 + text.count("\n", 0, text.index(block))
    assert latches.problems("XSTop.v", text) == [f"XSTop.v, line {line}: module EICG_wrapper has a latch"]


def test_a_latch_is_refused_in_one_line(tmp_path):
    core = tmp_path / "XSTop.v"
    core.write_text(STAND_IN.read_text() + LATCH.format(name="EICG_wrapper", more="", block=f"always @(*) {IF_LOW}"))
    result = sources(tmp_path, core)
    lines = [line for line in result.stderr.splitlines() if line.startswith("core: ")]
    assert result.returncode == 2 and "Error 19" in result.stderr and len(lines) == 1
    assert "module EICG_wrapper has a latch: an FPGA has no latches" in lines[0]


def test_what_is_no_latch_is_taken():
    blocks = [
        "always @(*) if (E) enabled = TE; else enabled = 1'b0;",
        "always @(*) begin enabled = 1'b0; if (E) enabled = TE; end",
        "always @(posedge CK) if (E) enabled <= TE;",
        "// always_latch if (!CK) enabled = E;",
        "always @(negedge CK or posedge TE) if (TE) enabled <= E;",
    ]
    text = STAND_IN.read_text() + "".join(LATCH.format(name=f"Block{n}", more="", block=block) for n, block in enumerate(blocks))
    assert latches.problems("XSTop.v", text) == []


def device_tree(folder, *more: str) -> str:
    """Of the stand-in, with `more` text in its file; checked by dtc."""
    core = folder / "XSTop.v"
    core.write_text("".join([STAND_IN.read_text(), *more]))
    assert sources(folder, core).returncode == 0
    source = folder / "fpga-core" / "xstop.dts"
    result = subprocess.run(["dtc", "-I", "dts", "-O", "dtb", "-o", str(folder / "x.dtb"), str(source)], capture_output=True, text=True, check=False)
    assert result.returncode == 0 and result.stderr == ""
    return source.read_text()


MISA = "\nmodule CSR(input clock, input reset);\n  reg [63:0] misa;\n  always @(posedge clock) if (reset) misa <= 64'h{value};\nendmodule\n"


@pytest.mark.parametrize(
    ("more", "isa", "mmu"),
    [
        ([], "rv64imafdc_zicsr_zifencei", True),
        ([MISA.format(value="800000000014112d")], "rv64imafdc_zicsr_zifencei", True),
        ([MISA.format(value="8000_0000_0014_1105")], "rv64imac_zicsr_zifencei", True),
        ([MISA.format(value="8000000000001104")], "rv64imc_zicsr_zifencei", False),
    ],
)
def test_the_device_tree_is_the_cores_own(tmp_path, more, isa, mmu):
    text = device_tree(tmp_path, *more)
    assert f'riscv,isa = "{isa}";' in text and ('mmu-type = "riscv,sv39";' in text) == mmu
    assert "clint@38000000" in text and "plic@3c000000" in text and "interrupts = <1>;" in text
    assert "spm@" not in text and "nhg,nh-g" not in text


def test_the_device_tree_has_every_hart(tmp_path):
    text = device_tree(tmp_path).count("cpu@")
    second = STAND_IN.read_text().replace("  output         io_riscv_halt_0,", "  output         io_riscv_halt_0,\n  output         io_riscv_halt_1,")
    core = tmp_path / "XSTop.v"
    core.write_text(second)
    assert sources(tmp_path, core).returncode == 0
    tree = (tmp_path / "fpga-core" / "xstop.dts").read_text()
    assert text == 1 and tree.count("cpu@") == 2 and "&cpu0_intc 11 &cpu0_intc 9 &cpu1_intc 11 &cpu1_intc 9" in tree


def test_lights_and_resets(design, tmp_path):
    """Of the shell; the stand-in is the smallest core for it."""
    files = [path for path in (design / "sources.txt").read_text().split() if not path.endswith("/vcu128_top.sv")]
    bench = compiled(tmp_path, "board_lights_tb", f"-I{design}", *files)
    result = subprocess.run([bench], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0 and "PASS" in result.stdout, result.stdout + result.stderr


@pytest.mark.parametrize("pcie", ["0", "1"])
def test_the_flow_takes_it(flow, design, tmp_path, pcie):
    result = flow(sources=str(design / "sources.txt"), include=f"{design} {ROOT / 'shell/rtl'}", pcie=pcie)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "vcu128_top.bit").is_file()
    used = (design / "sources.txt").read_text().split()
    assert str(STAND_IN) in used and not [path for path in used if path.endswith(("soc_nhg.sv", "NhgSoc.sv"))]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  input          memory_0_awready,\n", "", "memory_0_awready is missing"),
        ("output [35:0]  memory_0_awaddr", "output [47:0]  memory_0_awaddr", "memory_0_awaddr has 48 bits instead of 36"),
        ("input  [63:0]  io_extIntrs", "input  [149:0] io_extIntrs", "io_extIntrs has 150 bits instead of 64"),
        ("input          dma_0_wvalid", "output         dma_0_wvalid", "dma_0_wvalid is an output, not an input"),
        ("input          io_rtc_clock", "input          io_rtc_tick", "io_rtc_tick is an input that the shell does not know"),
        ("input  [13:0]  memory_0_rid", "input  [12:0]  memory_0_rid", "memory_0_*id have different widths"),
        ("output [1:0]   peripheral_0_awid", "output [9:0]   peripheral_0_awid", "peripheral_0_awid has 10 bits instead of 1 to 8"),
        ("module XSTop(", "module XSSoc(", "no module XSTop with a port list in"),
        ("_0_ar", "_0_ar_bits_", "its names still have _bits_"),
    ],
)
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
    for old, new in (
        (",\n  input          io_rtc_clock", ""),
        ("input  [13:0]  memory_0_", "input  [9:0]   memory_0_"),
        ("output [13:0]  memory_0_", "output [9:0]   memory_0_"),
        ("14'h2abc, 14'h1def", "10'h2bc, 10'h1ef"),
        (",\n  input  [37:0]  io_riscv_rst_vec_0", ""),
        ("peripheral_0_rdata[63:0] == {26'd0, io_riscv_rst_vec_0} ? LOAD : FAULT", "LOAD"),
    ):
        assert old in text
        text = text.replace(old, new)
    older = tmp_path / "XSTop.v"
    older.write_text(text)
    assert sources(tmp_path, older).returncode == 0
    result = lint(tmp_path / "fpga-core")
    assert result.returncode == 0, result.stderr[:3000]
