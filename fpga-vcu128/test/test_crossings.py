# SPDX-License-Identifier: Apache-2.0
"""Every clock crossing of the design has an entry with its justification in checks/crossings.toml."""

import json

import crossings
import pytest
import units
import yosys

from conftest import DDR4, FPGA, local_of, with_mistake


def flattened(build, folder, replaced=None, options=DDR4) -> dict:
    out = folder / "flat.json"
    read = units.read_shell(build, folder, "vcu128_top", *options, replaced=replaced)
    yosys.run([read, "hierarchy -top vcu128_top", "proc", "flatten", "opt_clean", "memory_collect", f"write_json {yosys.inside(out)}"], folder)
    return json.loads(out.read_text())["modules"]["vcu128_top"]


@pytest.fixture(scope="module")
def rules():
    return crossings.read_rules(FPGA / "checks" / "crossings.toml")


def of_design(allowed: list[dict], options: list[str]) -> list[dict]:
    """The rules that are not another design's."""
    return [rule for rule in allowed if rule.get("only", local_of(options)) == local_of(options)]


@pytest.mark.parametrize("options", [DDR4, ["-DNHG_XDMA"]], ids=["ddr4", "hbm"])
def test_every_crossing_is_justified_and_no_logic_loops(build, tmp_path, rules, options):
    clocks, allowed = rules
    module = flattened(build, tmp_path, options=options)
    assert crossings.loops(module, clocks) == []
    found = crossings.find(module, clocks)
    assert crossings.unexplained(found, of_design(allowed, options)) == []
    assert len(found) > 30  # eleven FIFOs with three crossings each


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("board_system.sv", ".clock(core_clock),\n      .in({cpu_reset", ".clock(hbm_clock),\n      .in({cpu_reset", "without a rule"),
        ("board_system.sv", ".hbm_reset(i == 0 ? local_reset : hbm_reset)", ".hbm_reset(reset)", "without a rule"),
        ("async_fifo.sv", "write_gray_1, write_gray}", "write_gray_1, write_pointer}", "write_pointer"),
    ],
)
def test_a_new_crossing_is_found(build, tmp_path, rules, file, old, new, reason):
    wrong = with_mistake(FPGA / "rtl" / file, tmp_path, old, new)
    clocks, allowed = rules
    found = crossings.unexplained(crossings.find(flattened(build, tmp_path, {file: wrong}), clocks), allowed)
    assert any(reason in line for line in found), found


def test_a_combinational_loop_is_found(build, tmp_path, rules):
    """A ready that waits for the valid it answers, through another module."""
    wrong = with_mistake(FPGA / "rtl" / "uart_bridge.sv", tmp_path, "r_ready: !request.write", "r_ready: lite_request.b_ready || response.ready")
    (found,) = crossings.loops(flattened(build, tmp_path, {"uart_bridge.sv": wrong}), rules[0])
    assert "system.bridge.lite_request" in found


def test_a_rule_that_allows_nothing_is_found():
    assert crossings.unexplained(set(), [{"source": "a", "sink": "b"}]) == ["rule 'a' to 'b' allows nothing"]
