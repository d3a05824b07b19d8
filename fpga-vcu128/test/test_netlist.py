# SPDX-License-Identifier: Apache-2.0
"""The top as elaborated by Yosys: every connection to the vendor's IP against the catalogue, as the flow configures it."""

import json
import tomllib

import catalogue
import netlist
import pytest
import units
import yosys

from conftest import DDR4, DESIGNS, FPGA, ROOT, local_of, with_mistake


@pytest.fixture(scope="session")
def port_mhz() -> dict[str, float]:
    board = tomllib.loads((ROOT / "tools" / "platform" / "platform.toml").read_text())["vcu128"]
    clocks = {port: entry["clock_mhz"] for port, entry in (board["ports"] | board["pcie_ports"]).items() if "clock_mhz" in entry}
    return clocks | {port.removesuffix("_p") + "_n": mhz for port, mhz in clocks.items()}


def elaborate(build, folder, *options, **replaced) -> dict:
    out = folder / "top.json"
    read = units.read_shell(build, folder, "vcu128_top", "--keep-hierarchy", *options, replaced=replaced.get("replaced"))
    yosys.run([read, "hierarchy -top vcu128_top", f"write_json {yosys.inside(out)}"], folder)
    return json.loads(out.read_text())["modules"]["vcu128_top"]


@pytest.fixture(scope="module")
def smallest(build, tmp_path_factory) -> dict:
    """The top without PCIe and DDR4, as it is."""
    return elaborate(build, tmp_path_factory.mktemp("smallest"))


@DESIGNS
def test_every_connection_is_right(build, smallest, tmp_path, ips_of, port_mhz, options):
    ips = ips_of(local_of(options))
    top = elaborate(build, tmp_path, *options) if options else smallest
    instantiated = {cell["type"] for cell in top["cells"].values()}
    assert {"ip_clocks", "ip_hbm", "ip_jtag_axi", "ip_uart"} <= instantiated
    assert ("ip_xdma" in instantiated, "ip_ddr4" in instantiated) == (bool(options), "-DNHG_DDR4" in options)
    assert netlist.problems(top, ips, catalogue.load(), port_mhz) == []


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (".clk_out2(hbm_clock)", ".clk_out2()", "hbm.HBM_REF_CLK_0 has no driver"),
        ("assign pcie_clock = core_clock;", "assign pcie_clock = core_clock; assign core_clock = hbm_clock;", "drive one net"),
        (".APB_0_PCLK(hbm_clock)", ".APB_0_PCLK(hbm_reset_n)", "hbm.APB_0_PCLK is not driven by a clock"),
        (".aresetn(core_reset_n)", ".aresetn(1'b0)", "jtag.aresetn is always in reset"),
        (".aresetn(core_reset_n)", ".aresetn()", "jtag.aresetn"),
        (".aclk(core_clock)", ".aclk()", "jtag.aclk"),
        ("HBM_REF_CLK_1(hbm_clock)", "HBM_REF_CLK_1(core_clock)", "hbm.HBM_REF_CLK_1 gets 50 MHz"),
    ],
)
def test_mistakes_are_found(build, tmp_path, ips, port_mhz, old, new, reason):
    wrong = with_mistake(FPGA / "rtl" / "vcu128_top.sv", tmp_path, old, new)
    top = elaborate(build, tmp_path, replaced={"vcu128_top.sv": wrong})
    assert any(reason in problem for problem in netlist.problems(top, ips, catalogue.load(), port_mhz))


def test_mistakes_of_local_memory_are_found(build, tmp_path, ips_of, port_mhz):
    """Three at once, which do not hide each other."""
    wrong = FPGA / "rtl" / "vcu128_top.sv"
    for old, new in (
        (".c0_sys_clk_i(board_clock)", ".c0_sys_clk_i(core_clock)"),
        (".c0_ddr4_ui_clk(local_clock)", ".c0_ddr4_ui_clk()"),
        (".c0_ddr4_s_axi_araddr(hbm_request[0].ar.addr[31:0])", ".c0_ddr4_s_axi_araddr()"),
    ):
        wrong = with_mistake(wrong, tmp_path, old, new)
    found = netlist.problems(elaborate(build, tmp_path, *DDR4, replaced={"vcu128_top.sv": wrong}), ips_of("ddr4"), catalogue.load(), port_mhz)
    for reason in ("ddr4.c0_sys_clk_i gets 50 MHz, it takes 100 to 100", "system.local_clock has no driver", "ddr4.c0_ddr4_s_axi_araddr"):
        assert any(reason in problem for problem in found), found


def test_a_clock_out_of_range_is_found(smallest, ips, port_mhz):
    ips["ip_clocks"][1]["CLKOUT2_REQUESTED_OUT_FREQ"] = "150.000"
    found = netlist.problems(smallest, ips, catalogue.load(), port_mhz)
    assert "hbm.APB_0_PCLK gets 150 MHz, it takes 50 to 100" in found


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("USER_AXI_INPUT_CLK1_FREQ", "hbm.AXI_16_ACLK gets 100 MHz, the IP is told 450"),
        ("USER_AXI_INPUT_CLK_FREQ", "hbm.AXI_00_ACLK gets 100 MHz, the IP is told 450"),
        ("USER_APB_PCLK_1", "hbm.APB_1_PCLK gets 100 MHz, the IP is told 450"),
    ],
)
def test_a_clock_of_another_frequency_than_the_ip_is_told_is_found(smallest, ips, port_mhz, name, reason):
    ips["ip_hbm"][1][name] = "450"
    assert netlist.problems(smallest, ips, catalogue.load(), port_mhz) == [reason]


@pytest.mark.parametrize("local", ["ddr4", "hbm"])
def test_black_boxes_have_the_ports_of_the_configured_ip(build, tmp_path, ips_of, local):
    ips = ips_of(local)
    out = tmp_path / "boxes.json"
    files = " ".join(yosys.inside(path) for path in sorted((FPGA / "blackbox").glob("*.sv")))
    yosys.run([f"read_verilog -sv {'-DNHG_DDR4' if local == 'ddr4' else ''} {files}", f"write_json {yosys.inside(out)}"], tmp_path)
    modules = json.loads(out.read_text())["modules"]
    known = catalogue.load()
    for name, (ip, configuration) in ips.items():
        expected = {port: (entry.direction, entry.width) for port, entry in catalogue.ports(known["ip"][ip], configuration).items()}
        actual = {port: (entry["direction"], len(entry["bits"])) for port, entry in modules[name]["ports"].items()}
        assert actual == expected, name
