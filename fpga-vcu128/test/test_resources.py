# SPDX-License-Identifier: Apache-2.0
"""Resource numbers: the modules with a gate are within their budget, those kept are in checks/measured.md; excesses and changes are found."""

import json
import subprocess
import sys

import pytest
import resources
import timing
import units
import yosys

from conftest import FPGA


def test_the_gated_modules_are_within_their_budget(build, capsys):
    """And how old the numbers of the others are is told, whatever the core is now."""
    command = [sys.executable, str(FPGA / "checks" / "resources.py"), "--build", str(build), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    with capsys.disabled():
        print("\n" + "".join(f"{line}\n" for line in result.stdout.splitlines() if line.startswith("resources: ")), end="")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "resources: NhgSoc: measured " in result.stdout


def test_cells_are_counted():
    used = yosys.Resources.of({"LUT6": 10, "LUT2": 5, "RAM64M8": 2, "FDRE": 7, "FDPE": 1, "RAMB36E2": 1, "RAMB18E2": 3, "URAM288": 4, "DSP48E2": 6})
    assert used == yosys.Resources(lut=31, ff=8, bram36=2.5, uram=4, dsp=6)


def test_an_excess_is_found():
    used = yosys.Resources(lut=101, ff=10, bram36=0, uram=0, dsp=0)
    budget = {"lut": 100, "ff": 10, "bram36": 0, "uram": 0, "dsp": 0}
    assert yosys.over_budget("x", used, budget) == ["x: 101 lut, budget 100"]
    assert yosys.over_budget("x", used, {"part": "core"}) == []
    device = {"lut": 1000, "ff": 1000, "bram36": 10, "uram": 10, "dsp": 10}
    assert resources.over_device(yosys.Resources(lut=710, ff=1, bram36=0, uram=0, dsp=0), device, 0.7) == ["design: 710 lut, 70% of the device are 700"]


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
    statistics, memories = yosys.synthesise(f"read_verilog -sv {yosys.inside(source)}", "u", tmp_path)
    assert {(memory.name, memory.words, memory.width, memory.kind) for memory in memories} == {
        ("shallow", 512, 10, "LUT RAM"),
        ("deep", 2048, 64, "URAM"),
        ("crowded", 16, 64, "flip-flops"),
    }
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
    assert yosys.memories(DUMP, log) == [yosys.Memory("u", "ring", 512, 64, "BRAM")]


def test_a_large_memory_in_logic_must_be_known():
    """For the module itself or one in it."""
    memory = "a.m 512x64 flip-flops"
    assert resources.unexpected("x", [memory], [], set()) == [f"x: the memory {memory} should be block RAM or UltraRAM"]
    assert resources.unexpected("x", [memory], [memory], {memory}) == []
    assert resources.unexpected("x", [memory], [], {memory}) == []
    assert resources.unexpected("x", [], [memory], {memory}) == [f"x: budget.toml names {memory}, which is not there"]


LONG = "  wire used;\n" * units.UNIT_CHARACTERS


def core_verilog(build, **modules: str):
    """A core of these modules, as firtool would have written it."""
    folder = build / "fpga/resources/core"
    folder.mkdir(parents=True, exist_ok=True)
    (build / "fir").mkdir(exist_ok=True)
    (build / "fir/NhgSoc.fir").touch()
    for name, text in modules.items():
        (folder / f"{name}.sv").write_text(text)
    folder.touch()
    return units.CoreModules(build)


@pytest.fixture
def yosys_double(monkeypatch):
    """In place of Yosys: cells by top, and a list of what was synthesised."""
    cells_of = {"NhgSoc": {"LUT6": 5, "Big": 2, "Small": 2}, "Big": {"LUT6": 100, "Small": 1}, "Other": {"LUT6": 7}}
    asked = []

    def synthesise(read, top, folder, then=(), limit_seconds=None):
        asked.append(top)
        return {"design": {"num_cells_by_type": cells_of[top]}}, []

    monkeypatch.setattr(yosys, "synthesise", synthesise)
    return cells_of, asked


TOP = {"NhgSoc": "Big a(); Big b(); Small c(); Small d();\n" + LONG, "Big": "Small a(); // Other\n" + LONG, "Small": "", "Other": LONG}


def test_every_instance_is_counted_once(tmp_path, yosys_double):
    """A larger module is synthesised once and counted for each instance; a small one is in the numbers of what instantiates it."""
    core = core_verilog(tmp_path, **TOP)
    for _ in range(2):
        kept = resources.Measurements(tmp_path / "measured.json", "r")
        kept.update("core", core, print)
        assert kept.total("core", "NhgSoc").used.lut == 205
        assert kept.changed("core", core) == set()
    assert yosys_double[1] == ["NhgSoc", "Big"]


def test_only_what_changed_is_measured_again(tmp_path, yosys_double):
    cells_of, asked = yosys_double
    file = tmp_path / "measured.json"
    resources.Measurements(file, "r").update("core", core_verilog(tmp_path, **TOP), print)

    def changed(**changes: str) -> set[str]:
        return resources.Measurements(file, "r").changed("core", core_verilog(tmp_path, **TOP | changes))

    assert changed(Small="// a comment") == set()
    assert changed(Big=TOP["Big"] + "wire more;") == {"Big"}
    assert changed(Small="wire more;") == {"NhgSoc", "Big"}
    assert changed(NhgSoc=TOP["NhgSoc"] + "Other o();") == {"NhgSoc"}

    cells_of["NhgSoc"] = {"LUT6": 5, "Other": 1}
    changed = core_verilog(tmp_path, **TOP | {"NhgSoc": LONG + "Other o();"})
    kept = resources.Measurements(file, "r")
    kept.update("core", changed, print)
    assert asked == ["NhgSoc", "Big", "NhgSoc", "Other"] and kept.total("core", "NhgSoc").used.lut == 12
    assert json.loads(file.read_text())["core"].keys() == {"NhgSoc", "Other"}  # Big is not in the design any more


def test_an_interrupted_measurement_goes_on(tmp_path, yosys_double):
    cells_of, asked = yosys_double
    file = tmp_path / "measured.json"
    core = core_verilog(tmp_path, **TOP)
    big = cells_of.pop("Big")
    with pytest.raises(KeyError):
        resources.Measurements(file, "r").update("core", core, print)
    kept = resources.Measurements(file, "r")
    assert kept.changed("core", core) == {"Big"}
    assert kept.total("core", "NhgSoc") is None
    cells_of["Big"] = big
    kept.update("core", core, print)
    assert asked == ["NhgSoc", "Big", "Big"]


def test_numbers_of_another_yosys_do_not_count(tmp_path, yosys_double):
    file = tmp_path / "measured.json"
    core = core_verilog(tmp_path, **TOP)
    resources.Measurements(file, "old").update("core", core, print)
    kept = resources.Measurements(file, "new")
    assert kept.other_recipe == ["measured.json was measured with old, this is new"]
    assert kept.changed("core", core) == {"NhgSoc"}


def test_a_damaged_file_is_told(tmp_path, build, capsys, monkeypatch):
    (tmp_path / "measured.json").write_text("{\n<<<<<<< HEAD\n")
    monkeypatch.setattr(sys, "argv", ["resources.py", "--build", str(build), "--measured", str(tmp_path / "measured.json"), "--check"])
    assert resources.main() == 1
    assert capsys.readouterr().err.startswith("resources: measured.json is damaged (")


def test_a_checksum_sees_what_synthesis_sees():
    text = """
    // firtool's comment
    `ifndef SYNTHESIS  // Alu.scala:18
      always @(posedge clock) $error("Alu.scala:18 // no");
    `else
      wire a;
    `endif
    /* two
       lines */
    `ifdef OTHER
      (* ram_style = "block // x" *)   wire b;
    `endif"""
    assert units.synthesised(text) == 'wire a; `ifdef OTHER (* ram_style = "block // x" *) wire b; `endif'


SHELL = """
module vcu128_top (input [3:0] a, output [3:0] b, c, d);
  import p::*;
  board_lut #(.WIDTH(4)) one (.a, .b);
  board_lut #(.WIDTH(4)) two (.a(b), .b(c));
  board_lut #(.WIDTH(int'(P))) three (.a(c[1:0]), .b(d[1:0]));
  assign d[3:2] = {^a, &c};
endmodule
"""
PACKAGE = """package p;
  localparam logic [63:0] P = 64'h2;  // used
  localparam logic [63:0] UNUSED = 64'h1;
endpackage
"""
UNIT = "module board_lut #(parameter int WIDTH = 1) (input [WIDTH-1:0] a, output [WIDTH-1:0] b); inner #(WIDTH) i(.*); endmodule\n"
INNER = "module inner #(parameter int WIDTH = 1) (input [WIDTH-1:0] a, output [WIDTH-1:0] b); assign b = {WIDTH{^a}}; endmodule\n"


def shell_verilog(build, **changes: str):
    """A shell of three modules and a package, with a core that it does not use."""
    (build / "fpga").mkdir(exist_ok=True)
    (build / "rtl").mkdir(exist_ok=True)
    texts = {
        "rtl/NhgSoc.sv": "module NhgSoc(\n  input clock\n);\nendmodule\n",
        "p.sv": PACKAGE,
        "inner.sv": INNER,
        "board_lut.sv": UNIT,
        "vcu128_top.sv": SHELL,
    } | {f"{name}.sv": text for name, text in changes.items()}
    for name, text in texts.items():
        (build / name).write_text(text)
    (build / "fpga/sources.txt").write_text("\n".join(str(build / name) for name in texts) + "\n")
    return units.ShellModules(build, {"board_lut"})


def test_a_module_of_the_shell_is_measured_for_each_set_of_parameters(tmp_path):
    shell, kept = shell_verilog(tmp_path), resources.Measurements(tmp_path / "measured.json", "r")
    kept.update("shell", shell, print)
    units = dict(kept.units("shell", shell))
    assert units["vcu128_top"]["instances"] == {"board_lut WIDTH=0x4": 2, "board_lut WIDTH=0x2": 1}
    assert {unit: known["lut"] for unit, known in units.items()} == {"vcu128_top": 2, "board_lut WIDTH=0x4": 1, "board_lut WIDTH=0x2": 1}
    assert kept.total("shell", "vcu128_top").used.lut == 5
    assert shell.today("board_lut") == ["board_lut WIDTH=0x2", "board_lut WIDTH=0x4"]
    assert kept.changed("shell", shell) == set()
    assert kept.changed("shell", shell_verilog(tmp_path, inner=INNER.replace("^", "&"))) == {"board_lut WIDTH=0x4", "board_lut WIDTH=0x2"}
    changed = PACKAGE.replace("P = 64'h2", "P = 64'h3")
    assert kept.changed("shell", shell_verilog(tmp_path, p=changed)) == {"vcu128_top"}
    assert kept.changed("shell", shell_verilog(tmp_path, p=PACKAGE.replace("UNUSED = 64'h1", "UNUSED = 64'h2"))) == set()


class Design:
    """A part of which every module is one unit with this checksum and these LUTs."""

    top = "NhgSoc"

    def __init__(self, **modules: tuple[str, int]) -> None:
        self._modules = modules

    def today(self, module):
        return [module] if module in self._modules else []

    def checksum(self, unit):
        return self._modules.get(unit, (None,))[0]

    def measure(self, unit, limit_seconds=None):
        below = {"Big": 1} if unit == "NhgSoc" else {}
        return yosys.Measured({"LUT6": self._modules[unit][1]} | below, [], below)


GATES = {
    "NhgSoc": {"part": "core", "lut": 10},
    "Big": {"part": "core", "lut": 10},
    "guard": {"part": "shell", "gate": "synthesis", "lut": 10},
    "delayer": {"part": "shell", "gate": "checksum", "lut": 10},
}


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Measurements of a core and a shell: NhgSoc, Big, guard, delayer, all with checksum "a"; of no length."""
    monkeypatch.setattr(timing, "of_unit", lambda *_: timing.Found([], []))
    file = resources.Measurements(tmp_path / "measured.json", "r")
    file.update("core", Design(NhgSoc=("a", 1), Big=("a", 1)), print)
    shell = Design(guard=("a", 1), delayer=("a", 1))
    file._entries["shell"] = {unit: resources.entry(shell, unit) for unit in ("guard", "delayer")}
    return file


def gated(kept, core=None, **shell) -> list[str]:
    return resources.gate(kept, {"core": core or Design(), "shell": Design(**{"guard": ("a", 1), "delayer": ("a", 1)} | shell)}, GATES)


def test_a_change_of_the_core_fails_nothing_and_is_told(kept):
    design = {"core": Design(NhgSoc=("a", 1), Big=("b", 1000)), "shell": Design()}
    assert gated(kept, design["core"]) == []
    told = resources.ages(kept, design, GATES, resources.totals(kept, design, GATES))
    date = kept.of("core", "Big")["date"] + " " + kept.of("core", "Big")["commit"]
    assert told == [f"NhgSoc: measured {date}, 1 of 2 units changed since: Big", f"Big: measured {date}, 1 of 1 units changed since: Big"]


def test_a_gated_module_is_synthesised_as_it_is_today(kept):
    assert gated(kept) == [] and gated(kept, guard=("b", 10)) == []
    assert gated(kept, guard=("b", 11)) == ["guard: 11 lut, budget 10"]
    assert gated(kept, guard=("a", 2)) == ["guard: 2 lut, kept are 1"]


def test_a_changed_module_with_a_checksum_must_be_measured_again(kept):
    again = "run `make -C fpga-vcu128 resources`"
    assert gated(kept, delayer=("b", 1)) == [f"delayer was measured from other Verilog: {again}"]
    kept._entries["shell"].pop("delayer")
    assert gated(kept) == [f"delayer was never measured: {again}"]


def test_synthesis_that_takes_too_long_is_stopped(tmp_path):
    with pytest.raises(yosys.YosysError, match="took longer than 1 s of processor time"):
        yosys.run(["read_verilog -lib +/xilinx/cells_xtra.v", "design -reset"] * 50, tmp_path, 1)


BUDGET = {
    "share_of_device": 0.7,
    "module": {"NhgSoc": {"part": "core", "in_sum": True, "lut": 10}, "hbm_guard": {"part": "shell", "in_sum": True, "lut": 5, "about": "both"}},
}


def test_every_instance_in_the_budget_is_compared():
    def total(lut, *memories):
        measured = frozenset({"2026-11-21 f7d30af", "2026-11-20 1366161"})
        return resources.Total(yosys.Resources(lut, 0, 0, 0, 0), 1, frozenset(memories), measured, frozenset())

    good = {"NhgSoc": {"NhgSoc": total(10)}, "hbm_guard": {"hbm_guard A=0x1": total(4), "hbm_guard A=0x2": total(5)}}
    assert resources.compare(BUDGET, good) == []
    assert resources.of_design(BUDGET["module"], good).lut == 19
    assert "| hbm_guard, both, A=0x2 | 5 |  |  |  |  | 1 | 2026-11-20 1366161 |\n| **sum** of NhgSoc and hbm_guard | 19 |" in resources.table(
        BUDGET["module"], good
    )
    assert resources.compare(BUDGET, good | {"hbm_guard": {"hbm_guard A=0x1": total(4), "hbm_guard A=0x2": total(6)}}) == ["hbm_guard A=0x2: 6 lut, budget 5"]
    assert resources.compare(BUDGET, good | {"NhgSoc": {"NhgSoc": total(1, "a.m 512x64 flip-flops")}}) == [
        "NhgSoc: the memory a.m 512x64 flip-flops should be block RAM or UltraRAM"
    ]
    assert resources.not_in_design(BUDGET["module"], good) == []
    assert resources.not_in_design(BUDGET["module"], good | {"hbm_guard": {}}) == [
        "hbm_guard: budget.toml names it, and the design has no such shell module that is measured alone"
    ]


def test_an_old_table_is_found_and_replaced(tmp_path, build, capsys, monkeypatch):
    document = tmp_path / "fpga.md"
    table = resources.TABLE.search((FPGA / "checks/measured.md").read_text())[0]
    old = "# Title\n\n" + table.replace("| Spm | ", "| Spm | 9") + "\nText\n"
    document.write_text(old)
    monkeypatch.setattr(sys, "argv", ["resources.py", "--build", str(build), "--document", str(document), "--check"])
    monkeypatch.setattr(resources, "gate", lambda *_: [])  # takes long, and has its own tests
    assert resources.main() == 1
    assert capsys.readouterr().err == "resources: the table in fpga.md is not that of measured.json: run `make -C fpga-vcu128 resources`\n"
    assert resources.with_table(old, table) == "# Title\n\n" + table + "\nText\n"


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
    measured = resources.entry(core_verilog(tmp_path, ram=DUAL_PORT, Top=ONE_CLOCK), "Top")
    assert (measured["bram36"], measured["large_in_logic"]) == (1, [])
