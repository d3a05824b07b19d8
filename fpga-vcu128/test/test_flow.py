# SPDX-License-Identifier: Apache-2.0
"""The whole flow through the mock: what a good run leaves, and that every fault ends it with its own code and line."""

import shutil

import pytest

from conftest import FPGA, with_mistake


def last_line(result) -> str:
    return result.stderr.strip().splitlines()[-1]


def with_mistake_in_the_flow(folder, file: str, old: str, new: str):
    """build.tcl in a copy of the flow's scripts and constraints, with a mistake in `file`."""
    for name in ("scripts", "constraints"):
        shutil.copytree(FPGA / name, folder / name)
    with_mistake(folder / file, (folder / file).parent, old, new)
    return folder / "scripts" / "build.tcl"


@pytest.mark.parametrize(("pcie", "local"), [("0", "ddr4"), ("1", "ddr4"), ("1", "hbm")])
def test_a_good_run_leaves_everything(flow, tmp_path, pcie, local):
    result = flow(pcie=pcie, local=local)
    assert result.returncode == 0, result.stderr
    assert "USR_ACCESS 0x0123abcd" in (tmp_path / "vcu128_top.bit").read_text()
    for name in ("vcu128_top.ltx", "vcu128_top.mcs", "vcu128_top.dcp", "results.txt", "ip_versions.txt"):
        assert (tmp_path / name).is_file(), name
    for step in ("synth", "opt", "place", "route"):
        assert (tmp_path / "checkpoints" / f"{step}.dcp").is_file()
        assert (tmp_path / "reports" / f"{step}_utilization.rpt").is_file()
        assert (tmp_path / "reports" / f"{step}_timing.rpt").is_file()
    assert "violation" not in (tmp_path / "results.txt").read_text()
    versions = (tmp_path / "ip_versions.txt").read_text().splitlines()
    assert len(versions) == 4 + int(pcie) + (local == "ddr4")


@pytest.mark.parametrize(
    ("faults", "reason"),
    [
        ("setup", "worst setup path: slack -0.123 ns"),
        ("hold", "worst hold path: slack -0.123 ns"),
        ("pulse_width", "pulse-width slack -0.123 ns"),
        ("no_paths", "no_clock: 1 unconstrained (soc/core/pc_reg/C); route_unconstrained.txt names each"),
        ("unconstrained=soc/late_reg/D", "unconstrained_internal_endpoints: 1 unconstrained (soc/late_reg/D)"),
        ("unconstrained=a/D+b/D+hbm/inst/x/D+c/D+d/D", "4 unconstrained (a/D, b/D, c/D, ...)"),
        ("unconstrained=hbm/inst/x/D,unnamed", "unconstrained_internal_endpoints: 2 endpoints, of which the report names 1"),
        ("no_clock=soc/x_reg/C<soc/divider_reg/Q", "no_clock: 1 unconstrained (soc/x_reg/C)"),
        ("no_clock=dbg_hub/inst/x_reg/C<clocks/clk_out1", "no_clock: 1 unconstrained (dbg_hub/inst/x_reg/C)"),
        ("no_clock=hbm/inst/x_reg/C<hbm/inst/y/TCK", "no_clock: 1 unconstrained (hbm/inst/x_reg/C)"),
        ("unconstrained=uart/inst/x_reg/D", "unconstrained_internal_endpoints: 1 unconstrained (uart/inst/x_reg/D)"),
        ("loop=soc/x_i_1/O", "loops: 1 unconstrained (soc/x_i_1/O)"),
        ("route_errors", "routing: 17 nets with errors"),
        ("unrouted", "499995 of 500000 nets routed"),
    ],
)
def test_a_violation_names_the_output(flow, tmp_path, faults, reason):
    result = flow(faults)
    assert result.returncode == 16
    assert reason in last_line(result) and "vcu128_top.VIOLATED.*" in last_line(result)
    assert (tmp_path / "vcu128_top.VIOLATED.dcp").is_file() and not list(tmp_path.glob("vcu128_top.[!V]*"))
    routed = faults not in ("route_errors", "unrouted")  # Vivado makes no bitstream without every route
    assert (tmp_path / "vcu128_top.VIOLATED.bit").is_file() == routed
    assert "violation=" in (tmp_path / "results.txt").read_text()


def test_endpoints_inside_vendors_ip_may_be_without_timing(flow, tmp_path):
    result = flow("unconstrained=hbm/inst/x_reg/D+dbg_hub/inst/y_reg/D,no_clock=dbg_hub/inst/z_reg/C<dbg_hub/inst/bscan/TCK")
    assert result.returncode == 0, result.stderr
    verdicts = (tmp_path / "reports" / "route_unconstrained.txt").read_text()
    assert verdicts.count(" allowed: ") == 3 and "REFUSED" not in verdicts
    assert "dbg_hub/inst/z_reg/C" in (tmp_path / "reports" / "route_check_timing.rpt").read_text()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("{no_clock dbg_hub/inst/*", "{no_clock system/*", "endpoints.tcl allows system/*, but system is not the vendor's IP"),
        ("{no_clock dbg_hub/inst/*", "{no_clock *", "endpoints.tcl allows *, which does not begin with the name of an instance"),
    ],
)
def test_only_vendors_ip_can_be_allowed(flow, tmp_path, old, new, reason):
    result = flow("no_clock=system/soc/x_reg/C<system/y", script=with_mistake_in_the_flow(tmp_path, "scripts/endpoints.tcl", old, new))
    assert result.returncode == 16 and reason in last_line(result)
    assert not list(tmp_path.glob("*.bit"))


