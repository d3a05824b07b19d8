# SPDX-License-Identifier: Apache-2.0
"""The PCIe sequence on a made-up /sys/bus/pci: what it does to the port, in which order, and how it fails. And the udev rule."""

import re
import shutil
import subprocess
import sys

import pcie_link
import pytest

from conftest import FPGA

PORT, BOARD = "0000:3a:00.0", "0000:3b:00.0"
PCIE = 0x40  # of the port's PCIe capability; power management comes before it in the list


class Machine:
    """One port with the board below it, and what hardware would do: remove, rescan, training of the link."""

    def __init__(self, folder, board: bool = True, reports_active: bool = True) -> None:
        self.sysfs, self.comes_back, self.trains = folder, True, True
        self.port = folder / "real" / PORT
        self.port.mkdir(parents=True)
        (folder / "devices").mkdir()
        config = bytearray(256)
        config[0x04:0x06] = (0x0547).to_bytes(2, "little")
        config[0x34] = 0x80
        config[0x80:0x82] = bytes([0x01, PCIE])
        config[PCIE : PCIE + 2] = bytes([0x10, 0])
        config[PCIE + 0x08] = 0x0F
        config[PCIE + 0x0E] = 0x10 if reports_active else 0
        (self.port / "config").write_bytes(config)
        (folder / "devices" / PORT).symlink_to(self.port)
        self.describe(self.port, 0x8086, 0x2030)
        self.reports_active = reports_active
        self.status(up=board)
        if board:
            self.appear()

    @staticmethod
    def describe(folder, vendor: int, device: int) -> None:
        (folder / "vendor").write_text(f"{vendor:#06x}\n")
        (folder / "device").write_text(f"{device:#06x}\n")

    def appear(self) -> None:
        board = self.port / BOARD
        board.mkdir()
        self.describe(board, 0x10EE, 0x9038)
        (self.sysfs / "devices" / BOARD).symlink_to(board)

    def word(self, offset: int) -> int:
        return int.from_bytes((self.port / "config").read_bytes()[offset : offset + 2], "little")

    def put(self, offset: int, value: int) -> None:
        config = bytearray((self.port / "config").read_bytes())
        config[offset : offset + 2] = value.to_bytes(2, "little")
        (self.port / "config").write_bytes(config)

    def status(self, up: bool) -> None:
        self.put(PCIE + 0x12, (0x2000 if self.reports_active else 0) | 0x83 if up else 0)

    def sleep(self, seconds: float) -> None:
        """Time in which the hardware acts."""
        control = self.word(PCIE + 0x10)
        if (removed := self.port / BOARD / "remove").exists():
            (self.sysfs / "devices" / BOARD).unlink()
            shutil.rmtree(removed.parent)
        if control & 0x10:
            self.status(up=False)
        elif control & 0x20:
            self.put(PCIE + 0x10, control & ~0x20)
            self.status(up=self.trains)
        if (rescan := self.sysfs / "rescan").exists():
            rescan.unlink()
            if self.comes_back:
                self.appear()


def test_the_sequence(tmp_path, capsys):
    machine = Machine(tmp_path)
    seen = []

    def command(words: list[str]) -> int:
        seen.append((words, machine.word(0x04), machine.word(PCIE + 0x08), machine.word(PCIE + 0x10), (tmp_path / "devices" / BOARD).exists()))
        return 0

    assert pcie_link.cycle(tmp_path, "", ["make", "program"], command, machine.sleep) == 0
    # while the board was programmed: no SERR, no fatal errors, the link disabled, the board gone
    assert seen == [(["make", "program"], 0x0447, 0x0B, 0x10, False)]
    assert machine.word(PCIE + 0x10) == 0 and (tmp_path / "devices" / BOARD).exists()
    assert capsys.readouterr().out.splitlines()[-1] == f"pcie: {BOARD} behind {PORT}, x8 at 8 GT/s"


def test_a_port_that_does_not_report_an_active_link(tmp_path):
    machine = Machine(tmp_path, reports_active=False)
    assert pcie_link.cycle(tmp_path, "", [], lambda words: 1, machine.sleep) == 0


def test_the_port_can_be_named(tmp_path):
    machine = Machine(tmp_path, board=False)
    assert pcie_link.cycle(tmp_path, "3a:00.0", [], lambda words: 1, machine.sleep) == 0


