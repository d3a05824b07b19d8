# SPDX-License-Identifier: Apache-2.0
"""`make run OS=linux CMD=...`: a command of BusyBox's shell, with programs of one's own, on the golden model or measured on RTL.

The region is the whole command, from the fork of its shell to the end of it, with what the kernel does meanwhile; or what the program itself marks
(host_roi_begin). The golden model runs to it, RTL goes on from there, and the machine ends with the command's exit code.
"""

from dataclasses import dataclass
from pathlib import Path

from nhg import elf, linux, measure, paths
from nhg.build import build_models
from nhg.errors import NhgError
from nhg.measure import Setting
from nhg.programs import execute

REGIONS = ("command", "program")


@dataclass(frozen=True)
class Command:
    """What is typed, the folder that it runs in, and what of it is measured."""

    text: str
    files: Path | None
    region: str

    @property
    def name(self) -> str:
        return self.text[:40]


def on_golden_model(command: Command, setting: Setting) -> int:
    """The console on stdout; the exit code."""
    image = linux.with_command(command.text, command.files, command.region == "program")
    outcome = execute(
        [paths.ISS, "--elf", image.file, "--adversarial", str(setting.completion_seed), "--max-insns", str(measure.INSTRUCTIONS_MAX)],
        what=command.name,
        show_output=True,
    )
    if outcome.stderr:
        raise NhgError(f"{command.name}: {outcome.cause()}")
    return outcome.code


def on_rtl(command: Command, setting: Setting) -> int:
    """The console and a table on stdout; the exit code."""
    image = linux.with_command(command.text, command.files, command.region == "program")
    checkpoint = measure.checkpoint(command.name, image)
    ended = elf.run_elf(checkpoint, setting)
    elf.show(checkpoint, ended, setting)
    return ended.exit_code


def run(command: Command, target: str, setting: Setting) -> int:
    if command.region not in REGIONS:
        raise NhgError(f"REGION={command.region}: give one of {' '.join(REGIONS)}")
    if target not in ("sim", "iss"):
        raise NhgError(f"CMD on TARGET={target}: give sim (RTL) or iss (golden model)")
    build_models(target, with_plugin=False)
    return (on_rtl if target == "sim" else on_golden_model)(command, setting)
