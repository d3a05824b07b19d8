#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the board's PCIe link down, lets it be programmed, and brings it up again, without restarting the machine. Asks for root through sudo.

usage: pcie_link.py [--port BDF] [COMMAND ...]      without sudo before it, which would take the PATH away that COMMAND needs

A device that vanishes from a link that is up can end in a fatal error, which stops or restarts many machines, and one that
comes back with another configuration space is not found. So, in this order: the port above the board reports no fatal
errors, the board's driver lets go, the port disables the link, COMMAND runs (as the user who called this, with that user's
PATH; for example `make program`), the port enables and retrains the link, which is a hot reset, and the bus is searched again.
Without COMMAND it is a hot reset and a rescan. `--port` names the port above the slot, for a board that the machine has not
seen since it was switched on: without it the port is that of the one device of AMD's vendor ID that the xdma driver knows.
Not run on a board. Exit codes: 0 done · 1 COMMAND's own failure, with its code · 3 no board, or the link does not come up ·
2 arguments, no sudo, or a program that COMMAND needs is missing: told before the link is touched.
Its file descriptors are /sys/bus/pci; NHG_SYSFS names another place, for the tests.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

VENDOR = 0x10EE
# Of the PCIe DMA as the flow configures it (x8, 8 GT/s) and its relatives of other widths; 0x90xx in general
DEVICES = range(0x9011, 0x9049)
VIVADO = ("vivado_lab", "vivado")
LINK_SECONDS, POLL_SECONDS, SETTLE_SECONDS = 3.0, 0.05, 0.2
NO_BOARD = 3

# Configuration space: offsets, and bits
COMMAND, SERR = 0x04, 1 << 8
CAPABILITIES, CAPABILITY_PCIE = 0x34, 0x10
DEVICE_CONTROL, FATAL_REPORTING = 0x08, 1 << 2  # from the PCIe capability
LINK_CONTROL, LINK_DISABLE, RETRAIN = 0x10, 1 << 4, 1 << 5
LINK_STATUS, TRAINING, ACTIVE = 0x12, 1 << 11, 1 << 13
LINK_CAPABILITIES, REPORTS_ACTIVE = 0x0C, 1 << 20
SPEEDS = {1: "2.5", 2: "5", 3: "8", 4: "16", 5: "32"}  # GT/s


class Failure(Exception):
    """One line for the user and the exit code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Port:
    """The configuration space of a PCIe port."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self._config = folder / "config"
        if not self._config.is_file():
            raise Failure(NO_BOARD, f"{folder.name} is no PCI device; lspci -t shows the ports")
        offset = self.read(CAPABILITIES) & 0xFF
        while offset and self.read(offset) & 0xFF != CAPABILITY_PCIE:
            offset = self.read(offset) >> 8
        if not offset:
            raise Failure(NO_BOARD, f"{self.name} is no PCIe port")
        self._pcie = offset

    def read(self, offset: int) -> int:
        """Sixteen bits."""
        with self._config.open("rb") as file:
            file.seek(offset)
            return int.from_bytes(file.read(2), "little")

    def write(self, offset: int, value: int) -> None:
        with self._config.open("r+b", buffering=0) as file:
            file.seek(offset)
            file.write(value.to_bytes(2, "little"))

    def change(self, offset: int, mask: int, on: bool) -> None:
        value = self.read(offset)
        self.write(offset, value | mask if on else value & ~mask)

    def hide_errors(self) -> None:
        self.change(COMMAND, SERR, False)
        self.change(self._pcie + DEVICE_CONTROL, FATAL_REPORTING, False)

    def disable(self) -> None:
        self.change(self._pcie + LINK_CONTROL, LINK_DISABLE, True)

    def enable(self) -> None:
        self.change(self._pcie + LINK_CONTROL, LINK_DISABLE, False)

    def retrain(self) -> None:
        self.change(self._pcie + LINK_CONTROL, RETRAIN, True)

    def up(self) -> bool:
        status = self.read(self._pcie + LINK_STATUS)
        says = self.read(self._pcie + LINK_CAPABILITIES + 2) << 16 & REPORTS_ACTIVE
        return not status & TRAINING and (bool(status & ACTIVE) if says else bool(status >> 4 & 0x3F))

    def link(self) -> str:
        status = self.read(self._pcie + LINK_STATUS)
        return f"x{status >> 4 & 0x3F} at {SPEEDS.get(status & 0xF, '?')} GT/s"


def boards(devices: Path) -> list[Path]:
    def number(folder: Path, name: str) -> int:
        return int((folder / name).read_text(), 16)

    return [folder for folder in sorted(devices.iterdir()) if number(folder, "vendor") == VENDOR and number(folder, "device") in DEVICES]


def above(device: Path) -> str:
    return device.resolve().parent.name


