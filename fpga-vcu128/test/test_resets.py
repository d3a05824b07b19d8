# SPDX-License-Identifier: Apache-2.0
"""Reset pins of the vendor's IP: each gets a reset of its polarity and clock; both ends of a FIFO are reset together. Planted mistakes are found."""

import json

import catalogue
import pytest
import resets
import units
import yosys

from conftest import DDR4, DESIGNS, FPGA, local_of, with_mistake


def flattened(build, folder, replaced=None, options=()) -> dict:
    """The top with everything that makes resets; the SoC in it is a black box."""
    out = folder / "flat.json"
    read = units.read_shell(build, folder, "vcu128_top", "--blackboxed-module", "board_soc", *options, replaced=replaced)
    yosys.run([read, "hierarchy -top vcu128_top", "proc", "flatten", f"write_json {yosys.inside(out)}"], folder)
    return json.loads(out.read_text())["modules"]["vcu128_top"]


@DESIGNS
def test_every_reset_is_right(build, tmp_path, ips_of, options):
    module = flattened(build, tmp_path, options=options)
    assert resets.problems(module, ips_of(local_of(options)), catalogue.load()) == []
    assert sum(name.endswith(".in_reset") for name in module["netnames"]) == 12 and resets.one_sided(module) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        (
            "board_system.sv",
            "core_domain (.clock(core_clock), .cause(unstable)",
            "core_domain (.clock(core_clock), .cause(!clocks_locked)",
            "system.memory[0].crossing.aw is reset by clocks.locked at one end, by clocks.locked or ddr4.c0_ddr4_ui_clk_sync_rst at the other",
        ),
        (
            "beat_crossing.sv",
            ".in_reset(s_empty), .in_valid(open",
            ".in_reset(s_reset), .in_valid(open",
            "system.pcie_crossing.requests is reset by xdma.axi_aresetn",
        ),
    ],
)
def test_a_fifo_that_is_reset_at_one_end_is_found(build, tmp_path, file, old, new, reason):
    wrong = with_mistake(FPGA / "rtl" / file, tmp_path, old, new)
    found = resets.one_sided(flattened(build, tmp_path, {file: wrong}, DDR4))
    assert any(reason in problem for problem in found), found


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("vcu128_top.sv", ".aresetn(core_reset_n)", ".aresetn(1'b1)", "jtag.aresetn is never reset"),
        ("vcu128_top.sv", ".aresetn(core_reset_n)", ".aresetn(core_clock)", "jtag.aresetn gets core_clock, which is no reset"),
        ("vcu128_top.sv", ".aresetn(core_reset_n)", ".aresetn(clocks_locked)", "jtag.aresetn gets clocks_locked, which is no reset"),
        ("vcu128_top.sv", ".aresetn(core_reset_n)", ".aresetn(core_reset_n && !cpu_reset)", "jtag.aresetn gets logic, which is no reset"),
        ("vcu128_top.sv", ".aresetn(core_reset_n)", ".aresetn(!core_reset_n)", "which is high in reset, the pin is active low"),
        (
            "vcu128_top.sv",
            ".aresetn(core_reset_n)",
            ".aresetn(hbm_reset_n)",
            "jtag.aresetn gets hbm_reset_n, which is released in hbm_clock, the pin belongs to core_clock",
        ),
        (
            "vcu128_top.sv",
            ".aresetn(core_reset_n)",
            ".aresetn(pcie_perst_n)",
            "jtag.aresetn gets pcie_perst_n, which is asynchronous, the pin belongs to core_clock",
        ),
        (
            "vcu128_top.sv",
            ".s_axi_aresetn(core_reset_n)",
            ".s_axi_aresetn(pcie_reset_n)",
            "uart.s_axi_aresetn gets pcie_reset_n, which is released in pcie_clock, the pin belongs to core_clock",
        ),
        (
            "vcu128_top.sv",
            ".APB_1_PRESET_N(hbm_reset_n)",
            ".APB_1_PRESET_N(core_reset_n)",
            "hbm.APB_1_PRESET_N gets core_reset_n, which is released in core_clock, the pin belongs to hbm_clock",
        ),
        (
            "vcu128_top.sv",
            "_ACLK(hbm_clock), .AXI_``n``_ARESET_N(hbm_reset_n)",
            "_ACLK(core_clock), .AXI_``n``_ARESET_N(hbm_reset_n)",
            "hbm.AXI_16_ARESET_N gets hbm_reset_n, which is released in hbm_clock, the pin belongs to core_clock",
        ),
        ("vcu128_top.sv", ".sys_rst_n(pcie_perst_n)", ".sys_rst_n(cpu_reset)", "xdma.sys_rst_n gets cpu_reset, which is high in reset, the pin is active low"),
        ("vcu128_top.sv", ".sys_rst_n(pcie_perst_n)", ".sys_rst_n(uart_rx)", "xdma.sys_rst_n gets uart_rx, which is no reset"),
        ("board_system.sv", "core_reset_n = !reset;", "core_reset_n = reset;", "uart.s_axi_aresetn gets core_reset_n, which is high in reset"),
        (
            "board_system.sv",
            "core_domain (.clock(core_clock), .cause(unstable)",
            "core_domain (.clock(core_clock), .cause(1'b0)",
            "jtag.aresetn gets core_reset_n, which is no reset",
        ),
        (
            "board_system.sv",
            "hbm_domain (.clock(hbm_clock)",
            "hbm_domain (.clock(core_clock)",
            "hbm.AXI_00_ARESET_N gets hbm_reset_n, which is released in core_clock, the pin belongs to hbm_clock",
        ),
        ("reset_sync.sv", "assign reset = stages[3];", "assign reset = !stages[3];", "which is high in reset, the pin is active low"),
    ],
)
def test_mistakes_are_found(build, tmp_path, ips, file, old, new, reason):
    wrong = with_mistake(FPGA / "rtl" / file, tmp_path, old, new)
    found = resets.problems(flattened(build, tmp_path, {file: wrong}, ["-DNHG_XDMA"]), ips, catalogue.load())
    assert any(reason in problem for problem in found), found


def test_a_reset_of_local_memory_from_another_clock_is_found(build, tmp_path, ips_of):
    wrong = with_mistake(FPGA / "rtl" / "vcu128_top.sv", tmp_path, ".c0_ddr4_aresetn(local_reset_n)", ".c0_ddr4_aresetn(core_reset_n)")
    found = resets.problems(flattened(build, tmp_path, {"vcu128_top.sv": wrong}, DDR4), ips_of("ddr4"), catalogue.load())
    assert found == ["ddr4.c0_ddr4_aresetn gets core_reset_n, which is released in core_clock, the pin belongs to local_clock"]


def test_every_reset_of_the_catalogue_states_its_clock(ips_of):
    """One that is a port of the IP as configured; only these resets are asynchronous."""
    ips = ips_of("ddr4")
    known = catalogue.load()
    asynchronous = set()
    for ip, configuration in ips.values():
        found = catalogue.ports(known["ip"][ip], configuration)
        for name, port in found.items():
            if port.kind in resets.ASSERTED:
                assert port.clock is None or found[port.clock].kind == "clock", f"{ip}.{name}"
                asynchronous |= {f"{ip}.{name}"} if port.clock is None else set()
    assert asynchronous == {"clk_wiz.reset", "ddr4.sys_rst", "xdma.sys_rst_n"}