def test_the_link_comes_up_again_after_a_failed_command(tmp_path):
    machine = Machine(tmp_path)
    assert pcie_link.cycle(tmp_path, "", ["false"], lambda words: 21, machine.sleep) == 21
    assert machine.word(PCIE + 0x10) == 0 and (tmp_path / "devices" / BOARD).exists()

    def interrupted(words: list[str]) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pcie_link.cycle(tmp_path, "", ["sleep"], interrupted, machine.sleep)
    assert not machine.word(PCIE + 0x10) & 0x10


@pytest.mark.parametrize(
    ("change", "port", "reason"),
    [
        ({"board": False}, "", "no board on PCIe: name the port"),
        ({"trains": False}, "", f"the link of {PORT} does not come up"),
        ({"comes_back": False}, "", f"the link of {PORT} is up (x8 at 8 GT/s), and nothing answers behind it"),
        ({}, "ff:00.0", "0000:ff:00.0 is no PCI device"),
    ],
)
def test_failures(tmp_path, change, port, reason):
    machine = Machine(tmp_path, board=change.get("board", True))
    machine.trains, machine.comes_back = change.get("trains", True), change.get("comes_back", True)
    with pytest.raises(pcie_link.Failure, match=re.escape(reason)) as failure:
        pcie_link.cycle(tmp_path, port, [], lambda words: 0, machine.sleep)
    assert failure.value.code == 3


def pcie_link_program(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    command = [sys.executable, str(FPGA / "host/pcie_link.py"), *arguments]
    return subprocess.run(command, env={"PATH": "/usr/bin:/bin", **environment}, capture_output=True, text=True, check=False)


def test_what_the_command_needs_is_looked_for_before_the_link_goes_down(tmp_path):
    Machine(tmp_path / "sys")
    config = tmp_path / "sys/devices" / PORT / "config"
    before = config.read_bytes()
    environment = {"NHG_SYSFS": str(tmp_path / "sys")}
    for arguments, changes, reason in (
        (["nothing-of-this-name"], {}, "nothing-of-this-name is not on the PATH"),
        (["make", "program"], {}, "neither vivado_lab nor vivado is on the PATH"),
        (["true"], {"SUDO_UID": "0"}, "start it without sudo before it"),
    ):
        result = pcie_link_program(*arguments, **environment, **changes)
        assert result.returncode == 2 and reason in result.stderr and len(result.stderr.splitlines()) == 1
    assert config.read_bytes() == before


def test_the_command_has_the_users_path(tmp_path, monkeypatch):
    """As root once more, with the PATH of before sudo."""
    monkeypatch.setenv("PATH", "/opt/vivado/bin:/usr/bin:/bin")
    command = pcie_link.as_root(["make", "program"])
    assert command[0] == "sudo" and command[-4:] == ["--path", "/opt/vivado/bin:/usr/bin:/bin", "make", "program"]
    vivado = tmp_path / "tools/vivado"
    vivado.parent.mkdir()
    vivado.write_text("#!/bin/sh\n")
    vivado.chmod(0o755)
    environment = {"NHG_SYSFS": str(tmp_path / "nowhere"), "SUDO_UID": "0"}
    result = pcie_link_program("--path", f"{vivado.parent}:/usr/bin:/bin", "make", "program", **environment)
    assert result.returncode == 3 and "nowhere" in result.stderr  # it has come as far as the port


def test_the_udev_rule_names_both_devices():
    rules = [line for line in (FPGA / "host" / "60-nhg-board.rules").read_text().splitlines() if line and not line.startswith("#")]
    for line in rules:
        assert all(re.fullmatch(r'[A-Z]+(\{\w+\})?(==|\+=|=)"[^"]+"', word) for word in line.split(", ")), line
        assert 'MODE="0660"' in line and 'TAG+="uaccess"' in line
    by_system = {system[1]: line for line in rules if (system := re.match(r'SUBSYSTEM=="(\w+)"', line))}
    assert by_system.keys() == {"xdma", "usb", "tty"} and len(rules) == 3
    for system, attribute in (("usb", "ATTR"), ("tty", "ATTRS")):  # of the device itself, and of one above it
        assert f'{attribute}{{idVendor}}=="0403", {attribute}{{idProduct}}=="6011"' in by_system[system]
    verify = shutil.which("udevadm")
    if verify and "verify" in subprocess.run([verify, "--help"], capture_output=True, text=True, check=False).stdout:
        result = subprocess.run([verify, "verify", str(FPGA / "host" / "60-nhg-board.rules")], capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
