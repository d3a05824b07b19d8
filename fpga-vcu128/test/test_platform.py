# SPDX-License-Identifier: Apache-2.0
"""Files made from the platform description: fresh, refused when the description contradicts itself, and a valid tree."""

import copy
import re
import subprocess
import sys
import tomllib

import csrs
import device_tree
import pytest

from conftest import ROOT, with_mistake

GENERATE = ROOT / "tools" / "platform" / "generate.py"
SOURCE = ROOT / "tools" / "platform" / "platform.toml"


def generate(*arguments) -> subprocess.CompletedProcess:
    command = [sys.executable, str(GENERATE), *(str(argument) for argument in arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_build_is_fresh(build):
    result = generate("--check", build / "gen")
    assert result.returncode == 0, result.stderr


def test_a_stale_file_is_found(tmp_path):
    assert generate(tmp_path).returncode == 0
    (tmp_path / "pins.xdc").write_text("old")
    result = generate("--check", tmp_path)
    assert result.returncode == 1 and "stale" in result.stderr and "pins.xdc" in result.stderr


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("base = 0x1003_0000", "base = 0x1002_0800", "overlaps"),
        ("checkpoint = { offset = 0x10", "checkpoint = { offset = 0x08", "register host.checkpoint at 0x8 overlaps host.putc, which ends at 0x10"),
        ("metric = { offset = 0x40, count = 16,", "metric = { offset = 0x10, count = 16,", "register host.metric at 0x10 overlaps host.checkpoint"),
        ("far_bytes = { offset = 0xb0,", "far_bytes = { offset = 0xb0, count = 11,", "register board.metric at 0x100 overlaps board.far_bytes"),
        ("roi_end = { offset = 0x20", "roi_end = { offset = 0x24", "register host.roi_end at 0x24 is unaligned"),
        ("metric = { offset = 0x40, count = 16,", "metric = { offset = 0x40, count = 0,", "register host.metric has count = 0"),
        ("roi_end = { offset = 0x20", "roi_end = { offset = 0x1000", "register host.roi_end ends at 0x1008, outside region host of 0x1000 bytes"),
        ("base = 0x1001_1000\nsize = 0x1000", "base = 0x1001_1000\nsize = 0x100", "outside region local_control of 0x100 bytes"),
        ("[registers.host]", "[registers.hosts]", "registers.hosts belongs to no region"),
        ("read_stall_late = { offset = 0xd8", "read_stall_late = { offset = 0x118", "the counters of far_control, reads to cycles, have gaps"),
        ("[devices]\nbase = 0x0200_0000", "[devices]\nbase = 0x1002_0000", "has registers and is not inside the devices' range"),
        ('cpu_reset = { pins = ["BM29"]', 'cpu_reset = { pins = ["BP26"]', "package pin BP26 is given to"),
        ("hbm_mhz = 100 ", "hbm_mhz = 150 ", "the HBM's APB port takes 50 to 100 MHz"),
        ("fpga_mhz = 50 ", "fpga_mhz = 70 ", "cannot be divided"),
        ("timebase_mhz = 10 ", "timebase_mhz = 7 ", "an even number of cycles"),
        ("timebase_mhz = 10 ", "timebase_mhz = 1000 ", "an even number of cycles"),
        ("far_size = 0x2_0000_0000", "far_size = 0x4_0000_0000", "larger than the far region"),
    ],
)
def test_contradictions_are_refused(tmp_path, old, new, reason):
    source = with_mistake(SOURCE, tmp_path, old, new)
    result = generate(tmp_path / "out", "--source", source)
    assert result.returncode == 1 and reason in result.stderr and len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def csr_table(reset: dict | None = None, **registers: dict) -> dict:
    return {"registers": registers, "reset": reset or {}, "views": {}, "zero": {"nothing": [0x20, 0x2F]}}


