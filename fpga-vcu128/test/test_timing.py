# SPDX-License-Identifier: Apache-2.0
"""Logic depth on mapped netlists of known depth, also through several modules, and the gate that a path which cannot meet its period ends at."""

import dataclasses
import itertools
import json
import re
import sys

import pytest
import resources
import timing
import yosys
from cells import Reader
from paths import Design

KNOWN = timing.delays()
CELL = KNOWN.cell
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


def mapped(folder, text: str, top: str, parameters: str = "") -> dict:
    source = folder / "design.v"
    source.write_text(text)
    out = folder / "mapped.json"
    yosys.synthesise(f"read_verilog -sv {yosys.inside(source)}{parameters}", top, folder, ["flatten", "opt_clean", f"write_json {yosys.inside(out)}"])
    return json.loads(out.read_text())["modules"][top]


def paths(folder, text: str, top: str, parameters: str = "") -> timing.Found:
    return timing.alone(mapped(folder, text, top, parameters), (), KNOWN)


@pytest.mark.parametrize("steps", [1, 12])
def test_levels_of_a_chain(tmp_path, steps):
    both = paths(tmp_path, CHAIN, "Chain", f"\nchparam -set STEPS {steps} Chain")
    for found, net in ((both.at_least, KNOWN.at_least), (both.likely, KNOWN.likely)):
        longest = found[0]
        assert (longest.levels, longest.source, longest.sink) == (steps, "start", "out")
        assert longest.ns == pytest.approx(CELL["clock_to_q"] + steps * (net + CELL["lut"]) + CELL["setup"], abs=1e-3)
        assert found[-1].source.startswith("port in") and found[-1].levels == 0  # of the registers that take the inputs


def test_a_chain_that_cannot_meet_the_period_is_named_by_its_registers(tmp_path, capsys):
    both = paths(tmp_path, CHAIN, "Chain", "\nchparam -set STEPS 74 Chain")
    assert timing.too_long("Chain", both.at_least, KNOWN) == [
        "Chain: start -> out takes 20.1 ns in 74 levels with nets as short as they ever are, the period is 20 ns: put a register into it"
    ]
    slower = dataclasses.replace(KNOWN, period={"": 21})
    assert timing.too_long("Chain", both.at_least, slower) == []
    faster = dataclasses.replace(KNOWN, period={"": 21, "clock": 4})
    assert "the period is 4 ns" in timing.too_long("Chain", both.at_least, faster)[0]
    timing.tell_risks("Chain", both, faster)
    assert capsys.readouterr().out == "timing: at risk: Chain: start -> out, likely 33.5 ns in 74 levels of 4 ns\n"
    assert timing.listed("Chain", both).splitlines()[1] == "   20.1  33.5 ns  74 levels  start -> out"


def half(steps: int, first: bool) -> dict:
    """As Yosys writes a module: a register and then LUTs to the port, or LUTs from the port and then a register."""
    nets = list(range(10, 11 + steps))
    cells = {
        f"lut{k}": {"type": "LUT1", "parameters": {}, "port_directions": {"I0": "input", "O": "output"}, "connections": {"I0": [a], "O": [b]}}
        for k, (a, b) in enumerate(itertools.pairwise(nets))
    }
    cells["register"] = {
        "type": "FDRE",
        "parameters": {},
        "port_directions": {"C": "input", "D": "input", "Q": "output"},
        "connections": {"C": [2], "D": [3] if first else [nets[-1]], "Q": [nets[0]] if first else [4]},
    }
    ports = {"clock": {"direction": "input", "bits": [2]}, "x": {"direction": "output", "bits": [nets[-1]]} if first else {"direction": "input", "bits": [10]}}
    return {"ports": ports, "cells": cells, "netnames": {"value": {"bits": [nets[0]] if first else [4]}}}


def middle() -> dict:
    """A module that passes its input on, which is one net inside and two outside."""
    return {"ports": {"a": {"direction": "input", "bits": [7]}, "b": {"direction": "output", "bits": [7]}}, "cells": {}, "netnames": {}}