def below(devices: Path, port: str) -> list[Path]:
    return [folder for folder in sorted(devices.iterdir()) if above(folder) == port]


def find_port(devices: Path, name: str) -> str:
    if name:
        return name if name.count(":") == 2 else f"0000:{name}"
    found = boards(devices)
    if len(found) != 1:
        raise Failure(
            NO_BOARD,
            f"{'no board' if not found else f'{len(found)} boards'} on PCIe: name the port above its slot with --port BDF "
            "(lspci -t), or program the board and restart the machine once",
        )
    return above(found[0])


def as_root(arguments: list[str]) -> list[str]:
    """This program once more, as root; sudo has a PATH of its own, so the user's goes along."""
    return ["sudo", sys.executable, str(Path(__file__).resolve()), "--path", os.environ["PATH"], *arguments]


def require_programs(command: list[str], path: str | None) -> None:
    """COMMAND itself, and Vivado if it is this project's `make program`: looked for while the link is still up."""
    if command and path is None:
        raise Failure(2, "start it without sudo before it: it asks for root itself and keeps your PATH, which sudo does not")
    missing = command and not shutil.which(command[0], path=path)
    if missing:
        raise Failure(2, f"{command[0]} is not on the PATH")
    if command[:1] == ["make"] and "program" in command and not any(shutil.which(name, path=path) for name in VIVADO):
        raise Failure(2, f"neither {' nor '.join(VIVADO)} is on the PATH, which make program needs: source Vivado's settings64.sh")


def run_as_caller(command: list[str]) -> int:
    """As the user of sudo, with that user's groups; as root otherwise."""
    user = (
        {
            "user": int(os.environ["SUDO_UID"]),
            "group": int(os.environ["SUDO_GID"]),
            "extra_groups": os.getgrouplist(os.environ["SUDO_USER"], int(os.environ["SUDO_GID"])),
        }
        if "SUDO_UID" in os.environ
        else {}
    )
    return subprocess.run(command, check=False, **user).returncode


def cycle(sysfs: Path, port_name: str, command: list[str], run: Callable[[list[str]], int], sleep: Callable[[float], None]) -> int:
    """The whole sequence; returns the exit code of `command`, after which the link comes up in any case."""
    devices = sysfs / "devices"
    port = Port(devices / find_port(devices, port_name))
    port.hide_errors()
    for device in below(devices, port.name):
        print(f"pcie: {device.name} is removed", flush=True)
        (device / "remove").write_text("1")
    port.disable()
    print(f"pcie: the link of {port.name} is down", flush=True)
    sleep(SETTLE_SECONDS)
    try:
        code = run(command) if command else 0
    finally:
        port.enable()
        sleep(SETTLE_SECONDS)
        port.retrain()
    waited = 0.0
    while not port.up():
        if waited >= LINK_SECONDS:
            raise Failure(
                NO_BOARD,
                f"the link of {port.name} does not come up: is a bitstream with PCIE=1 in the board? Does it report its commit over "
                "JTAG? Otherwise try PCIE_REFCLK=AL15 (docs/guide/bitstream.md), or restart the machine with the board programmed",
            )
        sleep(POLL_SECONDS)
        waited += POLL_SECONDS
    sleep(SETTLE_SECONDS)
    (sysfs / "rescan").write_text("1")
    sleep(SETTLE_SECONDS)
    found = below(devices, port.name)
    if not found:
        raise Failure(NO_BOARD, f"the link of {port.name} is up ({port.link()}), and nothing answers behind it: restart the machine with the board programmed")
    print(f"pcie: {', '.join(device.name for device in found)} behind {port.name}, {port.link()}")
    return code


def main() -> int:
    parser = argparse.ArgumentParser(prog="pcie_link", description="PCIe link down, COMMAND, link up and rescan")
    parser.add_argument("--port", default="", help="port above the board's slot, as lspci names it")
    parser.add_argument("--path", help=argparse.SUPPRESS)  # of the user, with whom this has been started
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    sysfs = os.environ.get("NHG_SYSFS")
    path = args.path or (None if "SUDO_UID" in os.environ else os.environ["PATH"])
    try:
        require_programs(args.command, path)
        if not sysfs and os.geteuid() != 0:
            if not shutil.which("sudo"):
                raise Failure(2, "needs root, and there is no sudo")
            os.execvp("sudo", as_root(sys.argv[1:]))
        os.environ["PATH"] = path or os.environ["PATH"]
        code = cycle(Path(sysfs or "/sys/bus/pci"), args.port, args.command, run_as_caller, time.sleep)
    except (Failure, OSError) as error:
        print(f"pcie: {error}", file=sys.stderr)
        return error.code if isinstance(error, Failure) else NO_BOARD
    if code:
        print(f"pcie: {' '.join(args.command)} ended with {code}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