@pytest.mark.parametrize(
    ("registers", "reason"),
    [
        ({"a": {"number": 0x10, "fields": {"x": [0, 3], "y": 3}}}, "fields of a overlap"),
        ({"a": {"number": 0x10, "fields": {"x": [0, 3]}, "fixed": {"y": [3, 4, 1]}}}, "fields of a overlap"),
        ({"a": {"number": 0x10, "fields": {"x": [60, 64]}}}, "a.x: bits [60, 64] are not inside 64 bits"),
        ({"a": {"number": 0x10, "fields": {"x": [3, 2]}}}, "a.x: bits [3, 2] are not inside 64 bits"),
        ({"a": {"number": 0x10, "fields": {"x": 0}, "legal": {"y": [0]}}}, "a has legal values of y, which is no field"),
        ({"a": {"number": 0x10, "fields": {"x": 0}}, "b": {"number": 0x10, "fields": {"x": 0}}}, "b and a have the number 0x10"),
        ({"a": {"number": 0x21, "fields": {"x": 0}}}, "nothing and a have the number 0x21"),
        ({"a": {"number": 0x10, "count": 3, "fields": {"x": 0}}, "b": {"number": 0x12, "fields": {"x": 0}}}, "b and a2 have the number 0x12"),
        ({"a": {"number": 0x10, "lanes": 9, "fields": {"x": 0}}}, "a.x8: bits 64 to 64 are not inside 64 bits"),
        ({"a": {"number": 0x10, "fields": {"x": 0}}, "reset": {"b": {"x": 1}}}, "[reset] names b, which is no CSR of the table"),
        ({"a": {"number": 0x10, "fields": {"x": 0}}, "reset": {"a": {"y": 1}}}, "a resets y, which is no field"),
    ],
)
def test_csrs_that_contradict_themselves_are_refused(registers, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        csrs.check(csr_table(**registers))


def test_arrays_of_csrs():
    found = csrs.registers(csr_table(a={"number": 0x10, "count": 2, "step": 2, "lanes": 2, "fields": {"x": [0, 1], "y": 7}}, reset={"a2": {"y1": 1}}))
    assert [(each.name, each.number, each.reset) for each in found] == [("a0", 0x10, {}), ("a2", 0x12, {"y1": 1})]
    assert [(field.name, field.lsb, field.msb) for field in found[0].fields] == [("x0", 0, 1), ("y0", 7, 7), ("x1", 8, 9), ("y1", 15, 15)]


@pytest.mark.parametrize("name", ["vcu128", "vcu128_local_hbm", "simulation"])
def test_dtc_takes_the_device_tree(build, tmp_path, name):
    result = subprocess.run(
        ["dtc", "-I", "dts", "-O", "dtb", "-o", str(tmp_path / "x.dtb"), str(build / "gen" / f"{name}.dts")], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0 and result.stderr == ""


def test_the_device_tree_follows_the_description():
    platform = tomllib.loads(SOURCE.read_text())
    changed = copy.deepcopy(platform)
    changed["regions"]["local"]["size"] = 0x4000_0000
    changed["isa"]["string"] = "rv64imc_zba"
    tree, other = (device_tree.device_tree(description, where=device_tree.SIMULATION) for description in (platform, changed))
    assert "reg = <0x0 0x80000000 0x0 0x80000000>" in tree and "reg = <0x1 0x0 0x2 0x0>" in tree
    assert "reg = <0x0 0x80000000 0x0 0x40000000>" in other
    assert 'riscv,isa-base = "rv64i";' in other and 'riscv,isa-extensions = "i", "m", "c", "zba";' in other


def test_the_device_tree_has_interrupts_and_power_off():
    platform = tomllib.loads(SOURCE.read_text())
    platform["plic"]["uart_source"], platform["syscon"]["power_off"] = 3, 0x1234
    tree = " ".join(device_tree.device_tree(platform).split())
    assert "interrupts-extended = <&cpu0_intc 3 &cpu0_intc 7>;" in tree
    assert "interrupts-extended = <&cpu0_intc 11 &cpu0_intc 9>; riscv,ndev = <7>;" in tree
    assert "interrupt-parent = <&plic>; interrupts = <3>;" in tree
    assert 'compatible = "syscon-poweroff"; regmap = <&syscon>; offset = <0x0>; value = <0x1234>;' in tree


def test_the_timebase_is_that_of_csr_time(build):
    """Emulated time: so many cycles of the CPU's clock are a tick of `time`; the UART's clock is the board's own."""
    tree = (build / "gen" / "vcu128.dts").read_text()
    clock = tomllib.loads(SOURCE.read_text())["clock"]
    timebase = int(re.search(r"timebase-frequency = <(\d+)>", tree)[1])
    cpu, uart = (int(hz) for hz in re.findall(r"clock-frequency = <(\d+)>", tree))
    tick_cycles = int(re.search(r"TICK_CYCLES = 64'h(\w+)", (build / "gen" / "platform_pkg.sv").read_text())[1], 16)
    assert (timebase, cpu, uart) == (10_000_000, timebase * tick_cycles, clock["fpga_mhz"] * 1_000_000)


def test_far_memory_is_all_of_hbm():
    """With local memory in DDR4; half of it with LOCAL=hbm."""
    sizes = tomllib.loads(SOURCE.read_text())
    far = {key: value for table in sizes.values() if isinstance(table, dict) for key, value in table.items() if key.startswith("far_size")}
    mebibytes = int(re.search(r"USER_MEMORY_DISPLAY (\d+)", (ROOT / "fpga-vcu128/scripts/ip.tcl").read_text())[1])
    assert far == {"far_size": mebibytes << 20, "far_size_local_hbm": mebibytes << 19}