def test_a_path_through_several_modules_is_seen_whole():
    def instance(kind: str, pins: dict) -> dict:
        return {"type": kind, "parameters": {}, "port_directions": {}, "connections": pins}

    top = {
        "ports": {"clock": {"direction": "input", "bits": [5]}},
        "cells": {
            "a": instance("First", {"clock": [5], "x": [6]}),
            "m": instance("Middle", {"a": [6], "b": [8]}),
            "b": instance("Last", {"clock": [5], "x": [8]}),
        },
        "netnames": {},
    }
    modules = {"Top": top, "First": half(30, True), "Middle": middle(), "Last": half(50, False)}
    for cell in top["cells"].values():
        ports = modules[cell["type"]]["ports"]
        cell["port_directions"] = {pin: ports[pin]["direction"] for pin in cell["connections"]}
    units = {name: Reader(module, CELL, modules).cells for name, module in modules.items()}
    found = timing.found(Design(units, "Top"), KNOWN)
    longest = found.at_least[0]
    assert (longest.source, longest.sink, longest.levels, longest.clock) == ("a.value", "b.value", 80, "clock")
    assert timing.way(longest) == "a > m > b"
    assert len(timing.too_long("Top", found.at_least, KNOWN)) == 1  # neither of them alone is too long
    assert not timing.too_long("First", timing.alone(modules["First"], (), KNOWN).at_least, KNOWN)
    assert "| 80 | `a.value` | `b.value` | a > m > b |" in timing.table({}, found, "today")


def test_a_carry_chain_is_not_a_chain_of_luts(tmp_path):
    text = (
        "module Add (input clock, input [63:0] a, b, output reg [63:0] sum);\n  reg [63:0] x, y;\n"
        "  always @(posedge clock) begin x <= a; y <= b; sum <= x + y; end\nendmodule\n"
    )
    longest = paths(tmp_path, text, "Add").likely[0]
    assert longest.sink == "sum" and longest.source in ("x", "y") and longest.ns < 2.5


def test_a_word_that_is_written_is_not_on_the_way_to_the_word_that_is_read(tmp_path):
    text = (
        "module Ram (input clock, input [5:0] w, r, input [7:0] d, output reg [7:0] q);\n  reg [7:0] m [0:63]; reg [5:0] wr, rr; reg [7:0] dr;\n"
        "  always @(posedge clock) begin wr <= w; rr <= r; dr <= d; m[wr] <= dr; q <= m[rr]; end\nendmodule\n"
    )
    found = {(path.source, path.sink.partition(".")[0]): path for path in paths(tmp_path, text, "Ram").likely}
    assert ("rr", "q") in found or ("m", "q") in found
    assert (not {("dr", "q"), ("wr", "q")} & found.keys() and ("dr", "m") in found) or ("wr", "m") in found


def test_a_combinational_loop_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="combinational loop"):
        paths(tmp_path, LOOP, "Loop")


def test_a_cell_that_is_not_known_is_an_error():
    module = half(1, True)
    module["cells"]["lut0"]["type"] = "LUT9"
    with pytest.raises(ValueError, match="the cell LUT9 is not known"):
        Reader(module, CELL, ())


def test_a_quick_module_of_the_core(build, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["timing.py", "--build", str(build), "AxiMerge"])
    assert timing.main() == 0
    printed = capsys.readouterr().out
    assert re.match(r"AxiMerge: at least \d+\.\d ns, likely \d+\.\d ns, \d+ levels\n( +\d+\.\d +\d+\.\d ns +\d+ levels  \S.* -> \S.*\n){10}", printed)


def test_every_change_is_held_to_the_period(build, monkeypatch, tmp_path):
    """The modules that `resources.py --check` synthesises."""

    class Slow:
        def today(self, module: str) -> list[str]:
            return [module]

        def checksum(self, unit: str) -> str:
            return "x"

    zero = dict.fromkeys(resources.KINDS, 0)
    monkeypatch.setattr(resources, "entry", lambda *_: zero | {"verilog": "x", "instances": {}, "large_in_logic": [], "seconds": 1})
    chain = paths(tmp_path, CHAIN, "Chain", "\nchparam -set STEPS 74 Chain")
    monkeypatch.setattr(timing, "of_unit", lambda *_: chain)
    budget = {"Chain": {"part": "core", "gate": "synthesis"} | zero}
    problems = resources.gate(resources.Measurements(tmp_path / "none.json", "recipe"), {"core": Slow()}, budget)
    assert len(problems) == 1 and problems[0].startswith("Chain: start -> out takes 20.1 ns in 74 levels")
