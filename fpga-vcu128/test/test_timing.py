# SPDX-License-Identifier: Apache-2.0
"""Logic depth on mapped netlists of known depth."""

import re
import sys
import tomllib

import pytest
import timing
import yosys

from conftest import FPGA

DELAY = tomllib.loads((FPGA / "checks" / "budget.toml").read_text())["delay_ns"]
# A chain of LUTs, written as such so that nothing merges them
CHAIN = """
module Chain #(parameter STEPS = 1) (input clock, input [5*STEPS:0] in, output reg out);
  reg [5*STEPS:0] start;
  wire [STEPS:0] between;
  assign between[0] = start[0];
  genvar i;
  generate for (i = 0; i < STEPS; i = i + 1) begin : g
    (* keep *) LUT6 #(.INIT(64'h6996_9669_9669_6996)) one (.I0(between[i]), .I1(start[5*i+1]), .I2(start[5*i+2]), .I3(start[5*i+3]),
        .I4(start[5*i+4]), .I5(start[5*i+5]), .O(between[i+1]));
  end endgenerate
  always @(posedge clock) begin
    start <= in;
    out <= between[STEPS];
  end
endmodule
"""
LOOP = "module Loop (input a, output b); (* keep *) wire x; assign x = !(x & a); assign b = x; endmodule\n"


def mapped(folder, text: str, top: str, parameters: str = "") -> list[timing.Longest]:
    source = folder / "design.v"
    source.write_text(text)
    return timing.longest(folder, f"read_verilog -sv {yosys.inside(source)}{parameters}", top, DELAY)


@pytest.mark.parametrize("steps", [1, 12])
def test_levels_of_a_chain(tmp_path, steps):
    found = mapped(tmp_path, CHAIN, "Chain", f"\nchparam -set STEPS {steps} Chain")
    longest = found[0]
    assert (longest.levels, longest.source, longest.sink) == (steps, "start", "out")
    assert longest.ns == pytest.approx(DELAY["FD"] + steps * DELAY["LUT"] + DELAY["setup"])
    assert found[-1].source.startswith("port in") and found[-1].levels == 0  # of the registers that take the inputs


def test_a_chain_that_cannot_meet_the_period_is_named_by_its_registers(tmp_path):
    found = mapped(tmp_path, CHAIN, "Chain", "\nchparam -set STEPS 60 Chain")
    assert timing.too_long("Chain", found, 20) == ["Chain: start -> out takes 21.3 ns in 60 levels even between neighbours, the period is 20 ns"]
    assert timing.too_long("Chain", found, 22) == []
    assert timing.table("Chain", found).splitlines()[1] == "   21.3 ns  60 levels  start -> out"


def test_a_carry_chain_is_not_a_chain_of_luts(tmp_path):
    text = (
        "module Add (input clock, input [63:0] a, b, output reg [63:0] sum);\n  reg [63:0] x, y;\n"
        "  always @(posedge clock) begin x <= a; y <= b; sum <= x + y; end\nendmodule\n"
    )
    longest = mapped(tmp_path, text, "Add")[0]
    assert longest.sink == "sum" and longest.source in ("x", "y") and longest.ns < 2.5


def test_a_combinational_loop_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="combinational loop"):
        mapped(tmp_path, LOOP, "Loop")


def test_a_quick_module_of_the_core(build, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["timing.py", "--build", str(build), "AxiMerge"])
    assert timing.main() == 0
    assert re.match(r"AxiMerge: \d+\.\d ns in \d+ levels\n( +\d+\.\d ns +\d+ levels  \S.* -> \S.*\n){10}", capsys.readouterr().out)