@pytest.mark.parametrize(
    ("faults", "code", "reason"),
    [
        ("version=2019.1", 11, "Vivado 2019.1 is not supported"),
        ("version=2031.2", 11, "Vivado 2031.2 is not supported"),
        ("version=banana", 11, "cannot read Vivado's version"),
        ("no_part", 12, "device files of xcvu37p-fsvh2892-2L-e are not installed"),
        ("licence_synth", 13, "no licence for the device"),
        ("licence_implementation", 13, "no licence for the device"),
        ("no_ip=hbm", 15, "IP hbm is not in the catalogue"),
        ("ignore=USER_APB_EN", 15, "CONFIG.USER_APB_EN was set to false and reads 'true'"),
        ("fail=synth_design", 17, "synthesis failed"),
        ("fail=place_design", 17, "placement failed"),
        ("fail=route_design", 17, "routing failed"),
        ("fail=write_bitstream", 17, "bitstream failed"),
    ],
)
def test_every_failure_has_its_code_and_line(flow, tmp_path, faults, code, reason):
    result = flow(faults)
    assert result.returncode == code
    assert last_line(result).startswith("build: ") and reason in last_line(result)
    assert not list(tmp_path.glob("*.bit"))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"commit": "12345"}, "commit=12345 is not eight"),
        ({"commit": None}, "argument commit= is missing"),
        ({"pcie": "2"}, "pcie=2"),
        ({"local": "sram"}, "local=sram: ddr4 or hbm"),
        ({"stop_after": "lunch"}, "stop_after=lunch"),
        ({"resume": "bitstream"}, "resume=bitstream"),
        ({"speed": "fast"}, "unknown argument 'speed=fast'"),
    ],
)
def test_bad_arguments(flow, changes, reason):
    result = flow(**changes)
    assert result.returncode == 2 and reason in last_line(result)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("_ENABLE_ECC_CORRECTION false", "_ENABLE_ECC_CORRECTION true", "CONFIG.USER_MC0_EN_DATA_MASK was set to true and reads 'false'"),
        ("USER_HBM_STACK 2", "USER_HBM_STACK 1", "CONFIG.USER_AXI_INPUT_CLK1_FREQ was set to 100 and reads '450'"),
    ],
)
def test_a_property_that_is_disabled_ends_it(flow, tmp_path, old, new, reason):
    result = flow(script=with_mistake_in_the_flow(tmp_path, "scripts/ip.tcl", old, new))
    assert result.returncode == 15 and reason in last_line(result)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("set_property BITSTREAM.CONFIG.SPI_32BIT_ADDR YES [current_design]", "", "a flash of 256 MB needs SPI_32BIT_ADDR YES"),
        ("SPI_BUSWIDTH 4", "SPI_BUSWIDTH 1", "SPI_BUSWIDTH property is set to"),
        ("EXTMASTERCCLK_EN DISABLE", "EXTMASTERCCLK_EN div-1", "not known to have a clock at EMCCLK"),
        ("set_property BITSTREAM.CONFIG.CONFIGRATE 51.0 [current_design]", "", "CONFIGRATE is not set"),
        ("CONFIGRATE 51.0", "CONFIGRATE 50", "Illegal value '50'"),
        ("CONFIG_MODE SPIx4", "CONFIG_MODE SPIx8", "CONFIG_MODE is not SPIx4"),
    ],
)
def test_a_flash_image_that_would_not_load_is_refused(flow, tmp_path, old, new, reason):
    result = flow(script=with_mistake_in_the_flow(tmp_path, "constraints/vcu128.xdc", old, new))
    assert result.returncode == 17 and reason in last_line(result)


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("constraints/ddr4.xdc", "set_property CLOCK_DEDICATED_ROUTE BACKBONE [get_nets board_clock]\n", "", "needs CLOCK_DEDICATED_ROUTE BACKBONE"),
        ("scripts/opt.tcl", "            debug_hub\n", "", "'dbg_hub/clk' has 1 unconnected channels"),
        ("scripts/opt.tcl", "[get_nets core_clock]", "[get_nets core_clk]", "No nets matched 'core_clk'"),
    ],
)
def test_a_likely_stop_of_the_first_run_is_found(flow, tmp_path, file, old, new, reason):
    result = flow(script=with_mistake_in_the_flow(tmp_path, file, old, new))
    assert result.returncode == 17 and reason in last_line(result)


def test_a_version_whose_pcie_does_not_work_is_refused_at_once(flow):
    assert flow("version=2025.1", stop_after="environment").returncode == 0
    result = flow("version=2025.1", pcie="1", stop_after="environment")
    assert result.returncode == 11 and "finds no configuration BAR" in last_line(result)


