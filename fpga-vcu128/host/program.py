# SPDX-License-Identifier: Apache-2.0
"""`make program`: the bitstream of a manifest into the board, over JTAG.

usage: program.py MANIFEST [--hw-server HOST:PORT]

Takes no bitstream that missed its timing, that was changed since its manifest was written, or that the device does not
confirm by the commit in USR_ACCESS. While it runs, one line tells the time spent.
Exit codes: 0 done · 10 no Vivado · 16 the bitstream missed timing · 18 manifest or file missing, or not the manifest's ·
20 no hw_server, cable or device · 21 the device did not start · 22 it reports another commit.
"""

import argparse
import hashlib
import json
import queue
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
NO_VIVADO, VIOLATED, NO_INPUT = 10, 16, 18
TICK_SECONDS = 1.0
TICK_SECONDS_NO_TERMINAL = 30.0
NAME = "vcu128_top"


class Failure(Exception):
    """One line for the user and the exit code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def find_vivado() -> str:
    vivado = shutil.which("vivado_lab") or shutil.which("vivado")
    if vivado is None:
        raise Failure(
            NO_VIVADO, "neither vivado_lab nor vivado is on the PATH: install Vivado Lab Edition, which needs no licence, and source its settings64.sh"
        )
    return vivado


def read_manifest(path: Path) -> dict:
    try:
        manifest = json.loads(path.read_text())
        files, violations, _ = manifest["outputs_sha256"], manifest["violations"], (manifest["commit"] + manifest["part"], int(manifest["core_khz"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure(NO_INPUT, f"{path} is no manifest ({error}): run make bitstream, or name one with BITSTREAM=") from None
    if violations:
        raise Failure(VIOLATED, f"{path}: the bitstream missed timing ({violations[0]}); build one that meets it")
    for name in (f"{NAME}.bit", f"{NAME}.ltx"):
        file = path.with_name(name)
        if not file.is_file():
            raise Failure(NO_INPUT, f"{file} is missing: it belongs beside its manifest")
        with file.open("rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() != files.get(name):
                raise Failure(NO_INPUT, f"{file} is not the one of {path.name}: run make bitstream again")
    return manifest


def run(command: list[str]) -> tuple[int, str]:
    """Runs Vivado with a line of progress; its exit code, and its last word."""
    terminal = sys.stdout.isatty()
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        lines: queue.Queue[str | None] = queue.Queue()

        def forward() -> None:
            for line in process.stdout:
                lines.put(line.strip())
            lines.put(None)

        threading.Thread(target=forward, daemon=True).start()
        step, last = "starting Vivado", ""
        while True:
            try:
                line = lines.get(timeout=TICK_SECONDS if terminal else TICK_SECONDS_NO_TERMINAL)
            except queue.Empty:
                line = ""
            if line is None:
                break
            if line:
                last = line
            if line.startswith("program: found "):
                step = f"writing the bitstream into {line.split()[-1]}"
            if terminal or not line or line.startswith("program: found "):
                print(f"{chr(13) if terminal else ''}program: {step}, {time.monotonic() - began:.0f} s", end="   " if terminal else "\n", flush=True)
        if terminal:
            print()
    return process.returncode, last


def main() -> int:
    parser = argparse.ArgumentParser(prog="program", description="Program the board over JTAG")
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--hw-server", default="localhost:3121")
    args = parser.parse_args()
    try:
        manifest = read_manifest(args.manifest)
        vivado = find_vivado()
        files = [f"{kind}={args.manifest.with_name(f'{NAME}.{kind}').resolve()}" for kind in ("bit", "ltx")]
        code, last = run(
            [
                vivado,
                "-mode",
                "batch",
                "-nolog",
                "-nojournal",
                "-notrace",
                "-source",
                str(HERE / "program.tcl"),
                "-tclargs",
                *files,
                f"url={args.hw_server}",
                f"part={manifest['part']}",
                f"commit={manifest['commit']}",
                f"core_khz={manifest['core_khz']}",
            ]
        )
    except Failure as failure:
        print(f"program: {failure}", file=sys.stderr)
        return failure.code
    if code:
        print(f"program: {last}", file=sys.stderr)
        return code
    print(f"program: the board runs commit {manifest['commit']}, as its manifest says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
