# SPDX-License-Identifier: Apache-2.0
"""The packaging script against a stand-in for Vivado, and the rules of the options page.

usage: python -m pytest delayer-ip/package/test
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PACKAGE, RTL = HERE.parent, HERE.parents[1] / "rtl"
TOP = (RTL / "far_memory_delayer_ip.v").read_text()
PARAMETERS = dict(re.findall(r"parameter integer (\w+)\s*= (\d+)", TOP))
TOOLCHAIN_TCLSH = HERE.parents[2] / ".toolchain/bin/tclsh"
TCLSH = str(TOOLCHAIN_TCLSH) if TOOLCHAIN_TCLSH.exists() else shutil.which("tclsh")


def tclsh(*words) -> subprocess.CompletedProcess:
    assert TCLSH, "tclsh is missing; run make setup"
    return subprocess.run([TCLSH, *map(str, words)], capture_output=True, text=True, check=False, timeout=60)


def package(folder: Path, version: str = "2024.2", missing_bus: str = "none") -> subprocess.CompletedProcess:
    return tclsh(HERE / "mock_ipx.tcl", PACKAGE / "package_ip.tcl", version, missing_bus, folder)


def test_every_source_bus_and_parameter_is_packaged(tmp_path):
    result = package(tmp_path)
    assert result.returncode == 0, result.stderr
    said = result.stdout.splitlines()
    assert {line.split()[1] for line in said if line.startswith("source ")} == {path.name for path in RTL.iterdir() if path.suffix in (".sv", ".v")}
    assert [line for line in said if line.startswith("clock ")] == [f"clock {bus} aclk" for bus in ("S_AXI", "M_AXI", "S_AXI_CTRL")]
    checked = {line.split(":")[1].split()[0] for line in said if line.startswith("property parameter:")}
    assert checked == set(PARAMETERS)
    assert "saved" in said and said[-1] == f"packaged: {tmp_path}/far_memory_delayer"
    assert (tmp_path / "far_memory_delayer/xgui/far_memory_delayer_v1_0.tcl").read_text() == (PACKAGE / "xgui.tcl").read_text()
    assert not (tmp_path / ".packaging").exists()


def test_every_port_of_the_block_goes_to_its_namesake():
    """Lint sees widths alone; two ports of one width could change places."""
    control, delayer = (
        dict(re.findall(r"\.(\w+)\((\w+)\)", TOP.split(start)[1].split("\n  );")[0]))
        for start in ("axi4lite_control #(.DATA_BITS(CONTROL_BITS)) control (", ") delayer (")
    )
    assert (control.pop("clock"), control.pop("reset")) == (delayer.pop("clock"), delayer.pop("reset")) == ("aclk", "reset")
    ports = set(re.findall(r"^    (?:in|out)put\s+wire (?:\[.*\] )?(\w+),?$", TOP, re.MULTILINE))
    fixed = {f"m_axi_a{channel}{what}" for channel in "rw" for what in ("cache", "prot")}
    assert ports - {"aclk", "aresetn"} - fixed == {net for net in (*control.values(), *delayer.values()) if "_axi_" in net}
    for port, net in control.items():
        assert net == (port if port.startswith("control_") else f"s_axi_ctrl_{port}")
    for port, net in delayer.items():
        assert net == (port if port.startswith("control_") else f"{port[0]}_axi_{port[2:]}")


def test_defaults_are_among_the_values_offered(tmp_path):
    offered: dict[str, dict[str, str]] = {}
    for line in package(tmp_path).stdout.splitlines():
        if line.startswith("property parameter:"):
            _, name, key, *values = line.split()
            offered.setdefault(name.split(":")[1], {})[key] = values
    for name, default in PARAMETERS.items():
        values = offered[name]
        if "value_validation_list" in values:
            assert default in values["value_validation_list"]
        else:
            least, most = (int(values[f"value_validation_range_{end}"][0]) for end in ("minimum", "maximum"))
            assert least <= int(default) <= most


@pytest.mark.parametrize(
    ("version", "missing_bus", "words"),
    [
        ("2019.1", "none", "too old"),
        ("2024.2", "S_AXI_CTRL", "did not find the bus S_AXI_CTRL"),
    ],
)
def test_failures_are_one_line_and_leave_nothing(tmp_path, version, missing_bus, words):
    result = package(tmp_path, version, missing_bus)
    assert result.returncode == 1 and words in result.stderr and result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


EXAMPLE = re.search(r"```tcl\n(.*?)```", (HERE.parents[1] / "README.md").read_text(), re.S).group(1)


def example(folder: Path, old: str = "", new: str = "") -> subprocess.CompletedProcess:
    """The example design of the README in the stand-in, with `old` replaced."""
    assert old in EXAMPLE
    script = folder / "example.tcl"
    script.write_text(EXAMPLE.replace(old, new) if old else EXAMPLE)
    return tclsh(HERE / "mock_bd.tcl", script, RTL)


def test_the_example_design_is_consistent_and_short(tmp_path):
    result = example(tmp_path)
    assert result.returncode == 0 and result.stdout.strip() == "valid: traffic settings delayer memory", result.stderr
    assert len(EXAMPLE.splitlines()) <= 20


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("CONFIG.PROTOCOL 2 ", "CONFIG.PROTOCOL 0 ", "AXI4 32, intf:delayer/S_AXI_CTRL AXI4LITE 32"),
        ("CONFIG.M_AXI_DATA_WIDTH 64 ", "CONFIG.M_AXI_DATA_WIDTH 32 ", "AXI4 32, intf:delayer/S_AXI AXI4 64"),
        ("CONFIG.DATA_BITS 64 CONFIG.ADDR", "CONFIG.CONTROL_BITS 64 CONFIG.DATA_BITS 64 CONFIG.ADDR", "AXI4LITE 32, intf:delayer/S_AXI_CTRL AXI4LITE 64"),
        ("CONFIG.ID_BITS 1", "CONFIG.ID_WIDTH 1", "delayer has no property CONFIG.ID_WIDTH"),
        ("settings/aresetn ", "", "pin:settings/aresetn is open"),
        ("connect_bd_intf_net [get_bd_intf_pins delayer/M_AXI]", "list [get_bd_intf_pins delayer/M_AXI]", "intf:delayer/M_AXI is open"),
        ("assign_bd_address; ", "", "no addresses are assigned"),
    ],
)
def test_mistakes_in_the_example_are_found(tmp_path, old, new, reason):
    result = example(tmp_path, old, new)
    assert result.returncode != 0 and reason in result.stderr


OPTIONS = """
namespace eval ipgui {
    proc add_param {inst args} { puts "param [dict get $args -name]" }
    proc add_page {inst args} { return [dict get $args -name] }
}
proc get_property {property object} { return [dict get $::values $object] }
proc set_property {property value object} { puts "$property $object $value" }
source XGUI
init_gui inst
set values {VALUES}
puts "latency [validate_PARAM_VALUE.LATENCY_BITS LATENCY_BITS TRANSACTIONS]"
puts "bucket [validate_PARAM_VALUE.BUCKET_BYTES BUCKET_BYTES DATA_BITS]"
foreach name [dict keys $values] {
    update_PARAM_VALUE.$name $name
    update_MODELPARAM_VALUE.$name MODEL_$name $name
}
"""


def options_page(tmp_path, **changes) -> list[str]:
    values = PARAMETERS | {name: str(value) for name, value in changes.items()}
    script = tmp_path / "options.tcl"
    script.write_text(OPTIONS.replace("XGUI", str(PACKAGE / "xgui.tcl")).replace("VALUES", " ".join(f"{name} {value}" for name, value in values.items())))
    result = tclsh(script)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_options_page_has_every_parameter_and_passes_it_on(tmp_path):
    said = options_page(tmp_path)
    assert {line.split()[1] for line in said if line.startswith("param ")} == {"Component_Name", *PARAMETERS}
    assert {tuple(line.split()[1:]) for line in said if line.startswith("value MODEL_")} == {(f"MODEL_{name}", value) for name, value in PARAMETERS.items()}
    assert "latency true" in said and "bucket true" in said


@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        ({"LATENCY_BITS": 9}, "latency false"),
        ({"TRANSACTIONS": 1024, "LATENCY_BITS": 11}, "latency true"),
        ({"DATA_BITS": 1024, "BUCKET_BYTES": 511}, "bucket false"),
        ({"DATA_BITS": 1024, "BUCKET_BYTES": 512}, "bucket true"),
    ],
)
def test_options_page_knows_the_rules_between_parameters(tmp_path, changes, refused):
    assert refused in options_page(tmp_path, **changes)
