# SPDX-License-Identifier: Apache-2.0
"""The mock is strict: each of these scripts has one mistake that must stop it."""

import subprocess

import catalogue
import pytest

from conftest import FPGA

PROJECT = "create_project -in_memory -part xcvu37p-fsvh2892-2L-e\n"
HBM = PROJECT + "create_ip -vlnv xilinx.com:ip:hbm:1.0 -module_name h -dir .\n"
CLOCKS = PROJECT + "create_ip -vlnv xilinx.com:ip:clk_wiz:6.0 -module_name ip_clocks -dir .\n"


def mock(tmp_path, script: str, *options: str) -> subprocess.CompletedProcess:
    file = tmp_path / "script.tcl"
    file.write_text(script)
    command = [str(FPGA / "mock" / "vivado"), "-mode", "batch", *options, "-source", str(file)]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("synth_designn -top x", 'invalid command name "synth_designn"'),
        ("version -shortt", "Unknown option '-shortt'"),
        ("lmap x {1 2} {set x}", 'invalid command name "lmap"'),
        ("create_project -in_memory -part xc7z020", "Specified part could not be found"),
        ("get_property SLACK {}", "at least one object"),
        (PROJECT + PROJECT, "create_project after 'project'"),
        (PROJECT + "place_design", "place_design after 'project'"),
        (PROJECT + "write_bitstream x.bit", "write_bitstream after 'project'"),
        (PROJECT + "read_verilog -sv {missing.sv}", "'missing.sv' does not exist"),
        (PROJECT + "set_property colour red [current_project]", "does not have a property 'colour'"),
        (PROJECT + "set_property board_part xilinx.com:vcu128:part0:1.0 [current_project]", "no board files are installed"),
        (PROJECT + "get_board_parts *", 'invalid command name "get_board_parts"'),
        (PROJECT + "set_param general.maxThread 8", "does not exist"),
        (PROJECT + "create_ip -vlnv xilinx.com:ip:hbm:9.9 -module_name h -dir .", "cannot be created"),
        (CLOCKS + "set_property CONFIG.NUM_OUT_CLOCKS 2 [get_ips ip_clocks]", "property 'CONFIG.NUM_OUT_CLOCKS'"),
        (CLOCKS + "set_property CONFIG.NUM_OUT_CLKS 9 [get_ips ip_clocks]", "out of the range (1,7)"),
        (CLOCKS + "set_property CONFIG.RESET_TYPE HIGH [get_ips ip_clocks]", "valid values: ACTIVE_HIGH ACTIVE_LOW"),
        (CLOCKS + "synth_ip [get_ips ip_clocks]", "no generated synthesis targets"),
        (CLOCKS + "generate_target all [get_ips]\nset_property CONFIG.NUM_OUT_CLKS 2 [get_ips ip_clocks]", "set after its targets"),
        (CLOCKS + "set_property CONFIG.NUM_OUT_CLKS 2 [get_ips other]", "expects at least one object"),
    ],
)
def test_mistakes_stop_it(tmp_path, script, reason):
    result = mock(tmp_path, script)
    assert result.returncode != 0 and reason in result.stderr


@pytest.mark.parametrize(
    ("before", "name", "value", "other"),
    [
        ("", "USER_MC3_EN_DATA_MASK", "true", "false"),
        ("USER_MC3_ENABLE_ECC_CORRECTION false", "USER_MC3_EN_DATA_MASK", "true", "false"),
        ("USER_MC2_ENABLE_ECC_CORRECTION false", "USER_MC3_EN_DATA_MASK", "true", "false"),
        ("", "USER_AXI_INPUT_CLK1_FREQ", "100", "450"),
        ("USER_HBM_STACK 2", "USER_AXI_INPUT_CLK1_FREQ", "100", "450"),
    ],
)
def test_a_disabled_property_keeps_its_default(tmp_path, before, name, value, other):
    """Until the property that enables it has its value, as Vivado does: with a warning."""
    first = f"set_property CONFIG.{before} [get_ips h]\n" if before else ""
    result = mock(tmp_path, f"{HBM}{first}set_property CONFIG.{name} {value} [get_ips h]\nputs [get_property CONFIG.{name} [get_ips h]]")
    enabled = before.startswith(("USER_MC3", "USER_HBM_STACK"))
    assert result.returncode == 0 and ("is ignored" in result.stdout) != enabled
    assert result.stdout.split()[-1] == (value if enabled else other)


@pytest.mark.parametrize(("mask", "ecc"), [("DM_NO_DBI", "false"), ("NO_DM_NO_DBI", "true")])
def test_local_memory_has_byte_enables_or_ecc(tmp_path, mask, ecc):
    script = PROJECT + "create_ip -vlnv xilinx.com:ip:ddr4:2.2 -module_name d -dir .\n"
    script += f"set_property CONFIG.C0.DDR4_DataMask {mask} [get_ips d]\nset_property CONFIG.C0.DDR4_Ecc true [get_ips d]\n"
    result = mock(tmp_path, script + "puts [get_property CONFIG.C0.DDR4_Ecc [get_ips d]]")
    assert result.returncode == 0 and result.stdout.split()[-1] == ecc


def test_every_entry_of_the_catalogue_names_its_source():
    known = catalogue.load()
    entries = [known["pins"], *(entry for kind in ("part", "ip", "primitive") for entry in known[kind].values())]
    assert len(entries) > 7 and all(entry["source"] for entry in entries)


def test_an_unknown_option_of_the_program(tmp_path):
    assert "unknown option -fast" in mock(tmp_path, "", "-fast").stderr


def test_an_unknown_fault_is_refused(flow):
    result = flow("earthquake")
    assert result.returncode != 0 and "unknown fault earthquake" in result.stderr


def test_right_scripts_run(tmp_path):
    script = CLOCKS + "set_property CONFIG.NUM_OUT_CLKS 2 [get_ips ip_clocks]\nputs [get_property CONFIG.NUM_OUT_CLKS [get_ips ip_clocks]]"
    result = mock(tmp_path, script)
    assert result.returncode == 0 and result.stdout.strip() == "2"