@pytest.mark.parametrize(("changes", "expected"), [({}, "TRUE"), ({"hbm_xsdb": "0"}, "FALSE")])
def test_the_debug_port_of_hbm(flow, tmp_path, changes, expected):
    assert flow(**changes).returncode == 0
    assert f"USER_XSDB_INTF_EN={expected}\n" in (tmp_path / "ip" / "ip_hbm" / "configuration.txt").read_text()
    assert f"hbm_xsdb={int(expected == 'TRUE')}\n" in (tmp_path / "results.txt").read_text()


def test_a_supported_patch_release_is_accepted(flow):
    assert flow("version=2022.1.2", stop_after="environment").returncode == 0


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("PACKAGE_PIN AR15", "PACKAGE_PIN BJ4", "pcie_refclk_p at BJ4: no reference clock input"),
        ("PACKAGE_PIN AR14", "PACKAGE_PIN AL14", "pcie_refclk_n is not at AR14"),
    ],
)
def test_a_wrong_clock_of_pcie_is_found(flow, build, tmp_path, old, new, reason):
    wrong = with_mistake(build / "gen" / "pcie_pins_AR15.xdc", tmp_path, old, new)
    result = flow(pcie="1", pcie_pins=wrong)
    assert result.returncode == 17 and reason in last_line(result)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("set_property PACKAGE_PIN BN42 [get_ports {ddr4_dm_n[0]}]\n", "", "ddr4_dm_n[0] has no location"),
        ("PACKAGE_PIN BN42", "PACKAGE_PIN BL47", "pin BL47 is taken by ddr4_dm_n["),
        ("set_input_delay -clock clk_100mhz 0.000 [get_ports {ddr4_dq[*]}]\n", "", "no_input_delay"),
    ],
)
def test_a_mistake_in_the_pins_of_local_memory_is_found(flow, build, tmp_path, old, new, reason):
    result = flow(ddr4_pins=with_mistake(build / "gen" / "ddr4_pins.xdc", tmp_path, old, new))
    assert result.returncode in (16, 17) and reason in result.stderr


def test_a_clock_of_pcie_out_of_reach_is_found(flow, tmp_path):
    result = flow(pcie="1", script=with_mistake_in_the_flow(tmp_path, "scripts/ip.tcl", "GTY_Quad_227", "GTY_Quad_228"))
    assert result.returncode == 17 and "pcie_refclk_p at AR15, quad 225, does not reach quad 228" in last_line(result)


def test_an_interrupted_run_goes_on_from_its_checkpoint(flow, tmp_path):
    assert flow("fail=place_design").returncode == 17
    synth = (tmp_path / "checkpoints" / "synth.dcp").stat().st_mtime_ns
    result = flow(resume="opt")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "vcu128_top.bit").is_file()
    assert (tmp_path / "checkpoints" / "synth.dcp").stat().st_mtime_ns == synth
    assert ", synth" not in result.stdout and "build: step 7 of 7, bitstream" in result.stdout


def test_resuming_without_a_checkpoint_fails(flow):
    result = flow(resume="place")
    assert result.returncode == 17 and "place.dcp" in last_line(result)


def test_a_missing_source_is_told(flow, build, tmp_path):
    sources = tmp_path / "sources.txt"
    sources.write_text((build / "fpga" / "sources.txt").read_text() + "/nowhere/lost.sv\n")
    result = flow(sources=str(sources))
    assert result.returncode == 17 and "/nowhere/lost.sv" in last_line(result)


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (lambda text: text.replace("BM29", "BM99"), "'BM99' is not a valid site"),
        (lambda text: text.replace("BM29", "BP26"), "pin BP26 is taken by cpu_reset"),
        (lambda text: text.replace("LVCMOS12", "LVCMOS99"), "'LVCMOS99' is not a valid I/O standard"),
        (lambda text: text.replace("{cpu_reset}", "{cpu_rest}"), "No ports matched 'cpu_rest'"),
        (lambda text: text + "foreach x {1 2} {}\n", 'invalid command name "foreach"'),
        (lambda text: "\n".join(line for line in text.splitlines() if "led[3]" not in line), "led[3] has no location"),
    ],
)
def test_wrong_pins_are_caught(flow, build, tmp_path, broken, reason):
    pins = tmp_path / "broken.xdc"
    pins.write_text(broken((build / "gen" / "pins.xdc").read_text()))
    result = flow(pins=str(pins))
    assert result.returncode == 17 and reason in last_line(result)


@pytest.mark.parametrize(("command", "ports"), [("set_input_delay", 2), ("set_output_delay", 9)])
def test_a_port_without_timing_is_a_violation(flow, build, tmp_path, command, ports):
    pins = tmp_path / "untimed.xdc"
    text = (build / "gen" / "pins.xdc").read_text()
    pins.write_text("\n".join(line for line in text.splitlines() if command not in line))
    result = flow(pins=str(pins))
    check = command.replace("set_", "no_")
    assert result.returncode == 16 and f"{check}: {ports} unconstrained" in last_line(result)
