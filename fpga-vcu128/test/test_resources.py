# SPDX-License-Identifier: Apache-2.0
"""Resource numbers: the quick modules against their budget, and that an excess is found."""

import subprocess
import sys

import cells
import core_modules
import resources
import synthesis
import yosys
from conftest import FPGA


def test_quick_modules_are_within_their_budget(build):
    command = [sys.executable, str(FPGA / "checks" / "resources.py"), "--build", str(build), "--only-quick"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("\n") >= 4


def test_cells_are_counted():
    used = cells.Resources.of({"LUT6": 10, "LUT2": 5, "RAM64M8": 2, "FDRE": 7, "FDPE": 1, "RAMB36E2": 1, "RAMB18E2": 3, "URAM288": 4, "DSP48E2": 6})
    assert used == cells.Resources(lut=31, ff=8, bram36=2.5, uram=4, dsp=6)


def test_an_excess_is_found():
    used = cells.Resources(lut=101, ff=10, bram36=0, uram=0, dsp=0)
    budget = {"lut": 100, "ff": 10, "bram36": 0, "uram": 0, "dsp": 0}
    assert resources.over_budget("x", used, budget) == ["x: 101 lut, budget 100"]
    assert resources.over_budget("x", used, {"part": "core"}) == []
    device = {"lut": 1000, "ff": 1000, "bram36": 10, "uram": 10, "dsp": 10}
    assert resources.over_device({"lut": 710, "ff": 1, "bram36": 0, "uram": 0, "dsp": 0}, device, 0.7) \
        == ["design: 710 lut, 70% of the device are 700"]


MEMORIES = """
module u (input clk, input [8:0] a, input [3:0] b, input [63:0] d, input we, output [9:0] q, output reg [63:0] r, output [63:0] y);
  reg [9:0] shallow[0:511];
  always @(posedge clk) if (we) shallow[a] <= d;
  assign q = shallow[a];
  reg [63:0] deep[0:2047];
  always @(posedge clk) begin
    if (we) deep[{a, b[1:0]}] <= d;
    r <= deep[{b, a[6:0]}];
  end
  reg [63:0] crowded[0:15];
  always @(posedge clk) begin
    if (we) crowded[b] <= d;
    if (q[0]) crowded[a[3:0]] <= ~d;
  end
  assign y = crowded[a[7:4]];
endmodule
"""


def test_memories_are_followed_to_their_cells(tmp_path):
    """Also the one that Yosys' own table has wrong: single port, 9 address bits."""
    source = tmp_path / "u.sv"
    source.write_text(MEMORIES)
    statistics, memories = synthesis.synthesise(f"read_verilog -sv {yosys.inside(source)}", "u", tmp_path)
    assert {(memory.name, memory.words, memory.width, memory.kind) for memory in memories} == {
        ("shallow", 512, 10, "LUT RAM"), ("deep", 2048, 64, "URAM"), ("crowded", 16, 64, "flip-flops")}
    assert statistics["design"]["num_cells_by_type"]["RAM512X1S"] == 10


DUMP = r"""
  module \u
    parameter \MEMID "\\ring"
    parameter \WIDTH 64
    parameter \SIZE 512
  module \v
    parameter \MEMID "$auto$memory_bmux2rom.cc:63:execute$25017"
    parameter \WIDTH 64
    parameter \SIZE 256
"""


def test_a_table_of_constants_is_no_memory():
    log = "mapping memory u.ring via $__XILINX_BLOCKRAM_SDP_\n"
    assert synthesis.memories(DUMP, log) == [synthesis.Memory("u", "ring", 512, 64, "BRAM")]


def test_a_large_memory_in_logic_must_be_known():
    """For the module itself or one in it."""
    memory = "a.m 512x64 flip-flops"
    assert resources.unexpected("x", [memory], [], set()) == [f"x: the memory {memory} should be block RAM or UltraRAM"]
    assert resources.unexpected("x", [memory], [memory], {memory}) == []
    assert resources.unexpected("x", [memory], [], {memory}) == []
    assert resources.unexpected("x", [], [memory], {memory}) == [f"x: budget.toml names {memory}, which is not there"]


def test_every_instance_is_counted_once(tmp_path, monkeypatch):
    """A larger module is synthesised once and counted for each instance; a small one is in the numbers of what instantiates it."""
    core = tmp_path / "fpga/resources/core"
    core.mkdir(parents=True)
    (tmp_path / "fir").mkdir()
    (tmp_path / "fir/NhgSoc.fir").touch()
    long = "// long\n" * core_modules.UNIT_BYTES
    (core / "Top.sv").write_text("Big a(); Big b(); Small c(); Small d();\n" + long)
    (core / "Big.sv").write_text("Small a();\n" + long)
    (core / "Small.sv").write_text("")
    core.touch()
    cells_of = {"Top": {"LUT6": 5, "Big": 2, "Small": 2}, "Big": {"LUT6": 100, "Small": 1}}
    asked = []

    def synthesise(read, top, folder):
        asked.append(top)
        return {"design": {"num_cells_by_type": cells_of[top]}}, []

    monkeypatch.setattr(synthesis, "synthesise", synthesise)
    kept: dict = {}
    assert core_modules.CoreModules(tmp_path, kept, lambda: None).total("Top")["lut"] == 205
    assert core_modules.CoreModules(tmp_path, kept, lambda: None).total("Top")["lut"] == 205
    assert sorted(asked) == ["Big", "Top"]


DUAL_PORT = """
module ram (input [8:0] A_addr, B_addr, input A_clk, B_clk, A_write, B_write, input [31:0] A_in, B_in, output [31:0] A_out, B_out);
  reg [31:0] Memory[0:511];
  reg [8:0] A_addr_d0, B_addr_d0;
  always @(posedge A_clk) begin
    A_addr_d0 <= A_addr;
    if (A_write) Memory[A_addr] <= A_in;
  end
  always @(posedge B_clk) begin
    B_addr_d0 <= B_addr;
    if (B_write) Memory[B_addr] <= B_in;
  end
  assign A_out = Memory[A_addr_d0];
  assign B_out = Memory[B_addr_d0];
endmodule
"""
ONE_CLOCK = """
module Top (input clock, input [17:0] address, input [1:0] write, input [63:0] in, output [63:0] out);
  ram bank (.A_addr(address[8:0]), .B_addr(address[17:9]), .A_clk(clock), .B_clk(clock), .A_write(write[0]), .B_write(write[1]),
    .A_in(in[31:0]), .B_in(in[63:32]), .A_out(out[31:0]), .B_out(out[63:32]));
endmodule
"""


def test_a_memory_with_a_clock_for_each_port_becomes_block_ram(tmp_path):
    """As firtool writes memories; what instantiates it gives both ports one clock."""
    core = tmp_path / "fpga/resources/core"
    core.mkdir(parents=True)
    (tmp_path / "fir").mkdir()
    (tmp_path / "fir/NhgSoc.fir").touch()
    (core / "ram.sv").write_text(DUAL_PORT)
    (core / "Top.sv").write_text(ONE_CLOCK)
    core.touch()
    measured = core_modules.CoreModules(tmp_path, {}, lambda: None).total("Top")
    assert (measured["bram36"], measured["large_in_logic"]) == (1, [])
